import { expect, test } from 'vitest'
import { fuse } from '../../src/search/fused.ts'
import fc from '../support/properties.ts'

const match = (id: string, wordScore: number, similarity?: number) => ({
  id,
  wordScore,
  coverage: wordScore > 0 ? 0.5 : 0,
  ...(similarity === undefined ? {} : { similarity }),
})
const order = (...matches: Parameters<typeof fuse>[0][number][]) => fuse(matches).map(({ id }) => id)

test('words lead, vectors decide between equals and add what has no word in common', () => {
  expect(
    order(match('words', 4, 0.2), match('meaning', 0, 0.9), match('both', 4, 0.9), match('far', 0, 0)),
  ).toEqual(['both', 'words', 'meaning', 'far'])
})

test('neither kind’s own range decides', () => {
  const small = fuse([match('a', 0.02, 0.51), match('b', 0.01, 0.52), match('c', 0, 0.5)])
  const large = fuse([match('a', 20, 0.2), match('b', 10, 0.4), match('c', 0, 0)])
  expect(small.map(({ id }) => id)).toEqual(large.map(({ id }) => id))
  for (const [index, each] of small.entries())
    expect(each.relevance).toBeCloseTo(large[index]?.relevance ?? -1)
})

test('without vectors words count alone, and without words vectors do', () => {
  expect(fuse([match('a', 2), match('b', 1)]).map(({ relevance }) => relevance)).toEqual([1, 0.5])
  expect(fuse([match('a', 0, 0.9), match('b', 0, 0.1)]).map(({ relevance }) => relevance)).toEqual([1, 0])
  expect(fuse([])).toEqual([])
})

test('relevance is always between 0 and 1, and a text that is better in both ways is never behind', () => {
  const scores = fc.record({
    wordScore: fc.double({ min: 0, max: 50, noNaN: true }),
    similarity: fc.double({ min: -1, max: 1, noNaN: true }),
  })
  fc.assert(
    fc.property(fc.array(scores, { minLength: 1, maxLength: 20 }), (all) => {
      const ranked = fuse(all.map((each, index) => match(`m${index}`, each.wordScore, each.similarity)))
      for (const [index, each] of ranked.entries()) {
        expect(each.relevance).toBeGreaterThanOrEqual(0)
        expect(each.relevance).toBeLessThanOrEqual(1 + 1e-9)
        for (const behind of ranked.slice(index + 1)) {
          const isBetter =
            behind.wordScore > each.wordScore + 1e-6 &&
            (behind.similarity ?? 0) > (each.similarity ?? 0) + 1e-6
          expect(isBetter).toBe(false)
        }
      }
    }),
  )
})
