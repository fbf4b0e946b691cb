import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { createOpenAiEmbeddings } from '../../src/model/embeddings.ts'
import { silentLog } from '../../src/observe/log.ts'
import { type ModelStandIn, startModel } from '../support/model.ts'

let endpoint: ModelStandIn
beforeAll(async () => {
  endpoint = await startModel()
})
afterEach(() => endpoint.reset())
afterAll(() => endpoint.stop())

const embeddings = (timeoutMs = 5_000) =>
  createOpenAiEmbeddings(
    {
      apiKey: 'sk-test-0123456789abcdef0123',
      baseUrl: endpoint.baseUrl,
      model: 'small',
      timeoutMs,
      retry: { baseMs: 5, mostMs: 10 },
    },
    { log: silentLog, clock: systemClock },
  )

describe('embeddings of an endpoint', () => {
  it('come as one vector for each text, in order', async () => {
    const vectors = await embeddings()(['printer', 'door', 'printer', ''])
    expect(vectors).toHaveLength(4)
    expect(vectors[0]).toEqual(vectors[2])
    expect(vectors[0]).not.toEqual(vectors[1])
    expect(endpoint.requests[0]?.body).toMatchObject({
      model: 'small',
      encoding_format: 'float',
      input: ['printer', 'door', 'printer', '-'],
    })
  })

  it('follow the index where the endpoint answers in another order', async () => {
    const data = [
      { index: 1, embedding: [2, 2] },
      { index: 0, embedding: [1, 1] },
    ]
    endpoint.reply({ body: { data } })
    await expect(embeddings()(['a', 'b'])).resolves.toEqual([
      [1, 1],
      [2, 2],
    ])
  })

  it('cost no request where there is no text', async () => {
    await expect(embeddings()([])).resolves.toEqual([])
    expect(endpoint.requests).toHaveLength(0)
  })

  it('are asked for again where the endpoint stumbles or answers too few', async () => {
    endpoint.reply({ error: { status: 503 } }, { body: { data: [{ index: 1, embedding: [1] }] } })
    await expect(embeddings()(['a', 'b'])).resolves.toHaveLength(2)
    expect(endpoint.requests).toHaveLength(3)
  })

  it('fail with the reason where they can not be had', async () => {
    endpoint.reply({ error: { status: 401, message: 'Incorrect API key provided' } })
    await expect(embeddings()(['a'])).rejects.toMatchObject({ failure: 'unauthorized' })
    endpoint.reply({ body: { object: 'list' } })
    await expect(embeddings()(['a'])).rejects.toMatchObject({ failure: 'invalid_request' })
    endpoint.reply({ hang: true })
    await expect(embeddings(150)(['a'])).rejects.toMatchObject({ failure: 'timeout' })
  })

  it('end at once where the caller gives up', async () => {
    endpoint.reply({ hang: true })
    const giveUp = new AbortController()
    const work = embeddings()(['a'], giveUp.signal)
    await expect.poll(() => endpoint.requests.length).toBe(1)
    const reason = new Error('stop')
    giveUp.abort(reason)
    await expect(work).rejects.toBe(reason)
  })
})
