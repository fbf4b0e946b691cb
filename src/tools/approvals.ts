import type { Ids } from '../base/ids.ts'
import { type Author, identitySpace, type ThreadRef } from '../channel/events.ts'
import type { Database } from '../store/client.ts'
import type { ApprovalStatus, CallStatus } from '../store/prisma/client.ts'
import type { CardFacts, CardSnapshot } from './cards.ts'

/** A click on an approval, as the gateway got it. */
export interface Click {
  readonly dedupeKey: string
  readonly thread: ThreadRef
  readonly author: Author
}

/** What came of a click: the facts to draw the card from, and whether this click decided. */
export type Decision =
  /** No such approval, or one of another place. */
  | { readonly kind: 'unknown' }
  /** The very same click came before; it was answered then. */
  | { readonly kind: 'repeated' }
  | {
      readonly kind: 'found'
      /** Did this very click change something? */
      readonly decided: boolean
      /** Was it made by the person who may decide? */
      readonly permitted: boolean
      readonly sessionId: string
      readonly approvals: readonly ApprovalFacts[]
    }

/** An approval with its call and the names that its card shows. */
export interface ApprovalFacts extends Omit<CardFacts, 'now' | 'several'> {
  readonly sessionId: string
  readonly turnId: string
  readonly personId: string
  readonly messageId: string
  readonly version: number
  readonly arguments: Readonly<Record<string, unknown>>
  readonly tool: string
  readonly thread: ThreadRef
}

/**
 * Decisions of people on proposed calls. Every race is decided by the database, in one statement each. All of
 * them lock the session first, then the call, then the approval, as `commitStep` does, so that none deadlocks.
 */
export interface Approvals {
  /**
   * Confirms or cancels one approval, or all open ones of the same message. Where the card that was clicked told
   * its version, a card that was edited meanwhile is not decided.
   */
  decide(
    approvalId: string,
    verdict: 'confirmed' | 'cancelled',
    click: Click,
    options?: { readonly version?: number | undefined; readonly all?: boolean },
  ): Promise<Decision>
  /** Binds an open approval to changed arguments. */
  rebind(
    approvalId: string,
    version: number,
    change: { readonly arguments: unknown; readonly argumentsHash: string; readonly snapshot: CardSnapshot },
    click: Click,
  ): Promise<Decision>
  /** A call whose outcome is not known: run it again, or take it as done. */
  resolveUnknown(callId: string, to: 'approved' | 'succeeded', click: Click): Promise<Decision>
  /** What a card shows, without deciding anything. `permitted` tells whether this person may. */
  look(approvalId: string, click: Pick<Click, 'author' | 'thread'>): Promise<Decision>
  /** The facts of approvals, for drawing their cards. */
  facts(where: { readonly sessionId: string; readonly turnId?: string }): Promise<readonly ApprovalFacts[]>
  /** Open approvals of a person. */
  openOf(personId: string): Promise<readonly ApprovalFacts[]>
  /** Ends what nobody decided in time, and gives the sessions concerned. */
  expire(): Promise<readonly string[]>
}

interface DecideRow {
  session_id: string | null
  /** Is it the first time that this click comes? */
  fresh: boolean
  permitted: boolean
  decided: number
}

export function createApprovals(parts: { db: Database; ids: Ids }): Approvals {
  const { db, ids } = parts

  /** The one who clicked, and whether the approval is theirs to decide, at the place where it was asked. */
  const outcome = async (row: DecideRow | undefined, approvalIds: readonly string[]): Promise<Decision> => {
    if (!row?.session_id) return { kind: 'unknown' }
    if (!row.fresh) return { kind: 'repeated' }
    return {
      kind: 'found',
      decided: Number(row.decided) > 0,
      permitted: row.permitted,
      sessionId: row.session_id,
      approvals: await readFacts(db, approvalIds),
    }
  }

  return {
    async decide(approvalId, verdict, click, { version, all = false } = {}) {
      const callStatus = verdict === 'confirmed' ? 'approved' : 'cancelled'
      const rows = await db.$queryRaw<(DecideRow & { asked: string[] | null })[]>`
        WITH place AS (
          SELECT s.* FROM session s WHERE s.id = (SELECT session_id FROM approval WHERE id = ${approvalId}) FOR UPDATE
        ), asked AS (
          SELECT a.id, a.call_id, a.session_id, a.person_id FROM place s
          JOIN approval a ON a.session_id = s.id
          JOIN tool_call c ON c.id = a.call_id
          WHERE s.channel = ${click.thread.channel}::channel_name AND s.workspace = ${click.thread.workspace}
            AND (a.id = ${approvalId} OR (${all} AND a.status = 'open' AND c.message_id = (
              SELECT c2.message_id FROM approval a2 JOIN tool_call c2 ON c2.id = a2.call_id WHERE a2.id = ${approvalId})))
          FOR UPDATE OF c
        ), who AS (
          SELECT person_id FROM identity WHERE channel = ${click.thread.channel}::channel_name
            AND workspace = ${identitySpace(click.thread)} AND user_id = ${click.author.userId}
        ), event AS (
          INSERT INTO inbound_event (id, dedupe_key, session_id, person_id, kind, payload, status, taken_at)
          SELECT ${ids('evt')}, ${click.dedupeKey}, (SELECT session_id FROM asked LIMIT 1), (SELECT person_id FROM who),
            'action', ${JSON.stringify({ action: `approval.${verdict}`, value: approvalId })}::jsonb, 'taken', now()
          WHERE EXISTS (SELECT 1 FROM asked)
          ON CONFLICT (dedupe_key) DO NOTHING
          RETURNING id
        ), decided AS (
          UPDATE approval a SET status = ${verdict}::approval_status, decided_by = who.person_id, decided_at = now()
          FROM asked, who, event
          WHERE a.id = asked.id AND a.person_id = who.person_id AND a.status = 'open' AND a.expires_at > now()
            AND (a.id <> ${approvalId} OR a.version = COALESCE(${version ?? null}::integer, a.version))
          RETURNING a.id, a.call_id, a.arguments_hash, a.session_id, who.person_id AS by
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
            jsonb_build_object('call', decided.call_id, 'argumentsHash', decided.arguments_hash)
          FROM decided
        )
        SELECT (SELECT session_id FROM asked LIMIT 1) AS session_id, EXISTS (SELECT 1 FROM event) AS fresh,
          COALESCE((SELECT bool_and(asked.person_id = who.person_id) FROM asked, who), false) AS permitted,
          (SELECT count(*) FROM decided)::int AS decided,
          (SELECT array_agg(id) FROM asked) AS asked`
      return outcome(rows[0], rows[0]?.asked ?? [approvalId])
    },

    async rebind(approvalId, version, change, click) {
      const rows = await db.$queryRaw<DecideRow[]>`
        WITH place AS (
          SELECT s.* FROM session s WHERE s.id = (SELECT session_id FROM approval WHERE id = ${approvalId}) FOR UPDATE
        ), asked AS (
          SELECT a.id, a.call_id, a.session_id, a.person_id FROM place s
          JOIN approval a ON a.session_id = s.id
          JOIN tool_call c ON c.id = a.call_id
          WHERE a.id = ${approvalId} AND s.channel = ${click.thread.channel}::channel_name
            AND s.workspace = ${click.thread.workspace}
          FOR UPDATE OF c
        ), who AS (
          SELECT person_id FROM identity WHERE channel = ${click.thread.channel}::channel_name
            AND workspace = ${identitySpace(click.thread)} AND user_id = ${click.author.userId}
        ), event AS (
          INSERT INTO inbound_event (id, dedupe_key, session_id, person_id, kind, payload, status, taken_at)
          SELECT ${ids('evt')}, ${click.dedupeKey}, asked.session_id, (SELECT person_id FROM who), 'form',
            ${JSON.stringify({ action: 'approval.edit', value: approvalId })}::jsonb, 'taken', now()
          FROM asked
          ON CONFLICT (dedupe_key) DO NOTHING
          RETURNING id
        ), bound AS (
          UPDATE approval a SET arguments_hash = ${change.argumentsHash}, version = a.version + 1,
            card = ${JSON.stringify(change.snapshot)}::jsonb
          FROM asked, who, event
          WHERE a.id = asked.id AND a.person_id = who.person_id AND a.status = 'open' AND a.expires_at > now()
            AND a.version = ${version}
          RETURNING a.id, a.call_id, a.session_id, who.person_id AS by
        ), changed AS (
          UPDATE tool_call c SET arguments = ${JSON.stringify(change.arguments)}::jsonb, arguments_hash = ${change.argumentsHash}
          FROM bound WHERE c.id = bound.call_id AND c.status = 'proposed'
        ), seen AS (
          UPDATE session SET revision = revision + 1 WHERE id IN (SELECT session_id FROM bound)
        ), audited AS (
          INSERT INTO audit_event (id, action, person_id, session_id, subject_id, data)
          SELECT ${ids('aud')}, 'approval.edited', bound.by, bound.session_id, bound.id,
            jsonb_build_object('call', bound.call_id, 'argumentsHash', ${change.argumentsHash}::text)
          FROM bound
        )
        SELECT (SELECT session_id FROM asked) AS session_id, EXISTS (SELECT 1 FROM event) AS fresh,
          COALESCE((SELECT asked.person_id = who.person_id FROM asked, who), false) AS permitted,
          (SELECT count(*) FROM bound)::int AS decided`
      return outcome(rows[0], [approvalId])
    },

    async resolveUnknown(callId, to, click) {
      const rows = await db.$queryRaw<(DecideRow & { approval_id: string | null })[]>`
        WITH place AS (
          SELECT s.* FROM session s WHERE s.id = (SELECT session_id FROM tool_call WHERE id = ${callId}) FOR UPDATE
        ), asked AS (
          SELECT c.id, a.id AS approval_id, c.session_id, c.person_id FROM place s
          JOIN tool_call c ON c.session_id = s.id
          JOIN approval a ON a.call_id = c.id
          WHERE c.id = ${callId} AND s.channel = ${click.thread.channel}::channel_name
            AND s.workspace = ${click.thread.workspace}
          FOR UPDATE OF c
        ), who AS (
          SELECT i.person_id, p.display_name FROM identity i JOIN person p ON p.id = i.person_id
          WHERE i.channel = ${click.thread.channel}::channel_name
            AND i.workspace = ${identitySpace(click.thread)} AND i.user_id = ${click.author.userId}
        ), event AS (
          INSERT INTO inbound_event (id, dedupe_key, session_id, person_id, kind, payload, status, taken_at)
          SELECT ${ids('evt')}, ${click.dedupeKey}, asked.session_id, (SELECT person_id FROM who), 'action',
            ${JSON.stringify({ action: 'call.resolved', value: callId })}::jsonb, 'taken', now()
          FROM asked
          ON CONFLICT (dedupe_key) DO NOTHING
          RETURNING id
        ), moved AS (
          UPDATE tool_call c SET status = ${to}::call_status,
            result_text = CASE WHEN ${to} = 'succeeded' THEN who.display_name || ' says that it was done.' ELSE result_text END,
            ended_at = CASE WHEN ${to} = 'succeeded' THEN now() END
          FROM asked, who, event WHERE c.id = asked.id AND c.person_id = who.person_id AND c.status = 'unknown'
          RETURNING c.id, c.session_id, who.person_id AS by
        ), seen AS (
          UPDATE session SET revision = revision + 1 WHERE id IN (SELECT session_id FROM moved)
        ), audited AS (
          INSERT INTO audit_event (id, action, person_id, session_id, subject_id, data)
          SELECT ${ids('aud')}, 'call.resolved', moved.by, moved.session_id, moved.id, jsonb_build_object('to', ${to}::text)
          FROM moved
        )
        SELECT (SELECT session_id FROM asked) AS session_id, EXISTS (SELECT 1 FROM event) AS fresh, (SELECT approval_id FROM asked) AS approval_id,
          COALESCE((SELECT asked.person_id = who.person_id FROM asked, who), false) AS permitted,
          (SELECT count(*) FROM moved)::int AS decided`
      return outcome(rows[0], rows[0]?.approval_id ? [rows[0].approval_id] : [])
    },

    async look(approvalId, click) {
      const facts = await readFacts(db, [approvalId])
      const found = facts[0]
      if (
        !found ||
        found.thread.channel !== click.thread.channel ||
        found.thread.workspace !== click.thread.workspace
      ) {
        return { kind: 'unknown' }
      }
      const identity = await db.identity.findUnique({
        where: {
          channel_workspace_userId: {
            channel: click.thread.channel,
            workspace: identitySpace(click.thread),
            userId: click.author.userId,
          },
        },
      })
      const approval = await db.approval.findUnique({ where: { id: approvalId }, select: { personId: true } })
      return {
        kind: 'found',
        decided: false,
        permitted: identity !== null && identity.personId === approval?.personId,
        sessionId: found.sessionId,
        approvals: facts,
      }
    },

    async facts(where) {
      const rows = await db.approval.findMany({
        where: { sessionId: where.sessionId, ...(where.turnId ? { call: { turnId: where.turnId } } : {}) },
        select: { id: true },
        orderBy: { id: 'asc' },
      })
      return readFacts(
        db,
        rows.map((row) => row.id),
      )
    },

    async openOf(personId) {
      const rows = await db.approval.findMany({
        where: { personId, status: 'open' },
        select: { id: true },
        orderBy: { id: 'desc' },
        take: 20,
      })
      return readFacts(
        db,
        rows.map((row) => row.id),
      )
    },

    async expire() {
      const rows = await db.$queryRaw<{ session_id: string }[]>`
        WITH due AS (
          SELECT s.id FROM session s
          WHERE s.id IN (SELECT session_id FROM approval WHERE status = 'open' AND expires_at <= now())
          ORDER BY s.id LIMIT 100 FOR UPDATE
        ), asked AS (
          SELECT a.id FROM due JOIN approval a ON a.session_id = due.id JOIN tool_call c ON c.id = a.call_id
          WHERE a.status = 'open' AND a.expires_at <= now()
          FOR UPDATE OF c
        ), ended AS (
          UPDATE approval a SET status = 'expired', decided_at = now()
          FROM asked WHERE a.id = asked.id AND a.status = 'open' AND a.expires_at <= now()
          RETURNING a.id, a.call_id, a.session_id
        ), moved AS (
          UPDATE tool_call c SET status = 'expired', ended_at = now()
          FROM ended WHERE c.id = ended.call_id AND c.status = 'proposed'
        ), seen AS (
          UPDATE session SET revision = revision + 1 WHERE id IN (SELECT session_id FROM ended)
        ), audited AS (
          INSERT INTO audit_event (id, action, session_id, subject_id)
          SELECT ${ids('aud')} || '_' || ended.call_id, 'approval.expired', ended.session_id, ended.id FROM ended
        )
        SELECT DISTINCT session_id FROM ended`
      return rows.map((row) => row.session_id)
    },
  }
}

interface FactsRow {
  id: string
  status: ApprovalStatus
  version: number
  expires_at: Date
  decided_at: Date | null
  card: CardSnapshot
  call_id: string
  call_status: CallStatus
  arguments: Record<string, unknown>
  tool: string
  told: string | null
  result_text: string | null
  session_id: string
  turn_id: string
  message_id: string
  person_id: string
  requester: string
  time_zone: string | null
  decider: string | null
  channel: ThreadRef['channel']
  workspace: string
  room: string
  thread: string
}

async function readFacts(db: Database, ids: readonly string[]): Promise<readonly ApprovalFacts[]> {
  if (ids.length === 0) return []
  const rows = await db.$queryRaw<FactsRow[]>`
    SELECT a.id, a.status::text, a.version, a.expires_at, a.decided_at, a.card, c.id AS call_id,
      c.status::text AS call_status, c.arguments, c.tool, c.told, c.result_text, a.session_id, c.turn_id, c.message_id, a.person_id,
      p.display_name AS requester, p.time_zone, d.display_name AS decider,
      s.channel::text, s.workspace, s.room, s.thread
    FROM approval a
    JOIN tool_call c ON c.id = a.call_id
    JOIN session s ON s.id = a.session_id
    JOIN person p ON p.id = a.person_id
    LEFT JOIN person d ON d.id = a.decided_by
    WHERE a.id = ANY(${ids}::text[]) ORDER BY c.message_id, c.position`
  return rows.map((row) => ({
    approval: {
      id: row.id,
      status: row.status,
      expiresAt: row.expires_at,
      decidedAt: row.decided_at,
      snapshot: row.card,
    },
    call: { id: row.call_id, status: row.call_status, told: row.told, failure: row.result_text },
    requester: row.requester,
    decidedBy: row.decider,
    timeZone: row.time_zone ?? 'UTC',
    sessionId: row.session_id,
    turnId: row.turn_id,
    personId: row.person_id,
    messageId: row.message_id,
    version: row.version,
    arguments: row.arguments,
    tool: row.tool,
    thread: { channel: row.channel, workspace: row.workspace, room: row.room, thread: row.thread },
  }))
}
