import { expect } from 'vitest'
import { pause } from '../../../src/base/wait.ts'
import type { KillPoint } from './kill-points.ts'
import { patience, type SteadyClient, steadyClient } from './steady-client.ts'
import type { World } from './world.ts'

/** What a scenario talks and looks with. */
export interface ScenarioParts {
  readonly world: World
  readonly thread: string
  readonly ann: SteadyClient
  person(name: string, thread?: string): SteadyClient
  /** Rows of this thread's session, which is $1. */
  rows(sql: string): Promise<readonly Record<string, unknown>[]>
}

/** A conversation that has to come out the same wherever the process is killed. */
export interface Scenario {
  readonly name: string
  /** What was there before; nothing is killed yet. */
  prepare?(parts: ScenarioParts): Promise<void>
  talk(parts: ScenarioParts): Promise<void>
  /** What must have come of it, beside what `checkPromises` looks at. */
  check(parts: ScenarioParts): Promise<void>
}

/**
 * Has the conversation while the process is killed at the given points, one after the other; then looks at what was
 * promised, and talks on. Gives the points that were reached.
 */
export async function runScenario(
  world: World,
  scenario: Scenario,
  thread: string,
  first: KillPoint | undefined,
): Promise<readonly KillPoint[]> {
  const ann = steadyClient(world.address, 'Ann', thread)
  const sessionId = async () => {
    const [session] = await world.query<{ id: string }>('SELECT id FROM session WHERE thread = $1', [thread])
    return session?.id ?? ''
  }
  const parts: ScenarioParts = {
    world,
    thread,
    ann,
    person: (name, where = thread) => steadyClient(world.address, name, where),
    rows: async (sql) => world.query(sql, [await sessionId()]),
  }
  world.killer.rest()
  await scenario.prepare?.(parts)
  if (scenario.prepare) await settled(parts)
  world.killer.arm(first)
  await scenario.talk(parts)
  await settled(parts)
  const kills = world.takeKills()
  world.killer.rest()
  await checkPromises(parts)
  await scenario.check(parts)

  // And on it goes.
  expect((await ann.say('Thanks')).status).toBe(202)
  await ann.until('an answer to the last message', ({ messages, state }) => {
    const last = messages.at(-1)
    return state === 'done' && last?.role === 'assistant' && /^You said: (Ann: )?Thanks$/.test(last.text)
  })
  await settled(parts)
  return kills
}

/** Waits until nothing is left to do in the session. */
async function settled({ rows }: ScenarioParts): Promise<void> {
  const until = performance.now() + patience
  for (;;) {
    const left = await rows(
      `SELECT 'event' AS what FROM inbound_event WHERE session_id = $1 AND status = 'new'
       UNION ALL SELECT 'turn' FROM turn WHERE session_id = $1 AND status IN ('running', 'waiting')
       UNION ALL SELECT 'call' FROM tool_call WHERE session_id = $1
         AND status IN ('proposed', 'approved', 'executing', 'unknown')
       UNION ALL SELECT 'lease' FROM session WHERE id = $1 AND lease_expires_at > now()`,
    )
    if (left.length === 0) return
    if (performance.now() > until) throw new Error(`There is something left to do: ${JSON.stringify(left)}`)
    await pause(25)
  }
}

// Where a call may stand, by its approval.
const legal = `(a.status, c.status) IN (('confirmed', 'succeeded'), ('confirmed', 'failed'), ('cancelled', 'cancelled'),
  ('expired', 'expired'), ('changed', 'withdrawn'), ('changed', 'refused'))`

/** What holds at the end of every conversation, whatever was said in it. */
async function checkPromises({ rows, world, thread }: ScenarioParts): Promise<void> {
  // The transcript has no hole, and no message twice.
  const messages = await rows('SELECT seq, event_id FROM message WHERE session_id = $1 ORDER BY seq')
  expect(messages.map(({ seq }) => seq)).toEqual(messages.map((_, index) => index + 1))
  expect(await rows('SELECT seq FROM session WHERE id = $1')).toEqual([{ seq: messages.length }])
  expect(
    await rows(
      `SELECT e.id FROM inbound_event e WHERE e.session_id = $1 AND e.kind = 'message' AND e.status = 'taken'
       AND NOT EXISTS (SELECT 1 FROM message m WHERE m.event_id = e.id)`,
    ),
  ).toEqual([])
  // A turn that is done has said one last word, in its last leg.
  expect(
    await rows(
      `SELECT t.id FROM turn t WHERE t.session_id = $1 AND t.status = 'done' AND t.outcome IS DISTINCT FROM 'withdrawn' AND 1 <> (
         SELECT count(*) FROM message m WHERE m.turn_id = t.id AND m.role = 'assistant' AND m.final AND m.leg = t.leg)`,
    ),
  ).toEqual([])
  // The ledger is legal, and every ticket is the one of a confirmed call.
  expect(
    await rows(
      `SELECT a.status AS approval, c.status AS call FROM approval a JOIN tool_call c ON c.id = a.call_id
       WHERE a.session_id = $1 AND NOT ${legal}`,
    ),
  ).toEqual([])
  expect(
    await rows(
      `SELECT id FROM tool_call WHERE session_id = $1 AND (ended_at IS NULL OR status = 'approved')`,
    ),
  ).toEqual([])
  expect(
    await rows(
      `SELECT t.id FROM ticket t JOIN tool_call c ON c.id = t.call_id LEFT JOIN approval a ON a.call_id = c.id
       WHERE t.session_id = $1 AND (c.status <> 'succeeded' OR a.status IS DISTINCT FROM 'confirmed')`,
    ),
  ).toEqual([])
  // Nothing is half sent, and no draft is seen. (A dead process may leave a row of one, which nobody is shown.)
  expect(await rows(`SELECT key FROM delivery WHERE session_id = $1 AND status <> 'sent'`)).toEqual([])
  await steadyClient(world.address, 'Ann', thread).until('no draft', ({ draft }) => !draft)
  // Each decision and each effect was noted once.
  expect(
    await rows(
      `SELECT action, subject_id FROM audit_event WHERE session_id = $1 GROUP BY 1, 2 HAVING count(*) > 1`,
    ),
  ).toEqual([])
}
