import type { Ids } from '../base/ids.ts'
import type { ThreadRef } from '../channel/events.ts'
import { displayName } from '../session/inbox.ts'
import type { NewApproval, NewCall } from '../session/step.ts'
import type { Database } from '../store/client.ts'
import { Prisma } from '../store/prisma/client.ts'
import { type ApprovalFacts, approvalsOf, readFacts } from './approval-facts.ts'
import type { CardSnapshot } from './cards.ts'
import { type Actor, actorRow, isReachable, mayDecide, meetApprover } from './permission.ts'

/** A click on an approval, as the gateway got it. */
export interface Click extends Actor {
  readonly dedupeKey: string
  readonly thread: ThreadRef
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
      /** Was it made by someone who may? */
      readonly permitted: boolean
      readonly sessionId: string
      readonly approvals: readonly ApprovalFacts[]
    }

/** How a person may decide. */
export interface DecideOptions {
  /** The version that the clicked card told: a card that was edited meanwhile is not decided. */
  readonly version?: number | undefined
  /** All that are open of the same message, as far as this person may. */
  readonly all?: boolean
  /** Allow the same for good, too. Decides nothing where the policy does not offer it. */
  readonly always?: boolean
}

/** What takes the place of a proposal that no longer holds. */
export interface Replacement {
  /** The version that it replaces. */
  readonly version: number
  /** Missing where the arguments do not fit any more. */
  readonly proposal?: { readonly call: NewCall; readonly approval: NewApproval }
  /** Told to the model as the outcome of the old call. */
  readonly sentence: string
}

/**
 * Decisions of people on proposed calls. Every race is decided by the database, in one statement each, which also
 * asks whether the person may. All of them lock the session first, then the call, then the approval, as `commitStep`
 * does, so that none deadlocks.
 */
export interface Approvals {
  /** Confirms or cancels one approval, or all open ones of its message. Whoever asked may always cancel. */
  decide(
    approvalId: string,
    verdict: 'confirmed' | 'cancelled',
    click: Click,
    options?: DecideOptions,
  ): Promise<Decision>
  /** Binds an open approval to changed arguments. */
  rebind(
    approvalId: string,
    version: number,
    change: { readonly arguments: unknown; readonly argumentsHash: string; readonly snapshot: CardSnapshot },
    click: Click,
  ): Promise<Decision>
  /** Voids an open approval and opens another one in its place, whose card is then shown below. */
  reissue(approvalId: string, replacement: Replacement, click: Click): Promise<Decision>
  /** A call whose outcome is not known: run it again, take it as done, or have it looked at (`check`). */
  resolveUnknown(callId: string, to: 'approved' | 'succeeded' | 'check', click: Click): Promise<Decision>
  /** What a card shows, without deciding anything. `permitted` tells whether this person may change it. */
  look(approvalId: string, actor: Actor): Promise<Decision>
  /** The facts of approvals, for drawing their cards. */
  facts(where: { readonly sessionId: string; readonly turnId?: string }): Promise<readonly ApprovalFacts[]>
  /** Approvals whose cards stand in that room, the newest last. */
  placedIn(room: Pick<ThreadRef, 'channel' | 'workspace' | 'room'>): Promise<readonly ApprovalFacts[]>
  /** Open approvals that this person may decide, and those that they asked for. */
  openOf(actor: Actor): Promise<readonly ApprovalFacts[]>
  /** Ends what nobody decided in time, and gives the sessions concerned. */
  expire(): Promise<readonly string[]>
  /** Has those reminded of whose time is nearly over, once each. */
  remind(): Promise<void>
}

interface DecideRow {
  session_id: string | null
  /** Is it the first time that this click comes? */
  fresh: boolean
  /** Does the directory know the person? */
  known: boolean
  /** Does the approval name others than the one who asked? */
  others: boolean
  permitted: boolean
  decided: number
  asked: string[] | null
}

export function createApprovals(parts: { db: Database; ids: Ids }): Approvals {
  const { db, ids } = parts

  /** Runs a click's statement; for someone who is named but was never heard of, again once they are known. */
  const settled = async (
    approval: { readonly id?: string; readonly callId?: string },
    click: Click,
    run: () => Promise<DecideRow[]>,
  ): Promise<Decision> => {
    let [row] = await run()
    if (row?.session_id && !row.known && row.others) {
      const newcomer = { person: ids('per'), identity: ids('idn'), name: displayName(click.author) }
      // Also where another click of theirs has entered them at the same moment.
      await meetApprover(db, approval, click, newcomer)
      ;[row] = await run()
    }
    if (!row?.session_id) return { kind: 'unknown' }
    if (!row.fresh && (row.known || !row.others)) return { kind: 'repeated' }
    return {
      kind: 'found',
      decided: Number(row.decided) > 0,
      permitted: row.permitted,
      sessionId: row.session_id,
      approvals: await readFacts(db, approvalsOf(row.asked ?? [])),
    }
  }

  /** SQL: locks the session of an approval or of a call, and the calls that are asked about. */
  const locked = (click: Click, session: Prisma.Sql, wanted: Prisma.Sql): Prisma.Sql => Prisma.sql`
    place AS (
      SELECT s.* FROM session s WHERE s.id = (${session}) FOR UPDATE
    ), asked AS (
      SELECT a.id, a.call_id, a.session_id, a.person_id, a.approvers, a.four_eyes, a.place, c.turn_id, c.message_id,
        c.tool, c.arguments
      FROM place s JOIN approval a ON a.session_id = s.id JOIN tool_call c ON c.id = a.call_id
      WHERE ${isReachable(click)} AND ${wanted}
      FOR UPDATE OF c
    ), who AS ${actorRow(click)}`

  /** SQL: keeps the click itself, once. Someone who may yet enter the directory is asked about first. */
  const heard = (
    click: Click,
    kind: 'action' | 'form',
    action: string,
    value: string,
  ): Prisma.Sql => Prisma.sql`
    event AS (
      INSERT INTO inbound_event (id, dedupe_key, session_id, person_id, kind, payload, status, taken_at)
      SELECT ${ids('evt')}, ${click.dedupeKey}, asked.session_id, (SELECT person_id FROM who), ${kind}::event_kind,
        ${JSON.stringify({ action, value })}::jsonb, 'taken', now()
      FROM asked WHERE EXISTS (SELECT 1 FROM who) OR asked.approvers = '{requester}' LIMIT 1
      ON CONFLICT (dedupe_key) DO NOTHING
      RETURNING id
    )`

  /** SQL: has the cards of those turns drawn again, by whichever process works on the session next. */
  const redrawn = (from: Prisma.Sql, key: string): Prisma.Sql => Prisma.sql`
    redrawn AS (
      INSERT INTO inbound_event (id, dedupe_key, session_id, kind, payload)
      SELECT ${ids('evt')}, ${`draw:${key}`}, session_id, 'timer', jsonb_build_object('cardsOf', turn_id)
      FROM ${from} LIMIT 1 ON CONFLICT (dedupe_key) DO NOTHING
    )`

  const told = (permitted: Prisma.Sql, changed: Prisma.Sql): Prisma.Sql => Prisma.sql`
    (SELECT session_id FROM asked LIMIT 1) AS session_id, EXISTS (SELECT 1 FROM event) AS fresh,
    EXISTS (SELECT 1 FROM who) AS known,
    COALESCE((SELECT bool_or(approvers <> '{requester}') FROM asked), false) AS others,
    COALESCE((SELECT bool_or(${permitted}) FROM asked a, who), false) AS permitted,
    (SELECT count(*) FROM ${changed})::int AS decided,
    (SELECT array_agg(id) FROM asked) AS asked`

  const sessionOf = (approvalId: string) =>
    Prisma.sql`SELECT session_id FROM approval WHERE id = ${approvalId}`

  /** SQL: may `who` change what the approval `a` is about? With four eyes only the one who asked. */
  const mayEdit = (actor: Actor) =>
    Prisma.sql`(who.person_id = a.person_id OR (NOT a.four_eyes AND ${mayDecide(actor)}))`

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
          RETURNING id, approval_id, person_id, session_id
        ), granting AS (
          INSERT INTO audit_event (id, action, person_id, session_id, subject_id, data)
          SELECT ${ids('aud')}, 'grant.given', granted.person_id, granted.session_id, granted.id,
            jsonb_build_object('approval', granted.approval_id)
          FROM granted
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
            jsonb_build_object('call', bound.call_id, 'argumentsHash', ${change.argumentsHash}::text,
              'version', ${version + 1}::integer)
          FROM bound
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
            ${approval.definitionHash}, ${JSON.stringify(approval.card)}::jsonb, ${approval.expiresAt}::timestamptz,
            ${approval.approvers}::text[], ${approval.fourEyes}::boolean, ${approval.rule},
            ${approval.place === null ? null : JSON.stringify(approval.place)}::jsonb, ${approval.grantable}::boolean,
            ${approval.grantKeys}::text[], ${approval.remindAt}::timestamptz
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
            jsonb_build_object('call', ended.call_id, 'next', ${approval?.id ?? null}::text)
          FROM ended
        ),
        ${redrawn(Prisma.sql`refused`, click.dedupeKey)}
        SELECT ${told(permitted, Prisma.sql`ended`)}`,
      )
    },

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
          SELECT ${ids('aud')}, 'call.resolved', moved.by, moved.session_id, moved.id, jsonb_build_object('to', ${to}::text)
          FROM moved
        )
        SELECT ${told(permitted, Prisma.sql`moved`)}`,
      )
    },

    async look(approvalId, actor) {
      const [row] = await db.$queryRaw<{ permitted: boolean; session_id: string }[]>`
        SELECT a.session_id, COALESCE((SELECT ${mayEdit(actor)} FROM ${actorRow(actor)} who), false) AS permitted
        FROM approval a JOIN session s ON s.id = a.session_id WHERE a.id = ${approvalId} AND ${isReachable(actor)}`
      if (!row) return { kind: 'unknown' }
      return {
        kind: 'found',
        decided: false,
        permitted: row.permitted,
        sessionId: row.session_id,
        approvals: await readFacts(db, approvalsOf([approvalId])),
      }
    },

    facts: ({ sessionId, turnId }) =>
      readFacts(
        db,
        turnId === undefined
          ? Prisma.sql`a.session_id = ${sessionId}`
          : Prisma.sql`a.session_id = ${sessionId} AND c.turn_id = ${turnId}`,
      ),

    placedIn: ({ channel, workspace, room }) =>
      readFacts(
        db,
        Prisma.sql`a.id IN (SELECT id FROM approval WHERE place->>'channel' = ${channel} AND place->>'room' = ${room}
          AND place->>'workspace' = ${workspace} ORDER BY id DESC LIMIT 50)`,
      ),

    openOf: (actor) =>
      readFacts(
        db,
        Prisma.sql`a.id IN (
          SELECT a.id FROM ${actorRow(actor)} who, approval a JOIN session s ON s.id = a.session_id
          WHERE a.status = 'open' AND (a.person_id = who.person_id OR (a.approvers <> '{requester}'
            AND ${isReachable(actor)} AND ${mayDecide(actor)}))
          ORDER BY a.id DESC LIMIT 20)`,
      ),

    async expire() {
      const rows = await db.$queryRaw<{ session_id: string }[]>`
        WITH due AS (
          SELECT s.id FROM session s
          WHERE s.id IN (SELECT session_id FROM approval WHERE status = 'open' AND expires_at <= now())
          ORDER BY s.id LIMIT 100 FOR UPDATE
        ), asked AS (
          SELECT a.id, c.turn_id FROM due JOIN approval a ON a.session_id = due.id JOIN tool_call c ON c.id = a.call_id
          WHERE a.status = 'open' AND a.expires_at <= now()
          FOR UPDATE OF c
        ), ended AS (
          UPDATE approval a SET status = 'expired', decided_at = now()
          FROM asked WHERE a.id = asked.id AND a.status = 'open' AND a.expires_at <= now()
          RETURNING a.id, a.call_id, a.session_id, a.rule, asked.turn_id
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
          INSERT INTO audit_event (id, action, session_id, subject_id)
          SELECT ${ids('aud')} || '_' || ended.call_id, 'approval.expired', ended.session_id, ended.id FROM ended
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
