import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createIds } from '../../src/base/ids.ts'
import { type Database, openClient } from '../../src/store/client.ts'
import { runningUrl } from '../../src/store/running.ts'
import { createApprovals } from '../../src/tools/approvals/database.ts'
import { hashOf } from '../../src/tools/hash.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { type ModelStandIn, startModel } from '../support/model.ts'
import { cardsOf, steadyClient } from '../support/recovery/steady-client.ts'
import { openRows, type Rows } from '../support/rows.ts'
import { type Scripts, scriptModel } from '../support/scripts.ts'
import type { WebCard } from '../support/web-client.ts'

// What stands between a call and its effect when everything before has been got round: rows that somebody changed by
// hand, or that a process left behind.
let model: ModelStandIn
let scripts: Scripts
let app: TestApp
let rows: Rows
let db: Database

beforeAll(async () => {
  model = await startModel()
  scripts = scriptModel(model)
  app = await startTestApp({
    variables: model.variables(),
    config: {
      approvals: {
        rules: [
          { tool: 'create_ticket', when: { labels: 'always' }, alwaysAllow: true },
          { tool: 'send_message', alwaysAllow: ['to'] },
        ],
      },
    },
  })
  rows = await openRows(app.home)
  db = openClient(runningUrl(app.home)!, { connections: 1 })
  for (const name of ['Bob', 'Eve', 'Ned']) {
    const person = steadyClient(app.address, name, `hello-${name}`)
    scripts.on(name, { text: 'Hello.' })
    await person.say(`Hello from ${name}`)
    await person.answer()
  }
})
afterAll(async () => {
  await db?.$disconnect()
  await rows?.close()
  await app?.end()
  await model?.stop()
})

/** Ann asks for something, and the model proposes that call. */
async function asked(call: { name: string; arguments: Record<string, unknown> }, thread = scripts.word()) {
  const word = scripts.word()
  scripts.on(word, { calls: [call] }, { text: `That was ${word}.` })
  const ann = steadyClient(app.address, 'Ann', thread)
  await ann.say(`Please make the ticket or send the message of ${word}`)
  const over = () =>
    ann.until('the answer', ({ messages }) => messages.some(({ text }) => text === `That was ${word}.`))
  return { word, ann, over, thread }
}
const ticket = (title: string, more: object = {}) => ({
  name: 'create_ticket',
  arguments: { title, ...more },
})
const titled = (title: string) => rows.query('SELECT 1 FROM ticket WHERE title = $1', title)
const callOf = async (card: WebCard) => {
  const [row] = await rows.query<{ status: string; failure_code: string | null }>(
    'SELECT c.status::text, c.failure_code FROM tool_call c JOIN approval a ON a.call_id = c.id WHERE a.id = $1',
    card.id,
  )
  return row!
}
/** Changes the call of a card by hand. */
const change = (card: WebCard, what: string, ...values: readonly unknown[]) =>
  rows.query(
    `UPDATE tool_call SET ${what} WHERE id = (SELECT call_id FROM approval WHERE id = $1)`,
    card.id,
    ...values,
  )

describe('a call runs only as it was confirmed:', () => {
  it.each([
    ['not with other arguments', `arguments = jsonb_build_object('title', 'Forged one')`, []],
    [
      'not with other arguments and their own hash',
      `arguments = jsonb_build_object('title', 'Forged two'), arguments_hash = $2`,
      [hashOf({ title: 'Forged two' })],
    ],
  ])('%s', async (_, forging, values) => {
    const { ann, over } = await asked(ticket('As it is shown'))
    const card = await ann.card()
    await change(card, forging, ...values)
    await ann.pressLabel(card, 'Confirm')
    await over()
    expect(await callOf(card)).toEqual({ status: 'refused', failure_code: 'refused' })
    const [shown] = cardsOf(await ann.read())
    expect(shown?.footer).toMatch(/^Failed: The arguments are not those that were confirmed/)
    expect(await rows.query(`SELECT 1 FROM ticket WHERE title LIKE 'Forged%'`)).toEqual([])
  })

  it.each([
    ['not without a decision', `status = 'approved'`],
    ['not as a read that it is not', `status = 'approved', effect = 'read'`],
  ])('%s', async (what, forging) => {
    const { ann, over } = await asked(ticket(`Never, ${what}`))
    const card = await ann.card()
    await rows.quiet()
    await change(card, forging)
    await over()
    expect(await callOf(card)).toEqual({ status: 'refused', failure_code: 'refused' })
    expect(await titled(`Never, ${what}`)).toEqual([])
  })
})

describe('a click counts only from those who may, and where the card is:', () => {
  it('not from somebody else whom Hermes knows', async () => {
    const { ann, over, thread } = await asked(ticket('Not for Bob'))
    const card = await ann.card()
    const bob = steadyClient(app.address, 'Bob', thread)
    for (const label of ['Confirm', 'Cancel', 'Edit'])
      expect((await bob.pressLabel(card, label)).body.notice).toBe('Only Ann can decide this.')
    const forged = await bob.submit('approval.edit', `${card.id}:1`, { title: 'Changed by Bob' })
    expect(forged.body.notice).toBe('Only Ann can decide this.')
    const [shown] = cardsOf(await ann.read())
    expect(shown).toMatchObject({ tone: 'open', target: 'Not for Bob' })
    await ann.pressLabel(card, 'Cancel')
    await over()
  })

  it('not from somebody else where the outcome is not known', async () => {
    const { ann, over, thread } = await asked(ticket('Nobody knows'))
    const card = await ann.card()
    await rows.quiet()
    const [call] = await rows.query<{ id: string }>(
      `WITH sure AS (UPDATE approval SET status = 'confirmed', decided_at = now(), decided_by = person_id WHERE id = $1 RETURNING call_id)
       UPDATE tool_call SET status = 'unknown', result_text = 'the connection broke.' FROM sure
       WHERE tool_call.id = sure.call_id RETURNING tool_call.id`,
      card.id,
    )
    const bob = steadyClient(app.address, 'Bob', thread)
    for (const action of ['call.check', 'call.rerun', 'call.done']) {
      expect((await bob.press(action, call!.id)).body.notice).toBe('Only Ann can decide this.')
      await rows.quiet()
      expect(await callOf(card)).toMatchObject({ status: 'unknown' })
    }
    expect((await ann.press('call.done', call!.id)).body.notice).not.toMatch(/^Only/)
    await over()
    expect(await callOf(card)).toMatchObject({ status: 'succeeded' })
    expect(await titled('Nobody knows')).toEqual([])
  })

  it('not from another workspace or platform, even by the same person', async () => {
    const { ann, over } = await asked(ticket('Not from afar'))
    const card = await ann.card()
    await rows.query(
      `INSERT INTO identity (id, person_id, channel, workspace, user_id, name)
       SELECT 'idn_afar_' || afar, person_id, 'slack', afar, 'U1', 'Ann' FROM approval, unnest(ARRAY['T1', 'T2']) AS afar
       WHERE approval.id = $1`,
      card.id,
    )
    const approvals = createApprovals({ db, ids: createIds(), timeZone: 'UTC' })
    const thread = { room: 'C1', thread: '1.1' }
    const from = { channel: 'slack', workspace: 'T1', ...thread } as const
    const click = { dedupeKey: 'act:afar', thread: from, author: { userId: 'U1', name: 'Ann' } }
    expect(await approvals.decide(card.id, 'confirmed', click)).toEqual({ kind: 'unknown' })
    expect(await approvals.look(card.id, click)).toEqual({ kind: 'unknown' })
    // On the platform itself, from another of its workspaces.
    await rows.query(
      `UPDATE session SET channel = 'slack', workspace = 'T2' WHERE id = (SELECT session_id FROM approval WHERE id = $1)`,
      card.id,
    )
    expect(await approvals.decide(card.id, 'confirmed', { ...click, dedupeKey: 'act:afar2' })).toEqual({
      kind: 'unknown',
    })
    const home = { ...click, dedupeKey: 'act:home', thread: { ...from, workspace: 'T2' } }
    expect(await approvals.look(card.id, home)).toMatchObject({ kind: 'found', permitted: true })
    await rows.query(
      `UPDATE session SET channel = 'web', workspace = 'local' WHERE id = (SELECT session_id FROM approval WHERE id = $1)`,
      card.id,
    )
    await ann.pressLabel(card, 'Cancel')
    await over()
  })
})

describe('what is allowed for good', () => {
  /** Allows the call, and gives the thread in which it is allowed. */
  async function allowed(call: Parameters<typeof asked>[0]) {
    const first = await asked(call)
    const card = await first.ann.card()
    await first.ann.pressLabel(card, 'Always allow here')
    await first.over()
    return { ...first, card }
  }
  /** Proposes it in that thread, where it has to be asked about. */
  async function isAsked(thread: string, call: Parameters<typeof asked>[0]) {
    const { ann, over } = await asked(call, thread)
    await ann.pressLabel(await ann.card(), 'Cancel')
    await over()
  }
  const message = (to: string, text: string) => ({ name: 'send_message', arguments: { to, text } })

  it('counts for the arguments that are fixed, and for the tool as it was', async () => {
    const { thread } = await allowed(message('Eve', 'One'))
    const again = await asked(message('Eve', 'Two'), thread)
    await again.over()
    await isAsked(thread, message('Ned', 'Three'))
    await rows.query(
      `UPDATE approval_grant SET definition_hash = 'of-before' WHERE session_id = (SELECT id FROM session WHERE thread = $1)`,
      thread,
    )
    await isAsked(thread, message('Eve', 'Four'))
    const sent = await rows.query<{ text: string }>(
      `SELECT c.arguments->>'text' AS text FROM tool_call c WHERE c.tool = 'send_message' AND c.status = 'succeeded' ORDER BY c.id`,
    )
    expect(sent.map(({ text }) => text)).toEqual(['One', 'Two'])
  })

  it('does not run once it is revoked, also where it was on its way', async () => {
    const call = ticket('Water the plants', { labels: ['always'] })
    const { thread, ann } = await allowed(call)
    const other = await asked(ticket('Water the garden', { labels: ['always'] }), thread)
    const card = await other.ann.card()
    await rows.quiet()
    // As a process left it that died before it ran; the revocation came meanwhile.
    await rows.query(
      `UPDATE approval_grant SET revoked_at = now() WHERE session_id = (SELECT session_id FROM approval WHERE id = $1)`,
      card.id,
    )
    await rows.query(
      `WITH sure AS (UPDATE approval a SET status = 'confirmed', decided_at = now(), decided_by = a.person_id, grant_id = g.id
         FROM approval_grant g WHERE a.id = $1 AND g.session_id = a.session_id RETURNING a.call_id)
       UPDATE tool_call SET status = 'approved' FROM sure WHERE tool_call.id = sure.call_id`,
      card.id,
    )
    await other.over()
    expect(await callOf(card)).toEqual({ status: 'refused', failure_code: 'refused' })
    expect(cardsOf(await ann.read()).at(-1)?.footer).toMatch(/was revoked before it ran/)
    expect(await titled('Water the garden')).toEqual([])
  })

  it('does not run where it is revoked at the very moment that it begins', async () => {
    const call = ticket('Feed the fish', { labels: ['always'] })
    const { thread, ann } = await allowed(call)
    await rows.query(
      `CREATE FUNCTION revoke_now() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN UPDATE approval_grant SET revoked_at = now() WHERE session_id = NEW.session_id; RETURN NEW; END $$`,
    )
    await rows.query(
      `CREATE TRIGGER revoke_now BEFORE UPDATE ON tool_call FOR EACH ROW
       WHEN (NEW.status = 'executing') EXECUTE FUNCTION revoke_now()`,
    )
    try {
      await (await asked(call, thread)).over()
    } finally {
      await rows.query('DROP TRIGGER revoke_now ON tool_call')
    }
    const cards = cardsOf(await ann.read())
    expect(cards.at(-1)?.footer).toMatch(/was revoked before it ran/)
    expect(await titled('Feed the fish')).toHaveLength(1)
  })
})

it('the audit log has of every decision who, when, what exactly and what came of it', async () => {
  const told = async (thread: string) => {
    const found = await rows.query<{ action: string; by: string | null; whole: boolean }>(
      `SELECT e.action, p.display_name AS by, e.data->>'tool' = 'create_ticket'
         AND (e.data ? 'argumentsHash' OR e.action = 'grant.revoked') AS whole
       FROM audit_event e JOIN session s ON s.id = e.session_id LEFT JOIN person p ON p.id = e.person_id
       WHERE s.thread = $1 ORDER BY e.at, e.action`,
      thread,
    )
    expect(found.filter(({ whole }) => !whole)).toEqual([])
    return found.map(({ action, by }) => `${action} ${by ?? 'nobody'}`)
  }
  const edited = await asked(ticket('Audited first'))
  const card = await edited.ann.card()
  await edited.ann.submit('approval.edit', `${card.id}:1`, { title: 'Audited second' })
  await edited.ann.pressLabel(await edited.ann.card(), 'Confirm')
  await edited.over()
  expect(await told(edited.thread)).toEqual([
    'approval.edited Ann',
    'approval.confirmed Ann',
    'call.succeeded Ann',
  ])

  const ended = await asked(ticket('Audited end'))
  const late = await ended.ann.card()
  await rows.query(`UPDATE approval SET expires_at = now() - interval '1 second' WHERE id = $1`, late.id)
  await ended.over()
  expect(await told(ended.thread)).toEqual(['approval.expired nobody'])

  const call = ticket('Audited for good', { labels: ['always'] })
  const first = await asked(call)
  await first.ann.pressLabel(await first.ann.card(), 'Always allow here')
  await first.over()
  await (await asked(call, first.thread)).over()
  const done = cardsOf(await first.ann.read()).at(-1)!
  expect((await first.ann.pressLabel(done, 'Revoke')).body.notice).toMatch(/^Revoked/)
  const last = await asked(call, first.thread)
  await last.ann.pressLabel(await last.ann.card(), 'Cancel')
  await last.over()
  expect(await told(first.thread)).toEqual([
    'approval.confirmed Ann',
    'grant.given Ann',
    'call.succeeded Ann',
    'approval.granted Ann',
    'call.succeeded Ann',
    'grant.revoked Ann',
    'approval.cancelled Ann',
  ])
})
