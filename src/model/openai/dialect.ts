import type { Trouble } from './trouble.ts'

/** What an endpoint takes for one model, as far as it is known. */
export interface Dialect {
  /**
   * OpenAI's newer models take `max_completion_tokens` only; Ollama, LM Studio and older llama.cpp and vLLM
   * ignore it and know `max_tokens` (ollama/ollama#7125, ggml-org/llama.cpp#13700).
   */
  readonly limit: 'max_completion_tokens' | 'max_tokens'
  /** The most output that the model allows, once it said so. */
  readonly mostOutput?: number
  /** Does it take `stream_options`? */
  readonly usageInStream: boolean
  /** Does it take `name` in a person's message? */
  readonly names: boolean
  /** Can it see? */
  readonly images: boolean
}

/** Before anything is known. */
export function firstDialect(isOpenAi: boolean): Dialect {
  return {
    limit: isOpenAi ? 'max_completion_tokens' : 'max_tokens',
    usageInStream: true,
    names: true,
    images: true,
  }
}

/** What a refusal teaches, or nothing where the same request would be refused again. */
export function learn(dialect: Dialect, trouble: Trouble, hasImages: boolean): Dialect | undefined {
  const { detail, parameter, failure } = trouble
  // OpenAI names `image_url`; vLLM, OpenRouter and llama.cpp, which answers 500, say it in words.
  const blind = hasImages && dialect.images && /\bimage(?:_url)?\b|\bvision\b|\bmultimodal\b/i.test(detail)
  if (blind && (failure === 'invalid_request' || failure === 'down')) return { ...dialect, images: false }
  if (failure !== 'invalid_request') return undefined
  const names = (pattern: RegExp) => pattern.test(parameter ?? '') || pattern.test(detail)

  if (dialect.usageInStream && names(/\bstream_options\b|\binclude_usage\b/))
    return { ...dialect, usageInStream: false }
  if (names(/\bmax_(?:completion_)?tokens\b|\b(?:completion|output) tokens\b/)) {
    const most = /(?:at most|maximum(?: value)?(?: is| of)?|less than or equal to|<=|\[1, ?)\s*(\d+)/i.exec(
      detail,
    )?.[1]
    if (most !== undefined && Number(most) > 0 && Number(most) < (dialect.mostOutput ?? Infinity))
      return { ...dialect, mostOutput: Number(most) }
    // Which of the two is refused decides, since the sentence often names the other one as the cure.
    const refused = parameter ?? /max_(?:completion_)?tokens/.exec(detail)?.[0]
    if (refused === 'max_tokens' && dialect.limit === 'max_tokens')
      return { ...dialect, limit: 'max_completion_tokens' }
    if (refused === 'max_completion_tokens' && dialect.limit === 'max_completion_tokens')
      return { ...dialect, limit: 'max_tokens' }
  }
  if (dialect.names && names(/\bmessages?\W{0,4}\d+\W{0,4}name\b|['"`]name['"`]/))
    return { ...dialect, names: false }
  return undefined
}
