import type { Clock } from '../base/clock.ts'
import { createIds, type Ids } from '../base/ids.ts'
import { orAborted } from '../base/wait.ts'
import type { Log } from '../observe/log.ts'
import type { ChatModel, ChatReply, ChatRequest, Usage } from './chat.ts'
import { type AttemptOptions, attempt } from './openai/attempt.ts'
import { createClient, isOpenAi, type OpenAiEndpoint } from './openai/client.ts'
import { type Dialect, firstDialect, learn } from './openai/dialect.ts'
import { defaultTimeouts, type ModelTimeouts } from './openai/limits.ts'
import { askPatiently, defaultRetry, type Outcome, type RetryPolicy } from './openai/patience.ts'
import type { AssembledReply } from './openai/reply.ts'
import { writeRequest } from './openai/request.ts'
import { filtered, modelError, type Trouble } from './openai/trouble.ts'
import type { Tokens } from './tokens.ts'

/** A model behind an endpoint that speaks Chat Completions. */
export interface OpenAiSettings extends OpenAiEndpoint {
  readonly model: string
  /** Asked in this order where the model itself does not answer. */
  readonly fallbackModels?: readonly string[]
  /** Tokens of input and output together. */
  readonly contextWindow: number
  readonly timeouts?: Partial<ModelTimeouts>
  readonly retry?: Partial<RetryPolicy>
}

/** What a model is given to work with. */
export interface OpenAiParts {
  readonly log: Log
  readonly clock: Clock
  readonly tokens: Tokens
  readonly ids?: Ids
  /** 0 to 1, for the spread of retries. */
  readonly random?: () => number
}

// Each refusal of a parameter teaches one thing, and there are few to learn.
const mostLessons = 4

/** The model that `settings` name, with retries, time limits and fallbacks. */
export function createOpenAiModel(settings: OpenAiSettings, parts: OpenAiParts): ChatModel {
  const client = createClient(settings)
  const dialects = new Map<string, Dialect>()
  const dialectOf = (model: string) => dialects.get(model) ?? firstDialect(isOpenAi(settings))
  const ids = parts.ids ?? createIds(() => parts.clock.now().getTime())
  const timeouts = { ...defaultTimeouts, ...settings.timeouts }
  const policy = { ...defaultRetry, ...settings.retry }
  const models = [settings.model, ...(settings.fallbackModels ?? [])]
  const log = parts.log.child({ part: 'model' })

  /** Sends the request, and again without what the endpoint refuses. */
  const ask = async (
    request: ChatRequest,
    model: string,
    options: AttemptOptions,
    onAttempt: () => void,
  ): Promise<Outcome<AssembledReply>> => {
    for (let lessons = 0; ; lessons += 1) {
      onAttempt()
      const outcome = await attempt(client, writeRequest(request, model, dialectOf(model)), options)
      if (outcome.ok || lessons >= mostLessons) return outcome
      const learnt = learn(dialectOf(model), outcome.trouble, hasImages(request))
      if (!learnt) return outcome
      dialects.set(model, learnt)
      log.info({ model, learnt, detail: outcome.trouble.detail }, 'The endpoint does not take a parameter.')
    }
  }

  const answer = async (
    request: ChatRequest,
    signal: AbortSignal,
    onText: ((textSoFar: string) => void) | undefined,
  ): Promise<ChatReply> => {
    const takenIds = callIds(request)
    const troubles: Trouble[] = []
    let attempts = 0
    for (const model of models) {
      let wasEmpty = false
      const outcome = await askPatiently(
        async (remainingMs): Promise<Outcome<AssembledReply>> => {
          const asked = await ask(
            request,
            model,
            {
              signal,
              onText,
              takenIds,
              newId: () => ids('call'),
              secret: settings.apiKey,
              timeouts: { ...timeouts, wholeMs: remainingMs },
            },
            () => {
              attempts += 1
            },
          )
          const trouble = asked.ok ? unusable(asked.reply, !wasEmpty) : undefined
          wasEmpty ||= trouble?.failure === 'empty'
          return trouble ? { ok: false, trouble } : asked
        },
        {
          signal,
          clock: parts.clock,
          policy,
          wholeMs: timeouts.wholeMs,
          random: parts.random ?? Math.random,
          onRetry: (trouble, retry, waitMs) =>
            log.warn(
              {
                model,
                failure: trouble.failure,
                status: trouble.status,
                detail: trouble.detail,
                retry,
                waitMs,
              },
              'The model gave no reply; it is asked again.',
            ),
        },
      )
      if (outcome.ok) {
        const { text, toolCalls, finish, usage } = outcome.reply
        const counted = usage ?? countUsage(request, outcome.reply, parts.tokens)
        return { text, toolCalls, finish, usage: counted, model, attempts }
      }
      troubles.push(outcome.trouble)
      log.warn(
        { model, failure: outcome.trouble.failure, detail: outcome.trouble.detail },
        'The model failed.',
      )
      if (!outcome.trouble.fallback) break
    }
    // A caller can mend a text that is too long; otherwise the chosen model's own trouble says most.
    const told = troubles.find(({ failure }) => failure === 'context_length') ?? troubles[0]!
    throw modelError(told, models[troubles.indexOf(told)]!, attempts)
  }

  return {
    name: settings.model,
    contextWindow: settings.contextWindow,
    offline: false,
    complete: async (request, { signal, onText }) => {
      signal.throwIfAborted()
      const tell = onText && ((text: string) => signal.aborted || onText(text))
      return await orAborted(signal, answer(request, signal, tell))
    },
  }
}

function callIds(request: ChatRequest): ReadonlySet<string> {
  return new Set(
    request.messages.flatMap((message) =>
      message.role === 'assistant' ? (message.toolCalls ?? []).map(({ id }) => id) : [],
    ),
  )
}

function hasImages(request: ChatRequest): boolean {
  return request.messages.some(
    ({ content }) => typeof content !== 'string' && content.some(({ type }) => type === 'image'),
  )
}

/** Why a finished reply is no answer. */
function unusable(reply: AssembledReply, retry: boolean): Trouble | undefined {
  if (reply.text.trim() !== '' || reply.toolCalls.length > 0) return undefined
  if (reply.finish === 'content_filter') return filtered()
  const detail =
    reply.finish === 'length' ? 'All of its output went into thoughts.' : 'There was no text in it.'
  return { failure: 'empty', detail, retry, fallback: true }
}

function countUsage(request: ChatRequest, reply: AssembledReply, tokens: Tokens): Usage {
  const { text, toolCalls } = reply
  return {
    inputTokens: tokens.countRequest(request),
    outputTokens: tokens.countMessage({ role: 'assistant', content: text, toolCalls }),
    cachedTokens: 0,
  }
}
