import type { Ids } from '../../base/ids.ts'
import type { Database } from '../../store/client.ts'
import { Prisma } from '../../store/prisma/client.ts'
import type { Approvals } from './approvals.ts'
import { mayDecide } from './permission.ts'
import { type ClickStatements, type DecideRow, mayEdit, sessionOf, told } from './statement.ts'

/** What puts other arguments, or another proposal, in the place of an open one. */
export function createChanging(
  { db, ids }: { db: Database; ids: Ids },
  { settled, locked, heard, redrawn }: ClickStatements,
): Pick<Approvals, 'rebind' | 'reissue'> {
  return {
    rebind(approvalId, version, change, click) {
      return settled(
        { id: approvalId },
        click,
        () => db.$queryRaw<DecideRow[]>`
        WITH ${locked(click, sessionOf(approvalId), Prisma.sql`a.id = ${approvalId}`)},
        ${heard(click, 'form', 'approval.edit', approvalId)},
        bound AS (
          UPDATE approval a SET arguments_hash = ${change.argumentsHash}, version = a.version + 1,
            card = ${JSON.stringify(change.snapshot)}::jsonb
          FROM asked, who, event
          WHERE a.id = asked.id AND ${mayEdit(click)} AND a.status = 'open' AND a.expires_at > now()
            AND a.version = ${version}
          RETURNING a.id, a.call_id, a.session_id, a.place, who.person_id AS by
        ), changed AS (
          UPDATE tool_call c SET arguments = ${JSON.stringify(change.arguments)}::jsonb, arguments_hash = ${change.argumentsHash}
          FROM bound WHERE c.id = bound.call_id AND c.status = 'proposed'
        ), seen AS (
          UPDATE session SET revision = revision + 1 WHERE id IN (SELECT session_id FROM bound)
        ), audited AS (
          INSERT INTO audit_event (id, action, person_id, session_id, subject_id, data)
          SELECT ${ids('aud')}, 'approval.edited', bound.by, bound.session_id, bound.id,
            jsonb_build_object('call', bound.call_id, 'tool', asked.tool, 'argumentsHash', ${change.argumentsHash}::text,
              'version', ${version + 1}::integer)
          FROM bound JOIN asked ON asked.id = bound.id
        ),
        ${redrawn(
          Prisma.sql`(SELECT asked.session_id, asked.turn_id FROM bound JOIN asked ON asked.id = bound.id
            WHERE bound.place IS NOT NULL) placed`,
          click.dedupeKey,
        )}
        SELECT ${told(mayEdit(click), Prisma.sql`bound`)}`,
      )
    },

    reissue(approvalId, { version, proposal, sentence }, click) {
      const permitted = Prisma.sql`(${mayEdit(click)} OR ${mayDecide(click)})`
      const call = proposal?.call
      const approval = proposal?.approval
      const opened =
        call && approval
          ? Prisma.sql`, made AS (
          INSERT INTO tool_call (id, session_id, turn_id, message_id, person_id, position, provider_id, tool, effect,
            idempotent, arguments, arguments_hash, definition_hash, status)
          SELECT ${call.id}, refused.session_id, refused.turn_id, refused.message_id, refused.person_id,
            (SELECT max(position) + 1 FROM tool_call WHERE message_id = refused.message_id), ${call.providerId},
            refused.tool, 'write', ${call.idempotent}::boolean, ${JSON.stringify(call.arguments)}::jsonb, ${call.argumentsHash},
            ${call.definitionHash}, 'proposed'
          FROM refused RETURNING session_id, person_id
        ), opened AS (
          INSERT INTO approval (id, call_id, session_id, person_id, arguments_hash, definition_hash, card, expires_at,
            approvers, four_eyes, rule, place, grantable, grant_keys, remind_at)
          SELECT ${approval.id}, ${call.id}, made.session_id, made.person_id, ${approval.argumentsHash},
            ${approval.definitionHash}, ${JSON.stringify(approval.card)}::jsonb,
            now() + ${approval.lifeMs}::double precision * interval '1 millisecond',
            ${approval.approvers}::text[], ${approval.fourEyes}::boolean, ${approval.rule},
            ${approval.place === null ? null : JSON.stringify(approval.place)}::jsonb, ${approval.grantable}::boolean,
            ${approval.grantKeys}::text[],
            now() + (${approval.lifeMs}::double precision - ${approval.noticeMs}::double precision) * interval '1 millisecond'
          FROM made
        )`
          : Prisma.empty
      return settled(
        { id: approvalId },
        click,
        () => db.$queryRaw<DecideRow[]>`
        WITH ${locked(click, sessionOf(approvalId), Prisma.sql`a.id = ${approvalId}`)},
        ${heard(click, 'action', 'approval.reissued', approvalId)},
        ended AS (
          UPDATE approval a SET status = 'changed', decided_at = now()
          FROM asked, who, event
          WHERE a.id = asked.id AND ${permitted} AND a.status = 'open' AND a.expires_at > now() AND a.version = ${version}
          RETURNING a.id, a.call_id, a.session_id, who.person_id AS by
        ), refused AS (
          UPDATE tool_call c SET status = 'refused', failure_code = 'changed', result_text = ${sentence}, ended_at = now()
          FROM ended WHERE c.id = ended.call_id AND c.status = 'proposed'
          RETURNING c.session_id, c.turn_id, c.message_id, c.person_id, c.tool
        )${opened}, seen AS (
          UPDATE session SET revision = revision + 1 WHERE id IN (SELECT session_id FROM ended)
        ), audited AS (
          INSERT INTO audit_event (id, action, person_id, session_id, subject_id, data)
          SELECT ${ids('aud')}, 'approval.changed', ended.by, ended.session_id, ended.id,
            jsonb_build_object('call', ended.call_id, 'tool', asked.tool, 'next', ${approval?.id ?? null}::text)
          FROM ended JOIN asked ON asked.id = ended.id
        ),
        ${redrawn(Prisma.sql`refused`, click.dedupeKey)}
        SELECT ${told(permitted, Prisma.sql`ended`)}`,
      )
    },
  }
}
