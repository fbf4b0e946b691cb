import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { ChatMessage } from '../../../src/model/chat.ts'
import { type ModelStandIn, startModel } from '../../support/model.ts'
import { ask, call, delta, failureOf, modelAt, never, tokens } from './asking.ts'

let endpoint: ModelStandIn
const model = (settings: Parameters<typeof modelAt>[1] = {}) => modelAt(endpoint, settings)

beforeAll(async () => {
  endpoint = await startModel()
  await tokens.load()
})
afterEach(() => endpoint.reset())
afterAll(() => endpoint.stop())

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
