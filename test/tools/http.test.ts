import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addressKind } from '../../src/tools/builtin/addresses.ts'
import { type HttpRules, httpTools } from '../../src/tools/builtin/http.ts'
import type { CallContext, CheckContext } from '../../src/tools/tool.ts'

let server: Server
let port: number
let hits: string[] = []

beforeAll(async () => {
  server = createServer((request, response) => {
    hits.push(`${request.headers.host} ${request.url} ${request.headers.authorization ?? ''}`)
    const send = (status: number, type: string, body: string | Buffer, more: Record<string, string> = {}) =>
      response.writeHead(status, { 'Content-Type': type, ...more }).end(body)
    const target = new URL(request.url!, 'http://x.example').searchParams.get('to') ?? ''
    switch (request.url!.split('?')[0]) {
      case '/json':
        return send(200, 'application/json', '{"rooms":[1,2]}')
      case '/page':
        return send(
          200,
          'text/html; charset=utf-8',
          '<!doctype html><p>Ada is <b>free</b>.</p><script>x()</script>',
        )
      case '/picture':
        return send(200, 'image/png', Buffer.from([1, 2, 3]))
      case '/large':
        return send(200, 'text/plain', 'x'.repeat(50_000))
      case '/slow':
        return undefined
      case '/to':
        return send(302, 'text/plain', '', { Location: target })
      case '/packed':
        return send(200, 'text/plain', gzipSync('Ada is free.'), { 'Content-Encoding': 'gzip' })
      case '/bomb':
        return send(200, 'text/plain', gzipSync('x'.repeat(5_000_000)), { 'Content-Encoding': 'gzip' })
      case '/torn':
        return send(200, 'text/plain', 'no gzip', { 'Content-Encoding': 'gzip' })
      case '/%E4%B8%89%20floors.pdf':
        return send(200, 'application/pdf', Buffer.from([1]))
      case '/busy-until':
        return send(503, 'text/html', 'x'.repeat(50_000), { 'Retry-After': 'Mon, 30 Nov 2026 12:00:30 GMT' })
      case '/busy':
        return send(429, 'text/plain', '', { 'Retry-After': '7' })
      default:
        return send(404, 'text/plain', 'no')
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

/** Every name leads to these addresses. */
const resolving = (...addresses: string[]) =>
  ((_name: string, _options: object, callback: (error: null, found: object[]) => void) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )) as never

function tool(rules: Partial<HttpRules>, ...addresses: string[]) {
  const lookup = resolving(...(addresses.length > 0 ? addresses : ['127.0.0.1']))
  const [made] = httpTools({ allow: [], internal: [], timeoutMs: 2_000, maxBytes: 20_000, ...rules }, lookup)
  return made!
}
async function fetched(made: ReturnType<typeof tool>, url: string) {
  const checked = await made.check({ url }, {} as CheckContext)
  if (!checked.ok) throw new Error(checked.problems[0]!.problem)
  const now = new Date('2026-11-30T12:00:00Z')
  return made.run(checked.arguments, { now, signal: new AbortController().signal } as CallContext)
}
const inside = () => tool({ internal: [`wiki.example:${port}`] })

describe('looking at a web address', () => {
  it('gives JSON as data, pages to be told as words, and other files as files', async () => {
    expect((await fetched(inside(), `http://wiki.example:${port}/json`)).content).toMatchObject({
      status: 200,
      data: { rooms: [1, 2] },
    })
    expect((await fetched(inside(), `http://wiki.example:${port}/page`)).content).toContain('<b>free</b>')
    expect((await fetched(inside(), `http://wiki.example:${port}/picture`)).files).toMatchObject([
      { name: 'picture', mimeType: 'image/png' },
    ])
  })

  it('unpacks what comes packed unasked, and tells names as people read them', async () => {
    const { content } = await fetched(inside(), `http://wiki.example:${port}/packed`)
    expect(content).toMatchObject({ text: 'Ada is free.' })
    const { files } = await fetched(inside(), `http://wiki.example:${port}/三 floors.pdf`)
    expect(files).toMatchObject([{ name: '三 floors.pdf' }])
  })

  it('is not there without an allowed host', () => {
    expect(httpTools({ allow: [], internal: [], timeoutMs: 1, maxBytes: 1 })).toEqual([])
  })

  it.each([
    ['another host', 'http://evil.example/json'],
    ['another port of an allowed host', 'http://wiki.example:9/json'],
    ['a host that only begins like it', 'http://wiki.example.evil.example/json'],
    ['a password', 'http://ann:pw@wiki.example/json'],
    ['another protocol', 'ftp://wiki.example/json'],
    ['the apex of a wildcard', 'http://docs.example/x'],
  ])('refuses %s', async (_, url) => {
    hits = []
    await expect(fetched(tool({ allow: ['wiki.example', '*.docs.example'] }), url)).rejects.toThrow()
    expect(hits).toEqual([])
  })

  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.20.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '0.0.0.0',
    '::1',
    'fe80::1',
    'fd00::1',
    '::ffff:10.0.0.1',
    '100.64.0.9',
  ])('refuses an allowed name that leads to %s, also beside a public address', async (address) => {
    hits = []
    for (const addresses of [[address], ['93.184.216.34', address]]) {
      await expect(
        fetched(tool({ allow: [`wiki.example:${port}`] }, ...addresses), `http://wiki.example:${port}/json`),
      ).rejects.toMatchObject({ failure: 'permission' })
    }
    expect(hits).toEqual([])
  })

  it('refuses addresses written in any way', async () => {
    for (const host of ['127.0.0.1', '2130706433', '0x7f.1', '017700000001', '[::1]', '[::ffff:127.0.0.1]']) {
      const name = new URL(`http://${host}/`).hostname
      await expect(
        fetched(tool({ allow: [`${name}:${port}`] }), `http://${host}:${port}/json`),
      ).rejects.toThrow(/own network/)
    }
    await expect(
      fetched(tool({ internal: ['169.254.169.254'] }), 'http://169.254.169.254/latest'),
    ).rejects.toThrow()
  })

  it('follows redirects to allowed hosts only, and not for ever', async () => {
    const to = (url: string) => `http://wiki.example:${port}/to?to=${encodeURIComponent(url)}`
    expect((await fetched(inside(), to('/json'))).content).toMatchObject({ data: { rooms: [1, 2] } })
    for (const url of ['http://evil.example/', `http://127.0.0.1:${port}/json`, 'file:///etc/passwd']) {
      await expect(fetched(inside(), to(url))).rejects.toMatchObject({ failure: 'permission' })
    }
    await expect(
      fetched(inside(), to(to('').replace(/\?.*/, `?to=${encodeURIComponent('/to?to=/to')}`))),
    ).rejects.toMatchObject({
      failure: expect.stringMatching(/permanent|not_found/),
    })
  })

  it('ends what is too large or too slow, and tells errors by their class', async () => {
    const at = (path: string) => fetched(inside(), `http://wiki.example:${port}${path}`)
    await expect(at('/large')).rejects.toThrow(/larger than 20 KB/)
    await expect(at('/bomb')).rejects.toThrow(/larger than 20 KB/)
    await expect(at('/torn')).rejects.toThrow(/can not be unpacked/)
    await expect(at('/slow')).rejects.toMatchObject({ failure: 'transient' })
    await expect(at('/nowhere')).rejects.toMatchObject({ failure: 'not_found' })
    await expect(at('/busy')).rejects.toMatchObject({ failure: 'rate_limit', retryAfterMs: 7_000 })
    // However long its page is, and whatever way the time is said.
    await expect(at('/busy-until')).rejects.toMatchObject({ failure: 'transient', retryAfterMs: 30_000 })
  })

  it('counts public addresses as public', () => {
    expect(['93.184.216.34', '2606:2800:220:1::1', '172.32.0.1'].map(addressKind)).toEqual([
      'public',
      'public',
      'public',
    ])
  })
})
