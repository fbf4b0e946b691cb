import { expect } from 'vitest'
import { pause } from '../../../src/base/wait.ts'
import type { ChatBody, ScriptedReply } from '../model.ts'
import type { KillPoint } from './kill-points.ts'
import { answersOf, cardsOf, patience, steadyClient } from './steady-client.ts'
import type { World } from './world.ts'

const request = 'Please make a ticket: the printer is broken'
const answer = 'The ticket is made, and whoever is on duty will see it. Is there anything else that I can do?'

/** What the model says in the scenario: a read, then a write, then the answer. */
export function ticketScript(body: ChatBody): ScriptedReply {
  const said = body.messages.findLast(({ role }) => role === 'user')?.content
  if (said === 'Thanks') return { text: 'You are welcome.' }
  const calls = body.messages.flatMap((message) => message.tool_calls ?? []).map((call) => call.function.name)
  if (!calls.includes('list_tickets'))
    return { text: 'I look first.', calls: [{ name: 'list_tickets', arguments: { text: 'printer' } }] }
  if (!calls.includes('create_ticket'))
    return {
      text: 'There is none yet, so I propose one.',
      calls: [{ name: 'create_ticket', arguments: { title: 'The printer is broken', priority: 'high' } }],
    }
  return { text: answer }
}

/**
 * A person asks for a ticket, presses Confirm and reads the answer, whatever happens to the process meanwhile;
 * then everything that was promised is looked at, in the database and in the web chat.
 */
export async function runTicketScenario(world: World, thread: string): Promise<readonly KillPoint[]> {
  const ann = steadyClient(world.address, 'Ann', thread)
  expect((await ann.say(request)).status).toBe(202)
  const card = await ann.card()
  expect(card.fields).toContainEqual({ label: 'Priority', value: 'high' })
  expect((await ann.pressLabel(card, 'Confirm')).status).toBe(200)
  await ann.answer()
  const sessionId = await sessionOf(world, thread)
  await settled(world, sessionId)
  const kills = world.takeKills()
  await checkTicketScenario(world, thread, sessionId)

  // And on it goes.
  world.killer.rest()
  expect((await ann.say('Thanks')).status).toBe(202)
  expect((await ann.answer(2)).text).toBe('You are welcome.')
  await settled(world, sessionId)
  return kills
}

async function sessionOf(world: World, thread: string): Promise<string> {
  const [session] = await world.query<{ id: string }>('SELECT id FROM session WHERE thread = $1', [thread])
  return session!.id
}

/** Waits until nothing is left to do in the session. */
async function settled(world: World, sessionId: string): Promise<void> {
  const until = performance.now() + patience
  for (;;) {
    const rows = await world.query<{ what: string }>(
      `SELECT 'event' AS what FROM inbound_event WHERE session_id = $1 AND status = 'new'
       UNION ALL SELECT 'turn' FROM turn WHERE session_id = $1 AND status IN ('running', 'waiting')
       UNION ALL SELECT 'call' FROM tool_call WHERE session_id = $1 AND status IN ('proposed', 'approved', 'executing')
       UNION ALL SELECT 'lease' FROM session WHERE id = $1 AND lease_expires_at > now()`,
      [sessionId],
    )
    if (rows.length === 0) return
    if (performance.now() > until) throw new Error(`There is something left to do: ${JSON.stringify(rows)}`)
    await pause(25)
  }
}

async function checkTicketScenario(world: World, thread: string, sessionId: string): Promise<void> {
  const rows = (sql: string) => world.query(sql, [sessionId])
  expect(await rows('SELECT kind, status FROM inbound_event WHERE session_id = $1 ORDER BY id')).toEqual([
    { kind: 'message', status: 'taken' },
    { kind: 'action', status: 'taken' },
  ])
  expect(await rows('SELECT status, outcome, leg, step FROM turn WHERE session_id = $1')).toEqual([
    { status: 'done', outcome: null, leg: 2, step: 3 },
  ])
  expect(
    await rows('SELECT seq, role, final, leg, text FROM message WHERE session_id = $1 ORDER BY seq'),
  ).toEqual([
    { seq: 1, role: 'user', final: true, leg: 1, text: request },
    { seq: 2, role: 'assistant', final: false, leg: 1, text: 'I look first.' },
    { seq: 3, role: 'assistant', final: false, leg: 1, text: 'There is none yet, so I propose one.' },
    { seq: 4, role: 'assistant', final: true, leg: 2, text: answer },
  ])
  expect(await rows('SELECT seq FROM session WHERE id = $1')).toEqual([{ seq: 4 }])
  expect(
    await rows(
      `SELECT tool, status, result_text IS NOT NULL AS result, ended_at IS NOT NULL AS ended
       FROM tool_call WHERE session_id = $1 ORDER BY id`,
    ),
  ).toEqual([
    { tool: 'list_tickets', status: 'succeeded', result: true, ended: true },
    { tool: 'create_ticket', status: 'succeeded', result: true, ended: true },
  ])
  expect(
    await rows(`SELECT status, decided_by = person_id AS own FROM approval WHERE session_id = $1`),
  ).toEqual([{ status: 'confirmed', own: true }])
  const tickets = await world.query<{ number: number; title: string }>(
    'SELECT number, title FROM ticket WHERE session_id = $1',
    [sessionId],
  )
  expect(tickets).toEqual([{ number: expect.any(Number), title: 'The printer is broken' }])
  expect(await rows('SELECT DISTINCT status FROM delivery WHERE session_id = $1')).toEqual([
    { status: 'sent' },
  ])
  expect(
    await rows(
      'SELECT purpose, count(*)::int AS count FROM delivery WHERE session_id = $1 GROUP BY 1 ORDER BY 1',
    ),
  ).toEqual([
    { purpose: 'reply', count: 2 },
    { purpose: 'card', count: 1 },
  ])
  expect(
    await rows(
      'SELECT action, count(*)::int AS count FROM audit_event WHERE session_id = $1 GROUP BY 1 ORDER BY 1',
    ),
  ).toEqual([
    { action: 'approval.confirmed', count: 1 },
    { action: 'call.succeeded', count: 1 },
  ])

  const view = await steadyClient(world.address, 'Ann', thread).until(
    'the end',
    ({ state }) => state === 'done',
  )
  expect(view.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'assistant'])
  expect(answersOf(view).map(({ text }) => text)).toEqual([answer])
  const [card, ...more] = cardsOf(view)
  expect(more).toEqual([])
  expect(card).toMatchObject({ title: 'Create ticket', target: 'The printer is broken', actions: [] })
  expect(card?.footer).toMatch(new RegExp(`^Confirmed by Ann, .* · Ticket T-${tickets[0]!.number} created$`))
}
