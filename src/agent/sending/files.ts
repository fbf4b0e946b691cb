import { phrases } from '../../base/words.ts'
import type { LedgerCall, OpenTurn, Snapshot } from '../../session/transcript.ts'
import type { Database } from '../../store/client.ts'
import { fileMark } from '../../tools/results/files.ts'
import type { AgentParts, TurnContext } from '../parts.ts'

/** The most files that one turn shows. */
const mostFiles = 10

/** A file that a tool gave, for people. */
interface GivenFile {
  readonly ref: string
  readonly turnId: string
  readonly name: string
  readonly mediaType: string
}

/**
 * Sends the files that tools gave in a turn, below its answer. Each is sent once, whatever dies in between; where a
 * platform does not take one, people are told so.
 */
export async function sendFiles(
  parts: AgentParts,
  at: TurnContext,
  snapshot: Snapshot,
  turn: OpenTurn,
): Promise<void> {
  const calls = snapshot.messages
    .filter((message) => message.turnId === turn.id)
    .flatMap((message) => message.calls)
  const files = await givenFiles(parts.db, calls)
  // The web chat reads them from their rows.
  if (files.length === 0 || at.thread.channel === 'web') return
  await at.trace.root.span('files', { files: files.map(({ name }) => name) }, async (span) => {
    for (const { ref, name, mediaType } of files) {
      const row = await parts.db.storedResult.findUnique({ where: { id: ref }, select: { text: true } })
      if (!row) continue
      const parcel = {
        sessionId: at.sessionId,
        turnId: at.turnId,
        purpose: 'notice',
        target: at.target,
      } as const
      const file = { name, mediaType, bytes: Buffer.from(row.text, 'base64') }
      const sent = await parts.deliveries.once({ ...parcel, key: `file:${ref}` }, file, at.lease.signal)
      if (sent.kind === 'sent') continue
      span.note({ [name]: sent.reason })
      const sentence = phrases(at.language).fileNotSent(name)
      await parts.deliveries.once({ ...parcel, key: `no-file:${ref}` }, sentence, at.lease.signal)
    }
  })
}

/** The files that calls gave and that have not aged out, in their order. What is the same is given once a turn. */
export async function givenFiles(
  db: Database,
  calls: readonly Pick<LedgerCall, 'id' | 'turnId' | 'resultText'>[],
): Promise<readonly GivenFile[]> {
  const giving = calls.filter((call) => call.resultText?.includes(fileMark))
  if (giving.length === 0) return []
  const rows = await db.rows<GivenFile>`
    SELECT ref, "turnId", name, "mediaType" FROM (
      SELECT r.id AS ref, c.turn_id AS "turnId", r.name, r.media_type AS "mediaType",
        row_number() OVER (PARTITION BY c.turn_id, md5(r.text) ORDER BY r.id) AS copy
      FROM stored_result r JOIN tool_call c ON c.id = r.call_id
      WHERE r.call_id = ANY(${giving.map(({ id }) => id)}::text[]) AND r.name IS NOT NULL AND r.expires_at > now()) given
    WHERE copy = 1 ORDER BY ref`
  const counts = new Map<string, number>()
  return rows.filter(({ turnId }) => {
    const count = (counts.get(turnId) ?? 0) + 1
    counts.set(turnId, count)
    return count <= mostFiles
  })
}
