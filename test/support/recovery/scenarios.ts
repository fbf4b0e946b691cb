import { expect } from 'vitest'
import { directThreadName } from '../../../src/channel/view.ts'
import type { ChatBody, ScriptedReply } from '../model.ts'
import { plainModel } from './plain-model.ts'
import type { Scenario } from './scenario.ts'
import { answersOf, cardsOf } from './steady-client.ts'

const request = 'Please make a ticket: the printer is broken'
const answer = 'The ticket is made, and whoever is on duty will see it. Is there anything else that I can do?'

/** The model of all scenarios. */
export function scenarioModel(body: ChatBody): ScriptedReply {
  const said = body.messages.filter(({ role }) => role === 'user').map(({ content }) => content)
  if (said.at(-1) === slowly) return { text: 'Word by word. '.repeat(60), chunkSize: 7, delayMs: 100 }
  if (said.at(-1) !== request) return plainModel(body)
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

const titles = 'SELECT title FROM ticket WHERE session_id = $1 ORDER BY number'
const calls = `SELECT c.arguments->>'title' AS title, c.status AS call, a.status AS approval FROM tool_call c
  JOIN approval a ON a.call_id = c.id WHERE c.session_id = $1 ORDER BY c.id`

/** A read, a write that is confirmed, and the answer. */
export const confirming: Scenario = {
  name: 'confirming',
  async talk({ ann }) {
    expect((await ann.say(request)).status).toBe(202)
    const card = await ann.card()
    expect(card.fields).toContainEqual({ label: 'Priority', value: 'high' })
    expect((await ann.pressLabel(card, 'Confirm')).status).toBe(200)
    await ann.answer()
  },
  async check({ ann, rows }) {
    expect(await rows('SELECT kind, status FROM inbound_event WHERE session_id = $1 ORDER BY id')).toEqual([
      { kind: 'message', status: 'taken' },
      { kind: 'action', status: 'taken' },
    ])
    expect(await rows('SELECT status, outcome, leg, step FROM turn WHERE session_id = $1')).toEqual([
      { status: 'done', outcome: null, leg: 2, step: 3 },
    ])
    expect(
      await rows('SELECT role, final, leg, text FROM message WHERE session_id = $1 ORDER BY seq'),
    ).toEqual([
      { role: 'user', final: true, leg: 1, text: request },
      { role: 'assistant', final: false, leg: 1, text: 'I look first.' },
      { role: 'assistant', final: false, leg: 1, text: 'There is none yet, so I propose one.' },
      { role: 'assistant', final: true, leg: 2, text: answer },
    ])
    expect(
      await rows(
        'SELECT tool, status, result_text IS NOT NULL AS result FROM tool_call WHERE session_id = $1 ORDER BY id',
      ),
    ).toEqual([
      { tool: 'list_tickets', status: 'succeeded', result: true },
      { tool: 'create_ticket', status: 'succeeded', result: true },
    ])
    expect(await rows('SELECT purpose FROM delivery WHERE session_id = $1 ORDER BY 1')).toEqual([
      { purpose: 'reply' },
      { purpose: 'reply' },
      { purpose: 'card' },
    ])
    expect(await rows('SELECT action FROM audit_event WHERE session_id = $1 ORDER BY 1')).toEqual([
      { action: 'approval.confirmed' },
      { action: 'call.succeeded' },
    ])
    const tickets = await rows('SELECT number, title FROM ticket WHERE session_id = $1')
    expect(tickets).toEqual([{ number: expect.any(Number), title: 'The printer is broken' }])

    const view = await ann.read()
    expect(view.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'assistant'])
    expect(answersOf(view).map(({ text }) => text)).toEqual([answer])
    const [card, ...more] = cardsOf(view)
    expect(more).toEqual([])
    expect(card).toMatchObject({ title: 'Create ticket', target: 'The printer is broken', actions: [] })
    expect(card?.footer).toMatch(
      new RegExp(`^Confirmed by Ann, .* · Ticket T-${tickets[0]?.number} created$`),
    )
  },
}

const cancelling: Scenario = {
  name: 'cancelling',
  async talk({ ann }) {
    await ann.say('ticket Lamp')
    await ann.pressLabel(await ann.card(), 'Cancel')
    await ann.answer()
  },
  async check({ ann, rows }) {
    expect(await rows(calls)).toEqual([{ title: 'Lamp', call: 'cancelled', approval: 'cancelled' }])
    expect(await rows(titles)).toEqual([])
    expect(answersOf(await ann.read()).map(({ text }) => text)).toEqual([
      expect.stringMatching(/^Told: Cancelled/),
    ])
  },
}

const stopping: Scenario = {
  name: 'stopping',
  async talk({ ann }) {
    await ann.say('ticket Lamp')
    await ann.card()
    await ann.say('Stop.')
    await ann.answer()
  },
  async check({ ann, rows }) {
    expect(await rows(calls)).toEqual([{ title: 'Lamp', call: 'withdrawn', approval: 'changed' }])
    expect(await rows(titles)).toEqual([])
    const view = await ann.read()
    expect(answersOf(view).map(({ text }) => text)).toEqual([
      expect.stringMatching(/^Stopped\. What was waiting/),
    ])
    expect(cardsOf(view)).toMatchObject([{ tone: 'void', actions: [] }])
    expect(await rows('SELECT status FROM turn WHERE session_id = $1')).toEqual([
      { status: 'stopped' },
      { status: 'stopped' },
    ])
  },
}

const editing: Scenario = {
  name: 'editing',
  async talk({ ann }) {
    const { id } = (await ann.say('ticket Old lamp')).body
    await ann.card()
    await ann.edit(id, 'ticket New lamp')
    await ann.until('a new card', (seen) =>
      cardsOf(seen).some(({ tone, target }) => tone === 'open' && target === 'New lamp'),
    )
    await ann.pressLabel(await ann.card(), 'Confirm')
    await ann.answer()
  },
  async check({ ann, rows }) {
    expect(await rows(calls)).toEqual([
      { title: 'Old lamp', call: 'withdrawn', approval: 'changed' },
      { title: 'New lamp', call: 'succeeded', approval: 'confirmed' },
    ])
    expect(await rows(titles)).toEqual([{ title: 'New lamp' }])
    const view = await ann.read()
    expect(view.messages.filter(({ role }) => role === 'user').map(({ text }) => text)).toEqual([
      'ticket New lamp',
    ])
    expect(answersOf(view)).toHaveLength(1)
  },
}

const removing: Scenario = {
  name: 'removing',
  async talk({ ann }) {
    const { id } = (await ann.say('ticket Lamp')).body
    await ann.card()
    await ann.remove(id)
    await ann.until('a card that is void', (seen) => cardsOf(seen).every(({ tone }) => tone === 'void'))
  },
  async check({ ann, rows }) {
    expect(await rows(calls)).toEqual([{ title: 'Lamp', call: 'withdrawn', approval: 'changed' }])
    expect(await rows('SELECT status, outcome FROM turn WHERE session_id = $1')).toEqual([
      { status: 'stopped', outcome: 'removed' },
    ])
    const view = await ann.read()
    expect(view.messages.filter(({ role }) => role === 'user')).toEqual([])
    expect(answersOf(view)).toEqual([])
  },
}

// Written so slowly that what is said meanwhile always comes in time.
const slowly = 'slowly, as slowly as you can'

const halting: Scenario = {
  name: 'halting',
  async talk({ ann }) {
    await ann.say(slowly)
    await ann.until('half an answer', ({ draft }) => (draft?.text.length ?? 0) > 10)
    await ann.press('turn.stop')
    await ann.answer()
  },
  async check({ ann, rows }) {
    expect(answersOf(await ann.read()).map(({ text }) => text)).toEqual(['Stopped.'])
    expect(await rows('SELECT status, outcome FROM turn WHERE session_id = $1')).toEqual([
      { status: 'stopped', outcome: 'stopped' },
    ])
  },
}

const vanishing: Scenario = {
  name: 'vanishing',
  async talk({ ann }) {
    const { id } = (await ann.say(slowly)).body
    await ann.until('half an answer', ({ draft }) => (draft?.text.length ?? 0) > 10)
    await ann.remove(id)
    await ann.until('nothing', ({ messages, draft }) => messages.length === 0 && !draft)
  },
  async check({ ann, rows }) {
    expect((await ann.read()).messages).toEqual([])
    expect(await rows('SELECT status, outcome FROM turn WHERE session_id = $1')).toEqual([
      { status: 'stopped', outcome: 'removed' },
    ])
    expect(await rows(`SELECT 1 FROM message WHERE session_id = $1 AND role = 'assistant'`)).toEqual([])
  },
}

const telling: Scenario = {
  name: 'telling',
  async prepare({ person, thread }) {
    const bob = person(`Bob ${thread}`, `${thread}-bob`)
    await bob.say('hello')
    await bob.answer()
  },
  async talk({ ann, thread }) {
    await ann.say(`tell Bob ${thread}: the lamp of ${thread} is broken`)
    await ann.pressLabel(await ann.card(), 'Confirm')
    const view = await ann.until(
      'an answer, or a question',
      (seen) =>
        (answersOf(seen).length > 0 && seen.state === 'done') ||
        cardsOf(seen).some(({ actions }) => actions.some(({ action }) => action === 'call.done')),
    )
    // It broke in the middle of sending: the person is asked, and looks.
    const unknown = cardsOf(view).find(({ actions }) => actions.some(({ action }) => action === 'call.done'))
    if (unknown) await ann.pressLabel(unknown, 'It is done')
    await ann.until('an answer', (seen) => seen.state === 'done' && answersOf(seen).some(isAnswer))
  },
  async check({ ann, person, rows, thread }) {
    const where = directThreadName(`Bob ${thread}`)
    const { messages } = await person(`Bob ${thread}`, where).read()
    expect(messages.filter(({ text }) => text.includes(`the lamp of ${thread} is broken`))).toHaveLength(1)
    expect(await rows(`SELECT status FROM tool_call WHERE session_id = $1`)).toEqual([
      { status: 'succeeded' },
    ])
    const answers = answersOf(await ann.read())
    expect(answers.filter(isAnswer)).toHaveLength(1)
    // That nobody knows is told once at most: not where the card was seen and answered before.
    expect(answers.length).toBeLessThanOrEqual(2)
  },
}

/** Is it more than the word that nobody knows whether something was done? */
function isAnswer({ text }: { readonly text: string }): boolean {
  return !text.includes('I do not know whether this was done')
}

const reminding: Scenario = {
  name: 'reminding',
  async prepare({ ann }) {
    await ann.say('hello')
    await ann.answer()
  },
  async talk({ ann, rows, thread }) {
    await rows(
      `INSERT INTO reminder (id, person_id, session_id, text, due_at, time_zone, call_id)
       SELECT 'rem_${thread}', person_id, session_id, 'water the plants', now(), 'UTC', 'call_none_${thread}'
       FROM inbound_event WHERE session_id = $1 LIMIT 1`,
    )
    await ann.answer(2)
  },
  async check({ ann, rows, thread }) {
    expect(answersOf(await ann.read()).map(({ text }) => text)).toEqual([
      'You said: hello',
      expect.stringContaining('water the plants'),
    ])
    expect(
      await rows(`SELECT kind, status FROM inbound_event WHERE session_id = $1 AND kind = 'timer'`),
    ).toEqual([{ kind: 'timer', status: 'taken' }])
    expect(await rows(`SELECT status FROM reminder WHERE session_id = $1 AND id = 'rem_${thread}'`)).toEqual([
      { status: 'fired' },
    ])
  },
}

const crowding: Scenario = {
  name: 'crowding',
  async talk({ person }) {
    const said = [
      person('Ann').say('Ann says one'),
      person('Bob').say('Bob says two'),
      person('Ann').say('Ann says three', 'another-key'),
    ]
    await Promise.all(said)
    await person('Ann').until('all answers', (seen) => answered(seen) && seen.state === 'done')
  },
  async check({ ann, rows }) {
    const view = await ann.read()
    expect(view.messages.filter(({ role }) => role === 'user')).toHaveLength(3)
    expect(answered(view)).toBe(true)
    expect(await rows(`SELECT 1 FROM turn WHERE session_id = $1 AND status <> 'done'`)).toEqual([])
    const turns = await rows('SELECT 1 FROM turn WHERE session_id = $1')
    expect(answersOf(view)).toHaveLength(turns.length)
  },
}

function answered(seen: Parameters<typeof answersOf>[0]): boolean {
  return ['Ann says one', 'Bob says two', 'Ann says three'].every((text) =>
    answersOf(seen).some((one) => one.text.includes(text)),
  )
}

/** All conversations. */
export const scenarios: readonly Scenario[] = [
  confirming,
  cancelling,
  stopping,
  editing,
  removing,
  halting,
  vanishing,
  telling,
  reminding,
  crowding,
]
