import type { Clock } from '../base/clock.ts'
import { codeOf } from '../base/errors.ts'
import type { Ids } from '../base/ids.ts'
import {
  type Attachment,
  type Author,
  type EditEvent,
  type InboundEvent,
  identitySpace,
  type MessageEvent,
  type OpenedEvent,
  type RemovalEvent,
  type ThreadKind,
  type ThreadRef,
} from '../channel/events.ts'
import type { Database } from '../store/client.ts'
import { Prisma } from '../store/prisma/client.ts'

/** What the inbox keeps of an event besides its columns. */
export interface EventPayload {
  readonly text?: string
  readonly attachments?: readonly Attachment[]
  /** When the platform says it happened. */
  readonly at?: string
  /** The post of the room that a message replies to, where it begins a thread. */
  readonly repliesTo?: string
  /** What a `timer` asks for: the reminder that is due, … */
  readonly reminderId?: string
  /** … the turn whose cards have to be drawn again, the approval to remind of, the call to look after. */
  readonly cardsOf?: string
  readonly remindOf?: string
  readonly check?: string
  /** The case of the desk that something became of, for `timer`, and what. */
  readonly handOverId?: string
  readonly desk?: 'begun' | 'claimed' | 'released'
  /** The workflow whose time in a state is over, and which step of it that was, for `timer`. */
  readonly workflowId?: string
  readonly visit?: number
  readonly action?: string
  readonly value?: string
}

/** An event of the inbox that no turn has taken yet. */
export interface PendingEvent {
  readonly id: string
  readonly kind: 'message' | 'edit' | 'removal' | 'action' | 'opened' | 'timer'
  readonly personId: string | null
  /** The person's name, where it was read along. */
  readonly author?: string | null
  readonly postId: string | null
  readonly payload: EventPayload
  readonly receivedAt: Date
}

/** What became of an event that was handed to the inbox. */
export type Acceptance =
  | {
      readonly kind: 'accepted'
      readonly sessionId: string
      readonly personId: string
      readonly eventId: string
    }
  | { readonly kind: 'repeated' }
  /** An unaddressed post in a thread that is no session. */
  | { readonly kind: 'ignored' }

type InboxEvent = MessageEvent | EditEvent | RemovalEvent | OpenedEvent

/** The way into a session: what is in here is safe, whatever dies. */
export interface Inbox {
  /** Commits an event, with its person and session where they are new, in one statement. */
  accept(event: InboxEvent): Promise<Acceptance>
  /** A click that concerns the running turn (stop). The thread must be a session already. */
  acceptAction(event: Extract<InboundEvent, { kind: 'action' }>): Promise<Acceptance>
  /** What waits, oldest first. */
  pending(sessionId: string): Promise<readonly PendingEvent[]>
  /** Does anything wait that came after the turn took its inbox last? Only this person's, where one is given. */
  hasPending(sessionId: string, personId?: string): Promise<boolean>
}

export function createInbox(parts: { db: Database; ids: Ids; clock: Clock }): Inbox {
  const { db, ids } = parts

  const insert = async (
    event: InboxEvent | Extract<InboundEvent, { kind: 'action' }>,
    as: { key: string; kind: string; postId: string | null; payload: EventPayload; opens: boolean },
  ): Promise<Acceptance> => {
    const eventId = ids('evt')
    const [known] = await insertKnown(db, eventId, event.thread, event.author, as)
    const [row] = known
      ? [known]
      : await retryOnRace(() =>
          insertEvent(db, ids, eventId, event.thread, event.threadKind, event.author, as),
        )
    if (!row?.session_id || !row.person_id) return { kind: 'ignored' }
    if (!row.fresh) return { kind: 'repeated' }
    return { kind: 'accepted', sessionId: row.session_id, personId: row.person_id, eventId }
  }

  return {
    async accept(event) {
      const at = event.at.toISOString()
      switch (event.kind) {
        case 'message':
          return insert(event, {
            key: event.dedupeKey,
            kind: 'message',
            postId: event.postId,
            payload: {
              text: storable(event.text),
              attachments: event.attachments,
              at,
              ...(event.repliesTo === undefined ? {} : { repliesTo: event.repliesTo }),
            },
            opens: event.addressed,
          })
        case 'edit':
          return insert(event, {
            key: event.dedupeKey,
            kind: 'edit',
            postId: event.postId,
            payload: { text: storable(event.text), attachments: event.attachments, at },
            opens: false,
          })
        case 'removal':
          return insert(event, {
            key: event.dedupeKey,
            kind: 'removal',
            postId: event.postId,
            payload: { at },
            opens: false,
          })
        case 'opened':
          return insert(event, {
            key: event.dedupeKey,
            kind: 'opened',
            postId: null,
            payload: { at },
            opens: true,
          })
        default:
          return event satisfies never
      }
    },
    acceptAction(event) {
      return insert(event, {
        key: event.dedupeKey,
        kind: 'action',
        postId: null,
        payload: { action: event.action, ...(event.value === undefined ? {} : { value: event.value }) },
        opens: false,
      })
    },
    async pending(sessionId) {
      const rows = await db.inboundEvent.findMany({
        where: { sessionId, status: 'new' },
        orderBy: { id: 'asc' },
        take: 200,
        select: { id: true, kind: true, personId: true, postId: true, payload: true, receivedAt: true },
      })
      return rows.map((row) => ({
        ...row,
        kind: row.kind as PendingEvent['kind'],
        payload: row.payload as EventPayload,
      }))
    },
    async hasPending(sessionId, personId) {
      const row = await db.inboundEvent.findFirst({
        where: { sessionId, status: 'new', ...(personId ? { personId } : {}) },
        select: { id: true },
      })
      return row !== null
    },
  }
}

interface AcceptRow {
  session_id: string | null
  person_id: string | null
  fresh: boolean
}

// The one who wrote first in a session, by the index of its events.
const firstPerson = Prisma.sql`(SELECT e.person_id FROM inbound_event e WHERE e.session_id = session.id ORDER BY e.id LIMIT 1)`

/**
 * Was a post that does not mention Hermes written before it was asked into the thread? Then it is none of its
 * business, however late the platform tells of it. Both times are the platform's; within one millisecond its ids of
 * posts tell the order.
 */
function saidBefore(as: {
  readonly kind: string
  readonly postId: string | null
  readonly opens: boolean
  readonly payload: EventPayload
}) {
  const checked = as.kind === 'message' && !as.opens
  return Prisma.sql`(${checked} AND (${as.payload.at ?? null}::timestamptz, ${as.postId}::text) < (
    SELECT (e.payload->>'at')::timestamptz, e.post_id FROM inbound_event e WHERE e.session_id = session.id ORDER BY e.id LIMIT 1)) IS TRUE`
}

/** The usual case, in a third of the time: the person and the session are known. */
function insertKnown(
  db: Database,
  eventId: string,
  thread: ThreadRef,
  author: Author,
  as: { key: string; kind: string; postId: string | null; payload: EventPayload; opens: boolean },
): Promise<AcceptRow[]> {
  const { channel, workspace, room } = thread
  return db.rows<AcceptRow>`
    WITH who AS (
      SELECT person_id AS id FROM identity
      WHERE channel = ${channel}::channel_name AND workspace = ${identitySpace(thread)} AND user_id = ${author.userId}
    ), place AS (
      UPDATE session SET last_activity_at = now(), archived_at = NULL, revision = revision + 1,
        kind = CASE WHEN session.kind = 'direct' AND who.id <> ${firstPerson} THEN 'shared'::thread_kind ELSE session.kind END
      FROM who
      WHERE channel = ${channel}::channel_name AND workspace = ${workspace} AND room = ${room} AND thread = ${thread.thread}
        AND NOT ${saidBefore(as)}
      RETURNING session.id, who.id AS person_id
    ), event AS (
      INSERT INTO inbound_event (id, dedupe_key, session_id, person_id, kind, post_id, payload)
      SELECT ${eventId}, ${as.key}, id, person_id, ${as.kind}::event_kind, ${as.postId}, ${JSON.stringify(as.payload)}::jsonb
      FROM place
      ON CONFLICT (dedupe_key) DO NOTHING
      RETURNING id
    )
    SELECT place.id AS session_id, place.person_id, EXISTS (SELECT 1 FROM event) AS fresh FROM place`
}

function insertEvent(
  db: Database,
  ids: Ids,
  eventId: string,
  thread: ThreadRef,
  threadKind: ThreadKind,
  author: Author,
  as: { key: string; kind: string; postId: string | null; payload: EventPayload; opens: boolean },
): Promise<AcceptRow[]> {
  const { channel, workspace, room } = thread
  const space = identitySpace(thread)
  const name = displayName(author)
  return db.rows<AcceptRow>`
    WITH gate AS (
      SELECT 1 WHERE ${as.opens} OR EXISTS (
        SELECT 1 FROM session WHERE channel = ${channel}::channel_name AND workspace = ${workspace}
          AND room = ${room} AND thread = ${thread.thread} AND NOT ${saidBefore(as)})
    ), known AS (
      SELECT person_id AS id FROM identity
      WHERE channel = ${channel}::channel_name AND workspace = ${space} AND user_id = ${author.userId}
    ), newcomer AS (
      INSERT INTO person (id, display_name, time_zone, language)
      SELECT ${ids('per')}, ${name}, ${author.timeZone ?? null}, ${author.language ?? null}
      FROM gate WHERE NOT EXISTS (SELECT 1 FROM known)
      RETURNING id
    ), introduced AS (
      INSERT INTO identity (id, person_id, channel, workspace, user_id, name)
      SELECT ${ids('idn')}, id, ${channel}::channel_name, ${space}, ${author.userId}, ${name} FROM newcomer
    ), zoned AS (
      UPDATE person SET time_zone = ${author.timeZone ?? null} FROM known
      WHERE person.id = known.id AND person.time_zone IS NULL AND ${author.timeZone ?? null}::text IS NOT NULL
    ), who AS (
      SELECT id FROM known UNION ALL SELECT id FROM newcomer
    ), place AS (
      INSERT INTO session (id, channel, workspace, room, thread, kind)
      SELECT ${ids('sess')}, ${channel}::channel_name, ${workspace}, ${room}, ${thread.thread}, ${threadKind}::thread_kind
      FROM gate
      ON CONFLICT (channel, workspace, room, thread) DO UPDATE SET
        last_activity_at = now(), archived_at = NULL, revision = session.revision + 1,
        -- Platforms say who can read; in the web chat a second person in a thread makes it a shared one.
        kind = CASE WHEN session.kind = 'direct' AND (SELECT id FROM who) <> ${firstPerson}
          THEN 'shared'::thread_kind ELSE session.kind END
      RETURNING id
    ), event AS (
      INSERT INTO inbound_event (id, dedupe_key, session_id, person_id, kind, post_id, payload)
      SELECT ${eventId}, ${as.key}, place.id, who.id, ${as.kind}::event_kind, ${as.postId}, ${JSON.stringify(as.payload)}::jsonb
      FROM place, who
      ON CONFLICT (dedupe_key) DO NOTHING
      RETURNING id
    )
    SELECT (SELECT id FROM place) AS session_id, (SELECT id FROM who) AS person_id,
           EXISTS (SELECT 1 FROM event) AS fresh`
}

/**
 * A name as it may stand in prompts and cards: no control characters, no marks that turn the direction of
 * writing, at most 80 characters, never empty.
 */
export function displayName(author: Pick<Author, 'name' | 'userId'>): string {
  const clean = (text: string) =>
    storable(text)
      .replace(/[\p{Cc}\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu, '')
      .replace(/\s+/g, ' ')
      .trim()
  return [...clean(author.name)].slice(0, 80).join('') || clean(author.userId) || 'someone'
}

/** PostgreSQL takes no NUL, and JSON no half of a surrogate pair. */
export function storable(text: string): string {
  return text.replaceAll('\u0000', '').toWellFormed()
}

/** Two first messages of one person at the same moment both make the person; the second then finds the first's. */
async function retryOnRace<T>(statement: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await statement()
    } catch (error) {
      if (attempt >= 4 || !isUniqueViolation(error)) throw error
    }
  }
}

/** Did a statement fail on a unique key? */
export function isUniqueViolation(error: unknown): boolean {
  if (error instanceof Prisma.PrismaClientKnownRequestError) {
    return error.code === 'P2002' || JSON.stringify(error.meta ?? {}).includes('23505')
  }
  return codeOf(error) === '23505'
}
