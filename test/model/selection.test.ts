import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { createModel } from '../../src/model/selection.ts'
import { createTokens } from '../../src/model/tokens.ts'
import { windowOf } from '../../src/model/window.ts'
import { silentLog } from '../../src/observe/log.ts'
import { type ModelStandIn, startModel } from '../support/model.ts'

const parts = {
  config: { firstPieceSeconds: 60, silenceSeconds: 30, replySeconds: 180, retries: 0 },
  log: silentLog,
  clock: systemClock,
  tokens: createTokens(),
  paceMs: 0,
}
const request = { messages: [{ role: 'user', content: 'Hello' }], tools: [], maxOutputTokens: 100 } as const

let endpoint: ModelStandIn
beforeAll(async () => {
  endpoint = await startModel()
})
afterAll(() => endpoint.stop())

describe('the model that answers', () => {
  it('is the stand-in where no endpoint is set', async () => {
    const model = createModel({ state: 'offline' }, parts)
    expect(model).toMatchObject({ name: 'offline', offline: true })
    const reply = await model.complete(request, { signal: new AbortController().signal })
    expect(reply).toMatchObject({ model: 'offline', finish: 'stop', attempts: 1 })
    expect(reply.usage.inputTokens).toBeGreaterThan(0)
  })

  it('is the one at the endpoint where one is set', async () => {
    endpoint.reply({ text: 'Hi.' })
    const model = createModel(
      { state: 'endpoint', baseUrl: endpoint.baseUrl, name: 'gpt-4o-mini', fallbacks: [] },
      parts,
    )
    expect(model).toMatchObject({ name: 'gpt-4o-mini', offline: false, contextWindow: 128_000 })
    const reply = await model.complete(request, { signal: new AbortController().signal })
    expect(reply.text).toBe('Hi.')
  })

  it('has the window that is set, else the one that its name tells', () => {
    const settings = { state: 'endpoint', apiKey: 'k', name: 'my-model', fallbacks: [] } as const
    expect(createModel({ ...settings, contextWindow: 9_000 }, parts).contextWindow).toBe(9_000)
    expect(createModel(settings, parts).contextWindow).toBe(32_768)
    expect(windowOf('openai/gpt-5.4-mini')).toBe(400_000)
    expect(windowOf('gpt-4-0613')).toBe(8_192)
  })

  it('stops writing at once where the caller gives up', async () => {
    const model = createModel({ state: 'offline' }, { ...parts, paceMs: 50 })
    const giveUp = new AbortController()
    const reason = new Error('A newer message came.')
    let seen = 0
    const work = model.complete(request, {
      signal: giveUp.signal,
      onText: () => {
        seen += 1
        if (seen === 3) giveUp.abort(reason)
      },
    })
    await expect(work).rejects.toBe(reason)
    expect(seen).toBe(3)
  })
})
