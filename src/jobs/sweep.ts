import type { Questions } from '../agent/asking/questions.ts'
import type { Clock } from '../base/clock.ts'
import { messageOf } from '../base/errors.ts'
import type { Ids } from '../base/ids.ts'
import type { Log } from '../observe/log.ts'
import type { Database } from '../store/client.ts'
import type { Approvals } from '../tools/approvals/approvals.ts'
import { nextDue } from '../tools/builtin/reminders.ts'
import type { Bells } from './queue.ts'

/** Sessions that one sweep rings for. */
const mostSessions = 200
/** A conversation in which nothing was answered for so long has paused, in ms. */
const pauseMs = 2_000
/** Turns after which a conversation is looked after even if it never pauses. */
const manyTurns = 8

/** Finds what no bell will wake, and wakes it. Runs in every worker; twice does no harm. */
export interface Sweep {
  /** One look, for tests and at start. */
  once(): Promise<void>
  stop(): void
}

export function startSweep(parts: {
  db: Database
  ids: Ids
  clock: Clock
  log: Log
  approvals: Approvals
  questions: Pick<Questions, 'expire'>
  turns: Pick<Bells, 'ringAgain'>
  /** For what is done for a session once nobody waits for it: learning, summarising. */
  aftercare: Bells
  /** Archives what is idle, and erases what was forgotten or archived long enough ago. */
  purge: () => Promise<unknown>
  /** How often it looks, in ms; 2 s by default. */
  everyMs?: number | undefined
}): Sweep {
  const { db, ids, clock, log } = parts
  let running: Promise<void> | undefined
  let failures = 0
  let rounds = 0

  const once = async () => {
    await remind()
    await parts.approvals.remind()
    await timeOut()
    const ended = [...(await parts.approvals.expire()), ...(await parts.questions.expire())]
    const waiting = await db.$queryRaw<{ id: string }[]>`
      SELECT w.session_id AS id FROM (
        SELECT session_id FROM inbound_event WHERE status = 'new'
        UNION SELECT session_id FROM turn WHERE status = 'running'
        UNION SELECT session_id FROM tool_call WHERE status IN ('approved', 'executing')
        UNION SELECT t.session_id FROM turn t WHERE t.status = 'waiting' AND NOT EXISTS (
          SELECT 1 FROM tool_call c WHERE c.turn_id = t.id AND c.status IN ('proposed', 'unknown', 'approved', 'executing'))
      ) w JOIN session s ON s.id = w.session_id
      WHERE s.lease_expires_at IS NULL OR s.lease_expires_at < now()
      LIMIT ${mostSessions}`
    for (const id of new Set([...ended, ...waiting.map((row) => row.id)])) await parts.turns.ringAgain(id)
    // When a conversation pauses, or has gone on for long: one bell for all its turns, not one for each.
    const paused = await db.$queryRaw<{ id: string }[]>`
      SELECT session_id AS id FROM turn WHERE status = 'done' AND learned_at IS NULL
      GROUP BY session_id HAVING max(ended_at) < now() - ${pauseMs} * interval '1 millisecond' OR count(*) >= ${manyTurns}
      -- The newest first: what is put off for a while must not stand in the way.
      ORDER BY max(ended_at) DESC LIMIT 50`
    for (const { id } of paused) await parts.aftercare.ring(id)
    rounds += 1
    if (rounds % 30 === 1) await parts.purge()
  }

  /** Puts reminders that are due into the inbox. One that was missed while nothing ran comes once, now. */
  const remind = async () => {
    const now = clock.now()
    const due = await db.reminder.findMany({
      where: { status: 'open', dueAt: { lte: now } },
      orderBy: { dueAt: 'asc' },
      take: 50,
    })
    for (const reminder of due) {
      const { recurrence } = reminder
      const next = (recurrence ? nextDue({ ...reminder, recurrence }, now) : undefined) ?? null
      await db.$executeRaw`
        WITH moved AS (
          UPDATE reminder SET fired_at = ${now},
            status = CASE WHEN ${next}::timestamptz IS NULL THEN 'fired'::reminder_status ELSE status END,
            due_at = COALESCE(${next}::timestamptz, due_at)
          WHERE id = ${reminder.id} AND status = 'open' AND due_at = ${reminder.dueAt}
          RETURNING id, person_id, session_id
        )
        INSERT INTO inbound_event (id, dedupe_key, session_id, person_id, kind, payload)
        SELECT ${ids('evt')}, ${`timer:${reminder.id}:${reminder.dueAt.toISOString()}`}, session_id, person_id, 'timer',
          jsonb_build_object('reminderId', id)
        FROM moved ON CONFLICT (dedupe_key) DO NOTHING`
    }
  }

  /** Puts workflows whose time in a state is over into the inbox, each once for each step. */
  const timeOut = async () => {
    const now = clock.now()
    const due = await db.workflowInstance.findMany({
      where: { dueAt: { lte: now }, status: { not: 'ended' } },
      select: { id: true, sessionId: true, personId: true, visit: true },
      take: 50,
    })
    for (const { id, sessionId, personId, visit } of due) {
      await db.$executeRaw`
        WITH over AS (
          UPDATE workflow_instance SET due_at = NULL WHERE id = ${id} AND visit = ${visit} AND due_at <= ${now} RETURNING id
        )
        INSERT INTO inbound_event (id, dedupe_key, session_id, person_id, kind, payload)
        SELECT ${ids('evt')}, ${`timer:${id}:${visit}`}, ${sessionId}, ${personId}, 'timer',
          jsonb_build_object('workflowId', id, 'visit', ${visit}::integer)
        FROM over ON CONFLICT (dedupe_key) DO NOTHING`
    }
  }

  const guarded = async () => {
    running ??= once()
      .then(() => {
        if (failures > 0) log.info({}, 'The sweep works again')
        failures = 0
      })
      .catch((error: unknown) => {
        // While the database or the queue is away, every sweep fails; once is enough to say.
        if (failures++ === 0) log.warn({ error: messageOf(error) }, 'The sweep failed; it goes on trying')
      })
      .finally(() => {
        running = undefined
      })
    await running
  }

  const timer = setInterval(() => void guarded(), parts.everyMs ?? 2_000)
  void guarded()
  return {
    once: async () => {
      await running
      await once()
    },
    stop: () => clearInterval(timer),
  }
}
