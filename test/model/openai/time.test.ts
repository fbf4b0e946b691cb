import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { OpenAiSettings } from '../../../src/model/openai.ts'
import { type ModelStandIn, type ScriptedReply, startModel } from '../../support/model.ts'
import { ask, delta, failureOf, modelAt, never, quick } from './asking.ts'

let endpoint: ModelStandIn
const model = (settings: Parameters<typeof modelAt>[1] = {}) => modelAt(endpoint, settings)

beforeAll(async () => {
  endpoint = await startModel()
})
afterEach(() => endpoint.reset())
afterAll(() => endpoint.stop())

describe('time', () => {
  const once = { ...quick, retries: 0 }

  it.each<[string, ScriptedReply, OpenAiSettings['timeouts']]>([
    ['nothing comes at all', { hang: true }, { firstByteMs: 150 }],
    ['it falls silent midway', { events: [delta({ content: 'Well' })], hang: true }, { betweenMs: 150 }],
    [
      'it never ends',
      { events: Array.from({ length: 200 }, () => delta({ content: 'la ' })), delayMs: 20 },
      { wholeMs: 300 },
    ],
  ])('is limited where %s, and the connection is closed', async (_, reply, timeouts) => {
    endpoint.reply(reply)
    const started = performance.now()
    const error = await failureOf(model({ retry: once, timeouts }).complete(ask(), { signal: never() }))
    expect(error.failure).toBe('timeout')
    expect(performance.now() - started).toBeLessThan(2_000)
    await expect.poll(() => endpoint.requests[0]?.aborted).toBe(true)
  })

  it('does not run out while something comes', async () => {
    const text = 'A slow but steady answer, longer on its way than any pause may be.'
    endpoint.reply({ text, chunkSize: 2, delayMs: 50 })
    const steady = model({ retry: once, timeouts: { firstByteMs: 1_000, betweenMs: 1_000 } })
    const started = performance.now()
    await expect(steady.complete(ask(), { signal: never() })).resolves.toMatchObject({ text })
    expect(performance.now() - started).toBeGreaterThan(1_000)
  })

  it('ends at once where the caller gives up, with the reason', async () => {
    const reason = new Error('A newer message came.')
    for (const reply of [
      { hang: true },
      { text: 'x'.repeat(4_000), delayMs: 20 },
      { error: { status: 429, headers: { 'retry-after': '2' } } },
    ] as ScriptedReply[]) {
      endpoint.reset()
      endpoint.reply(reply)
      const giveUp = new AbortController()
      const seen: string[] = []
      const work = model().complete(ask(), { signal: giveUp.signal, onText: (text) => seen.push(text) })
      await expect.poll(() => endpoint.requests.length).toBe(1)
      if ('text' in reply) await expect.poll(() => seen.length).toBeGreaterThan(0)
      const before = seen.length
      const started = performance.now()
      giveUp.abort(reason)
      await expect(work).rejects.toBe(reason)
      expect(performance.now() - started).toBeLessThan(100)
      expect(seen.length).toBe(before)
      if (!('error' in reply)) await expect.poll(() => endpoint.requests[0]?.aborted).toBe(true)
    }
  })

  it('is not spent on a request that was given up before', async () => {
    const reason = new Error('Too late.')
    await expect(model().complete(ask(), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    expect(endpoint.requests).toHaveLength(0)
  })

  it('is not lost when the caller fails while it is told the text', async () => {
    endpoint.reply({ text: 'x'.repeat(2_000), delayMs: 10 })
    const fault = new RangeError('The draft is gone.')
    const work = model().complete(ask(), {
      signal: never(),
      onText: () => {
        throw fault
      },
    })
    await expect(work).rejects.toBe(fault)
    await expect.poll(() => endpoint.requests[0]?.aborted).toBe(true)
  })
})
