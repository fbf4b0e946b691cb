import { describe, expect, it } from 'vitest'
import { closeFence, splitMarkdown } from '../../src/channel/split.ts'
import fc from '../support/properties.ts'

/** Reads fences on its own, as a chat client does: every opened one must be closed. */
function unclosedFence(part: string): string | undefined {
  let open: string | undefined
  let quoted = false
  for (const line of part.split('\n')) {
    const inQuote = /^\s*>/.test(line)
    // A quote that ends takes its fence with it.
    if (quoted && !inQuote) open = undefined
    if (open === undefined) quoted = inQuote
    const bare = line.replace(/^[ \t>]*/, '').replace(/^(?:(?:[-*+]|\d+[.)])[ \t]+)*/, '')
    const marker = /^(`{3,}|~{3,})(.*)$/.exec(bare)
    if (open === undefined) {
      if (marker && !(marker[1]!.startsWith('`') && marker[2]!.includes('`'))) open = marker[1]
    } else if (marker && marker[2]!.trim() === '' && marker[1]!.startsWith(open)) {
      open = undefined
    }
  }
  return open
}

const words = 'alpha beta gamma 数据库 超时 delta 👩‍👩‍👧‍👦 épsilon zeta 会议纪要 eta theta 🇨🇳 iota'.split(' ')
let serial = 0
const word = fc.constantFrom(...words).map((each) => `${each}${serial++}`)
const sentence = fc
  .array(word, { minLength: 1, maxLength: 30 })
  .chain((all) => fc.constantFrom('.', '。', '?', ':', '').map((end) => all.join(' ') + end))
const paragraph = fc.array(sentence, { minLength: 1, maxLength: 4 }).map((all) => all.join(' '))
const list = fc
  .array(fc.tuple(fc.constantFrom('- ', '1. ', '  - ', '    * '), sentence), { minLength: 1, maxLength: 12 })
  .map((items) => items.map(([mark, text]) => mark + text).join('\n'))
const quote = fc
  .array(sentence, { minLength: 1, maxLength: 4 })
  .map((all) => all.map((line) => `> ${line}`).join('\n'))
const code = fc
  .tuple(
    fc.constantFrom('', '  ', '    ', '> '),
    fc.constantFrom('```', '~~~', '````'),
    fc.constantFrom('', 'ts', 'python title="a b"'),
    fc.array(
      fc.oneof(
        sentence,
        fc.constant(''),
        word.map((each) => `  ${each}`),
      ),
      { maxLength: 14 },
    ),
    fc.boolean(),
  )
  .map(([before, marker, info, lines, closed]) =>
    [marker + info, ...lines, ...(closed ? [marker] : [])].map((line) => before + line).join('\n'),
  )
const table = fc.array(fc.tuple(word, sentence), { minLength: 1, maxLength: 10 }).map((rows) => {
  const head = `| h${serial++} | h${serial++} |\n| --- | :-: |`
  return [head, ...rows.map(([a, b]) => `| ${a} | ${b} |`)].join('\n')
})
const title = word.map((each) => `## ${each}`)
const document = fc
  .array(fc.oneof(paragraph, list, quote, code, table, title), { minLength: 1, maxLength: 10 })
  .map((blocks) => blocks.join('\n\n'))

/** The words of a text in order, each once (a table's header may be repeated). */
function wordsOf(text: string): string[] {
  return [...new Set(text.match(/[\p{L}\p{Extended_Pictographic}\p{RI}\u200d]+\d+/gu) ?? [])]
}

describe('splitting Markdown', () => {
  it('loses no word, keeps the limit and closes every fence, whatever the document', () => {
    fc.assert(
      fc.property(document, fc.integer({ min: 200, max: 900 }), (text, limit) => {
        const parts = splitMarkdown(text, limit)
        for (const part of parts) {
          expect(part.length).toBeLessThanOrEqual(limit)
          expect(part.trim()).not.toBe('')
          expect(unclosedFence(part)).toBeUndefined()
        }
        expect(wordsOf(parts.join('\n'))).toEqual(wordsOf(text))
      }),
      { numRuns: 300 },
    )
  })

  it('loses no character of text without blocks, and cuts no grapheme', () => {
    const character = fc.oneof(
      fc.constantFrom(
        'a',
        'b',
        ' ',
        ' ',
        '\n',
        '，',
        '。',
        '. ',
        '好',
        '👩‍👩‍👧‍👦',
        '🇨🇳',
        'é',
        '*',
        '_',
        '[',
        ']',
        '(',
      ),
      fc.constantFrom('👍🏽', '字', 'x', 'y', 'z'),
    )
    fc.assert(
      fc.property(fc.array(character, { minLength: 150, maxLength: 1500 }), (characters) => {
        const text = characters.join('')
        const parts = splitMarkdown(text, 200)
        expect(parts.every((part) => part.length <= 200)).toBe(true)
        const bare = (all: string) => all.replace(/\s+/g, '')
        expect(bare(parts.join(''))).toBe(bare(text))
        const graphemes = (all: string) =>
          [...new Intl.Segmenter('und', { granularity: 'grapheme' }).segment(all)]
            .map((each) => each.segment)
            .filter((each) => each.trim() !== '')
        expect(parts.flatMap(graphemes)).toEqual(graphemes(text))
      }),
      { numRuns: 200 },
    )
  })

  it('keeps the limit and closes every fence for any characters at all', () => {
    const piece = fc.oneof(
      fc.constantFrom('```', '~~~', '`', '\n', '\n', '> ', '- ', '1. ', '|', '| - | - |', '    ', '\t', '# '),
      fc.string({ maxLength: 40 }),
      fc.string({ unit: 'binary', maxLength: 10 }),
      fc.constantFrom(
        'x'.repeat(250),
        '|'.repeat(220),
        '\u0301'.repeat(300),
        '>'.repeat(230),
        ' '.repeat(300),
      ),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 120 }), (pieces) => {
        for (const part of splitMarkdown(pieces.join(''), 200)) {
          expect(part.length).toBeLessThanOrEqual(200)
          expect(closeFence(part)).toBe(part)
          expect(part.isWellFormed() || !pieces.join('').isWellFormed()).toBe(true)
        }
      }),
      { numRuns: 1000 },
    )
  })

  it('leaves a text that fits as it is', () => {
    expect(splitMarkdown('Hello **you**\n\n- one\n- two', 200)).toEqual(['Hello **you**\n\n- one\n- two'])
    expect(splitMarkdown('', 200)).toEqual([])
    expect(splitMarkdown(' \n\n ', 200)).toEqual([])
  })

  it('prefers a paragraph to a list item, an item to a line, a line to a sentence, a sentence to a word', () => {
    const x = (count: number) => 'x'.repeat(count)
    expect(splitMarkdown(`${x(110)}\n\n${x(50)}\n${x(90)}`, 200)[0]).toBe(x(110))
    expect(splitMarkdown(`- ${x(60)}\n- ${x(60)}\n  ${x(30)}\n- ${x(90)}`, 200)[0]).toBe(
      `- ${x(60)}\n- ${x(60)}\n  ${x(30)}`,
    )
    expect(splitMarkdown(`${x(110)}\n${x(30)}. ${x(90)}`, 200)[0]).toBe(x(110))
    expect(splitMarkdown(`${x(120)}. ${x(30)} ${x(90)}`, 200)[0]).toBe(`${x(120)}.`)
    expect(splitMarkdown(`${x(120)} ${x(30)} ${x(90)}`, 200)[0]).toBe(`${x(120)} ${x(30)}`)
    expect(splitMarkdown(`${'长'.repeat(150)}。${'长'.repeat(100)}`, 200)[0]).toBe(`${'长'.repeat(150)}。`)
  })

  it('closes a fence and opens it again with its language, its marks and its lines untouched', () => {
    const lines = Array.from({ length: 20 }, (_, index) => `  const line${index} = ${index}`)
    for (const marker of ['```', '~~~~']) {
      const parts = splitMarkdown(`Look:\n\n${marker}ts\n${lines.join('\n')}\n${marker}\n\nDone.`, 250)
      expect(parts.length).toBeGreaterThan(1)
      for (const part of parts.slice(1)) expect(part.startsWith(`${marker}ts\n  const`)).toBe(true)
      const kept = parts.flatMap((part) => part.split('\n')).filter((line) => line.includes('const'))
      expect(kept).toEqual(lines)
      expect(parts.at(-1)).toMatch(/\n\nDone\.$/)
    }
  })

  it('takes a fence out of its list where it goes on in another message, with the same code in it', () => {
    const lines = Array.from({ length: 12 }, (_, index) => `       step ${index} of the build`)
    const parts = splitMarkdown(
      `1. Run this:\n\n    \`\`\`sh\n${lines.join('\n')}\n    \`\`\`\n2. Then rest.`,
      200,
    )
    expect(parts[1]!.split('\n').slice(0, 2)).toEqual(['```sh', expect.stringMatching(/^ {3}step \d/)])
    expect(parts.join('\n')).toContain('2. Then rest.')
    expect(parts.every((part) => unclosedFence(part) === undefined)).toBe(true)
  })

  it('moves a table that fits into one message as a whole', () => {
    const table = `| Name | Role |\n|---|---|\n${'| Ann | Owner |\n'.repeat(8)}`.trim()
    const parts = splitMarkdown(`${'Some words here. '.repeat(8)}\n\n${table}\n\nAfter.`, 220)
    expect(parts.some((part) => part.includes(table))).toBe(true)
  })

  it('repeats the header of a table that has to be torn', () => {
    const head = '| Name | Role |\n|---|---|'
    const rows = Array.from({ length: 30 }, (_, index) => `| Person ${index} | Owner |`)
    const parts = splitMarkdown([head, ...rows].join('\n'), 220)
    expect(parts.every((part) => part.startsWith(head))).toBe(true)
    expect(parts.flatMap((part) => part.split('\n').slice(2))).toEqual(rows)
  })

  it('does not leave a heading or an announcing line behind', () => {
    const parts = splitMarkdown(`${'Words. '.repeat(22)}\n\n## Next steps\n\n${'More. '.repeat(20)}`, 200)
    expect(parts[1]).toMatch(/^## Next steps\n\nMore/)
  })

  it('does not tear a link', () => {
    const link = `[the minutes of the meeting](https://example.org/${'a'.repeat(40)})`
    const parts = splitMarkdown(`${'word '.repeat(34)}${link} and more words after it`, 220)
    expect(parts.some((part) => part.includes(link))).toBe(true)
  })

  it('keeps the earlier parts while a text grows', () => {
    const text = Array.from({ length: 40 }, (_, n) => `Paragraph ${n}: ${'some words '.repeat(8)}`).join(
      '\n\n',
    )
    let before: string[] = []
    let changes = 0
    for (let length = 50; length <= text.length; length += 50) {
      const parts = splitMarkdown(text.slice(0, length), 400, { closeLast: false })
      for (const [index, part] of before.slice(0, -1).entries()) if (parts[index] !== part) changes += 1
      before = parts
    }
    expect(changes).toBe(0)
  })

  it('leaves the fence of a growing draft open where asked, with room to close it', () => {
    const draft = splitMarkdown(`\`\`\`ts\n${'const a = 1\n'.repeat(16)}`, 200, { closeLast: false })
    expect(draft).toHaveLength(2)
    expect(closeFence(draft[1]!).length).toBeLessThanOrEqual(200)
    expect(splitMarkdown('```ts\nconst a', 200, { closeLast: false })).toEqual(['```ts\nconst a'])
    expect(splitMarkdown('```ts\nconst a', 200)).toEqual(['```ts\nconst a\n```'])
  })
})
