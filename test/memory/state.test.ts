import { afterAll, beforeAll, expect, test } from 'vitest'
import { createState } from '../../src/memory/state.ts'
import { type Bench, openBench } from './place.ts'

let bench: Bench
beforeAll(async () => {
  bench = await openBench()
}, 240_000)
afterAll(() => bench.close())

test('a value lasts for its life span, by default a week', async () => {
  const state = createState(bench)
  await state.set('sess_a', 'draft', { step: 1 })
  await state.set('sess_a', 'code', 'x', 1000)
  await state.set('sess_a', 'pinned', [1, 2], null)
  expect(await state.get('sess_a', 'draft')).toEqual({ step: 1 })
  expect(await state.get('sess_b', 'draft')).toBeUndefined()
  bench.clock.pass(1000)
  expect([...(await state.all('sess_a')).keys()]).toEqual(['draft', 'pinned'])
  bench.clock.pass(7 * 86_400_000)
  expect(await state.get('sess_a', 'draft')).toBeUndefined()
  expect((await bench.open().upkeep()).expired).toBe(2)
  expect([...(await state.all('sess_a'))]).toEqual([['pinned', [1, 2]]])
})

test('a value set again replaces the old one and its life span', async () => {
  const state = createState(bench)
  await state.set('per_x', 'mode', 'short', 1000)
  await state.set('per_x', 'mode', 'long', null)
  bench.clock.pass(2000)
  expect(await state.get('per_x', 'mode')).toBe('long')
  await state.remove('per_x', 'mode')
  expect(await state.get('per_x', 'mode')).toBeUndefined()
})
