import type { Ids } from '../../base/ids.ts'
import type { Database } from '../../store/client.ts'
import { Prisma } from '../../store/prisma/client.ts'
import type { Approvals } from './approvals.ts'
import { mayDecide } from './permission.ts'
import { type ClickStatements, type DecideRow, told } from './statement.ts'

/** What people say of a call whose outcome is not known. */
export function createResolving(
  { db, ids }: { db: Database; ids: Ids },
  { settled, locked, heard }: ClickStatements,
): Pick<Approvals, 'resolveUnknown'> {
  return {
    resolveUnknown(callId, to, click) {
      const permitted = mayDecide(click)
      const sessionOfCall = Prisma.sql`SELECT session_id FROM tool_call WHERE id = ${callId}`
      const change =
        to === 'check'
          ? Prisma.sql`moved AS (
          INSERT INTO inbound_event (id, dedupe_key, session_id, kind, payload)
          SELECT ${ids('evt')}, ${`check:${click.dedupeKey}`}, a.session_id, 'timer', jsonb_build_object('check', c.id)
          FROM asked a JOIN tool_call c ON c.id = a.call_id, who, event WHERE ${permitted} AND c.status = 'unknown'
          ON CONFLICT (dedupe_key) DO NOTHING
          RETURNING ${callId} AS id, session_id, (SELECT person_id FROM who) AS by
        )`
          : Prisma.sql`moved AS (
          UPDATE tool_call c SET status = ${to}::call_status,
            result_text = CASE WHEN ${to} = 'succeeded' THEN who.display_name || ' says that it was done.' ELSE result_text END,
            ended_at = CASE WHEN ${to} = 'succeeded' THEN now() END
          FROM asked a, who, event WHERE c.id = a.call_id AND ${permitted} AND c.status = 'unknown'
          RETURNING c.id, c.session_id, who.person_id AS by
        )`
      return settled(
        { callId },
        click,
        () => db.$queryRaw<DecideRow[]>`
        WITH ${locked(click, sessionOfCall, Prisma.sql`a.call_id = ${callId}`)},
        ${heard(click, 'action', 'call.resolved', callId)}, ${change},
        seen AS (
          UPDATE session SET revision = revision + 1 WHERE id IN (SELECT session_id FROM moved)
        ), audited AS (
          INSERT INTO audit_event (id, action, person_id, session_id, subject_id, data)
          SELECT ${ids('aud')}, 'call.resolved', moved.by, moved.session_id, moved.id,
            jsonb_build_object('to', ${to}::text, 'tool', c.tool, 'argumentsHash', c.arguments_hash)
          FROM moved JOIN tool_call c ON c.id = moved.id
        )
        SELECT ${told(permitted, Prisma.sql`moved`)}`,
      )
    },
  }
}
