import { pause } from '../../base/wait.ts'
import type { AgentParts, TurnContext } from '../parts.ts'

/** How often the inbox is looked at while the model writes, for messages that came in through another process. */
const watchInterval = 500

/** Calls back once when something of this person arrives in the inbox. Gives a function that ends the watch. */
export function watchInbox(parts: AgentParts, at: TurnContext, interrupt: () => void): () => void {
  const ended = new AbortController()
  let looking = false
  const look = async () => {
    if (looking || ended.signal.aborted) return
    looking = true
    try {
      // An edit that changes nothing, as when a platform tells of one in two ways, is no reason to start again.
      const rows = await parts.db.rows`
        SELECT 1 FROM inbound_event e
        WHERE e.session_id = ${at.sessionId} AND e.person_id = ${at.person.id} AND e.status = 'new' AND e.kind <> 'timer'
          AND NOT (e.kind = 'edit' AND EXISTS (SELECT 1 FROM message m
            WHERE m.session_id = e.session_id AND m.post_id = e.post_id AND m.text = e.payload->>'text'))
        LIMIT 1`
      if (rows.length > 0 && !ended.signal.aborted) interrupt()
    } catch {
      // The database is away; the step's commit will tell.
    } finally {
      looking = false
    }
  }
  const off = parts.notices.onArrived(at.sessionId, () => void look())
  void (async () => {
    while (!ended.signal.aborted) {
      await pause(watchInterval, ended.signal)
      if (!ended.signal.aborted) await look()
    }
  })()
  return () => {
    off()
    ended.abort()
  }
}
