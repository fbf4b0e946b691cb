import { expect, test } from 'vitest'
import { stem } from '../../src/search/stem.ts'
import { anyOf, createWords } from '../../src/search/words.ts'
import fc from '../support/properties.ts'

const words = createWords()

test('English words are found in all their forms', () => {
  for (const [one, other] of [
    ['Meetings', 'meeting'],
    ['decided', 'deciding'],
    ['libraries', 'library'],
    ['running', 'runs'],
    ['organisation', 'organisations'],
    ['Ann’s', 'ann'],
    ['café', 'cafe'],
    ['ＡＢＣ', 'abc'],
  ])
    expect(words.query(one!), `${one} and ${other}`).toEqual(words.query(other!))
})

test('stems are those of the published algorithm', () => {
  const published = {
    caresses: 'caress',
    ponies: 'poni',
    cats: 'cat',
    agreed: 'agre',
    plastered: 'plaster',
    hopping: 'hop',
    hoping: 'hope',
    falling: 'fall',
    filing: 'file',
    happy: 'happi',
    sky: 'sky',
    relational: 'relat',
    conditional: 'condit',
    vietnamization: 'vietnam',
    triplicate: 'triplic',
    hopefulness: 'hope',
    revival: 'reviv',
    adjustment: 'adjust',
    adoption: 'adopt',
    controll: 'control',
    roll: 'roll',
    probate: 'probat',
    rate: 'rate',
    cease: 'ceas',
  }
  for (const [word, expected] of Object.entries(published)) expect(stem(word), word).toBe(expected)
})

test('Chinese is cut into words and pairs, so that question and text meet', () => {
  const inText = new Set(words.of('数据库超时的处理由张工负责'))
  for (const asked of ['数据库', '超时', '张工', '谁负责超时处理']) {
    const common = words.query(asked).filter((word) => inText.has(word))
    expect(common.length, asked).toBeGreaterThan(0)
  }
})

test('identifiers stay whole: a question for one does not ask for its parts', () => {
  for (const identifier of ['ORD-2024-0017', 'T-1042', 'mem_0198f2', 'v1.2.3', 'a.b@example.org'])
    expect(words.query(`what about ${identifier}?`), identifier).toEqual([identifier.toLowerCase()])
  expect(words.of('ORD-2024-0017')).toContain('0017')
})

test('words that say nothing are left out', () => {
  expect(words.query('what is it, and who are you?')).toEqual([])
  expect(words.query('你好吗？这是什么的？')).not.toContain('的')
})

test('any text at all becomes a literal that can be told apart from its quotes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      const query = anyOf(words.query(text))
      // Every lexeme is quoted, with quotes and backslashes doubled inside.
      if (query !== undefined) expect(query).toMatch(/^'(?:[^'\\]|''|\\\\)+'(?: \| '(?:[^'\\]|''|\\\\)+')*$/)
      expect(words.vector(text)).toMatch(/^(?:'(?:[^'\\]|''|\\\\)+':[\d,]+(?: |$))*$/)
    }),
  )
})

test('a very long text is cut in bounded time, and asks for a bounded number of words', () => {
  const long = Array.from({ length: 60_000 }, (_, index) => `word${index % 7000} 数据${index}`).join(' ')
  expect(words.query(long).length).toBeLessThanOrEqual(48)
  expect(words.vector(long).length).toBeLessThan(1_000_000)
}, 20_000)
