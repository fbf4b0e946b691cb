import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { ChatMessage } from '../../../src/model/chat.ts'
import { type ModelStandIn, type ScriptedReply, startModel } from '../../support/model.ts'
import { ask, key, modelAt, never, quick, tokens } from './asking.ts'

let endpoint: ModelStandIn
const model = (settings: Parameters<typeof modelAt>[1] = {}) => modelAt(endpoint, settings)

beforeAll(async () => {
  endpoint = await startModel()
  await tokens.load()
})
afterEach(() => endpoint.reset())
afterAll(() => endpoint.stop())

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
