import type { Ids } from '../../base/ids.ts'
import type { Database } from '../../store/client.ts'
import { Prisma } from '../../store/prisma/client.ts'
import type { Approvals } from './approvals.ts'
import { mayDecide } from './permission.ts'
import { type ClickStatements, type DecideRow, sessionOf, told } from './statement.ts'

/** Confirming and cancelling, where asked also allowing the same for good. */
export function createDeciding(
  { db, ids }: { db: Database; ids: Ids },
  { settled, locked, heard, redrawn }: ClickStatements,
): Pick<Approvals, 'decide'> {
  return {
    decide(approvalId, verdict, click, { version, all = false, always = false } = {}) {
      const callStatus = verdict === 'confirmed' ? 'approved' : 'cancelled'
      // Taking back what one asked for oneself needs nobody's permission.
      const permitted =
        verdict === 'cancelled'
          ? Prisma.sql`(who.person_id = a.person_id OR ${mayDecide(click)})`
          : mayDecide(click)
      const wanted = all
        ? Prisma.sql`(a.id = ${approvalId} OR (a.status = 'open' AND c.message_id = (
            SELECT c2.message_id FROM approval a2 JOIN tool_call c2 ON c2.id = a2.call_id WHERE a2.id = ${approvalId})))`
        : Prisma.sql`a.id = ${approvalId}`
      const granted = always
        ? Prisma.sql`, granted AS (
          INSERT INTO approval_grant (id, session_id, person_id, approval_id, tool, definition_hash, arguments, exact, title)
          SELECT ${ids('grant')}, decided.session_id, decided.by, decided.id, asked.tool, decided.definition_hash,
            CASE WHEN decided.grant_keys = '{}' THEN asked.arguments ELSE (
              SELECT COALESCE(jsonb_object_agg(e.key, e.value), '{}') FROM jsonb_each(asked.arguments) e
              WHERE e.key = ANY(decided.grant_keys)) END,
            decided.grant_keys = '{}', COALESCE(decided.card->>'title', asked.tool)
          FROM decided JOIN asked ON asked.id = decided.id
          RETURNING id, approval_id, person_id, session_id, tool, exact
        ), granting AS (
          INSERT INTO audit_event (id, action, person_id, session_id, subject_id, data)
          SELECT ${ids('aud')}, 'grant.given', granted.person_id, granted.session_id, granted.id,
            jsonb_build_object('approval', granted.approval_id, 'call', decided.call_id, 'tool', granted.tool,
              'argumentsHash', decided.arguments_hash, 'exact', granted.exact)
          FROM granted JOIN decided ON decided.id = granted.approval_id
        )`
        : Prisma.empty
      return settled(
        { id: approvalId },
        click,
        () => db.$queryRaw<DecideRow[]>`
        WITH ${locked(click, sessionOf(approvalId), wanted)},
        ${heard(click, 'action', `approval.${verdict}`, approvalId)},
        decided AS (
          UPDATE approval a SET status = ${verdict}::approval_status, decided_by = who.person_id, decided_at = now()
          FROM asked, who, event
          WHERE a.id = asked.id AND ${permitted} AND a.status = 'open' AND a.expires_at > now()
            AND (a.id <> ${approvalId} OR a.version = COALESCE(${version ?? null}::integer, a.version))
            AND (NOT ${always} OR (a.grantable AND who.person_id = a.person_id))
          RETURNING a.id, a.call_id, a.arguments_hash, a.definition_hash, a.session_id, a.version, a.rule, a.place, a.card,
            a.grant_keys, who.person_id AS by
        ), moved AS (
          -- No comparison of hashes here: where an edit came while this waited for the session, the call is still
          -- seen as it was before, and would be left behind. That they agree is checked before the call runs.
          UPDATE tool_call c SET status = ${callStatus}::call_status,
            ended_at = CASE WHEN ${verdict} = 'cancelled' THEN now() END
          FROM decided WHERE c.id = decided.call_id AND c.status = 'proposed'
        ), seen AS (
          UPDATE session SET revision = revision + 1 WHERE id IN (SELECT session_id FROM decided)
        ), audited AS (
          INSERT INTO audit_event (id, action, person_id, session_id, subject_id, data)
          SELECT ${ids('aud')} || '_' || decided.call_id, ${`approval.${verdict}`}, decided.by, decided.session_id, decided.id,
            jsonb_strip_nulls(jsonb_build_object('call', decided.call_id, 'tool', asked.tool, 'version', decided.version,
              'argumentsHash', decided.arguments_hash, 'rule', decided.rule, 'requester', asked.person_id))
          FROM decided JOIN asked ON asked.id = decided.id
        ),
        ${redrawn(
          Prisma.sql`(SELECT asked.session_id, asked.turn_id FROM decided JOIN asked ON asked.id = decided.id
            WHERE decided.place IS NOT NULL) placed`,
          click.dedupeKey,
        )}${granted}
        SELECT ${told(Prisma.sql`a.id = ${approvalId} AND ${permitted}`, Prisma.sql`decided`)}`,
      )
    },
  }
}
