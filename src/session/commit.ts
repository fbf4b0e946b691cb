import type { Attachment } from '../channel/events.ts'
import type { Database } from '../store/client.ts'
import type { Lease } from './lease.ts'
import { LeaseLost } from './lease.ts'

/** A message to append. Its number within the session is given by the commit, in the order of the list. */
export interface NewMessage {
  readonly id: string
  readonly turnId: string | null
  readonly step: number
  readonly leg: number
  readonly role: 'user' | 'assistant' | 'note'
  readonly personId: string | null
  readonly eventId: string | null
  readonly postId: string | null
  readonly text: string
  readonly attachments: readonly Attachment[]
  readonly final: boolean
}

/** A tool call to write into the ledger, as it was proposed. */
export interface NewCall {
  readonly id: string
  readonly turnId: string
  readonly messageId: string
  readonly personId: string
  readonly position: number
  readonly providerId: string
  readonly tool: string
  readonly effect: 'read' | 'own' | 'write'
  readonly idempotent: boolean
  readonly arguments: unknown
  readonly argumentsHash: string
  readonly definitionHash: string
  /** `approved` may run at once, `proposed` waits for a person, `refused` never ran. */
  readonly status: 'approved' | 'proposed' | 'refused'
  readonly resultText: string | null
  readonly failureCode: string | null
}

/** An approval to open. */
export interface NewApproval {
  readonly id: string
  readonly callId: string
  readonly personId: string
  readonly argumentsHash: string
  readonly definitionHash: string
  readonly card: unknown
  readonly expiresAt: Date
}

/** What became of a call. `from` is where it must be for the change to count. */
export interface CallChange {
  readonly id: string
  readonly from: 'approved' | 'executing' | 'proposed' | 'unknown'
  readonly to: 'executing' | 'succeeded' | 'failed' | 'unknown' | 'refused' | 'withdrawn' | 'approved'
  readonly resultText?: string | null
  readonly resultRef?: string | null
  readonly told?: string | null
  readonly failureCode?: string | null
}

/** A long result, kept whole beside its digest. */
export interface NewStoredResult {
  readonly id: string
  readonly callId: string | null
  readonly mediaType: string
  readonly text: string
  readonly tokens: number
  readonly expiresAt: Date
}

/** A delivery to begin: committed as `sending` before the post is made. */
export interface NewDelivery {
  readonly id: string
  readonly key: string
  readonly turnId: string | null
  readonly purpose: 'reply' | 'card' | 'notice' | 'message'
  readonly target: unknown
  readonly nonce: string
}

/** An entry of the audit log. */
export interface NewAudit {
  readonly id: string
  readonly action: string
  readonly personId: string | null
  readonly subjectId: string | null
  readonly data: unknown
}

/** A failed attempt, as it is remembered for the session. */
export interface NewFailure {
  readonly id: string
  readonly callId: string | null
  readonly tool: string
  readonly code: string
  readonly advice: string
  readonly degraded: boolean
}

/** Everything that one step changes. Either all of it happens, or (where the lease is lost) nothing. */
export interface Step {
  readonly messages?: readonly NewMessage[]
  readonly calls?: readonly NewCall[]
  readonly approvals?: readonly NewApproval[]
  readonly callChanges?: readonly CallChange[]
  readonly results?: readonly NewStoredResult[]
  readonly deliveries?: readonly NewDelivery[]
  readonly audit?: readonly NewAudit[]
  readonly failures?: readonly NewFailure[]
  /** Events that the turn has taken, and those that were dropped. */
  readonly taken?: { readonly turnId: string | null; readonly events: readonly string[] }
  readonly dropped?: readonly string[]
  /** Posts that were edited (`text`) or removed (`null`). */
  readonly rewritten?: readonly { readonly messageId: string; readonly text: string | null }[]
  readonly turn?: {
    readonly id: string
    /** For a new turn: who asked. */
    readonly begin?: { readonly personId: string; readonly intent: unknown }
    readonly status?: 'running' | 'waiting' | 'done' | 'stopped' | 'failed'
    readonly leg?: number
    readonly step?: number
    readonly outcome?: string | null
    readonly recalled?: unknown
    readonly inputTokens?: number
    readonly outputTokens?: number
  }
  readonly session?: { readonly plan?: unknown; readonly entities?: unknown }
}

/**
 * Commits a step in one statement that begins by locking the session where the lease still holds.
 * @throws LeaseLost where it doesn't; nothing was changed then
 */
export async function commitStep(db: Database, lease: Lease, step: Step): Promise<void> {
  const messages = step.messages ?? []
  const turn = step.turn
  const begin = turn?.begin
  const json = (value: unknown) => JSON.stringify(value ?? []).toWellFormed()
  const rows = await db.$queryRaw<{ id: string }[]>`
    WITH held AS (
      UPDATE session SET
        seq = seq + ${messages.length}, revision = revision + 1, last_activity_at = now(),
        plan = CASE WHEN ${step.session?.plan !== undefined} THEN ${json(step.session?.plan ?? null)}::jsonb ELSE plan END,
        entities = CASE WHEN ${step.session?.entities !== undefined} THEN ${json(step.session?.entities)}::jsonb ELSE entities END
      WHERE id = ${lease.sessionId} AND fence = ${lease.fence} AND lease_owner IS NOT NULL
      RETURNING id, seq
    ), begun AS (
      INSERT INTO turn (id, session_id, person_id, intent, status)
      SELECT ${turn?.id ?? ''}, held.id, ${begin?.personId ?? ''}, ${json(begin?.intent ?? null)}::jsonb, 'running'
      FROM held WHERE ${begin !== undefined}
    ), turned AS (
      UPDATE turn SET
        status = COALESCE(${turn?.status ?? null}::turn_status, status),
        leg = COALESCE(${turn?.leg ?? null}, leg),
        step = COALESCE(${turn?.step ?? null}, step),
        outcome = COALESCE(${turn?.outcome ?? null}, outcome),
        recalled = CASE WHEN ${turn?.recalled !== undefined} THEN ${json(turn?.recalled)}::jsonb ELSE recalled END,
        input_tokens = input_tokens + ${turn?.inputTokens ?? 0},
        output_tokens = output_tokens + ${turn?.outputTokens ?? 0},
        ended_at = CASE WHEN ${turn?.status ?? ''} IN ('done', 'stopped', 'failed') THEN now() ELSE ended_at END
      FROM held WHERE turn.id = ${turn?.id ?? ''} AND ${begin === undefined} AND turn.status IN ('running', 'waiting')
    ), taken AS (
      UPDATE inbound_event e SET status = 'taken', taken_turn_id = ${step.taken?.turnId ?? null}, taken_at = now()
      FROM held WHERE e.session_id = held.id AND e.id = ANY(${step.taken?.events ?? []}::text[]) AND e.status = 'new'
    ), dropped AS (
      UPDATE inbound_event e SET status = 'dropped', taken_at = now()
      FROM held WHERE e.session_id = held.id AND e.id = ANY(${step.dropped ?? []}::text[]) AND e.status = 'new'
    ), written AS (
      INSERT INTO message (id, session_id, seq, turn_id, step, leg, role, person_id, event_id, post_id, text, attachments, final)
      SELECT m.id, held.id, held.seq - ${messages.length} + m.place, m."turnId", m.step, m.leg, m.role::message_role,
             m."personId", m."eventId", m."postId", m.text, m.attachments, m.final
      FROM held, ROWS FROM (jsonb_to_recordset(${json(messages)}::jsonb) AS (id text, "turnId" text, step integer,
        leg integer, role text, "personId" text, "eventId" text, "postId" text, text text, attachments jsonb,
        final boolean)) WITH ORDINALITY AS m(id, "turnId", step, leg, role, "personId", "eventId", "postId", text,
        attachments, final, place)
    ), rewritten AS (
      UPDATE message SET text = COALESCE(r.text, ''),
        edited_at = CASE WHEN r.text IS NULL THEN edited_at ELSE now() END,
        removed_at = CASE WHEN r.text IS NULL THEN now() ELSE removed_at END
      FROM held, jsonb_to_recordset(${json(step.rewritten)}::jsonb) AS r("messageId" text, text text)
      WHERE message.id = r."messageId" AND message.session_id = held.id
    ), proposed AS (
      INSERT INTO tool_call (id, session_id, turn_id, message_id, person_id, position, provider_id, tool, effect,
        idempotent, arguments, arguments_hash, definition_hash, status, result_text, failure_code, ended_at)
      SELECT c.id, held.id, c."turnId", c."messageId", c."personId", c.position, c."providerId", c.tool,
        c.effect::effect, c.idempotent, c.arguments, c."argumentsHash", c."definitionHash", c.status::call_status,
        c."resultText", c."failureCode", CASE WHEN c.status = 'refused' THEN now() END
      FROM held, jsonb_to_recordset(${json(step.calls)}::jsonb) AS c(id text, "turnId" text, "messageId" text,
        "personId" text, position integer, "providerId" text, tool text, effect text, idempotent boolean,
        arguments jsonb, "argumentsHash" text, "definitionHash" text, status text, "resultText" text, "failureCode" text)
    ), opened AS (
      INSERT INTO approval (id, call_id, session_id, person_id, arguments_hash, definition_hash, card, expires_at)
      SELECT a.id, a."callId", held.id, a."personId", a."argumentsHash", a."definitionHash", a.card, a."expiresAt"
      FROM held, jsonb_to_recordset(${json(step.approvals)}::jsonb) AS a(id text, "callId" text, "personId" text,
        "argumentsHash" text, "definitionHash" text, card jsonb, "expiresAt" timestamptz)
    ), moved AS (
      UPDATE tool_call SET status = c.to::call_status,
        result_text = COALESCE(c."resultText", result_text), result_ref = COALESCE(c."resultRef", result_ref),
        told = COALESCE(c.told, tool_call.told), failure_code = COALESCE(c."failureCode", failure_code),
        attempts = attempts + CASE WHEN c.to = 'executing' THEN 1 ELSE 0 END,
        started_at = CASE WHEN c.to = 'executing' THEN now() ELSE started_at END,
        ended_at = CASE WHEN c.to IN ('executing', 'approved') THEN NULL ELSE now() END
      FROM held, jsonb_to_recordset(${json(step.callChanges)}::jsonb) AS c(id text, "from" text, "to" text,
        "resultText" text, "resultRef" text, told text, "failureCode" text)
      WHERE tool_call.id = c.id AND tool_call.session_id = held.id AND tool_call.status = c.from::call_status
      RETURNING tool_call.id, c.to AS now_is
    ), voided AS (
      UPDATE approval SET status = 'changed', decided_at = now() FROM moved
      WHERE approval.call_id = moved.id AND moved.now_is IN ('withdrawn', 'refused') AND approval.status = 'open'
    ), stored AS (
      INSERT INTO stored_result (id, session_id, call_id, media_type, text, tokens, expires_at)
      SELECT r.id, held.id, r."callId", r."mediaType", r.text, r.tokens, r."expiresAt"
      FROM held, jsonb_to_recordset(${json(step.results)}::jsonb) AS r(id text, "callId" text, "mediaType" text,
        text text, tokens integer, "expiresAt" timestamptz)
    ), sending AS (
      INSERT INTO delivery (id, key, session_id, turn_id, purpose, target, nonce)
      SELECT d.id, d.key, held.id, d."turnId", d.purpose::delivery_purpose, d.target, d.nonce
      FROM held, jsonb_to_recordset(${json(step.deliveries)}::jsonb) AS d(id text, key text, "turnId" text,
        purpose text, target jsonb, nonce text)
      ON CONFLICT (key) DO NOTHING
    ), audited AS (
      INSERT INTO audit_event (id, action, person_id, session_id, subject_id, data)
      SELECT a.id, a.action, a."personId", held.id, a."subjectId", a.data
      FROM held, jsonb_to_recordset(${json(step.audit)}::jsonb) AS a(id text, action text, "personId" text,
        "subjectId" text, data jsonb)
    ), failed AS (
      INSERT INTO failure (id, session_id, call_id, tool, code, advice, degraded)
      SELECT f.id, held.id, f."callId", f.tool, f.code, f.advice, f.degraded
      FROM held, jsonb_to_recordset(${json(step.failures)}::jsonb) AS f(id text, "callId" text, tool text, code text,
        advice text, degraded boolean)
    )
    SELECT id FROM held`
  if (rows.length === 0) throw new LeaseLost(lease.sessionId)
}
