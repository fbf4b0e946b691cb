import type { Ids } from '../../base/ids.ts'
import type { ThreadKind, ThreadRef } from '../../channel/events.ts'
import type { Database } from '../../store/client.ts'

/** A message that is kept in a thread whose session is not at work here. */
export interface Kept {
  /** The message's id, named after what it comes from, so that a repeat changes nothing. */
  readonly id: string
  readonly thread: ThreadRef
  /** Of the session, where it is new. */
  readonly kind: ThreadKind
  /** Who said it, where it was a person: it is a note of theirs then. Else Hermes said it. */
  readonly personId: string | null
  readonly text: string
}

/** Keeps a message in the history of a thread, once; its session is made where there is none. */
export type Keep = (message: Kept) => Promise<void>

export function createKeep({ db, ids }: { db: Database; ids: Ids }): Keep {
  return async ({ id, thread, kind, personId, text }) => {
    await db.$executeRaw`
      WITH place AS (
        INSERT INTO session (id, channel, workspace, room, thread, kind, seq)
        VALUES (${ids('sess')}, ${thread.channel}::channel_name, ${thread.workspace}, ${thread.room}, ${thread.thread},
          ${kind}::thread_kind, 1)
        ON CONFLICT (channel, workspace, room, thread) DO UPDATE SET
          seq = session.seq + CASE WHEN EXISTS (SELECT 1 FROM message WHERE id = ${id}) THEN 0 ELSE 1 END,
          revision = session.revision + 1, last_activity_at = now()
        RETURNING id, seq
      )
      INSERT INTO message (id, session_id, seq, role, person_id, text, leg)
      SELECT ${id}, id, seq, ${personId === null ? 'assistant' : 'note'}::message_role, ${personId}, ${text}, 1 FROM place
      ON CONFLICT (id) DO NOTHING`
  }
}
