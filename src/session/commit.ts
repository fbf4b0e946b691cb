import type { SpanRow } from '../observe/trace.ts'
import type { Database } from '../store/client.ts'
import { Prisma } from '../store/prisma/client.ts'
import type { Lease } from './lease.ts'
import { LeaseLost } from './lease.ts'
import type { NewMessage, Step } from './step.ts'
import type { WorkflowInstance } from './workflows/instance.ts'

/** How the session stands after a step. */
export interface Committed {
  /** The number of its last message. */
  readonly seq: number
  /** One more than a snapshot's where nothing has changed since that was read. */
  readonly revision: number
}

/**
 * Commits a step in one statement that begins by locking the session where the lease still holds. Only what the step
 * changes is part of the statement: each further part costs the embedded database about a millisecond.
 * @throws LeaseLost where it doesn't; nothing was changed then
 */
export async function commitStep(db: Database, lease: Lease, step: Step): Promise<Committed> {
  const parts = Prisma.join([lockedSession(lease, step), ...changesOf(step)], ', ')
  const [row] = await db.rows<
    Committed & { freed: boolean }
  >`WITH ${parts} SELECT seq, revision, freed FROM held`
  if (!row) throw new LeaseLost(lease.sessionId)
  if (row.freed) lease.end()
  return row
}

/** PostgreSQL takes neither NUL nor half of a surrogate pair; few texts have one, so all others are written once. */
export function json(value: unknown): string {
  const text = JSON.stringify(value ?? [])
  return /\\u(?:0000|d[89a-f])/.test(text) ? JSON.stringify(value, cleaned) : text
}

function cleaned(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\u0000', '').toWellFormed() : value
}

function lockedSession(lease: Lease, step: Step): Prisma.Sql {
  const { plan, entities, profile, pastRead, reset } = step.session ?? {}
  const planned = plan === undefined ? Prisma.empty : Prisma.sql`, plan = ${json(plan ?? null)}::jsonb`
  const named = entities === undefined ? Prisma.empty : Prisma.sql`, entities = ${json(entities)}::jsonb`
  const profiled = profile === undefined ? Prisma.empty : Prisma.sql`, profile = ${profile}`
  const read = pastRead ? Prisma.sql`, past_read_at = now()` : Prisma.empty
  const anew = reset
    ? Prisma.sql`, summary_seq = seq, summary = NULL, plan = NULL, entities = '[]'::jsonb`
    : Prisma.empty
  const releases = step.release === true && step.turn !== undefined
  const free = releases ? Prisma.sql`, ${freedWith(step.turn.id)}` : Prisma.empty
  return Prisma.sql`held AS (
      UPDATE session SET seq = seq + ${step.messages?.length ?? 0}, revision = revision + 1, last_activity_at = now(),
        archived_at = NULL${planned}${named}${profiled}${read}${anew}${free}
      WHERE id = ${lease.sessionId} AND fence = ${lease.fence} AND lease_owner IS NOT NULL
      RETURNING id, seq, revision, lease_owner IS NULL AS freed
    )`
}

/** The lease is given back unless something is left to do beside the turn that ends; compare `Lease.release`. */
function freedWith(turnId: string): Prisma.Sql {
  return Prisma.sql`(lease_owner, lease_expires_at) = (
    SELECT CASE WHEN busy THEN session.lease_owner END, CASE WHEN busy THEN session.lease_expires_at END
    FROM (SELECT EXISTS (SELECT 1 FROM inbound_event e WHERE e.session_id = session.id AND e.status = 'new')
      OR EXISTS (SELECT 1 FROM tool_call c WHERE c.session_id = session.id AND c.status IN ('approved', 'executing'))
      OR EXISTS (SELECT 1 FROM turn t WHERE t.session_id = session.id AND t.id <> ${turnId} AND (t.status = 'running'
        OR (t.status = 'waiting' AND NOT EXISTS (SELECT 1 FROM tool_call c WHERE c.turn_id = t.id
          AND c.status IN ('proposed', 'unknown', 'approved', 'executing'))))) AS busy) AS left_over)`
}

function changesOf(step: Step): readonly Prisma.Sql[] {
  const { turn } = step
  const some = (list: readonly unknown[] | undefined): boolean => list !== undefined && list.length > 0
  return [
    ...(turn ? [turn.begin ? begunTurn({ ...turn, begin: turn.begin }) : changedTurn(turn)] : []),
    ...(some(step.stopped) ? [stoppedTurns(step)] : []),
    ...(some(step.taken?.events) || some(step.dropped) ? takenEvents(step) : []),
    ...(some(step.messages) ? [writtenMessages(step.messages!)] : []),
    ...(some(step.rewritten) ? [rewrittenMessages(step)] : []),
    ...(some(step.calls) ? [proposedCalls(step)] : []),
    ...(some(step.approvals) ? [openedApprovals(step)] : []),
    ...(some(step.callChanges) ? movedCalls(step) : []),
    ...(some(step.questions) ? [movedQuestions(step)] : []),
    ...(some(step.results) ? [storedResults(step)] : []),
    ...(some(step.audit) ? [auditEntries(step)] : []),
    ...(some(step.failures) ? [failures(step)] : []),
    ...(some(step.sending) ? [reservedDeliveries(step)] : []),
    ...(some(step.sent) ? [sentDeliveries(step)] : []),
    ...(some(step.spans) ? [tracedSpans(step.spans!)] : []),
    ...(some(step.workflows) ? [movedWorkflows(step.workflows!)] : []),
  ]
}

type TurnChange = NonNullable<Step['turn']>

function begunTurn(turn: TurnChange & { readonly begin: NonNullable<TurnChange['begin']> }): Prisma.Sql {
  return Prisma.sql`begun AS (
      INSERT INTO turn (id, session_id, person_id, intent, status, outcome)
      SELECT ${turn.id}, held.id, ${turn.begin.personId}, ${json(turn.begin.intent ?? null)}::jsonb, 'running',
        ${turn.outcome ?? null}
      FROM held
    )`
}

function changedTurn(turn: TurnChange): Prisma.Sql {
  return Prisma.sql`turned AS (
      UPDATE turn SET
        status = COALESCE(${turn.status ?? null}::turn_status, status),
        leg = COALESCE(${turn.leg ?? null}, leg),
        step = COALESCE(${turn.step ?? null}, step),
        outcome = COALESCE(${turn.outcome ?? null}, outcome),${turn.intent === undefined ? Prisma.empty : Prisma.sql` intent = ${json(turn.intent)}::jsonb,`}
        recalled = CASE WHEN ${turn.recalled !== undefined} THEN ${json(turn.recalled)}::jsonb ELSE recalled END,
        input_tokens = input_tokens + ${turn.inputTokens ?? 0},
        output_tokens = output_tokens + ${turn.outputTokens ?? 0},
        cost = cost + ${turn.cost ?? 0}::double precision,
        ended_at = CASE WHEN ${turn.status ?? ''} IN ('done', 'stopped', 'failed') THEN now() ELSE ended_at END
      FROM held WHERE turn.id = ${turn.id} AND turn.status IN ('running', 'waiting')
    )`
}

function stoppedTurns(step: Step): Prisma.Sql {
  return Prisma.sql`stopped AS (
      UPDATE turn SET status = 'stopped', outcome = 'stopped', ended_at = now() FROM held
      WHERE turn.session_id = held.id AND turn.id = ANY(${step.stopped}::text[]) AND turn.id <> ${step.turn?.id ?? ''}
        AND turn.status = 'waiting'
    )`
}

function takenEvents(step: Step): readonly Prisma.Sql[] {
  return [
    Prisma.sql`taken AS (
      UPDATE inbound_event e SET status = 'taken', taken_turn_id = ${step.taken?.turnId ?? null}, taken_at = now()
      FROM held WHERE e.session_id = held.id AND e.id = ANY(${step.taken?.events ?? []}::text[]) AND e.status = 'new'
    )`,
    Prisma.sql`dropped AS (
      UPDATE inbound_event e SET status = 'dropped', taken_at = now()
      FROM held WHERE e.session_id = held.id AND e.id = ANY(${step.dropped ?? []}::text[]) AND e.status = 'new'
    )`,
  ]
}

function writtenMessages(messages: readonly NewMessage[]): Prisma.Sql {
  return Prisma.sql`written AS (
      INSERT INTO message (id, session_id, seq, turn_id, step, leg, role, person_id, event_id, post_id, text, attachments, final)
      SELECT m.id, held.id, held.seq - ${messages.length} + m.place, m."turnId", m.step, m.leg, m.role::message_role,
             m."personId", m."eventId", m."postId", m.text, m.attachments, m.final
      FROM held, ROWS FROM (jsonb_to_recordset(${json(messages)}::jsonb) AS (id text, "turnId" text, step integer,
        leg integer, role text, "personId" text, "eventId" text, "postId" text, text text, attachments jsonb,
        final boolean)) WITH ORDINALITY AS m(id, "turnId", step, leg, role, "personId", "eventId", "postId", text,
        attachments, final, place)
    )`
}

function rewrittenMessages(step: Step): Prisma.Sql {
  return Prisma.sql`rewritten AS (
      UPDATE message SET text = COALESCE(r.text, ''),
        edited_at = CASE WHEN r.text IS NULL THEN edited_at ELSE now() END,
        removed_at = CASE WHEN r.text IS NULL THEN now() ELSE removed_at END
      FROM held, jsonb_to_recordset(${json(step.rewritten)}::jsonb) AS r("messageId" text, text text)
      WHERE message.id = r."messageId" AND message.session_id = held.id
    )`
}

function proposedCalls(step: Step): Prisma.Sql {
  return Prisma.sql`proposed AS (
      INSERT INTO tool_call (id, session_id, turn_id, message_id, person_id, position, provider_id, tool, effect,
        idempotent, arguments, arguments_hash, definition_hash, status, result_text, result_ref, failure_code, question,
        ended_at)
      SELECT c.id, held.id, c."turnId", c."messageId", c."personId", c.position, c."providerId", c.tool,
        c.effect::effect, c.idempotent, c.arguments, c."argumentsHash", c."definitionHash", c.status::call_status,
        c."resultText", c."resultRef", c."failureCode", c.question, CASE WHEN c.status IN ('refused', 'succeeded') THEN now() END
      FROM held, jsonb_to_recordset(${json(step.calls)}::jsonb) AS c(id text, "turnId" text, "messageId" text,
        "personId" text, position integer, "providerId" text, tool text, effect text, idempotent boolean,
        arguments jsonb, "argumentsHash" text, "definitionHash" text, status text, "resultText" text, "resultRef" text,
        "failureCode" text, question jsonb)
    )`
}

/** A question moves forward only; when it did is kept with it, for whoever has to draw its card again. */
function movedQuestions(step: Step): Prisma.Sql {
  return Prisma.sql`questioned AS (
      UPDATE tool_call SET question_status = q.to::question_status,
        question = tool_call.question || jsonb_build_object('movedAt', now())
      FROM held, jsonb_to_recordset(${json(step.questions)}::jsonb) AS q("callId" text, "to" text)
      WHERE tool_call.id = q."callId" AND tool_call.session_id = held.id AND tool_call.question IS NOT NULL
        AND COALESCE(tool_call.question_status::text, '') = ANY(CASE q.to WHEN 'open' THEN '{""}'::text[]
          WHEN 'answered' THEN '{open,given}'::text[] ELSE '{open}'::text[] END)
    )`
}

function openedApprovals(step: Step): Prisma.Sql {
  return Prisma.sql`opened AS (
      INSERT INTO approval (id, call_id, session_id, person_id, arguments_hash, definition_hash, card, expires_at,
        approvers, four_eyes, rule, place, remind_at, grantable, grant_keys, grant_id, status, decided_by, decided_at)
      SELECT a.id, a."callId", held.id, a."personId", a."argumentsHash", a."definitionHash", a.card,
        now() + a."lifeMs" * interval '1 millisecond',
        a.approvers, a."fourEyes", a.rule, CASE WHEN a.place <> 'null'::jsonb THEN a.place END,
        now() + (a."lifeMs" - a."noticeMs") * interval '1 millisecond', a.grantable,
        a."grantKeys", a."grantId",
        CASE WHEN a."grantId" IS NULL THEN 'open' ELSE 'confirmed' END::approval_status,
        CASE WHEN a."grantId" IS NOT NULL THEN a."personId" END, CASE WHEN a."grantId" IS NOT NULL THEN now() END
      FROM held, jsonb_to_recordset(${json(step.approvals)}::jsonb) AS a(id text, "callId" text, "personId" text,
        "argumentsHash" text, "definitionHash" text, card jsonb, "lifeMs" double precision, approvers text[],
        "fourEyes" boolean, rule text, place jsonb, "noticeMs" double precision, grantable boolean, "grantKeys" text[],
        "grantId" text)
    )`
}

function movedCalls(step: Step): readonly Prisma.Sql[] {
  const untold = step.callChanges?.some((change) => change.untold !== undefined) ?? false
  return [
    Prisma.sql`moved AS (
      UPDATE tool_call SET status = c.to::call_status,
        result_text = COALESCE(c."resultText", result_text), result_ref = COALESCE(c."resultRef", result_ref),
        told = COALESCE(c.told, tool_call.told), failure_code = COALESCE(c."failureCode", failure_code),
        attempts = attempts + CASE WHEN c.to = 'executing' THEN 1 ELSE 0 END,
        started_at = CASE WHEN c.to = 'executing' THEN now() ELSE started_at END,
        ended_at = CASE WHEN c.to IN ('executing', 'approved') THEN NULL ELSE now() END
      FROM held, jsonb_to_recordset(${json(step.callChanges)}::jsonb) AS c(id text, "from" text, "to" text,
        "resultText" text, "resultRef" text, told text, "failureCode" text, untold text)
      WHERE tool_call.id = c.id AND tool_call.session_id = held.id AND tool_call.status = c.from::call_status
      RETURNING tool_call.id, c.to AS now_is, c.untold, tool_call.session_id, tool_call.person_id, tool_call.attempts
    )`,
    Prisma.sql`voided AS (
      UPDATE approval SET status = 'changed', decided_at = now() FROM moved
      WHERE approval.call_id = moved.id AND moved.now_is IN ('withdrawn', 'refused') AND approval.status = 'open'
    )`,
    ...(untold
      ? [
          Prisma.sql`untold AS (
      INSERT INTO inbound_event (id, dedupe_key, session_id, person_id, kind, payload)
      SELECT untold, 'unknown:' || id || ':' || attempts, session_id, person_id, 'timer', jsonb_build_object('unknownOf', id)
      FROM moved WHERE untold IS NOT NULL ON CONFLICT (dedupe_key) DO NOTHING
    )`,
        ]
      : []),
  ]
}

function storedResults(step: Step): Prisma.Sql {
  return Prisma.sql`stored AS (
      INSERT INTO stored_result (id, session_id, call_id, media_type, name, text, tokens, expires_at)
      SELECT r.id, held.id, r."callId", r."mediaType", r.name, r.text, r.tokens, r."expiresAt"
      FROM held, jsonb_to_recordset(${json(step.results)}::jsonb) AS r(id text, "callId" text, "mediaType" text,
        name text, text text, tokens integer, "expiresAt" timestamptz)
    )`
}

function auditEntries(step: Step): Prisma.Sql {
  return Prisma.sql`audited AS (
      INSERT INTO audit_event (id, action, person_id, session_id, subject_id, data)
      SELECT a.id, a.action, a."personId", held.id, a."subjectId", a.data
      FROM held, jsonb_to_recordset(${json(step.audit)}::jsonb) AS a(id text, action text, "personId" text,
        "subjectId" text, data jsonb)
    )`
}

function failures(step: Step): Prisma.Sql {
  return Prisma.sql`failed AS (
      INSERT INTO failure (id, session_id, call_id, tool, code, advice, degraded, down_until, created_at)
      SELECT f.id, held.id, f."callId", f.tool, f.code, f.advice, f.degraded, f."downUntil", f.at
      FROM held, jsonb_to_recordset(${json(step.failures)}::jsonb) AS f(id text, "callId" text, tool text, code text,
        advice text, degraded boolean, "downUntil" timestamptz, at timestamptz)
    )`
}

function reservedDeliveries(step: Step): Prisma.Sql {
  return Prisma.sql`sending AS (
      INSERT INTO delivery (id, key, session_id, turn_id, purpose, target, nonce)
      SELECT d.id, d.key, held.id, d."turnId", 'reply', d.target, d.nonce
      FROM held, jsonb_to_recordset(${json(step.sending)}::jsonb) AS d(id text, key text, "turnId" text, target jsonb,
        nonce text)
      ON CONFLICT (key) DO NOTHING
    )`
}

function sentDeliveries(step: Step): Prisma.Sql {
  return Prisma.sql`sent AS (
      UPDATE delivery SET status = 'sent', message_id = s."messageId", sent_at = now(), error = NULL
      FROM held, jsonb_to_recordset(${json(step.sent)}::jsonb) AS s(key text, "messageId" text)
      WHERE delivery.key = s.key AND delivery.session_id = held.id
    )`
}

function tracedSpans(spans: readonly SpanRow[]): Prisma.Sql {
  return Prisma.sql`traced AS (
      INSERT INTO span (id, turn_id, session_id, parent_id, name, started_at, ended_at, outcome, attributes)
      SELECT r.id, r."turnId", held.id, r."parentId", r.name, r."startedAt", r."endedAt", r.outcome, r.attributes
      FROM held, jsonb_to_recordset(${json(spans)}::jsonb) AS r(id text, "turnId" text,
        "parentId" text, name text, "startedAt" timestamptz, "endedAt" timestamptz, outcome text, attributes jsonb)
    )`
}

function movedWorkflows(workflows: readonly WorkflowInstance[]): Prisma.Sql {
  return Prisma.sql`flowed AS (
      INSERT INTO workflow_instance (id, session_id, person_id, turn_id, name, version, definition, language, status,
        state, visit, entered_seq, leaving, data, problem, call_id, due_at)
      SELECT w.id, held.id, w."personId", w."turnId", w.name, w.version, w.definition, w.language,
        w.status::workflow_status, w.state, w.visit, w."enteredSeq", w.leaving, w.data, w.problem, w."callId", w."dueAt"
      FROM held, jsonb_to_recordset(${json(workflows)}::jsonb) AS w(id text, "personId" text, "turnId" text, name text,
        version text, definition jsonb, language text, status text, state text, visit integer, "enteredSeq" integer,
        leaving boolean, data jsonb, problem text, "callId" text, "dueAt" timestamptz)
      ON CONFLICT (id) DO UPDATE SET turn_id = excluded.turn_id, status = excluded.status, state = excluded.state,
        visit = excluded.visit, entered_seq = excluded.entered_seq, leaving = excluded.leaving, data = excluded.data, problem = excluded.problem,
        call_id = excluded.call_id, due_at = excluded.due_at,
        ended_at = CASE WHEN excluded.status = 'ended' THEN now() ELSE workflow_instance.ended_at END
      WHERE workflow_instance.status <> 'ended'
    )`
}
