import { messageOf } from '../base/errors.ts'
import type { Log } from '../observe/log.ts'

/** A text's place in meaning; absent where the model doesn't know the text's language. */
export type Vector = readonly number[] | Float32Array

/** What turns texts into vectors. Vectors of different names must never be compared. */
export interface Embedder {
  /** Stored beside each vector; a new name makes everything be embedded again. */
  readonly name: string
  /** The cosine similarity from which on two texts are about the same thing; it differs from model to model. */
  readonly alike: number
  /** One result for each text, in order. Throws when the model can't be reached or the signal fires. */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<readonly (Vector | undefined)[]>
  /** Frees what the model holds. It may be used again afterwards. */
  stop(): Promise<void>
}

/** No vectors at all: search is by words alone. */
export const noEmbedder: Embedder = {
  name: 'none',
  alike: 1,
  embed: async (texts) => texts.map(() => undefined),
  stop: async () => {},
}

/** The embeddings call of a model endpoint, which `src/model` provides. One vector a text, in order. */
export type EmbeddingEndpoint = (
  texts: readonly string[],
  signal?: AbortSignal,
) => Promise<readonly (readonly number[])[]>

// Endpoints differ in how many inputs they take at once; 64 short texts are below every known limit.
const endpointBatch = 64

/** Vectors from an endpoint; `name` says which model of which endpoint made them. */
export function createEndpointEmbedder(
  name: string,
  endpoint: EmbeddingEndpoint,
  options: { alike?: number } = {},
): Embedder {
  return {
    name,
    alike: options.alike ?? 0.4,
    async embed(texts, signal) {
      const vectors: (Vector | undefined)[] = []
      for (let start = 0; start < texts.length; start += endpointBatch) {
        const batch = texts.slice(start, start + endpointBatch)
        const answered = await endpoint(
          batch.map((text) => text.trim() || '-'),
          signal,
        )
        if (answered.length !== batch.length)
          throw new RangeError(`The embedding endpoint answered ${answered.length} of ${batch.length} texts.`)
        for (const [index, vector] of answered.entries())
          vectors.push(batch[index]?.trim() && usable(vector) ? vector : undefined)
      }
      return vectors
    },
    stop: async () => {},
  }
}

/** A model for callers that go on without vectors. */
export interface TolerantEmbedder {
  readonly name: string
  readonly alike: number
  /** Undefined when the model doesn't answer in time or fails; throws only when the signal fires. */
  embed(
    texts: readonly string[],
    options: { readonly limitMs: number; readonly signal?: AbortSignal },
  ): Promise<readonly (Vector | undefined)[] | undefined>
}

/** A failing model is said in the log once, and once more when it works again. */
export function tolerant(embedder: Embedder, log: Log): TolerantEmbedder {
  let down = false
  return {
    name: embedder.name,
    alike: embedder.alike,
    async embed(texts, { limitMs, signal }) {
      const limit = AbortSignal.timeout(limitMs)
      const bounded = signal ? AbortSignal.any([signal, limit]) : limit
      try {
        const vectors = await orAborted(embedder.embed(texts, bounded), bounded)
        if (down) log.info({ embedder: embedder.name }, 'Embeddings work again.')
        down = false
        return vectors
      } catch (error) {
        signal?.throwIfAborted()
        if (!down)
          log.warn(
            { embedder: embedder.name, reason: messageOf(error) },
            'Embeddings do not work right now: search goes by words alone until they do.',
          )
        down = true
        return undefined
      }
    },
  }
}

/** The vector as pgvector reads it: bind it as a string and cast with `::vector`. */
export function vectorLiteral(vector: Vector): string {
  return `[${Array.from(vector).join(',')}]`
}

async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop = () => {}
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

// Cosine distance to an all-zero vector is not a number, which would poison a whole ranking.
function usable(vector: readonly number[]): boolean {
  return vector.length > 0 && vector.every(Number.isFinite) && vector.some((part) => part !== 0)
}
