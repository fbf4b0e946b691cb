import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../../src/base/clock.ts'
import type { ModelError } from '../../../src/model/chat.ts'
import { createOpenAiModel } from '../../../src/model/openai.ts'
import { createLog } from '../../../src/observe/log.ts'
import { type ModelStandIn, type ScriptedReply, startModel } from '../../support/model.ts'
import { ask, delta, failureOf, key, modelAt, never, quick, tokens } from './asking.ts'

let endpoint: ModelStandIn
const model = (settings: Parameters<typeof modelAt>[1] = {}) => modelAt(endpoint, settings)

beforeAll(async () => {
  endpoint = await startModel()
  await tokens.load()
})
afterEach(() => endpoint.reset())
afterAll(() => endpoint.stop())

describe('a model in trouble', () => {
  it.each([408, 409, 429, 500, 502, 503, 529])('is asked again after status %d', async (status) => {
    endpoint.reply({ error: { status } }, { error: { status } }, { text: 'Here I am.' })
    await expect(model().complete(ask(), { signal: never() })).resolves.toMatchObject({
      text: 'Here I am.',
      attempts: 3,
    })
  })

  it.each<[string, ModelError['failure'], ScriptedReply]>([
    ['stays down', 'down', { error: { status: 500, message: `trace: ${key}` } }],
    [
      'breaks its stream',
      'down',
      { text: 'a long answer that never ends', chunkSize: 4, breakAfterChunks: 3 },
    ],
    ['ends its stream early', 'down', { events: [delta({ content: 'half' })], done: false }],
    ['sends broken events', 'down', { events: ['data: {"choices": [{"del\n\n'] }],
    [
      'sends an error within its stream',
      'down',
      { events: [delta({ content: 'h' }), { error: { message: 'Internal', type: 'server_error' } }] },
    ],
    ['sends half a document', 'down', { body: '{"choices": [{"mess' }],
    ['takes no more requests', 'rate_limited', { error: { status: 429, code: 'rate_limit_exceeded' } }],
    [
      'says so within its stream',
      'rate_limited',
      { events: [{ error: { message: 'Rate limit', code: 429 } }] },
    ],
  ])('fails after three requests where it %s', async (_, failure, reply) => {
    endpoint.reply(reply, reply, reply)
    const error = await failureOf(model().complete(ask(), { signal: never() }))
    expect(error.failure).toBe(failure)
    expect(error.data).toMatchObject({ attempts: 3, model: 'main' })
  })

  it.each<[string, ModelError['failure'], ScriptedReply]>([
    [
      'the key is wrong',
      'unauthorized',
      { error: { status: 401, message: `Incorrect API key provided: ${key}.`, code: 'invalid_api_key' } },
    ],
    ['the key lacks rights', 'unauthorized', { error: { status: 403, message: 'No access' } }],
    ['the money is spent', 'rate_limited', { error: { status: 429, code: 'insufficient_quota' } }],
    ['payment is due', 'rate_limited', { error: { status: 402, message: 'Insufficient credits' } }],
    [
      'the request is wrong',
      'invalid_request',
      { error: { status: 400, message: 'Invalid schema for function' } },
    ],
    ['the model is unknown', 'invalid_request', { error: { status: 404, code: 'model_not_found' } }],
    ['the address is wrong', 'invalid_request', { body: '<html>Welcome</html>', type: 'text/html' }],
    ['the document is another one', 'invalid_request', { body: { status: 'ok' } }],
    [
      'the prompt was filtered',
      'refused',
      { error: { status: 400, code: 'content_filter', message: 'The response was filtered' } },
    ],
    ['the server says not to', 'down', { error: { status: 503, headers: { 'x-should-retry': 'false' } } }],
  ])('is asked only once where %s', async (_, failure, reply) => {
    endpoint.reply(reply)
    const error = await failureOf(model().complete(ask(), { signal: never() }))
    expect(error.failure).toBe(failure)
    expect(endpoint.requests).toHaveLength(1)
  })

  it.each<[string, number, string | undefined, string]>([
    ['OpenAI', 400, 'context_length_exceeded', 'Your input exceeds the limit'],
    [
      'older OpenAI and vLLM',
      400,
      undefined,
      "This model's maximum context length is 4097 tokens. However, you requested 4231 tokens",
    ],
    [
      'newer vLLM',
      400,
      undefined,
      'The prompt (total length 25938) is too long to fit into the model (context length 4096).',
    ],
    [
      'llama.cpp',
      400,
      undefined,
      'the request exceeds the available context size. try increasing the context size',
    ],
    ['older llama.cpp', 500, undefined, 'the request exceeds the available context size'],
    [
      'LM Studio',
      400,
      undefined,
      'Trying to keep the first 111490 tokens when context the overflows. However, the model is loaded with context length of only 32768 tokens',
    ],
    ['Anthropic', 400, undefined, 'prompt is too long: 210000 tokens > 200000 maximum'],
    [
      'Anthropic with output',
      400,
      undefined,
      'input length and `max_tokens` exceed context limit: 174167 + 64000 > 200000',
    ],
    [
      'Google',
      400,
      undefined,
      'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
    ],
    [
      'Mistral',
      400,
      undefined,
      'Prompt contains 40000 tokens, too large for model with 32768 maximum context length',
    ],
    [
      'a minute budget',
      429,
      'rate_limit_exceeded',
      'Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 45000.',
    ],
    ['a proxy', 413, undefined, 'Payload Too Large'],
  ])('says that the text was too long as %s says it', async (_, status, code, message) => {
    endpoint.reply({ error: { status, message, ...(code ? { code } : {}) } })
    const error = await failureOf(model({ fallbackModels: ['spare'] }).complete(ask(), { signal: never() }))
    expect(error.failure).toBe('context_length')
    expect(endpoint.requests).toHaveLength(1)
  })

  it('starts its text over where a stream broke off', async () => {
    endpoint.reply(
      { text: 'Half of an answer', chunkSize: 4, delayMs: 10, breakAfterChunks: 3 },
      { text: 'The whole answer.' },
    )
    const seen: string[] = []
    const reply = await model().complete(ask(), { signal: never(), onText: (text) => seen.push(text) })
    expect(reply.text).toBe('The whole answer.')
    expect(seen.some((text) => text.startsWith('Half'))).toBe(true)
    expect(seen.at(-1)).toBe('The whole answer.')
  })

  it('is asked once more where it answers with nothing, then given up', async () => {
    const empty: ScriptedReply = { events: [delta({ content: ' \n' }), delta({}, 'stop')] }
    endpoint.reply(empty, { text: 'Something.' })
    await expect(model().complete(ask(), { signal: never() })).resolves.toMatchObject({
      text: 'Something.',
      attempts: 2,
    })
    endpoint.reply(empty, empty, { text: 'Too late.' })
    expect((await failureOf(model().complete(ask(), { signal: never() }))).failure).toBe('empty')
    expect(endpoint.unused).toBe(1)
  })

  it('is given the time that it asks for, and no more than there is', async () => {
    const busy = (seconds: string): ScriptedReply => ({
      error: { status: 429, headers: { 'retry-after': seconds } },
    })
    endpoint.reply(busy('1'), { text: 'Rested.' })
    const started = performance.now()
    await expect(model().complete(ask(), { signal: never() })).resolves.toMatchObject({ text: 'Rested.' })
    expect(performance.now() - started).toBeGreaterThanOrEqual(990)

    const error = await (async () => {
      endpoint.reply(busy('3600'))
      return await failureOf(model().complete(ask(), { signal: never() }))
    })()
    expect(error.data).toMatchObject({ attempts: 1, retryAfterMs: 3_600_000 })
  })

  it('is replaced by the next one that answers, which the reply names', async () => {
    endpoint.script((body) => {
      if (body.model === 'main') return { error: { status: 503 } }
      return body.model === 'spare' ? { error: { status: 404 } } : { text: 'From the last.' }
    })
    const reply = await model({ fallbackModels: ['spare', 'last'] }).complete(ask(), { signal: never() })
    expect(reply).toMatchObject({ text: 'From the last.', model: 'last', attempts: 5 })
  })

  it('fails with the trouble of the chosen model where no other one helps', async () => {
    endpoint.script((body) => ({ error: { status: body.model === 'main' ? 429 : 404 } }))
    const error = await failureOf(model({ fallbackModels: ['spare'] }).complete(ask(), { signal: never() }))
    expect(error).toMatchObject({ failure: 'rate_limited', code: 'model.rate_limited' })
    expect(error.data).toMatchObject({ model: 'main', attempts: 4 })
  })

  it('is down where nothing listens at its address, or where it hangs up', async () => {
    const gone = model({ baseUrl: 'http://127.0.0.1:9/v1' })
    const error = await failureOf(gone.complete(ask(), { signal: never() }))
    expect(error.failure).toBe('down')
    expect(error.message).toMatch(/ECONNREFUSED|bad port/)

    const server = createServer((request) => request.socket.destroy())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const rude = model({ baseUrl: `http://127.0.0.1:${port}/v1` })
    expect((await failureOf(rude.complete(ask(), { signal: never() }))).data).toMatchObject({ attempts: 3 })
    await new Promise((resolve) => server.close(resolve))
  })

  it('leaves no key in the log', async () => {
    const lines: string[] = []
    const log = createLog('debug', { write: (line) => lines.push(line) })
    endpoint.reply(
      { error: { status: 500, message: `failed for ${key}` } },
      { error: { status: 401, message: key } },
    )
    const logged = createOpenAiModel(
      { apiKey: key, baseUrl: endpoint.baseUrl, model: 'main', contextWindow: 1_000, retry: quick },
      { log, clock: systemClock, tokens },
    )
    await failureOf(logged.complete(ask(), { signal: never() }))
    expect(lines.length).toBeGreaterThan(0)
    expect(lines.join('')).not.toContain(key)
  })
})
