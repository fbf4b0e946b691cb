import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import type { ChatMessage } from '../../src/model/chat.ts'
import { createOpenAiModel } from '../../src/model/openai.ts'
import { createTokens } from '../../src/model/tokens.ts'
import { silentLog } from '../../src/observe/log.ts'
import { lastUserText, type ModelStandIn, resultsSinceUser, startModel } from '../support/model.ts'

let endpoint: ModelStandIn
beforeAll(async () => {
  endpoint = await startModel()
})
afterEach(() => endpoint.reset())
afterAll(() => endpoint.stop())

const signal = new AbortController().signal

function model(baseUrl = endpoint.baseUrl) {
  return createOpenAiModel(
    { apiKey: 'test', baseUrl, model: 'm', contextWindow: 1_000, retry: { retries: 0 } },
    { log: silentLog, clock: systemClock, tokens: createTokens() },
  )
}

describe('the stand-in endpoint', () => {
  it('carries several conversations at once by a script that reads each request', async () => {
    endpoint.script((body) => {
      const results = resultsSinceUser(body)
      return results.length === 0
        ? { calls: [{ name: 'recall', arguments: { query: lastUserText(body) } }] }
        : { text: `${lastUserText(body)}: ${results.join(', ')}` }
    })
    const talk = async (question: string) => {
      const messages: ChatMessage[] = [{ role: 'user', content: question }]
      const first = await model().complete({ messages, tools: [], maxOutputTokens: 10 }, { signal })
      messages.push({ role: 'assistant', content: '', toolCalls: first.toolCalls })
      for (const call of first.toolCalls)
        messages.push({ role: 'tool', toolCallId: call.id, content: `found ${call.arguments}` })
      return (await model().complete({ messages, tools: [], maxOutputTokens: 10 }, { signal })).text
    }
    const questions = Array.from({ length: 8 }, (_, number) => `Question ${number}`)
    expect(await Promise.all(questions.map(talk))).toEqual(
      questions.map((question) => `${question}: found {"query":"${question}"}`),
    )
  })

  it('refuses what OpenAI refuses, and reports it at its end', async () => {
    const strict = await startModel()
    strict.reply({ text: 'never sent' })
    const messages: ChatMessage[] = [{ role: 'tool', toolCallId: 'a', content: 'an answer to nothing' }]
    await expect(
      model(strict.baseUrl).complete({ messages, tools: [], maxOutputTokens: 10 }, { signal }),
    ).rejects.toMatchObject({ failure: 'invalid_request' })
    expect(strict.unused).toBe(1)
    await expect(strict.stop()).rejects.toThrow(/answers a, which is not open/)
  })

  it('says so where nothing is scripted', async () => {
    await expect(
      model().complete(
        { messages: [{ role: 'user', content: 'Hi' }], tools: [], maxOutputTokens: 10 },
        { signal },
      ),
    ).rejects.toThrow(/No answer is scripted/)
  })
})
