import type { Clock } from '../../base/clock.ts'
import type { Vector } from '../../search/embedder.ts'
import type { RecentEmbedder } from '../../search/recent.ts'
import type { Tool } from '../tool.ts'
import { meaningFits } from './fit.ts'
import { toolSentence } from './tool-words.ts'

/** How near tools are to what somebody asks, by the vectors of an embedder. */
export interface Meanings {
  /** Begins to encode a request that is asked about soon. */
  prepare(text: string): void
  /**
   * How well each tool's meaning fits a text, in the tools' order, each 0 to 1. Nothing where there is no vector of
   * the text within `limitMs`, and until the tools have theirs: those are made in the background, never waited for.
   */
  fits(
    text: string,
    tools: readonly Tool[],
    options: { readonly make: boolean; readonly limitMs: number; readonly signal?: AbortSignal },
  ): Promise<readonly number[] | undefined>
  /** Settles when the vectors of all tools asked about so far are made, or could not be. */
  made(): Promise<void>
}

/** At most so many vectors of tools are kept; those asked about longest ago go first. */
const mostKept = 2_000
/** ms until an embedder that failed is asked about tools again. */
const restMs = 60_000
/** ms that one batch of tools may take. */
const batchMs = 30_000
const batch = 16

/** Meanings by an embedder; each definition is encoded once in the life of the process. */
export function createMeanings(parts: {
  readonly embedder: RecentEmbedder
  readonly clock: Clock
}): Meanings {
  const { embedder, clock } = parts
  // By the hash of the definition; undefined where the model does not know its language.
  const vectors = new Map<string, Vector | undefined>()
  let making: Promise<void> | undefined
  let restUntil = Number.NEGATIVE_INFINITY

  const make = async (lacking: readonly Tool[]) => {
    for (let start = 0; start < lacking.length; start += batch) {
      const some = lacking.slice(start, start + batch)
      const made = await embedder.embed(some.map(toolSentence), AbortSignal.timeout(batchMs))
      for (const [index, tool] of some.entries()) vectors.set(tool.definitionHash, made[index])
    }
    for (const hash of [...vectors.keys()].slice(0, Math.max(0, vectors.size - mostKept)))
      vectors.delete(hash)
  }
  const rest = () => {
    restUntil = clock.monotonic() + restMs
  }
  const resting = () => clock.monotonic() < restUntil
  const encode = async (text: string) => {
    try {
      return (await embedder.embed([text], AbortSignal.timeout(batchMs)))[0]
    } catch {
      rest()
      return undefined
    }
  }
  const begin = (tools: readonly Tool[]) => {
    if (making || resting()) return
    const lacking = tools.filter((tool) => !vectors.has(tool.definitionHash)).slice(0, mostKept)
    if (lacking.length === 0) return
    making = make(lacking)
      .catch(rest)
      .finally(() => {
        making = undefined
      })
  }

  return {
    prepare(text) {
      if (!resting()) void encode(text)
    },
    async fits(text, tools, { make: mayMake, limitMs, signal }) {
      const asked = embedder.recent(text) ?? (mayMake && !resting() ? encode(text) : undefined)
      if (!asked) return undefined
      begin(tools)
      const vector = await within(asked, limitMs, signal)
      if (!vector) return undefined
      return meaningFits(
        tools.map((tool) => {
          const own = vectors.get(tool.definitionHash)
          return own && own.length === vector.length ? cosine(vector, own) : undefined
        }),
        embedder.alike,
      )
    },
    made: async () => void (await making),
  }
}

/** What a promise gives within a time; nothing where it takes longer or fails. Throws only when the signal fires. */
async function within<Value>(
  work: Promise<Value>,
  limitMs: number,
  signal?: AbortSignal,
): Promise<Value | undefined> {
  const limit = AbortSignal.timeout(limitMs)
  const ended = signal ? AbortSignal.any([limit, signal]) : limit
  const late = new Promise<undefined>((resolve) =>
    ended.addEventListener('abort', () => resolve(undefined), { once: true }),
  )
  const found = await Promise.race([work.catch(() => undefined), late])
  signal?.throwIfAborted()
  return found
}

function cosine(one: Vector, other: Vector): number {
  let [dot, own, others] = [0, 0, 0]
  for (let index = 0; index < one.length; index += 1) {
    dot += one[index]! * other[index]!
    own += one[index]! ** 2
    others += other[index]! ** 2
  }
  return dot / Math.sqrt(own * others || 1)
}
