import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import { createTokens, estimateTokens } from '../../src/model/tokens.ts'
import fc from '../support/properties.ts'

const real = (text: string) => encode(text, { disallowedSpecial: new Set() }).length

const samples: readonly [string, string][] = [
  [
    'English',
    'The owner of the project is Li Wei; please send her the conclusion by Friday, 3 pm. '.repeat(20),
  ],
  ['Chinese', '上周项目会议决定把数据库迁移推迟到十二月，负责人是李伟，下周一补充后续计划。'.repeat(20)],
  ['Japanese', '先週の会議で、データベースの移行を延期することが決まりました。'.repeat(10)],
  ['Russian', 'На прошлой неделе на совещании было решено отложить перенос базы данных. '.repeat(10)],
  [
    'German',
    'Donaudampfschifffahrtsgesellschaftskapitän, Zuständigkeitsverordnung und Überprüfung. '.repeat(10),
  ],
  ['Arabic', 'قررنا في الاجتماع تأجيل نقل قاعدة البيانات إلى الشهر القادم. '.repeat(10)],
  [
    'code',
    'export const total = items.filter((x) => x.price > 0).reduce((a, b) => a + b.price, 0)\n'.repeat(20),
  ],
  [
    'JSON',
    JSON.stringify(Array.from({ length: 60 }, (_, n) => ({ id: `T-${1000 + n}`, open: n % 2 === 0 }))),
  ],
  ['a key', `${'aGVsbG8gd29ybGQsIHRoaXMgaXMgYmFzZTY0'.repeat(20)}=`],
  ['numbers', '3.14159 2,718 1999-12-31T23:59:59Z 192.168.0.1 +49 30 123456 '.repeat(20)],
  ['emoji', '🎉👩‍👩‍👧‍👦🇨🇳👍🏽 done '.repeat(20)],
  ['a table', '| name | state | owner |\n| --- | --- | --- |\n| printer | open | Ann |\n'.repeat(20)],
]

describe('counting tokens', () => {
  it.each(samples)('is exact for %s once the vocabulary is loaded', async (_, text) => {
    const tokens = createTokens()
    await tokens.load()
    expect(tokens.exact).toBe(true)
    expect(Math.abs(tokens.countTokens(text) - real(text))).toBeLessThanOrEqual(Math.ceil(real(text) * 0.02))
  })

  it.each(samples)('estimates %s too high rather than too low before that', (_, text) => {
    expect(estimateTokens(text)).toBeGreaterThanOrEqual(real(text))
    expect(estimateTokens(text)).toBeLessThanOrEqual(real(text) * 3)
  })

  it('answers at once without the vocabulary, and exactly after the first count has fetched it', async () => {
    const tokens = createTokens()
    expect(tokens.countTokens('hello world')).toBeGreaterThanOrEqual(2)
    expect(tokens.exact).toBe(false)
    await expect.poll(() => tokens.exact, { timeout: 10_000 }).toBe(true)
    expect(tokens.countTokens('hello world')).toBe(2)
  })

  it('takes the markers of the vocabulary as plain text', async () => {
    const tokens = createTokens()
    await tokens.load()
    expect(tokens.countTokens('<|endoftext|>')).toBeGreaterThan(1)
  })

  it.each([
    ['Han characters', '数据库超时'.repeat(20_000)],
    ['letters', 'a'.repeat(100_000)],
    ['spaces', ' '.repeat(100_000)],
    ['signs', '-'.repeat(100_000)],
    ['emoji', '🎉'.repeat(50_000)],
  ])('takes under a second for 100,000 %s without a border', async (_, text) => {
    const tokens = createTokens()
    await tokens.load()
    const started = performance.now()
    expect(tokens.countTokens(text)).toBeGreaterThan(0)
    expect(performance.now() - started).toBeLessThan(1_000)
  })

  it('counts what a message holds beside its text', async () => {
    const tokens = createTokens()
    await tokens.load()
    const plain = tokens.countMessage({ role: 'user', content: 'hello world' })
    expect(plain).toBe(6)
    expect(tokens.countMessage({ role: 'user', content: 'hello world', name: 'Ann' })).toBeGreaterThan(plain)
    expect(
      tokens.countMessage({
        role: 'user',
        content: [
          { type: 'text', text: 'hello world' },
          { type: 'image', url: 'data:image/png;base64,AAAA' },
        ],
      }),
    ).toBeGreaterThan(plain + 1_000)
    const call = { id: 'call_1', name: 'create_ticket', arguments: '{"title":"Printer"}' }
    expect(tokens.countMessage({ role: 'assistant', content: '', toolCalls: [call, call] })).toBeGreaterThan(
      20,
    )
    const tool = { name: 'recall', description: 'Search memories.', parameters: { type: 'object' } }
    const request = { messages: [{ role: 'user', content: 'hello world' }] as const, tools: [tool] }
    expect(tokens.countRequest(request)).toBe(plain + 3 + tokens.countTools([tool]))
  })
})

describe('cutting a text to a number of tokens', () => {
  it.each(samples)('keeps as much of %s as fits', async (_, text) => {
    const tokens = createTokens()
    await tokens.load()
    for (const limit of [1, 7, 50, 120]) {
      const cut = tokens.truncate(text, limit)
      expect(text.startsWith(cut)).toBe(true)
      expect(tokens.countTokens(cut)).toBeLessThanOrEqual(limit)
      if (limit >= 50 && real(text) > limit) expect(tokens.countTokens(cut)).toBeGreaterThan(limit * 0.8)
    }
    expect(tokens.truncate(text, 1_000_000)).toBe(text)
    expect(tokens.truncate(text, 0)).toBe('')
  })

  it('never cuts through a character as people see it', async () => {
    const tokens = createTokens()
    await tokens.load()
    const family = '👩‍👩‍👧‍👦'
    for (let limit = 1; limit < 60; limit += 1) {
      const cut = tokens.truncate(family.repeat(20), limit)
      expect(cut.length % family.length).toBe(0)
    }
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 80 }), fc.nat(40), (text, limit) => {
        const cut = tokens.truncate(text, limit)
        const whole = [...new Intl.Segmenter('und').segment(text)].map((part) => part.segment)
        const kept = [...new Intl.Segmenter('und').segment(cut)].map((part) => part.segment)
        expect(whole.slice(0, kept.length)).toEqual(kept)
        expect(tokens.countTokens(cut)).toBeLessThanOrEqual(limit)
      }),
      { numRuns: 300 },
    )
  })

  it('is quick for a text of a million characters', async () => {
    const tokens = createTokens()
    await tokens.load()
    const text = 'The quick brown fox jumps over the lazy dog. '.repeat(22_000)
    const started = performance.now()
    expect(tokens.truncate(text, 5_000).length).toBeGreaterThan(15_000)
    expect(performance.now() - started).toBeLessThan(2_000)
  })
})
