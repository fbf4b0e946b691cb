import type { Database } from '../store/client.ts'
import { Prisma } from '../store/prisma/client.ts'

/** Sessions that one round archives or erases at most. */
const mostAtOnce = 200

/**
 * Archives sessions in which nothing was said for so long: only where nothing waits, runs or is open, and what was
 * said has been learned from. The row's own time decides between this and a message that comes in meanwhile.
 * @returns how many were archived
 */
export function archiveIdle(db: Database, days: number): Promise<number> {
  return db.changed`
    UPDATE session SET archived_at = now(), revision = revision + 1
    WHERE id IN (
        SELECT s.id FROM session s
        WHERE s.archived_at IS NULL AND s.last_activity_at < now() - ${days} * interval '1 day'
          AND NOT EXISTS (SELECT 1 FROM inbound_event e WHERE e.session_id = s.id AND e.status = 'new')
          AND NOT EXISTS (SELECT 1 FROM turn t WHERE t.session_id = s.id
            AND (t.status IN ('running', 'waiting') OR (t.status = 'done' AND t.learned_at IS NULL)))
          AND NOT EXISTS (SELECT 1 FROM tool_call c WHERE c.session_id = s.id
            AND (c.status IN ('proposed', 'approved', 'executing', 'unknown') OR c.question_status = 'open'))
        LIMIT ${mostAtOnce})
      AND archived_at IS NULL AND last_activity_at < now() - ${days} * interval '1 day'
      AND (lease_expires_at IS NULL OR lease_expires_at < now())`
}

/** Tables whose rows name a session but are not its own, beside those of memories: they outlive it. */
const kept = ['audit_event', 'hand_over', 'reminder', 'ticket']

/**
 * Erases what was said in sessions that have been in the archive for so long, with everything that was kept of it:
 * messages, events, calls, results, traces and whatever else belongs to a session. Memories, reminders, tickets and
 * the audit log do not; of a case at the desk it stays that there was one. The session itself stays, empty, so that
 * its thread begins anew when somebody writes in it. One statement a session.
 * @returns how many sessions were emptied
 */
export async function eraseOld(db: Database, days: number): Promise<number> {
  const old = await db.rows<{ id: string }>`
    SELECT s.id FROM session s
    WHERE s.archived_at < now() - ${days} * interval '1 day'
      AND EXISTS (SELECT 1 FROM inbound_event e WHERE e.session_id = s.id UNION ALL
        SELECT 1 FROM message m WHERE m.session_id = s.id)
    ORDER BY s.id LIMIT ${mostAtOnce}`
  if (old.length === 0) return 0
  // By what the database itself knows, so that a table that is new is not forgotten.
  const own = await db.rows<{ name: string }>`
    SELECT quote_ident(c.relname) AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND a.attname = 'session_id' AND NOT a.attisdropped
      AND c.relname <> ALL (${kept}::text[]) AND c.relname NOT LIKE 'memory%'
    ORDER BY c.relname`
  const deletions = own.map(
    ({ name }) => Prisma.sql`${Prisma.raw(`from_${name.replace(/\W/g, '_')}`)} AS (
      DELETE FROM ${Prisma.raw(name)} USING held WHERE session_id = held.id)`,
  )
  let erased = 0
  for (const { id } of old) {
    // The session's row is held by the statement, so that nobody says anything while it is emptied.
    const held = Prisma.sql`held AS (
      UPDATE session SET summary = NULL, summary_seq = seq, plan = NULL, entities = '[]', revision = revision + 1
      WHERE id = ${id} AND archived_at < now() - ${days} * interval '1 day'
      RETURNING id),
      cases AS (UPDATE hand_over SET request = '' FROM held WHERE session_id = held.id)`
    erased += await db.changed(
      Prisma.sql`WITH ${Prisma.join([held, ...deletions], ', ')} SELECT id FROM held`,
    )
  }
  return erased
}
