import type { ThreadRef } from '../channel/events.ts'
import type { Database } from '../store/client.ts'

/** The id of a thread's session; undefined where nothing was said there yet. */
export type SessionIds = (thread: ThreadRef) => Promise<string | undefined>

/** Threads whose ids are kept: those that people look at, not all there are. */
const mostKept = 5_000

/** Looks ids up in the database, each once: a thread has one session for ever. */
export function createSessionIds(db: Database): SessionIds {
  const known = new Map<string, string>()
  return async ({ channel, workspace, room, thread }) => {
    const key = [channel, workspace, room, thread].join('\n')
    const before = known.get(key)
    if (before !== undefined) return before
    const row = await db.session.findUnique({
      where: { channel_workspace_room_thread: { channel, workspace, room, thread } },
      select: { id: true },
    })
    if (!row) return undefined
    const [oldest] = known.size >= mostKept ? known.keys() : []
    if (oldest !== undefined) known.delete(oldest)
    known.set(key, row.id)
    return row.id
  }
}
