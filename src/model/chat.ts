import { HermesError } from '../base/errors.ts'

/** A piece of a user's message. */
export type ContentPart =
  | { readonly type: 'text'; readonly text: string }
  /** `url` may be a `data:` URL. */
  | { readonly type: 'image'; readonly url: string }

/** A call as the model wrote it. The arguments are its raw text, which may not be valid JSON. */
export interface ModelToolCall {
  readonly id: string
  readonly name: string
  readonly arguments: string
}

/** One message of a request, in the order of Chat Completions. */
export type ChatMessage =
  | { readonly role: 'system'; readonly content: string }
  /** `name` tells several people of a thread apart. */
  | { readonly role: 'user'; readonly content: string | readonly ContentPart[]; readonly name?: string }
  | { readonly role: 'assistant'; readonly content: string; readonly toolCalls?: readonly ModelToolCall[] }
  | { readonly role: 'tool'; readonly toolCallId: string; readonly content: string }

/** A tool as it is offered to the model. */
export interface ToolOffer {
  /** `^[a-zA-Z0-9_-]{1,64}$` */
  readonly name: string
  readonly description: string
  /** JSON Schema with an object at its root. */
  readonly parameters: Readonly<Record<string, unknown>>
}

export interface ChatRequest {
  readonly messages: readonly ChatMessage[]
  readonly tools: readonly ToolOffer[]
  readonly maxOutputTokens: number
}

/** Tokens of one request. */
export interface Usage {
  readonly inputTokens: number
  readonly outputTokens: number
  /** Of the input, how many the endpoint had cached. */
  readonly cachedTokens: number
}

/** A finished reply. */
export interface ChatReply {
  readonly text: string
  readonly toolCalls: readonly ModelToolCall[]
  readonly finish: 'stop' | 'tool_calls' | 'length' | 'content_filter'
  readonly usage: Usage
  /** The model that answered: not the first one where a fallback did. */
  readonly model: string
  /** Requests that it took. */
  readonly attempts: number
}

/** A language model. */
export interface ChatModel {
  readonly name: string
  /** Tokens of input and output together. */
  readonly contextWindow: number
  /** Is it the rule-based stand-in? */
  readonly offline: boolean
  /**
   * Streams one reply. `onText` is given the whole text so far; after a retry it starts over.
   * Rejects with a `ModelError`, or with the signal's reason.
   */
  complete(
    request: ChatRequest,
    options: { readonly signal: AbortSignal; readonly onText?: (textSoFar: string) => void },
  ): Promise<ChatReply>
}

/** Why a model gave no reply. */
export type ModelFailure =
  | 'down'
  | 'timeout'
  | 'rate_limited'
  | 'unauthorized'
  | 'context_length'
  | 'empty'
  | 'refused'
  | 'invalid_request'

/** A model that gave no reply, after its retries and fallbacks. */
export class ModelError extends HermesError {
  readonly failure: ModelFailure

  constructor(
    failure: ModelFailure,
    message: string,
    options: { data?: Record<string, unknown>; cause?: unknown } = {},
  ) {
    super(`model.${failure}`, message, options)
    this.failure = failure
  }
}
