import { zoneOr } from '../../base/words.ts'
import type { ThreadRef } from '../../channel/events.ts'
import type { Database } from '../../store/client.ts'
import { type ApprovalStatus, type CallStatus, Prisma } from '../../store/prisma/client.ts'
import type { CardFacts, CardSnapshot } from './cards.ts'
import type { Place } from './policies.ts'

/** An approval with its call and the names that its card shows. */
export interface ApprovalFacts extends Omit<CardFacts, 'now' | 'several' | 'at'> {
  readonly sessionId: string
  readonly turnId: string
  readonly personId: string
  readonly messageId: string
  readonly version: number
  readonly arguments: Readonly<Record<string, unknown>>
  readonly tool: string
  readonly definitionHash: string
  readonly idempotent: boolean
  readonly thread: ThreadRef
  readonly askedAt: Date
  /** The room that the card went to, where that is not the thread. */
  readonly place: Place | null
}

interface FactsRow {
  id: string
  status: ApprovalStatus
  version: number
  expires_at: Date
  is_over: boolean
  decided_at: Date | null
  created_at: Date
  card: CardSnapshot
  approvers: string[]
  four_eyes: boolean
  place: Place | null
  grantable: boolean
  grant_id: string | null
  revoked: boolean
  definition_hash: string
  idempotent: boolean
  call_id: string
  call_status: CallStatus
  arguments: Record<string, unknown>
  tool: string
  told: string | null
  result_text: string | null
  failure_code: string | null
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

/** What facts are read with; the zone is for people whose own is not known. */
export interface FactsParts {
  readonly db: Database
  readonly timeZone: string
}

/** The facts of approvals, in the order of their messages and places in them. */
export async function readFacts(
  { db, timeZone }: FactsParts,
  where: Prisma.Sql,
): Promise<readonly ApprovalFacts[]> {
  const rows = await db.$queryRaw<FactsRow[]>`
    SELECT a.id, a.status::text, a.version, a.expires_at, a.expires_at <= now() AS is_over, a.decided_at, a.created_at, a.card, a.approvers, a.four_eyes, a.place,
      a.grantable, a.grant_id, g.revoked_at IS NOT NULL AS revoked, a.definition_hash, c.idempotent,
      c.id AS call_id,
      c.status::text AS call_status, c.arguments, c.tool, c.told, c.result_text, c.failure_code, a.session_id, c.turn_id,
      c.message_id, a.person_id, p.display_name AS requester, p.time_zone, d.display_name AS decider,
      s.channel::text, s.workspace, s.room, s.thread
    FROM approval a
    JOIN tool_call c ON c.id = a.call_id
    JOIN session s ON s.id = a.session_id
    JOIN person p ON p.id = a.person_id
    LEFT JOIN person d ON d.id = a.decided_by
    LEFT JOIN approval_grant g ON g.id = a.grant_id
    WHERE ${where} ORDER BY c.message_id, c.position`
  const names = await namesOf(db, rows)
  return rows.map((row) => ({
    approval: {
      id: row.id,
      status: row.status,
      expiresAt: row.expires_at,
      isOver: row.is_over,
      decidedAt: row.decided_at,
      snapshot: row.card,
      approvers: row.approvers,
      fourEyes: row.four_eyes,
      grantable: row.grantable,
      grant: row.grant_id === null ? null : { id: row.grant_id, revoked: row.revoked },
    },
    call: {
      id: row.call_id,
      status: row.call_status,
      told: row.told,
      failure: row.result_text,
      failureCode: row.failure_code,
    },
    names,
    requester: row.requester,
    decidedBy: row.decider,
    timeZone: zoneOr(row.time_zone, timeZone),
    sessionId: row.session_id,
    turnId: row.turn_id,
    personId: row.person_id,
    messageId: row.message_id,
    version: row.version,
    arguments: row.arguments,
    tool: row.tool,
    definitionHash: row.definition_hash,
    idempotent: row.idempotent,
    thread: { channel: row.channel, workspace: row.workspace, room: row.room, thread: row.thread },
    askedAt: row.created_at,
    place: row.place,
  }))
}

/** Where approvals are these. */
export function approvalsOf(ids: readonly string[]): Prisma.Sql {
  return Prisma.sql`a.id = ANY(${ids}::text[])`
}

/** The names of people whom approvals name by their ids, as far as the directory knows them. */
async function namesOf(db: Database, rows: readonly FactsRow[]): Promise<Readonly<Record<string, string>>> {
  const keys = [...new Set(rows.flatMap((row) => row.approvers))].filter((key) => key.startsWith('id:'))
  if (keys.length === 0) return {}
  const known = await db.$queryRaw<{ key: string; name: string }[]>`
    SELECT k.key, i.name FROM unnest(${keys}::text[]) AS k(key)
    JOIN identity i ON i.channel::text = split_part(k.key, ':', 2) AND i.workspace = split_part(k.key, ':', 3)
      AND i.user_id = substring(k.key FROM length(split_part(k.key, ':', 2)) + length(split_part(k.key, ':', 3)) + 6)`
  return Object.fromEntries(known.map(({ key, name }) => [key, name]))
}
