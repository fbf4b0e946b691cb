import type { ModelSettings } from '../config/environment.ts'
import type { Config } from '../config/file.ts'
import type { ChatModel } from './chat.ts'
import { createOfflineModel } from './offline.ts'
import { createOpenAiModel, type OpenAiParts } from './openai.ts'
import { windowOf } from './window.ts'

/** What a model is made with. */
export interface ModelParts extends OpenAiParts {
  /** Its time limits and retries. */
  readonly config: Omit<Config['model'], 'currency' | 'prices'>
  /** Between two words of the stand-in, in milliseconds. */
  readonly paceMs?: number
}

/** A model behind an endpoint where one is set, else the rule-based stand-in. */
export function createModel(settings: ModelSettings, parts: ModelParts): ChatModel {
  const { config } = parts
  switch (settings.state) {
    case 'offline':
      return createOfflineModel(parts, parts.paceMs === undefined ? {} : { paceMs: parts.paceMs })
    case 'endpoint':
      return createOpenAiModel(
        {
          ...(settings.apiKey ? { apiKey: settings.apiKey } : {}),
          ...(settings.baseUrl ? { baseUrl: settings.baseUrl } : {}),
          model: settings.name,
          fallbackModels: settings.fallbacks,
          contextWindow: settings.contextWindow ?? windowOf(settings.name),
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
}
