import type { Ids } from '../../base/ids.ts'
import { zoneOr } from '../../base/words.ts'
import type { ThreadRef } from '../../channel/events.ts'
import { json } from '../../session/commit.ts'
import type { EventPayload } from '../../session/inbox.ts'
import type { Database } from '../../store/client.ts'
import { Prisma } from '../../store/prisma/client.ts'
import type { Click } from '../../tools/approvals/approvals.ts'
import { type Actor, actorRow } from '../../tools/approvals/permission.ts'
import type { QuestionFacts } from './card.ts'
import type { Question } from './question.ts'

/** A question with everything that answering it needs. */
export interface AskedFacts extends QuestionFacts {
  readonly sessionId: string
  readonly turnId: string
  readonly messageId: string
  readonly personId: string
  readonly tool: string
  readonly thread: ThreadRef
  /** Has its card been posted? */
  readonly posted: boolean
}

/** What a person has sent with a question's card. */
export interface GivenAnswer {
  /** All of the call's arguments, with what was given. */
  readonly arguments: Readonly<Record<string, unknown>>
  /** Fields whose value was chosen among ids. */
  readonly exact: readonly string[]
  /** As it is said in the conversation. */
  readonly text: string
}

/** What came of a click on a question's card. */
export type Answering =
  | { readonly kind: 'unknown' }
  /** The very same click came before. */
  | { readonly kind: 'repeated' }
  | {
      readonly kind: 'found'
      /** Was it made by the one who is asked? */
      readonly own: boolean
      /** Did this very click answer it? */
      readonly decided: boolean
      readonly facts: AskedFacts
    }

/** Questions that refused calls stand for, and what people send with their cards. */
export interface Questions {
  /** How a question stands, and whether it is this person who is asked. */
  look(
    callId: string,
    actor: Actor,
  ): Promise<{ readonly own: boolean; readonly facts: AskedFacts } | undefined>
  /**
   * Takes an answer, in one statement: the click, the question's status, and the message that says it in the
   * conversation. Locks the session, then the call, as `commitStep` does.
   */
  answer(
    callId: string,
    /** Nothing where it comes too late to count. */
    answer: GivenAnswer | undefined,
    click: Click & { readonly at: Date },
  ): Promise<Answering>
  /** Questions that were put in a session: all of them, or these. */
  of(sessionId: string, callIds?: readonly string[]): Promise<readonly AskedFacts[]>
  /** Those whose card may be older than what became of them, since a process died in between. */
  behind(sessionId: string): Promise<readonly string[]>
  /** Closes what nobody answered in time, and has its cards drawn again. */
  expire(): Promise<readonly string[]>
}

interface Row extends Omit<AskedFacts, 'thread' | 'person' | 'timeZone'> {
  readonly person: string
  readonly time_zone: string | null
  readonly channel: ThreadRef['channel']
  readonly workspace: string
  readonly room: string
  readonly thread: string
}

export function createQuestions({
  db,
  ids,
  timeZone,
}: {
  readonly db: Database
  readonly ids: Ids
  /** Of people whose own is not known. */
  readonly timeZone: string
}): Questions {
  const read = async (where: Prisma.Sql): Promise<readonly AskedFacts[]> => {
    const rows = await db.$queryRaw<Row[]>`
      SELECT c.id, c.session_id AS "sessionId", c.turn_id AS "turnId", c.message_id AS "messageId",
        c.person_id AS "personId", c.tool, c.arguments, c.question, c.question_status::text AS status,
        p.display_name AS person, p.time_zone, s.channel::text, s.workspace, s.room, s.thread,
        EXISTS (SELECT 1 FROM delivery d WHERE d.key = 'card:' || c.id) AS posted
      FROM tool_call c JOIN session s ON s.id = c.session_id JOIN person p ON p.id = c.person_id
      WHERE c.question_status IS NOT NULL AND ${where} ORDER BY c.id`
    return rows.map(({ channel, workspace, room, thread, time_zone: own, ...row }) => ({
      ...row,
      question: row.question as Question,
      timeZone: zoneOr(own, timeZone),
      thread: { channel, workspace, room, thread },
    }))
  }

  const here = ({ thread: { channel, workspace } }: Actor) =>
    Prisma.sql`s.channel = ${channel}::channel_name AND s.workspace = ${workspace}`

  return {
    async look(callId, actor) {
      const [facts] = await read(Prisma.sql`c.id = ${callId} AND ${here(actor)}`)
      if (!facts) return undefined
      const [who] = await db.$queryRaw<{ person_id: string }[]>`SELECT person_id FROM ${actorRow(actor)} who`
      return { own: who?.person_id === facts.personId, facts }
    },

    async answer(callId, given, click) {
      const eventId = ids('evt')
      const said = { text: given?.text ?? '', attachments: [], at: click.at.toISOString() }
      const payload: EventPayload = { ...said, answers: callId }
      const answer = { eventId, arguments: given?.arguments ?? {}, exact: given?.exact ?? [] }
      const [row] = await db.$queryRaw<{ own: boolean; known: boolean; fresh: boolean; decided: boolean }[]>`
        WITH place AS (
          SELECT s.id FROM session s WHERE s.id = (SELECT session_id FROM tool_call WHERE id = ${callId})
            AND ${here(click)} FOR UPDATE
        ), asked AS (
          SELECT c.id, c.session_id, c.person_id,
            ${given !== undefined} AND c.question_status = 'open' AND (c.question->>'expiresAt')::timestamptz > now() AS open
          FROM place JOIN tool_call c ON c.session_id = place.id
          WHERE c.id = ${callId} AND c.question_status IS NOT NULL FOR UPDATE OF c
        ), who AS ${actorRow(click)},
        clicked AS (
          SELECT asked.session_id, who.person_id, asked.open AND who.person_id = asked.person_id AS counts FROM asked, who
        ), event AS (
          INSERT INTO inbound_event (id, dedupe_key, session_id, person_id, kind, payload, status, taken_at)
          SELECT ${eventId}, ${click.dedupeKey}, session_id, person_id,
            CASE WHEN counts THEN 'message' ELSE 'action' END::event_kind,
            CASE WHEN counts THEN ${json(payload)}::jsonb ELSE jsonb_build_object('answers', ${callId}::text) END,
            CASE WHEN counts THEN 'new' ELSE 'taken' END::event_status, CASE WHEN counts THEN NULL ELSE now() END
          FROM clicked ON CONFLICT (dedupe_key) DO NOTHING RETURNING id
        ), given AS (
          UPDATE tool_call c SET question_status = 'given',
            question = c.question || jsonb_build_object('answer', ${json(answer)}::jsonb, 'movedAt', now())
          FROM clicked, event WHERE c.id = ${callId} AND clicked.counts RETURNING c.id, c.session_id, c.person_id
        ), seen AS (
          UPDATE session SET revision = revision + 1, last_activity_at = now(), archived_at = NULL
          WHERE id IN (SELECT session_id FROM given)
        ), audited AS (
          INSERT INTO audit_event (id, action, person_id, session_id, subject_id, data)
          SELECT ${ids('aud')}, 'question.answered', person_id, session_id, id, '{}' FROM given
        )
        SELECT EXISTS (SELECT 1 FROM asked, who WHERE asked.person_id = who.person_id) AS own,
          EXISTS (SELECT 1 FROM who) AS known, EXISTS (SELECT 1 FROM event) AS fresh,
          EXISTS (SELECT 1 FROM given) AS decided
        FROM asked`
      const [facts] = row ? await read(Prisma.sql`c.id = ${callId}`) : []
      if (!row || !facts) return { kind: 'unknown' }
      if (row.known && !row.fresh) return { kind: 'repeated' }
      return { kind: 'found', own: row.own, decided: row.decided, facts }
    },

    of: (sessionId, callIds) =>
      read(
        callIds
          ? Prisma.sql`c.session_id = ${sessionId} AND c.id = ANY(${[...callIds]}::text[])`
          : Prisma.sql`c.session_id = ${sessionId}`,
      ),

    async behind(sessionId) {
      // Clocks of processes differ by a little; a card drawn once more looks the same and is not sent again.
      const rows = await db.rows<{ id: string }>`
        SELECT c.id FROM tool_call c JOIN delivery d ON d.key = 'card:' || c.id
        WHERE c.session_id = ${sessionId} AND c.question_status IN ('given', 'answered', 'closed') AND d.status = 'sent'
          AND (c.question->>'movedAt')::timestamptz > d.sent_at - interval '2 seconds'`
      return rows.map(({ id }) => id)
    },

    async expire() {
      const rows = await db.$queryRaw<{ session_id: string }[]>`
        WITH due AS (
          SELECT s.id FROM session s WHERE s.id IN (SELECT session_id FROM tool_call
            WHERE question_status = 'open' AND (question->>'expiresAt')::timestamptz <= now())
          ORDER BY s.id LIMIT 100 FOR UPDATE
        ), closed AS (
          UPDATE tool_call c SET question_status = 'closed', question = c.question || jsonb_build_object('movedAt', now())
          FROM due WHERE c.session_id = due.id AND c.question_status = 'open'
            AND (c.question->>'expiresAt')::timestamptz <= now()
          RETURNING c.id, c.session_id, c.turn_id
        ), seen AS (
          UPDATE session SET revision = revision + 1 WHERE id IN (SELECT session_id FROM closed)
        ), redrawn AS (
          INSERT INTO inbound_event (id, dedupe_key, session_id, kind, payload)
          SELECT ${ids('evt')} || '_' || closed.id, 'draw:closed:' || closed.id, closed.session_id, 'timer',
            jsonb_build_object('cardsOf', closed.turn_id)
          FROM closed ON CONFLICT (dedupe_key) DO NOTHING
        )
        SELECT DISTINCT session_id FROM closed`
      return rows.map((row) => row.session_id)
    },
  }
}
