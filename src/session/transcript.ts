import type { Language } from '../base/words.ts'
import type { Attachment, ThreadRef } from '../channel/events.ts'
import type { Database } from '../store/client.ts'
import {
  type ApprovalStatus,
  type CallStatus,
  type Effect,
  Prisma,
  type QuestionStatus,
  type TurnStatus,
} from '../store/prisma/client.ts'
import type { PendingEvent } from './inbox.ts'
import type { RunningWorkflow } from './workflows/instance.ts'

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
  /** When it began to run, in ISO 8601; `null` where it never did. */
  readonly startedAt: string | null
  readonly approval: {
    readonly id: string
    readonly status: ApprovalStatus
    readonly decidedBy: string | null
    readonly argumentsHash: string
    /** The standing grant that confirmed it. */
    readonly grantId: string | null
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
  readonly eventId: string | null
  readonly postId: string | null
  readonly text: string
  readonly attachments: readonly Attachment[]
  /** Is it an answer? Else tool calls follow. */
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
  /** Of all its requests so far, input and output. */
  readonly tokens: number
  /** What they cost by the configured prices. */
  readonly cost: number
  readonly startedAt: Date
  /** How it will end, where that is certain already: `stopped`, or the code of a failure. */
  readonly outcome: string | null
  /** What its messages want, as the rules read them; see session/intent. */
  readonly intent: unknown
}

/** A turn as it begins, before anything has come of it. */
export function newTurn(id: string, personId: string, startedAt: Date): OpenTurn {
  const nothing = { leg: 1, step: 0, tokens: 0, cost: 0, outcome: null, intent: null }
  return { id, personId, startedAt, status: 'running', ...nothing }
}

/** How a session stands when a step begins. */
export interface Snapshot {
  readonly id: string
  readonly thread: ThreadRef
  readonly kind: 'direct' | 'shared'
  readonly plan: unknown
  readonly entities: unknown
  readonly summary: string | null
  /** The messages up to this number are in the summary, or were left behind by a reset. */
  readonly summarySeq: number
  readonly archived: boolean
  /** The profile that was chosen at its start; empty before that. */
  readonly profile: string
  /** Has what was said in the thread before Hermes came in been read? */
  readonly pastRead: boolean
  readonly revision: number
  /** Running and waiting turns, oldest first. */
  readonly turns: readonly OpenTurn[]
  /** The newest messages, oldest first. */
  readonly messages: readonly TranscriptMessage[]
  /** Calls that are not settled, of whatever message. */
  readonly openCalls: readonly LedgerCall[]
  /** What waits in the inbox, oldest first. */
  readonly pending: readonly PendingEvent[]
  /** What people have allowed here for good, and not revoked. */
  readonly grants: readonly StandingGrant[]
  /** What went wrong within the last hour, oldest first. */
  readonly failures: readonly SessionFailure[]
  /** The thread is with people of the desk, or is a case's own thread there. */
  readonly handOver: SessionHandOver | null
  /** Declared workflows that have not ended, and those that the running turn has ended. */
  readonly workflows: readonly RunningWorkflow[]
  /** Questions that wait for their person, and those whose answer an unfinished turn has to go on with. */
  readonly questions: readonly SessionQuestion[]
}

/** A call that was refused for what its arguments leave open, and was put to its person. */
export interface SessionQuestion {
  /** The call's. */
  readonly id: string
  readonly turnId: string
  readonly personId: string
  readonly tool: string
  readonly status: QuestionStatus
  /** What is known. */
  readonly arguments: Readonly<Record<string, unknown>>
  readonly language: Language
  /** The fields that are asked for. */
  readonly fields: readonly string[]
  /** What was sent with its card. */
  readonly answer: {
    /** The event that says it in the conversation. */
    readonly eventId: string
    readonly arguments: Readonly<Record<string, unknown>>
    /** Fields whose value was chosen among ids, so that it is not looked up as a name. */
    readonly exact: readonly string[]
  } | null
}

/** A standing grant of the session. */
export interface StandingGrant {
  readonly id: string
  readonly personId: string
  readonly tool: string
  readonly definitionHash: string
  readonly arguments: Readonly<Record<string, unknown>>
  readonly exact: boolean
}

/** A failed call, as it is remembered for the session. */
export interface SessionFailure {
  readonly callId: string | null
  readonly tool: string
  readonly code: string
  /** Did the person get something else instead? */
  readonly degraded: boolean
  /** The same for all of one step. */
  readonly at: Date
  /** Until then the tool is not asked again. */
  readonly downUntil: Date | null
}

/** A case of the desk that the session has to do with. */
export interface SessionHandOver {
  readonly id: string
  /** Is this the thread of the person whose case it is, or the case's thread at the desk? */
  readonly side: 'person' | 'desk'
  readonly status: 'open' | 'claimed' | 'released'
  /** The session of the person's thread. */
  readonly sessionId: string
  readonly deskSessionId: string | null
  readonly claimedBy: string | null
  readonly since: Date
}

/** The most messages that one snapshot holds. Older ones are in the summary. */
export const snapshotMessages = 200

const callColumns = `'id', c.id, 'turnId', c.turn_id, 'messageId', c.message_id, 'personId', c.person_id,
  'position', c.position, 'providerId', c.provider_id, 'tool', c.tool, 'effect', c.effect, 'idempotent', c.idempotent,
  'arguments', c.arguments, 'argumentsHash', c.arguments_hash, 'definitionHash', c.definition_hash, 'status', c.status,
  'resultText', c.result_text, 'resultRef', c.result_ref, 'told', c.told, 'failureCode', c.failure_code,
  'startedAt', c.started_at,
  'approval', CASE WHEN a.id IS NULL THEN NULL ELSE
    json_build_object('id', a.id, 'status', a.status, 'decidedBy', a.decided_by,
    'argumentsHash', a.arguments_hash, 'grantId', a.grant_id) END`

const runningWorkflows = `(SELECT COALESCE(json_agg(json_build_object('id', w.id, 'personId', w.person_id, 'turnId', w.turn_id,
        'name', w.name, 'version', w.version, 'definition', w.definition, 'language', w.language, 'status', w.status,
        'state', w.state, 'visit', w.visit, 'enteredSeq', w.entered_seq, 'leaving', w.leaving, 'data', w.data, 'problem', w.problem,
        'callId', w.call_id, 'dueAt', w.due_at, 'call', (SELECT json_build_object('status', c.status,
          'resultText', c.result_text, 'arguments', c.arguments) FROM tool_call c WHERE c.id = w.call_id)) ORDER BY w.id), '[]')
      FROM workflow_instance w WHERE w.session_id = s.id AND (w.status <> 'ended' OR EXISTS (
        SELECT 1 FROM turn t WHERE t.id = w.turn_id AND t.status = 'running')))`

const questions = `(SELECT COALESCE(json_agg(json_build_object('id', c.id, 'turnId', c.turn_id, 'personId', c.person_id,
        'tool', c.tool, 'status', c.question_status, 'arguments', c.arguments, 'language', c.question->>'language',
        'fields', jsonb_path_query_array(c.question, '$.asked[*].field'), 'answer', c.question->'answer') ORDER BY c.id), '[]')
      FROM tool_call c WHERE c.session_id = s.id AND (c.question_status IN ('open', 'given')
        OR (c.question_status = 'answered' AND EXISTS (SELECT 1 FROM inbound_event e JOIN turn t ON t.id = e.taken_turn_id
          WHERE e.id = c.question->'answer'->>'eventId' AND t.status IN ('running', 'waiting')))))`

// One statement, since a step reads it each time: six of Prisma's queries took longer than everything else.
const columnsFrom = (after: string) =>
  Prisma.raw(`
  s.id, s.channel, s.workspace, s.room, s.thread, s.kind, s.plan, s.entities, s.summary, s.summary_seq AS "summarySeq", s.revision,
    s.archived_at IS NOT NULL AS archived, s.profile, s.past_read_at IS NOT NULL AS "pastRead",
    (SELECT COALESCE(json_agg(json_build_object('id', t.id, 'personId', t.person_id, 'status', t.status, 'leg', t.leg,
        'step', t.step, 'tokens', t.input_tokens + t.output_tokens, 'cost', t.cost, 'startedAt', t.started_at, 'outcome', t.outcome, 'intent', t.intent) ORDER BY t.id), '[]')
      FROM turn t WHERE t.session_id = s.id AND t.status IN ('running', 'waiting')) AS turns,
    (SELECT COALESCE(json_agg(json_build_object(${callColumns}) ORDER BY c.id), '[]')
      FROM tool_call c LEFT JOIN approval a ON a.call_id = c.id
      WHERE c.session_id = s.id AND c.status IN ('proposed', 'approved', 'executing', 'unknown')) AS "openCalls",
    (SELECT COALESCE(json_agg(json_build_object('id', e.id, 'kind', e.kind, 'personId', e.person_id, 'postId', e.post_id,
        'author', (SELECT display_name FROM person WHERE id = e.person_id), 'payload', e.payload, 'receivedAt', e.received_at) ORDER BY e.id), '[]')
      FROM (SELECT * FROM inbound_event WHERE session_id = s.id AND status = 'new' ORDER BY id LIMIT 200) e) AS pending,
    (SELECT COALESCE(json_agg(json_build_object('id', g.id, 'personId', g.person_id, 'tool', g.tool,
        'definitionHash', g.definition_hash, 'arguments', g.arguments, 'exact', g.exact) ORDER BY g.id), '[]')
      FROM approval_grant g WHERE g.session_id = s.id AND g.revoked_at IS NULL) AS grants,
    (SELECT COALESCE(json_agg(json_build_object('callId', f.call_id, 'tool', f.tool, 'code', f.code, 'degraded', f.degraded,
        'at', f.created_at, 'downUntil', f.down_until) ORDER BY f.created_at, f.id), '[]')
      FROM (SELECT * FROM failure WHERE session_id = s.id AND created_at > now() - interval '1 hour'
        ORDER BY created_at DESC LIMIT 60) f) AS failures,
    (SELECT json_build_object('id', h.id, 'side', CASE WHEN h.desk_session_id = s.id THEN 'desk' ELSE 'person' END,
        'status', h.status, 'sessionId', h.session_id, 'deskSessionId', h.desk_session_id, 'claimedBy', h.claimed_by,
        'since', h.created_at)
      FROM hand_over h WHERE h.desk_session_id = s.id OR (h.session_id = s.id AND h.status <> 'released')
      ORDER BY h.id DESC LIMIT 1) AS "handOver",
    (SELECT COALESCE(json_agg(json_build_object('id', m.id, 'seq', m.seq, 'turnId', m.turn_id, 'step', m.step, 'leg', m.leg,
        'role', m.role, 'personId', m.person_id, 'author', p.display_name, 'eventId', m.event_id, 'postId', m.post_id,
        'text', m.text, 'attachments', m.attachments, 'final', m.final, 'removed', m.removed_at IS NOT NULL,
        'createdAt', m.created_at, 'calls', CASE WHEN m.role <> 'assistant' THEN '[]'::json ELSE (
          SELECT COALESCE(json_agg(json_build_object(${callColumns}) ORDER BY c.position), '[]')
          FROM tool_call c LEFT JOIN approval a ON a.call_id = c.id WHERE c.message_id = m.id) END) ORDER BY m.seq), '[]')
      FROM (SELECT * FROM message WHERE session_id = s.id AND seq > ${after} ORDER BY seq DESC LIMIT ${snapshotMessages}) m
      LEFT JOIN person p ON p.id = m.person_id) AS messages,
    ${runningWorkflows} AS workflows,
    ${questions} AS questions`)

/** What a snapshot is read of, with the session as `s`. */
export const snapshotColumns: Prisma.Sql = columnsFrom('s.summary_seq')
const shownColumns: Prisma.Sql = columnsFrom('0')

/** A row of `snapshotColumns`. */
export interface SnapshotRow extends Omit<Snapshot, 'thread'> {
  readonly channel: ThreadRef['channel']
  readonly workspace: string
  readonly room: string
  readonly thread: string
}

/** Reads a session as it stands: inbox, unfinished turns, open calls, the newest messages with their calls. */
export async function readSnapshot(db: Database, sessionId: string): Promise<Snapshot | undefined> {
  const [row] = await db.rows<SnapshotRow>`SELECT ${snapshotColumns} FROM session s WHERE s.id = ${sessionId}`
  return row && snapshotOf(row)
}

/** The same for somebody who looks at it: with the messages that are in the summary, or were left behind by a reset. */
export async function readShown(db: Database, sessionId: string): Promise<Snapshot | undefined> {
  const [row] = await db.rows<SnapshotRow>`SELECT ${shownColumns} FROM session s WHERE s.id = ${sessionId}`
  return row && snapshotOf(row)
}

/** A row as it is worked with. */
export function snapshotOf(row: SnapshotRow): Snapshot {
  const { channel, workspace, room, thread, ...rest } = row
  return {
    ...rest,
    thread: { channel, workspace, room, thread },
    turns: row.turns.map((turn) => ({ ...turn, startedAt: new Date(turn.startedAt) })),
    pending: row.pending.map((event) => ({ ...event, receivedAt: new Date(event.receivedAt) })),
    handOver: row.handOver && { ...row.handOver, since: new Date(row.handOver.since) },
    failures: row.failures.map((failure) => ({
      ...failure,
      at: new Date(failure.at),
      downUntil: failure.downUntil && new Date(failure.downUntil),
    })),
    messages: row.messages.map((message) => ({ ...message, createdAt: new Date(message.createdAt) })),
    workflows: row.workflows.map((one) => ({ ...one, dueAt: one.dueAt ? new Date(one.dueAt) : null })),
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
