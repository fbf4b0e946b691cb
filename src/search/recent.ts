import type { Embedder, Vector } from './embedder.ts'

/** An embedder that knows what it was asked lately. */
export interface RecentEmbedder extends Embedder {
  /** The vector of a text that it was asked for alone lately, or is being asked for; nothing where it was not. */
  recent(text: string): Promise<Vector | undefined> | undefined
}

/** An embedder that keeps the vectors of texts it was asked for lately, one at a time: questions, not imports. */
export function rememberRecent(embedder: Embedder, kept = 200): RecentEmbedder {
  const known = new Map<string, Promise<Vector | undefined>>()

  const one = (text: string): Promise<Vector | undefined> => {
    const before = known.get(text)
    if (before) return before
    // Whoever asks for the same text meanwhile waits for the same work, so no one's signal may end it.
    const work = embedder.embed([text], AbortSignal.timeout(longest)).then(([vector]) => vector)
    known.set(text, work)
    work.catch(() => {
      if (known.get(text) === work) known.delete(text)
    })
    const [oldest] = known.size > kept ? known.keys() : []
    if (oldest !== undefined) known.delete(oldest)
    return work
  }

  return {
    name: embedder.name,
    alike: embedder.alike,
    embed: async (texts, signal) =>
      texts.length === 1 ? [await one(texts[0]!)] : embedder.embed(texts, signal),
    recent: (text) => known.get(text),
    async stop() {
      known.clear()
      await embedder.stop()
    },
  }
}

/** The longest that one text may take, in ms; callers have limits of their own. */
const longest = 30_000
