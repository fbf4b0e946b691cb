import { expect } from 'vitest'
import { systemClock } from '../../../src/base/clock.ts'
import { type ChatMessage, type ChatModel, type ChatRequest, ModelError } from '../../../src/model/chat.ts'
import { createOpenAiModel, type OpenAiSettings } from '../../../src/model/openai.ts'
import { createTokens } from '../../../src/model/tokens.ts'
import { silentLog } from '../../../src/observe/log.ts'
import type { ModelStandIn } from '../../support/model.ts'

/** A key that must appear nowhere. */
export const key = 'sk-test-0123456789abcdef0123'

export const tokens = createTokens()

/** Retries without a wait that anyone would notice. */
export const quick = { baseMs: 5, mostMs: 20, mostRetryAfterMs: 3_000 }

/** A model at the stand-in endpoint. */
export function modelAt(endpoint: ModelStandIn, settings: Partial<OpenAiSettings> = {}): ChatModel {
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

/** A request with these messages, or with a greeting. */
export const ask = (...messages: ChatMessage[]): ChatRequest => ({
  messages: messages.length > 0 ? messages : [{ role: 'user', content: 'Hello' }],
  tools: [],
  maxOutputTokens: 500,
})

/** A signal that never fires. */
export const never = () => new AbortController().signal

/** The error that work ends with; no key is in it. */
export async function failureOf(work: Promise<unknown>): Promise<ModelError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(ModelError)
  expect(JSON.stringify([String(error), (error as ModelError).data])).not.toContain(key)
  return error as ModelError
}

/** A chunk of a stream. */
export const delta = (piece: object, finish: string | null = null) => ({
  choices: [{ index: 0, delta: piece, finish_reason: finish }],
})

/** A chunk with a piece of a tool call. */
export const call = (piece: object) => delta({ tool_calls: [piece] })
