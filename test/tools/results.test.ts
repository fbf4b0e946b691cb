import { describe, expect, it } from 'vitest'
import { shapeResult } from '../../src/tools/results/results.ts'

const sizes = { inline: 200, digest: 2_000 }
let refs = 0
const shape = (content: unknown, files: Parameters<typeof shapeResult>[0]['files'] = []) =>
  shapeResult(
    { content, files },
    {
      sizes,
      count: (text) => Math.ceil(text.length / 3),
      ref: () => `ref_${++refs}`,
      address: () => undefined,
    },
  )

const orders = Array.from({ length: 300 }, (_, index) => ({
  id: `ORD-${index}`,
  amount: index,
  vat: 0.1,
  customer: { name: `Customer ${index}` },
}))

describe('a result', () => {
  it('that is short enters as it is', () => {
    expect(shape('Three rooms are free.')).toEqual({ text: 'Three rooms are free.', files: [] })
    expect(shape('').text).toBe('(empty)')
    expect(shape({ free: 3 }).text).toBe('{"free":3}')
  })

  it('of JSON keeps counts, keys, ids, numbers and both ends, and the whole is kept under the reference it names', () => {
    const { text, original } = shape({ total: 300, orders })
    const digest = JSON.parse(text.split('\n')[0]!)
    expect(digest).toMatchObject({
      total: 300,
      orders: {
        count: 300,
        schema: { id: 'string', amount: 'number', customer: 'object' },
        numbers: { amount: { min: 0, max: 299, sum: 44_850, mean: 149.5 }, vat: { sum: 30 } },
        last: { id: 'ORD-299' },
      },
    })
    expect(digest.orders.first[0]).toMatchObject({ id: 'ORD-0' })
    expect(digest.orders.otherIds).toContain('ORD-20')
    expect(text).toContain(original!.ref)
    expect(JSON.parse(original!.text)).toEqual({ total: 300, orders })
    expect(text.length).toBeLessThan(3 * sizes.inline * 3)
  })

  it.each([
    ['CSV', (cells: readonly string[]) => cells.map((cell) => `"${cell}"`).join(',')],
    ['TSV', (cells: readonly string[]) => cells.join('\t')],
    ['Markdown', (cells: readonly string[]) => `| ${cells.join(' | ')} |`],
  ])('of %s keeps columns, the number of rows, sums, and both ends', (kind, line) => {
    const rows = Array.from({ length: 200 }, (_, index) => [
      `Item ${index}`,
      `1,${String(index).padStart(3, '0')}`,
    ])
    const lines = [
      line(['name', 'price']),
      ...(kind === 'Markdown' ? ['| --- | --- |'] : []),
      ...rows.map(line),
    ]
    const { text } = shape(lines.join('\n'))
    expect(text).toContain('Table of 200 rows. Columns: name | price')
    expect(text).toMatch(/price: min 1000, max 1199, sum 219900, mean 1099.5/)
    expect(text).toContain('Item 0 | 1,000')
    expect(text).toContain('Item 199 | 1,199')
    expect(text).toMatch(/… \d+ rows left out …/)
  })

  it('of a log keeps the levels, the time it spans, and the first and last errors', () => {
    const lines = Array.from({ length: 500 }, (_, index) => {
      const level = [100, 200, 300, 400].includes(index) ? 'ERROR' : index % 10 === 0 ? 'WARN' : 'INFO'
      return `2026-11-30 08:${String(Math.floor(index / 10)).padStart(2, '0')}:00 ${level} event ${index}`
    })
    const { text } = shape(lines.join('\n'))
    expect(text).toContain('Log of 500 lines, 2026-11-30 08:00:00 to 2026-11-30 08:49:00')
    expect(text).toMatch(/WARN 46/)
    expect(text).toMatch(/ERROR 4/)
    expect(text).toMatch(/First errors.*\n101: .*event 100/)
    expect(text).toMatch(/Last errors:\n401: .*event 400/)
    expect(text).toContain('event 499')
  })

  it('of long prose keeps both ends and the headings between', () => {
    const part = (name: string) => `# ${name}\n\n${'It is so. '.repeat(200)}`
    const { text } = shape(['Start', 'Travel', 'Hotels', 'End'].map(part).join('\n\n'))
    expect(text).toMatch(/^# Start/)
    expect(text).toMatch(/with the headings .*Travel; Hotels/)
  })

  it('of HTML is told as its words, without scripts', () => {
    const page = `<!doctype html><html><head><title>x</title><style>p{}</style></head><body><h1>Rooms &amp; halls</h1>
      <script>alert("boo")</script><p>Ada is <b>free</b>.</p><table><tr><td>A</td><td>1</td></tr></table></body></html>`
    expect(shape(page).text).toBe('Rooms & halls\nAda is free.\nA | 1')
    expect(shape('a < b and <b>c</b> > d').text).toBe('a < b and <b>c</b> > d')
  })

  it('with files names each with a reference that holds its bytes', () => {
    const { text, files } = shape('Floor 3', [
      { name: 'floor.png', mimeType: 'image/png', bytes: new Uint8Array([1, 2, 3]) },
      { mimeType: 'audio/wav', bytes: new Uint8Array(9_000_000) },
    ])
    expect(files).toMatchObject([{ mediaType: 'image/png', name: 'floor.png', text: 'AQID' }])
    expect(text).toContain(`[File: floor.png, image/png, 3 bytes, stored as ${files[0]!.ref}.`)
    expect(text).toContain('audio.wav, audio/wav, 9000000 bytes; too large to be kept')
  })

  it.each([
    ['../../etc/passwd', 'text/plain', 'passwd.plain'],
    ['report\u202egpj.exe', 'application/x-msdownload', 'reportgpj.exe'],
    ['<!channel>|"a":b?.png', 'image/png', '!channelab.png'],
    ['', 'application/vnd.ms-excel', 'file.bin'],
    ['\u0000\n', 'image/svg+xml', 'image.svg'],
    ['三楼平面图.pdf', 'application/pdf', '三楼平面图.pdf'],
    [`${'x'.repeat(300)}.pdf`, 'application/pdf', `${'x'.repeat(80)}.pdf`],
  ])('with a file called %j of type %s shows people %s', (name, mimeType, shown) => {
    const { files } = shape('', [{ name, mimeType, bytes: new Uint8Array(1) }])
    expect(files[0]!.name).toBe(shown)
  })

  it('with cycles, numbers of any size, bytes and thousands of levels becomes words', () => {
    const ring: Record<string, unknown> = { name: 'ring', big: 12n, bytes: new Uint8Array(4), run: () => 1 }
    ring.self = ring
    const { text } = shape(ring)
    expect(text).toContain('"self":"[circular]"')
    expect(text).toContain('"big":"12"')
    expect(text).toContain('[4 bytes]')
    let deep: unknown = 'bottom'
    for (let level = 0; level < 20_000; level += 1) deep = [deep]
    expect(shape(deep).text).toMatch(/can not be written|nested deeper/)
    expect(shape(`${'['.repeat(5_000)}${']'.repeat(5_000)}`).text.length).toBeLessThan(5_000)
  })

  it.each([
    ['prose', 'word '.repeat(2_100_000)],
    ['one run', 'x'.repeat(10_500_000)],
    ['a log', '2026-11-30 08:00:00 ERROR it broke at https://user@host.example/path\n'.repeat(150_000)],
    ['a table', 'a,b,c\n1,2,3\n'.repeat(900_000)],
    [
      'JSON',
      JSON.stringify(Array.from({ length: 120_000 }, (_, id) => ({ id, name: `Name of ${id}`, sum: id }))),
    ],
  ])('of ten megabytes of %s is told in a few words, and soon', (_, content) => {
    const began = performance.now()
    const { text, original } = shape(content)
    expect(text.length).toBeLessThan(3_000)
    expect(original!.text.length).toBe(content.length)
    // Some hundred ms on an idle machine.
    expect(performance.now() - began).toBeLessThan(8_000)
  })
})
