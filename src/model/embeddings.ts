import { z } from 'zod'
import type { Clock } from '../base/clock.ts'
import { orAborted } from '../base/wait.ts'
import type { Log } from '../observe/log.ts'
import { createClient, type OpenAiEndpoint } from './openai/client.ts'
import { watch } from './openai/limits.ts'
import { askPatiently, defaultRetry, type Outcome, type RetryPolicy } from './openai/patience.ts'
import { broken, foreign, modelError, readTrouble, timedOut } from './openai/trouble.ts'

/** An embedding model of an endpoint. */
export interface OpenAiEmbeddingSettings extends OpenAiEndpoint {
  readonly model: string
  /** For one call, retries included. Default 60 s. */
  readonly timeoutMs?: number
  readonly retry?: Partial<RetryPolicy>
}

/** What the embedding call is given to work with. */
export interface EmbeddingParts {
  readonly log: Log
  readonly clock: Clock
  readonly random?: () => number
  /** Told of the tokens of each answer, where the endpoint counts them. */
  readonly onUsage?: (inputTokens: number) => void
}

/** One vector for each text, in order. Rejects with a `ModelError`, or with the signal's reason. */
export type Embeddings = (texts: readonly string[], signal?: AbortSignal) => Promise<number[][]>

const answerShape = z.looseObject({
  data: z.array(z.looseObject({ index: z.number().int().nullish(), embedding: z.array(z.number()).min(1) })),
  usage: z
    .looseObject({ prompt_tokens: z.number().min(0) })
    .optional()
    .catch(undefined),
})

/** Calls `/embeddings`, once for each list of texts. */
export function createOpenAiEmbeddings(settings: OpenAiEmbeddingSettings, parts: EmbeddingParts): Embeddings {
  const client = createClient(settings)
  const policy = { ...defaultRetry, ...settings.retry }
  const wholeMs = settings.timeoutMs ?? 60_000
  const log = parts.log.child({ part: 'embeddings' })
  const { model } = settings

  const ask = async (
    texts: readonly string[],
    signal: AbortSignal,
    remainingMs: number,
  ): Promise<Outcome<number[][]>> => {
    const limits = watch(signal, { firstByteMs: remainingMs, betweenMs: remainingMs, wholeMs: remainingMs })
    try {
      const answer: unknown = await client.embeddings.create(
        // Without a format the SDK asks for base64, which most compatible servers don't know.
        { model, input: [...texts], encoding_format: 'float' },
        { signal: limits.controller.signal },
      )
      const vectors = readVectors(answer, texts.length)
      if (vectors.ok) parts.onUsage?.(tokensOf(answer))
      return vectors
    } catch (error) {
      signal.throwIfAborted()
      if (limits.expired) return { ok: false, trouble: timedOut(limits.expired) }
      const trouble = readTrouble(error, settings.apiKey)
      if (!trouble) throw error
      return { ok: false, trouble }
    } finally {
      limits.stop()
    }
  }

  const embed = async (texts: readonly string[], signal: AbortSignal): Promise<number[][]> => {
    let attempts = 0
    const outcome = await askPatiently(
      async (remainingMs) => {
        attempts += 1
        return await ask(texts, signal, remainingMs)
      },
      {
        signal,
        clock: parts.clock,
        policy,
        wholeMs,
        random: parts.random ?? Math.random,
        onRetry: ({ failure, status, detail }, retry, waitMs) =>
          log.warn(
            { model, failure, status, detail, retry, waitMs },
            'No vectors came; they are asked for again.',
          ),
      },
    )
    if (outcome.ok) return outcome.reply
    throw modelError(outcome.trouble, model, attempts)
  }

  return async (texts, signal = new AbortController().signal) => {
    signal.throwIfAborted()
    if (texts.length === 0) return []
    // An empty text makes endpoints refuse the whole list.
    const inputs = texts.map((text) => (text.trim() === '' ? '-' : text.toWellFormed()))
    return await orAborted(signal, embed(inputs, signal))
  }
}

function tokensOf(answer: unknown): number {
  const read = answerShape.safeParse(answer)
  return read.success ? (read.data.usage?.prompt_tokens ?? 0) : 0
}

function readVectors(answer: unknown, expected: number): Outcome<number[][]> {
  const read = answerShape.safeParse(answer)
  if (!read.success)
    return { ok: false, trouble: foreign('The address answers with something else than embeddings.') }
  const vectors: number[][] = []
  for (const [place, { index, embedding }] of read.data.data.entries()) vectors[index ?? place] = embedding
  const size = vectors[0]?.length
  // Holes count as missing: `every` would skip them.
  const whole = Array.from({ length: expected }, (_, place) => vectors[place])
  return vectors.length === expected &&
    whole.every((vector) => vector !== undefined && vector.length === size)
    ? { ok: true, reply: vectors }
    : { ok: false, trouble: broken('The number or the size of the vectors is wrong.') }
}
