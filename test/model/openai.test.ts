import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { type ChatMessage, type ChatRequest, ModelError } from '../../src/model/chat.ts'
import { createOpenAiModel, type OpenAiSettings } from '../../src/model/openai.ts'
import { createTokens } from '../../src/model/tokens.ts'
import { createLog, silentLog } from '../../src/observe/log.ts'
import { type ModelStandIn, type ScriptedReply, startModel } from '../support/model.ts'

const key = 'sk-test-0123456789abcdef0123'
const tokens = createTokens()
let endpoint: ModelStandIn

beforeAll(async () => {
  await tokens.load()
  endpoint = await startModel()
})
afterEach(() => endpoint.reset())
afterAll(() => endpoint.stop())

const quick = { baseMs: 5, mostMs: 20, mostRetryAfterMs: 3_000 }

function model(settings: Partial<OpenAiSettings> = {}) {
  return createOpenAiModel(
    {
      apiKey: key,
      baseUrl: endpoint.baseUrl,
      model: 'main',
      contextWindow: 128_000,
      retry: quick,
      ...settings,
    },
    { log: silentLog, clock: systemClock, tokens },
  )
}

const ask = (...messages: ChatMessage[]): ChatRequest => ({
  messages: messages.length > 0 ? messages : [{ role: 'user', content: 'Hello' }],
  tools: [],
  maxOutputTokens: 500,
})

const never = () => new AbortController().signal

async function failureOf(work: Promise<unknown>): Promise<ModelError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(ModelError)
  expect(JSON.stringify([String(error), (error as ModelError).data])).not.toContain(key)
  return error as ModelError
}

const delta = (piece: object, finish: string | null = null) => ({
  choices: [{ index: 0, delta: piece, finish_reason: finish }],
})
const call = (piece: object) => delta({ tool_calls: [piece] })

describe('a reply of the model', () => {
  it('grows as it is written and ends with what it cost', async () => {
    endpoint.reply({
      text: 'The printer is on floor 3.',
      chunkSize: 5,
      usage: { prompt_tokens: 12, completion_tokens: 8 },
    })
    const seen: string[] = []
    const reply = await model().complete(ask(), { signal: never(), onText: (text) => seen.push(text) })
    expect(reply).toEqual({
      text: 'The printer is on floor 3.',
      toolCalls: [],
      finish: 'stop',
      usage: { inputTokens: 12, outputTokens: 8, cachedTokens: 0 },
      model: 'main',
      attempts: 1,
    })
    expect(seen.length).toBeGreaterThan(3)
    expect(seen.every((text, place) => place === 0 || text.startsWith(seen[place - 1]!))).toBe(true)
    expect(seen.at(-1)).toBe(reply.text)
  })

  it('holds several calls, put together from their pieces', async () => {
    endpoint.reply({
      text: 'I will look.',
      calls: [
        { name: 'list_tickets', arguments: { status: 'open', query: 'printer on floor 3' }, id: 'call_a' },
        { name: 'recall', arguments: { query: 'who owns the printers' }, id: 'call_b' },
      ],
      chunkSize: 3,
    })
    const reply = await model().complete(ask(), { signal: never() })
    expect(reply).toMatchObject({
      text: 'I will look.',
      finish: 'tool_calls',
      toolCalls: [
        { id: 'call_a', name: 'list_tickets', arguments: '{"status":"open","query":"printer on floor 3"}' },
        { id: 'call_b', name: 'recall', arguments: '{"query":"who owns the printers"}' },
      ],
    })
  })

  it.each<[string, readonly unknown[]]>([
    [
      'interleaves the pieces of two calls',
      [
        call({ index: 0, id: 'a', function: { name: 'recall', arguments: '' } }),
        call({ index: 1, id: 'b', function: { name: 'list_tickets', arguments: '{"st' } }),
        call({ index: 0, function: { arguments: '{"query":' } }),
        call({ index: 1, function: { arguments: 'atus":"open"}' } }),
        call({ index: 0, function: { arguments: '"Ann"}' } }),
      ],
    ],
    [
      'leaves the ids out',
      [
        call({ index: 0, function: { name: 'recall', arguments: '{"query":"Ann"}' } }),
        call({ index: 1, function: { name: 'list_tickets', arguments: '{"status":"open"}' } }),
      ],
    ],
    [
      'gives the same id twice',
      [
        call({ index: 0, id: 'x', function: { name: 'recall', arguments: '{"query":"Ann"}' } }),
        call({ index: 1, id: 'x', function: { name: 'list_tickets', arguments: '{"status":"open"}' } }),
      ],
    ],
    [
      'gives an id that the conversation has already',
      [
        call({ index: 0, id: 'call_0', function: { name: 'recall', arguments: '{"query":"Ann"}' } }),
        call({ index: 1, id: 'call_1', function: { name: 'list_tickets', arguments: '{"status":"open"}' } }),
      ],
    ],
    [
      'gives every call index 0',
      [
        call({ index: 0, id: 'a', function: { name: 'recall', arguments: '{"query":"Ann"}' } }),
        call({ index: 0, id: 'b', function: { name: 'list_tickets', arguments: '{"status":"open"}' } }),
      ],
    ],
    [
      'leaves index and ids out',
      [
        call({ function: { name: 'recall', arguments: '{"query":"Ann"}' } }),
        call({ function: { name: 'list_tickets', arguments: '{"status"' } }),
        call({ function: { arguments: ':"open"}' } }),
      ],
    ],
    [
      'makes up a new id for each piece',
      [
        call({ index: 0, id: 'p1', function: { name: 'recall', arguments: '{"query":' } }),
        call({ index: 0, id: 'p2', function: { arguments: '"Ann"}' } }),
        call({ index: 1, id: 'p3', function: { name: 'list_tickets', arguments: '{"status":' } }),
        call({ index: 1, id: 'p4', function: { arguments: '"open"}' } }),
      ],
    ],
    [
      'repeats the name with each piece',
      [
        call({ index: 0, id: 'a', function: { name: 'recall', arguments: '{"query":' } }),
        call({ index: 0, id: 'a', function: { name: 'recall', arguments: '"Ann"}' } }),
        call({ index: 1, id: 'b', function: { name: 'list_tickets', arguments: '{"status":"open"}' } }),
      ],
    ],
    [
      'sends arguments as objects',
      [
        delta({
          tool_calls: [
            { index: 0, id: 'a', function: { name: 'recall', arguments: { query: 'Ann' } } },
            { index: 1, id: 'b', function: { name: 'list_tickets', arguments: { status: 'open' } } },
          ],
        }),
      ],
    ],
    [
      'makes its ids longer than OpenAI takes',
      [
        call({ index: 0, id: 'l'.repeat(83), function: { name: 'recall', arguments: '{"query":"Ann"}' } }),
        call({
          index: 1,
          id: 'm'.repeat(83),
          function: { name: 'list_tickets', arguments: '{"status":"open"}' },
        }),
      ],
    ],
  ])('is understood where a server %s, and can be sent back', async (_, events) => {
    const earlier: ChatMessage[] = [
      { role: 'user', content: 'Who is Ann?' },
      { role: 'assistant', content: '', toolCalls: [{ id: 'call_0', name: 'recall', arguments: '{}' }] },
      { role: 'tool', toolCallId: 'call_0', content: 'nothing' },
    ]
    endpoint.reply({ events: [...events, delta({}, 'tool_calls')] })
    const reply = await model().complete(ask(...earlier), { signal: never() })
    expect(reply.toolCalls.map(({ name, arguments: text }) => [name, text])).toEqual([
      ['recall', '{"query":"Ann"}'],
      ['list_tickets', '{"status":"open"}'],
    ])
    // The stand-in refuses doubled, missing and overlong ids.
    endpoint.reply({ text: 'Done.' })
    const results = reply.toolCalls.map(({ id }) => ({
      role: 'tool' as const,
      toolCallId: id,
      content: 'ok',
    }))
    const next = ask(
      ...earlier,
      { role: 'assistant', content: reply.text, toolCalls: reply.toolCalls },
      ...results,
    )
    await expect(model().complete(next, { signal: never() })).resolves.toMatchObject({ text: 'Done.' })
  })

  it('can be sent back where its arguments and its tool names were broken', async () => {
    endpoint.reply(
      {
        calls: [
          { name: 'create ticket!', arguments: "{'title': 'Printer'," },
          { name: 'recall', arguments: 'oops' },
        ],
      },
      { text: 'Done.' },
    )
    const first = await model().complete(ask(), { signal: never() })
    expect(first.toolCalls[0]).toMatchObject({ name: 'create_ticket_', arguments: "{'title': 'Printer'," })
    const results = first.toolCalls.map(({ id }) => ({
      role: 'tool' as const,
      toolCallId: id,
      content: 'unknown',
    }))
    await model().complete(
      ask(
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: '', toolCalls: first.toolCalls },
        ...results,
      ),
      { signal: never() },
    )
    expect(
      endpoint.requests[1]?.body.messages[1]?.tool_calls?.map((sent) => sent.function.arguments),
    ).toEqual(['{"title":"Printer"}', '{}'])
  })

  it('is taken whole from a server that does not stream', async () => {
    endpoint.reply({
      body: {
        object: 'chat.completion',
        choices: [
          {
            index: 0,
            message: {
              role: 'assistant',
              content: 'Looking.',
              tool_calls: [
                { id: 'a', type: 'function', function: { name: 'recall', arguments: '{"query":"x"}' } },
                { id: 'b', type: 'function', function: { name: 'recall', arguments: '{"query":"y"}' } },
              ],
            },
            finish_reason: 'stop',
          },
        ],
        usage: { prompt_tokens: 5, completion_tokens: 6, prompt_tokens_details: { cached_tokens: 4 } },
      },
    })
    const seen: string[] = []
    const reply = await model().complete(ask(), { signal: never(), onText: (text) => seen.push(text) })
    expect(reply).toMatchObject({
      text: 'Looking.',
      finish: 'tool_calls',
      toolCalls: [{ id: 'a' }, { id: 'b' }],
      usage: { inputTokens: 5, outputTokens: 6, cachedTokens: 4 },
    })
    expect(seen).toEqual(['Looking.'])
  })

  it('is read from a stream that is sent under a wrong type', async () => {
    const text = `data: ${JSON.stringify(delta({ content: 'Hello' }, 'stop'))}\n\ndata: [DONE]\n\n`
    endpoint.reply({ body: text, type: 'text/plain' })
    await expect(model().complete(ask(), { signal: never() })).resolves.toMatchObject({ text: 'Hello' })
  })

  it('leaves thoughts and unknown fields out', async () => {
    endpoint.reply({
      events: [
        ': keep-alive\n\n',
        delta({ role: 'assistant', content: '', reasoning_content: 'Hm, the person…' }),
        delta({ content: null, reasoning: 'more', audio: { id: 1 } }),
        delta({ content: '<thi' }),
        delta({ content: 'nk>They greet me.</think>\n\n' }),
        { object: 'ping' },
        delta({ content: 'Hello there.' }),
        { ...delta({}, 'stop'), service_tier: 'x' },
        {
          choices: [],
          usage: {
            prompt_tokens: 3,
            completion_tokens: 9,
            completion_tokens_details: { reasoning_tokens: 7 },
          },
        },
      ],
    })
    const seen: string[] = []
    const reply = await model().complete(ask(), { signal: never(), onText: (text) => seen.push(text) })
    expect(reply.text).toBe('Hello there.')
    expect(seen).toEqual(['Hello there.'])
    expect(reply.usage).toEqual({ inputTokens: 3, outputTokens: 9, cachedTokens: 0 })
  })

  it('is counted here where the server does not count', async () => {
    endpoint.reply({ events: [delta({ content: 'one two three four' }), delta({}, 'stop')] })
    const { usage } = await model().complete(ask(), { signal: never() })
    expect(usage).toEqual({ inputTokens: 8, outputTokens: 8, cachedTokens: 0 })
  })

  it('is whole where only the end mark says so, and says where its length ran out', async () => {
    endpoint.reply({ events: [delta({ content: 'Hello' })] }, { text: 'Too long a st', finish: 'length' })
    await expect(model().complete(ask(), { signal: never() })).resolves.toMatchObject({
      text: 'Hello',
      finish: 'stop',
    })
    await expect(model().complete(ask(), { signal: never() })).resolves.toMatchObject({ finish: 'length' })
  })

  it('says that a filter stopped it, and fails where the filter left nothing', async () => {
    endpoint.reply({ text: 'So far', finish: 'content_filter' }, { events: [delta({}, 'content_filter')] })
    await expect(model().complete(ask(), { signal: never() })).resolves.toMatchObject({
      finish: 'content_filter',
    })
    expect((await failureOf(model().complete(ask(), { signal: never() }))).failure).toBe('refused')
  })

  it('is the refusal where the model refuses in words of its own', async () => {
    endpoint.reply({ events: [delta({ refusal: "I can't help with that." }), delta({}, 'stop')] })
    await expect(model().complete(ask(), { signal: never() })).resolves.toMatchObject({
      text: "I can't help with that.",
    })
  })
})

describe('a request to the model', () => {
  it('is one that OpenAI takes, whatever the conversation holds', async () => {
    endpoint.reply({ text: 'ok' })
    await model().complete(
      {
        messages: [
          { role: 'system', content: 'Rules' },
          { role: 'user', content: 'cut emoji \ud83d', name: 'Li Wei <x>/\\|' },
          {
            role: 'user',
            name: '李 伟',
            content: [
              { type: 'text', text: 'What is this?' },
              { type: 'image', url: 'data:image/png;base64,AAAA' },
            ],
          },
          { role: 'assistant', content: '', toolCalls: [{ id: 'c1', name: 'recall', arguments: '' }] },
          { role: 'tool', toolCallId: 'c1', content: '' },
          { role: 'assistant', content: 'Well.' },
        ],
        tools: [{ name: 'recall', description: 'Search.', parameters: { type: 'object', properties: {} } }],
        maxOutputTokens: 321,
      },
      { signal: never() },
    )
    const { body, headers } = endpoint.requests[0]!
    expect(headers.authorization).toBe(`Bearer ${key}`)
    expect(body).toMatchObject({
      model: 'main',
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 321,
    })
    expect(body.messages[1]?.name).toBe('Li_Wei_x_')
    expect(body.messages[2]).toMatchObject({
      name: '李_伟',
      content: [{ type: 'text' }, { type: 'image_url' }],
    })
    expect(body.messages[3]).toMatchObject({ content: null, tool_calls: [{ function: { arguments: '{}' } }] })
  })

  it('carries no key where none is set', async () => {
    endpoint.reply({ text: 'ok' })
    await model({ apiKey: undefined }).complete(ask(), { signal: never() })
    expect(endpoint.requests[0]?.headers.authorization).toBeUndefined()
  })

  it('uses connections again that earlier ones left open', async () => {
    endpoint.script(() => ({ text: 'one two three', chunkSize: 3 }))
    const same = model()
    for (let turn = 0; turn < 8; turn += 1) await same.complete(ask(), { signal: never() })
    // A request may start while the last bytes of the answer before are on their way.
    expect(new Set(endpoint.requests.map(({ port }) => port)).size).toBeLessThanOrEqual(2)
  })

  it('is sent again, once and for all, without what the server does not take', async () => {
    const refuse = (message: string, param?: string): ScriptedReply => ({
      error: { status: 400, type: 'invalid_request_error', message, ...(param ? { param } : {}) },
    })
    endpoint.script((body) => {
      if ('stream_options' in body) return refuse('Unrecognized request argument supplied: stream_options')
      if ('max_tokens' in body)
        return refuse(
          "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
          'max_tokens',
        )
      if (Number(body.max_completion_tokens) > 64)
        return refuse('max_tokens is too large: 500. This model supports at most 64 completion tokens.')
      if (body.messages.some((message) => 'name' in message))
        return refuse("Invalid 'messages[0].name': not supported", 'messages[0].name')
      return { text: 'ok' }
    })
    const learning = model({ retry: { ...quick, retries: 0 } })
    const first = await learning.complete(ask({ role: 'user', content: 'Hi', name: 'Ann' }), {
      signal: never(),
    })
    expect(first.attempts).toBe(5)
    const second = await learning.complete(ask({ role: 'user', content: 'Hi', name: 'Ann' }), {
      signal: never(),
    })
    expect(second.attempts).toBe(1)
  })

  it.each<[string, number, string]>([
    ['OpenAI', 400, 'Invalid content type. image_url is only supported by certain models.'],
    ['vLLM', 400, 'test-model is not a multimodal model'],
    ['llama.cpp', 500, 'image input is not supported - hint: you may need to provide the mmproj'],
    ['OpenRouter', 404, 'No endpoints found that support image input'],
  ])('goes without its pictures to a model that can not see, as %s says it', async (_, status, message) => {
    endpoint.script((body) =>
      JSON.stringify(body.messages).includes('image_url')
        ? { error: { status, message } }
        : { text: 'I can not see it.' },
    )
    const blind = model({ retry: { ...quick, retries: 0 } })
    const question: ChatMessage = {
      role: 'user',
      content: [
        { type: 'text', text: 'What is this?' },
        { type: 'image', url: 'data:image/png;base64,AAAA' },
      ],
    }
    await expect(blind.complete(ask(question), { signal: never() })).resolves.toMatchObject({ attempts: 2 })
    await expect(blind.complete(ask(question), { signal: never() })).resolves.toMatchObject({ attempts: 1 })
    expect(JSON.stringify(endpoint.requests[2]?.body.messages)).toMatch(/A picture is attached/)
  })
})

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
    endpoint.reply({ text: 'A slow but steady answer.', chunkSize: 2, delayMs: 40 })
    const steady = model({ retry: once, timeouts: { firstByteMs: 200, betweenMs: 200 } })
    await expect(steady.complete(ask(), { signal: never() })).resolves.toMatchObject({
      text: 'A slow but steady answer.',
    })
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
