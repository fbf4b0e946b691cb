import type { Clock } from '../base/clock.ts'
import type { Log } from '../observe/log.ts'
import type { ChatModel } from './chat.ts'
import { createOpenAiModel } from './openai.ts'
import type { Tokens } from './tokens.ts'

/** Which model answers. */
export type ModelChoice =
  | { readonly state: 'offline' }
  | {
      readonly state: 'endpoint'
      readonly apiKey?: string
      readonly baseUrl?: string
      readonly name: string
      readonly fallbacks: readonly string[]
      readonly contextWindow?: number
    }

/** Time limits and retries of requests. */
export interface ModelPatience {
  readonly firstPieceSeconds: number
  readonly silenceSeconds: number
  readonly replySeconds: number
  readonly retries: number
}

/** A window that every current model has. */
const safeWindow = 128_000

/** The model that is configured. */
export function createModel(
  choice: ModelChoice,
  parts: { config: ModelPatience; log: Log; clock: Clock; tokens: Tokens },
): ChatModel {
  if (choice.state === 'offline') throw new Error('offline')
  const { config } = parts
  return createOpenAiModel(
    {
      model: choice.name,
      fallbackModels: choice.fallbacks,
      contextWindow: choice.contextWindow ?? safeWindow,
      ...(choice.apiKey === undefined ? {} : { apiKey: choice.apiKey }),
      ...(choice.baseUrl === undefined ? {} : { baseUrl: choice.baseUrl }),
      timeouts: {
        firstByteMs: config.firstPieceSeconds * 1_000,
        betweenMs: config.silenceSeconds * 1_000,
        wholeMs: config.replySeconds * 1_000,
      },
      retry: { retries: config.retries },
    },
    parts,
  )
}
