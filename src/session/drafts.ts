import { messageOf } from '../base/errors.ts'
import type { ThreadRef } from '../channel/events.ts'
import type { DraftBoard } from '../channel/view.ts'
import type { Log } from '../observe/log.ts'
import type { Database } from '../store/client.ts'
import type { Notices } from './notices.ts'
import { createSessionIds } from './session-ids.ts'

/** The least time between two writes of one draft, in ms: four a second. */
const writeInterval = 250

interface Board {
  readonly thread: ThreadRef
  sessionId: string | undefined
  wanted: { text: string; status?: string } | null
  dirty: boolean
  /** Does a row hold it? */
  written: boolean
  writing: Promise<void> | undefined
}

/** A draft as viewers in this process see it at once, and others within a second. */
export interface Drafts extends DraftBoard {
  /** What is on the board in this process; `undefined` where another process may be writing. */
  current(sessionId: string): { readonly text: string; readonly status?: string } | null | undefined
}

/**
 * Drafts live in rows, so that a gateway in another process can show them, and in this process' memory, so that
 * every delta is seen here at once.
 */
export function createDrafts(parts: { db: Database; notices: Notices; log: Log }): Drafts {
  const { db, notices, log } = parts
  const idOf = createSessionIds(db)
  const boards = new Map<string, Board>()
  const bySession = new Map<string, Board>()

  /** The latest wish goes into the row, at most four times a second, until the board is empty. */
  const write = async (key: string, board: Board): Promise<void> => {
    while (board.dirty) {
      // Many drafts are gone before the interval is over; other processes never miss those.
      if (board.wanted !== null) await new Promise((resolve) => setTimeout(resolve, writeInterval))
      board.dirty = false
      const { wanted, sessionId } = board
      if (!sessionId || (wanted === null && !board.written)) continue
      board.written = wanted !== null
      try {
        if (wanted === null) await db.changed`DELETE FROM draft WHERE session_id = ${sessionId}`
        else {
          await db.changed`
            INSERT INTO draft (session_id, text, status, sequence) VALUES (${sessionId}, ${wanted.text}, ${wanted.status ?? null}, 1)
            ON CONFLICT (session_id) DO UPDATE SET text = excluded.text, status = excluded.status,
              sequence = draft.sequence + 1, updated_at = now()`
        }
      } catch (error) {
        log.debug({ error: messageOf(error) }, 'A draft could not be written')
      }
    }
    board.writing = undefined
    if (board.wanted !== null) return
    boards.delete(key)
    if (board.sessionId && bySession.get(board.sessionId) === board) bySession.delete(board.sessionId)
  }

  const find = async (board: Board): Promise<void> => {
    const id = await idOf(board.thread).catch(() => undefined)
    if (id === undefined) return
    board.sessionId = id
    bySession.set(id, board)
  }

  return {
    async show(thread, draft) {
      const key = [thread.channel, thread.workspace, thread.room, thread.thread].join('\n')
      let board = boards.get(key)
      if (!board) {
        if (draft === null) return
        board = {
          thread,
          sessionId: undefined,
          wanted: null,
          dirty: false,
          written: false,
          writing: undefined,
        }
        boards.set(key, board)
      }
      // Before anything is awaited: a later wish must not be overtaken by an earlier one.
      board.wanted = draft === null ? null : { ...draft }
      board.dirty = true
      if (!board.sessionId) await find(board)
      board.writing ??= write(key, board)
      if (board.sessionId) notices.changed(board.sessionId)
    },
    changed(thread) {
      void idOf(thread)
        .then((id) => id !== undefined && notices.changed(id))
        .catch(() => {})
    },
    current(sessionId) {
      return bySession.get(sessionId)?.wanted
    },
  }
}
