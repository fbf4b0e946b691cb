import { expect, test, vi } from 'vitest'
import { answerNear } from '../../src/jobs/near.ts'
import { silentLog } from '../../src/observe/log.ts'

/** Work that goes on until it is told to end, and a queue that only notes what is left to it. */
function setUp(room: number) {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const left: string[] = []
  const bells = answerNear({
    far: {
      ring: async (key) => void left.push(key),
      ringAgain: async (key) => void left.push(`${key} again`),
      check: async () => {},
      close: async () => {},
    },
    room,
    answer: (key) =>
      new Promise((resolve) => {
        begun.push(key)
        ends.set(key, resolve)
      }),
    log: silentLog,
  })
  return { bells, begun, left, end: (key: string) => ends.get(key)!() }
}

test('bells that ring while their key is worked on count for one more time after it', async () => {
  const { bells, begun, left, end } = setUp(2)
  await bells.ring('a')
  await vi.waitFor(() => expect(begun).toEqual(['a']))
  for (let count = 0; count < 3; count++) await bells.ring('a')
  end('a')
  await vi.waitFor(() => expect(begun).toEqual(['a', 'a']))
  end('a')
  await bells.close(1_000)
  expect([begun, left]).toEqual([['a', 'a'], []])
})

test('what there is no room for, what hangs and what comes while it closes is left to the queue', async () => {
  const { bells, begun, left, end } = setUp(1)
  await bells.ring('a')
  await vi.waitFor(() => expect(begun).toEqual(['a']))
  await bells.ring('b')
  await bells.ringAgain('a')
  expect(left).toEqual(['b', 'a again'])
  await bells.ring('a')
  const closing = bells.close(1_000)
  await bells.ring('c')
  end('a')
  await closing
  expect([begun, left]).toEqual([['a'], ['b', 'a again', 'c']])
})

test('work that fails leaves room for the next bell', async () => {
  const begun: string[] = []
  const bells = answerNear({
    far: { ring: async () => {}, ringAgain: async () => {}, check: async () => {}, close: async () => {} },
    room: 1,
    answer: async (key) => {
      begun.push(key)
      throw new Error('the database is away')
    },
    log: silentLog,
  })
  await bells.ring('a')
  await vi.waitFor(() => expect(begun).toEqual(['a']))
  await vi.waitFor(async () => {
    await bells.ring('b')
    expect(begun).toContain('b')
  })
})
