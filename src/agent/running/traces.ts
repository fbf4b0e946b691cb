import { messageOf } from '../../base/errors.ts'
import { json } from '../../session/commit.ts'
import type { AgentParts, TurnContext } from '../parts.ts'

/** Stores the trace, in one batch, and never at the turn's expense. */
export async function storeTrace(parts: AgentParts, at: TurnContext): Promise<void> {
  const rows = at.trace.take()
  if (rows.length === 0) return
  try {
    await parts.db.changed`
      INSERT INTO span (id, turn_id, session_id, parent_id, name, started_at, ended_at, outcome, attributes)
      SELECT * FROM jsonb_to_recordset(${json(rows)}::jsonb) AS r(id text, "turnId" text,
        "sessionId" text, "parentId" text, name text, "startedAt" timestamptz, "endedAt" timestamptz, outcome text,
        attributes jsonb)`
  } catch (error) {
    parts.log.warn({ turn: at.turnId, error: messageOf(error) }, 'The trace could not be stored')
  }
}
