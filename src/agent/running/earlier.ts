import { messageOf } from '../../base/errors.ts'
import { type EarlierPosts, earlierUnread, quoteEarlier } from '../../session/earlier-posts.ts'
import type { Folded } from '../../session/fold.ts'
import type { Snapshot } from '../../session/transcript.ts'
import type { AgentParts } from '../parts.ts'

/** How long a platform may take to tell what was said, in ms. Nobody is answered before. */
const patience = 5_000

/** What was found of a thread's past when a turn began. */
export interface Earlier {
  /** For the transcript, before what was asked. */
  readonly note?: string
  /** Is there no need to look again? */
  readonly read: boolean
  /** For the trace. */
  readonly facts?: Readonly<Record<string, unknown>>
}

/**
 * Reads what was said in a thread before Hermes was asked into it. Once: the note is committed together with the first
 * message, so that a crash before leaves neither. Where the platform does not tell, the next turn tries again.
 */
export async function readEarlier(
  parts: AgentParts,
  snapshot: Snapshot,
  folded: Folded,
  timeZone: string,
  signal: AbortSignal,
): Promise<Earlier> {
  const first = isFirst(snapshot)
  const asked = folded.joining[0]
  if (!asked || !mayHavePast(snapshot, asked, first)) return { read: true }
  const before = (first ? asked.at : snapshot.messages[0]?.createdAt) ?? parts.clock.now()
  const known = new Set([...snapshot.messages, ...folded.joining].flatMap(({ postId }) => postId ?? []))
  const started = parts.clock.monotonic()
  const ms = () => Math.round(parts.clock.monotonic() - started)
  try {
    const past = await parts.speaker(snapshot.thread).history(snapshot.thread, mostRead, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(patience)]),
      ...(asked.repliesTo === undefined ? {} : { repliesTo: asked.repliesTo }),
    })
    const facts = { before, known, timeZone }
    const quoted = quoteEarlier(past, facts, parts.settings.earlier, parts.count)
    return {
      read: true,
      facts: { ms: ms(), ...(quoted ? told(quoted) : { posts: 0 }) },
      ...(quoted ? { note: quoted.text } : {}),
    }
  } catch (error) {
    signal.throwIfAborted()
    parts.log.warn(
      { session: snapshot.id, error: messageOf(error) },
      'What was said in a thread before could not be read',
    )
    return {
      read: false,
      facts: { ms: ms(), problem: messageOf(error) },
      ...(first ? { note: earlierUnread } : {}),
    }
  }
}

/** Posts that are read; what is quoted of them is bounded by the settings. */
const mostRead = 200

/** Has nothing been said in the session yet? */
function isFirst(snapshot: Snapshot): boolean {
  return snapshot.messages.length === 0 && snapshot.summarySeq === 0
}

/** A direct thread is all Hermes' own, and a thread that hangs on the mention itself begins with it. */
function mayHavePast(
  { thread, kind, pastRead }: Snapshot,
  asked: Folded['joining'][number],
  first: boolean,
): boolean {
  if (pastRead || kind === 'direct' || thread.channel === 'web') return false
  return !first || asked.repliesTo !== undefined || asked.postId !== thread.thread
}

function told({ quoted, leftOut, tokens }: EarlierPosts) {
  return { posts: quoted, leftOut, tokens }
}
