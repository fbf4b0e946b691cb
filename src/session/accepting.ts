import type { Ids } from '../base/ids.ts'
import {
  type Author,
  type InboundEvent,
  identitySpace,
  type ThreadKind,
  type ThreadRef,
} from '../channel/events.ts'
import type { Database } from '../store/client.ts'
import { Prisma } from '../store/prisma/client.ts'
import { isUniqueViolation } from '../store/unique.ts'
import { displayName } from './storable.ts'

/** An event as it becomes a row of the inbox. */
export interface NewEvent {
  readonly key: string
  readonly kind: string
  readonly postId: string | null
  /** `at`: when the platform says it happened. */
  readonly payload: { readonly at?: string }
  /** Does it open a session where there is none? */
  readonly opens: boolean
}

interface AcceptRow {
  session_id: string | null
  person_id: string | null
  fresh: boolean
}

/**
 * Commits an event, with its person and session where they are new. Nothing is given back of an event that concerns
 * no session.
 */
export async function insertEvent(
  parts: { readonly db: Database; readonly ids: Ids },
  eventId: string,
  event: Pick<InboundEvent, 'thread' | 'threadKind' | 'author'>,
  as: NewEvent,
): Promise<{ sessionId: string; personId: string; fresh: boolean } | undefined> {
  const { db, ids } = parts
  const { thread, threadKind, author } = event
  const [known] = await insertKnown(db, eventId, thread, author, as)
  const [row] = known
    ? [known]
    : await retryOnRace(() => insertWithNewcomers(db, ids, eventId, thread, threadKind, author, as))
  return row?.session_id && row.person_id
    ? { sessionId: row.session_id, personId: row.person_id, fresh: row.fresh }
    : undefined
}

// The one who wrote first in a session, by the index of its events.
const firstPerson = Prisma.sql`(SELECT e.person_id FROM inbound_event e WHERE e.session_id = session.id ORDER BY e.id LIMIT 1)`

/**
 * Was a post that does not mention Hermes written before it was asked into the thread? Then it is none of its
 * business, however late the platform tells of it. Both times are the platform's; within one millisecond its ids of
 * posts tell the order.
 */
function saidBefore(as: NewEvent) {
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
  as: NewEvent,
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

function insertWithNewcomers(
  db: Database,
  ids: Ids,
  eventId: string,
  thread: ThreadRef,
  threadKind: ThreadKind,
  author: Author,
  as: NewEvent,
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
