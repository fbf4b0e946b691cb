import type { Ids } from '../../base/ids.ts'
import type { Language } from '../../base/words.ts'
import type { ThreadRef } from '../../channel/events.ts'
import type { Database } from '../../store/client.ts'

/** A case as it stands, with the names that its card shows. */
export interface DeskCase {
  readonly id: string
  readonly status: 'open' | 'claimed' | 'released'
  readonly sessionId: string
  readonly personId: string
  readonly person: string
  /** Where the person is. */
  readonly thread: ThreadRef
  /** `asked`, or the name of the tool that kept failing. */
  readonly reason: string
  readonly request: string
  readonly language: Language
  /** Where the card is. */
  readonly room: ThreadRef | undefined
  /** The case's own thread at the desk, and its session. */
  readonly deskThread: ThreadRef | undefined
  readonly deskSessionId: string | undefined
  readonly claimedById: string | undefined
  readonly claimedBy: string | undefined
  readonly claimedAt: Date | undefined
  readonly releasedBy: string | undefined
  readonly releasedAt: Date | undefined
  /** Of the thread's last hour before the case, one line each. */
  readonly failures: readonly string[]
}

/**
 * The cases of the desk. Every change is one statement that also puts an event into the inbox of the person's thread,
 * so that what has to be shown there survives any crash, and happens once.
 */
export interface DeskCases {
  /** Opens a case. `already` where the thread is with the desk; `none` where there is no desk. */
  begin(about: {
    readonly sessionId: string
    readonly personId: string
    readonly reason: string
    readonly request: string
    readonly language: Language
  }): Promise<'begun' | 'already' | 'none'>
  find(id: string): Promise<DeskCase | undefined>
  /** Those whose cards a thread of the desk shows. */
  findAll(ids: readonly string[]): Promise<readonly DeskCase[]>
  /** The card is there: from now on the case has a thread of its own. Gives its session. */
  opened(id: string, room: ThreadRef, deskThread: ThreadRef): Promise<string>
  /** Whether this very click claimed it. The first one does. */
  claim(id: string, personId: string, dedupeKey: string): Promise<'done' | 'repeated' | 'late'>
  /** Whether this very click or message gave it back. By nobody where the desk could not be reached. */
  release(id: string, personId: string | null, dedupeKey: string): Promise<'done' | 'repeated' | 'late'>
}

export function createDeskCases(parts: { db: Database; ids: Ids; configured: boolean }): DeskCases {
  const { db, ids } = parts

  const change = async (
    id: string,
    personId: string | null,
    dedupeKey: string,
    to: 'claimed' | 'released',
  ): Promise<'done' | 'repeated' | 'late'> => {
    const rows = await db.$queryRaw<{ fresh: boolean; changed: boolean }[]>`
      WITH event AS (
        INSERT INTO inbound_event (id, dedupe_key, session_id, person_id, kind, payload, status, taken_at)
        SELECT ${ids('evt')}, ${dedupeKey}, h.session_id, ${personId}, 'action',
          ${JSON.stringify({ action: `desk.${to}`, value: id })}::jsonb, 'taken', now()
        FROM hand_over h WHERE h.id = ${id}
        ON CONFLICT (dedupe_key) DO NOTHING RETURNING id
      ), changed AS (
        UPDATE hand_over h SET status = ${to}::hand_over_status,
          claimed_by = CASE WHEN ${to} = 'claimed' THEN ${personId} ELSE claimed_by END,
          claimed_at = CASE WHEN ${to} = 'claimed' THEN now() ELSE claimed_at END,
          released_by = CASE WHEN ${to} = 'released' THEN ${personId} ELSE released_by END,
          released_at = CASE WHEN ${to} = 'released' THEN now() ELSE released_at END
        FROM event WHERE h.id = ${id} AND (h.status = 'open' OR (h.status = 'claimed' AND ${to} = 'released'))
        RETURNING h.id, h.session_id, h.desk_session_id
      ), seen AS (
        UPDATE session SET revision = revision + 1 WHERE id IN (SELECT desk_session_id FROM changed)
      ), told AS (
        INSERT INTO inbound_event (id, dedupe_key, session_id, kind, payload)
        SELECT ${ids('evt')}, 'desk:' || id || ':' || ${to}, session_id, 'timer',
          jsonb_build_object('handOverId', id, 'desk', ${to}::text)
        FROM changed ON CONFLICT (dedupe_key) DO NOTHING
      ), audited AS (
        INSERT INTO audit_event (id, action, person_id, session_id, subject_id)
        SELECT ${ids('aud')}, ${`hand_over.${to}`}, ${personId}, session_id, id FROM changed
      )
      SELECT EXISTS (SELECT 1 FROM event) AS fresh, EXISTS (SELECT 1 FROM changed) AS changed`
    const row = rows[0]
    return row?.changed ? 'done' : row?.fresh ? 'late' : 'repeated'
  }

  const findAll = async (wanted: readonly string[]): Promise<readonly DeskCase[]> => {
    if (wanted.length === 0) return []
    const rows = await db.$queryRaw<CaseRow[]>`
      SELECT h.id, h.status::text, h.session_id AS "sessionId", h.person_id AS "personId", p.display_name AS person,
        h.reason, h.request, h.language, h.desk_room AS room, h.desk_session_id AS "deskSessionId",
        h.claimed_by AS "claimedById", c.display_name AS "claimedBy", h.claimed_at AS "claimedAt",
        r.display_name AS "releasedBy", h.released_at AS "releasedAt",
        json_build_object('channel', s.channel, 'workspace', s.workspace, 'room', s.room, 'thread', s.thread) AS thread,
        CASE WHEN d.id IS NOT NULL THEN json_build_object('channel', d.channel, 'workspace', d.workspace, 'room', d.room,
          'thread', d.thread) END AS "deskThread",
        (SELECT COALESCE(json_agg(f.tool || ': ' || f.code ORDER BY f.id), '[]') FROM failure f
          WHERE f.session_id = h.session_id AND f.created_at > h.created_at - interval '1 hour'
            AND f.created_at < COALESCE(h.claimed_at, h.released_at, now()) + interval '1 hour') AS failures
      FROM hand_over h JOIN person p ON p.id = h.person_id JOIN session s ON s.id = h.session_id
      LEFT JOIN session d ON d.id = h.desk_session_id
      LEFT JOIN person c ON c.id = h.claimed_by LEFT JOIN person r ON r.id = h.released_by
      WHERE h.id = ANY(${wanted}::text[]) ORDER BY h.id`
    return rows.map((row) => ({
      ...row,
      language: row.language === 'zh' ? 'zh' : 'en',
      room: row.room ?? undefined,
      deskThread: row.deskThread ?? undefined,
      deskSessionId: row.deskSessionId ?? undefined,
      claimedById: row.claimedById ?? undefined,
      claimedBy: row.claimedBy ?? undefined,
      claimedAt: row.claimedAt ?? undefined,
      releasedBy: row.releasedBy ?? undefined,
      releasedAt: row.releasedAt ?? undefined,
    }))
  }

  return {
    async begin(about) {
      if (!parts.configured) return 'none'
      const id = ids('hand')
      const rows = await db.$queryRaw<{ id: string }[]>`
        WITH made AS (
          INSERT INTO hand_over (id, session_id, person_id, reason, request, language)
          VALUES (${id}, ${about.sessionId}, ${about.personId}, ${about.reason}, ${about.request.slice(0, 2_000)}, ${about.language})
          ON CONFLICT (session_id) WHERE status <> 'released' DO NOTHING RETURNING id, session_id, person_id
        ), told AS (
          INSERT INTO inbound_event (id, dedupe_key, session_id, kind, payload)
          SELECT ${ids('evt')}, 'desk:' || id || ':begun', session_id, 'timer',
            jsonb_build_object('handOverId', id, 'desk', 'begun')
          FROM made
        ), audited AS (
          INSERT INTO audit_event (id, action, person_id, session_id, subject_id, data)
          SELECT ${ids('aud')}, 'hand_over.begun', person_id, session_id, id, jsonb_build_object('reason', ${about.reason}::text)
          FROM made
        )
        SELECT id FROM made`
      return rows.length > 0 ? 'begun' : 'already'
    },
    findAll,
    async find(id) {
      return (await findAll([id]))[0]
    },
    async opened(id, room, deskThread) {
      const rows = await db.$queryRaw<{ id: string }[]>`
        WITH place AS (
          INSERT INTO session (id, channel, workspace, room, thread, kind)
          VALUES (${ids('sess')}, ${deskThread.channel}::channel_name, ${deskThread.workspace}, ${deskThread.room}, ${deskThread.thread}, 'shared')
          ON CONFLICT (channel, workspace, room, thread) DO UPDATE SET last_activity_at = now()
          RETURNING id
        ), changed AS (
          UPDATE hand_over SET desk_room = ${JSON.stringify(room)}::jsonb, desk_session_id = place.id
          FROM place WHERE hand_over.id = ${id}
        )
        SELECT id FROM place`
      return rows[0]!.id
    },
    claim: (id, personId, dedupeKey) => change(id, personId, dedupeKey, 'claimed'),
    release: (id, personId, dedupeKey) => change(id, personId, dedupeKey, 'released'),
  }
}

interface CaseRow {
  readonly id: string
  readonly status: DeskCase['status']
  readonly sessionId: string
  readonly personId: string
  readonly person: string
  readonly reason: string
  readonly request: string
  readonly language: string
  readonly room: ThreadRef | null
  readonly deskSessionId: string | null
  readonly claimedById: string | null
  readonly claimedBy: string | null
  readonly claimedAt: Date | null
  readonly releasedBy: string | null
  readonly releasedAt: Date | null
  readonly thread: ThreadRef
  readonly deskThread: ThreadRef | null
  readonly failures: readonly string[]
}
