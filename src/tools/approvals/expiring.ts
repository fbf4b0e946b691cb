import type { Ids } from '../../base/ids.ts'
import type { Database } from '../../store/client.ts'
import type { Approvals } from './approvals.ts'

/** What comes with time: a reminder, then the end. */
export function createExpiring({
  db,
  ids,
}: {
  db: Database
  ids: Ids
}): Pick<Approvals, 'expire' | 'remind'> {
  return {
    async expire() {
      const rows = await db.$queryRaw<{ session_id: string }[]>`
        WITH due AS (
          SELECT s.id FROM session s
          WHERE s.id IN (SELECT session_id FROM approval WHERE status = 'open' AND expires_at <= now())
          ORDER BY s.id LIMIT 100 FOR UPDATE
        ), asked AS (
          SELECT a.id, c.turn_id, c.tool FROM due JOIN approval a ON a.session_id = due.id JOIN tool_call c ON c.id = a.call_id
          WHERE a.status = 'open' AND a.expires_at <= now()
          FOR UPDATE OF c
        ), ended AS (
          UPDATE approval a SET status = 'expired', decided_at = now()
          FROM asked WHERE a.id = asked.id AND a.status = 'open' AND a.expires_at <= now()
          RETURNING a.id, a.call_id, a.session_id, a.rule, a.version, a.arguments_hash, asked.turn_id, asked.tool
        ), moved AS (
          UPDATE tool_call c SET status = 'expired', ended_at = now()
          FROM ended WHERE c.id = ended.call_id AND c.status = 'proposed'
        ), seen AS (
          UPDATE session SET revision = revision + 1 WHERE id IN (SELECT session_id FROM ended)
        ), redrawn AS (
          -- By a rule of its own it may be over while other cards of its turn wait on.
          INSERT INTO inbound_event (id, dedupe_key, session_id, kind, payload)
          SELECT ${ids('evt')} || '_' || ended.call_id, 'draw:expired:' || ended.id, ended.session_id, 'timer',
            jsonb_build_object('cardsOf', ended.turn_id)
          FROM ended WHERE ended.rule IS NOT NULL ON CONFLICT (dedupe_key) DO NOTHING
        ), audited AS (
          INSERT INTO audit_event (id, action, session_id, subject_id, data)
          SELECT ${ids('aud')} || '_' || ended.call_id, 'approval.expired', ended.session_id, ended.id,
            jsonb_build_object('call', ended.call_id, 'tool', ended.tool, 'argumentsHash', ended.arguments_hash,
              'version', ended.version, 'rule', ended.rule)
          FROM ended
        )
        SELECT DISTINCT session_id FROM ended`
      return rows.map((row) => row.session_id)
    },

    async remind() {
      await db.$executeRaw`
        WITH due AS (
          UPDATE approval SET reminded_at = now()
          WHERE id IN (SELECT id FROM approval WHERE status = 'open' AND reminded_at IS NULL AND remind_at <= now() LIMIT 100)
            AND status = 'open' AND reminded_at IS NULL
          RETURNING id, session_id, expires_at
        )
        INSERT INTO inbound_event (id, dedupe_key, session_id, kind, payload)
        SELECT ${ids('evt')} || '_' || due.id, 'remind:' || due.id, due.session_id, 'timer',
          jsonb_build_object('remindOf', due.id)
        FROM due WHERE due.expires_at > now() ON CONFLICT (dedupe_key) DO NOTHING`
    },
  }
}
