import type { Ids } from '../../base/ids.ts'
import { displayName } from '../../session/storable.ts'
import { Prisma } from '../../store/prisma/client.ts'
import type { Click, Decision } from './approvals.ts'
import { approvalsOf, type FactsParts, readFacts } from './facts.ts'
import { type Actor, actorRow, isReachable, mayDecide, meetApprover } from './permission.ts'

/** What a click's statement tells. */
export interface DecideRow {
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

/** What the statements of all clicks have in common. */
export type ClickStatements = ReturnType<typeof createClickStatements>

export function createClickStatements(parts: FactsParts & { readonly ids: Ids }) {
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
      approvals: await readFacts(parts, approvalsOf(row.asked ?? [])),
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

  return { settled, locked, heard, redrawn }
}

/** SQL: what a statement tells of what was asked about. */
export const told = (permitted: Prisma.Sql, changed: Prisma.Sql): Prisma.Sql => Prisma.sql`
  (SELECT session_id FROM asked LIMIT 1) AS session_id, EXISTS (SELECT 1 FROM event) AS fresh,
  EXISTS (SELECT 1 FROM who) AS known,
  COALESCE((SELECT bool_or(approvers <> '{requester}') FROM asked), false) AS others,
  COALESCE((SELECT bool_or(${permitted}) FROM asked a, who), false) AS permitted,
  (SELECT count(*) FROM ${changed})::int AS decided,
  (SELECT array_agg(id) FROM asked) AS asked`

/** SQL: the session of an approval. */
export const sessionOf = (approvalId: string) =>
  Prisma.sql`SELECT session_id FROM approval WHERE id = ${approvalId}`

/** SQL: may `who` change what the approval `a` is about? With four eyes only the one who asked. */
export const mayEdit = (actor: Actor) =>
  Prisma.sql`(who.person_id = a.person_id OR (NOT a.four_eyes AND ${mayDecide(actor)}))`
