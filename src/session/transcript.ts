import type { Attachment } from '../channel/events.ts'
import type { Database } from '../store/client.ts'
import type { ApprovalStatus, CallStatus, Effect, TurnStatus } from '../store/prisma/client.ts'

/** One call of the ledger, as the turn sees it. */
export interface LedgerCall {
  readonly id: string
  readonly turnId: string
  readonly messageId: string
  readonly personId: string
  readonly position: number
  readonly providerId: string
  readonly tool: string
  readonly effect: Effect
  readonly idempotent: boolean
  readonly arguments: Readonly<Record<string, unknown>>
  readonly argumentsHash: string
  readonly definitionHash: string
  readonly status: CallStatus
  readonly resultText: string | null
  readonly resultRef: string | null
  readonly told: string | null
  readonly failureCode: string | null
  readonly endedAt: Date | null
  readonly approval: {
    readonly id: string
    readonly status: ApprovalStatus
    readonly personId: string
    readonly version: number
    readonly expiresAt: Date
    readonly decidedAt: Date | null
  } | null
}

/** One message of the transcript with the calls that it made. */
export interface TranscriptMessage {
  readonly id: string
  readonly seq: number
  readonly turnId: string | null
  readonly step: number
  readonly leg: number
  readonly role: 'user' | 'assistant' | 'note'
  readonly personId: string | null
  readonly author: string | null
  readonly postId: string | null
  readonly text: string
  readonly attachments: readonly Attachment[]
  readonly final: boolean
  readonly removed: boolean
  readonly createdAt: Date
  readonly calls: readonly LedgerCall[]
}

/** An unfinished turn of the session. */
export interface OpenTurn {
  readonly id: string
  readonly personId: string
  readonly status: TurnStatus
  readonly leg: number
  readonly step: number
  readonly startedAt: Date
}

/** How a session stands when a step begins. */
export interface Snapshot {
  readonly id: string
  readonly kind: 'direct' | 'shared'
  readonly plan: unknown
  readonly entities: unknown
  readonly summary: string | null
  readonly archived: boolean
  readonly turns: readonly OpenTurn[]
  /** The newest messages, oldest first. */
  readonly messages: readonly TranscriptMessage[]
}

/** The most messages that one snapshot holds. Older ones are in the summary. */
export const snapshotMessages = 200

/** Reads a session as it stands: unfinished turns, the newest messages and their calls. */
export async function readSnapshot(db: Database, sessionId: string): Promise<Snapshot | undefined> {
  const row = await db.session.findUnique({
    where: { id: sessionId },
    include: {
      turns: { where: { status: { in: ['running', 'waiting'] } }, orderBy: { id: 'asc' } },
      messages: {
        orderBy: { seq: 'desc' },
        take: snapshotMessages,
        include: {
          person: { select: { displayName: true } },
          calls: { orderBy: { position: 'asc' }, include: { approval: true } },
        },
      },
    },
  })
  if (!row) return undefined
  return {
    id: row.id,
    kind: row.kind,
    plan: row.plan,
    entities: row.entities,
    summary: row.summary,
    archived: row.archivedAt !== null,
    turns: row.turns.map(({ id, personId, status, leg, step, startedAt }) => ({
      id,
      personId,
      status,
      leg,
      step,
      startedAt,
    })),
    messages: row.messages.reverse().map((message) => ({
      ...message,
      author: message.person?.displayName ?? null,
      attachments: message.attachments as unknown as readonly Attachment[],
      removed: message.removedAt !== null,
      calls: message.calls.map((call) => ({ ...call, arguments: call.arguments as Record<string, unknown> })),
    })),
  }
}

/** Statuses that a turn does not wait for any more. */
export const settled: ReadonlySet<CallStatus> = new Set([
  'succeeded',
  'failed',
  'refused',
  'cancelled',
  'expired',
  'withdrawn',
])
