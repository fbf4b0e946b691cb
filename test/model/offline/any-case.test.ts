import { expect, it } from 'vitest'
import { partlyAnyCase } from '../../../src/model/offline/any-case.ts'

it('takes letters in both cases where the pattern says so, and nowhere else', () => {
  const pattern = partlyAnyCase('^(?i:tell|summari[sz]e (?:me )?[a-z]+-\\d) (\\p{Lu}\\w+) (?i:on) (that)$')
  expect(pattern.exec('TELL Ann On that')?.slice(1)).toEqual(['Ann', 'that'])
  expect(pattern.test('Summarise ME T-1 Ann on that')).toBe(true)
  expect(pattern.test('tell Ann on THAT')).toBe(false)
  expect(pattern.test('tell ann on that')).toBe(false)
})
