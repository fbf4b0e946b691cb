import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import {
  type ChatBody,
  lastUserText,
  type ModelStandIn,
  type ScriptedReply,
  startModel,
} from '../support/model.ts'
import { cardsOf, type Reply, steadyClient } from '../support/recovery/steady-client.ts'
import { openRows, type Rows } from '../support/rows.ts'
import type { WebCard } from '../support/web-client.ts'

const finance = 'Only anyone of finance can decide this.'

/** Each policy is found by a label of the ticket that is proposed; nothing else about the tickets differs. */
const policies = {
  default: { may: ['Ann'], only: 'Only Ann can decide this.' },
  group: { may: ['Fay'], only: finance },
  named: { may: ['Ned'], only: 'Only Ned can decide this.' },
  id: { may: ['Ida'], only: 'Only Ida can decide this.' },
  four: { may: ['Fay'], only: 'Only anyone of everyone, but not Ann can decide this.' },
  either: { may: ['Ann', 'Fay'], only: 'Only Ann or anyone of finance can decide this.' },
  room: { may: ['Fay'], only: finance },
  always: { may: ['Ann'], only: 'Only Ann can decide this.' },
} as const

const rule = (label: string, more: object) => ({ tool: 'create_ticket', when: { labels: label }, ...more })
const approvals = {
  groups: { finance: ['web:Fay'], everyone: ['web:Ann', 'web:Fay'] },
  rules: [
    rule('group', { approvers: ['group:finance'] }),
    rule('named', { approvers: ['Ned'] }),
    rule('id', { approvers: ['web:Ida'] }),
    rule('four', { approvers: ['requester', 'group:everyone'], notRequester: true }),
    rule('either', { approvers: ['requester', 'group:finance'] }),
    rule('room', { approvers: ['group:finance'], room: { channel: 'web', room: 'finance-room' } }),
    rule('always', { alwaysAllow: true }),
    { tool: 'create_*', when: { priority: ['high', 'urgent'] }, approvers: ['group:finance'] },
    { tool: 'send_message', alwaysAllow: ['to'], expiryHours: 2, remindMinutes: 60 },
  ],
}

/** Does it for each, eight side by side: more would only wait for one another, and ask again and again meanwhile. */
async function someAtOnce<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const left = [...items.entries()]
  const results: R[] = []
  const one = async () => {
    for (let next = left.shift(); next; next = left.shift()) results[next[0]] = await work(next[1])
  }
  await Promise.all(Array.from({ length: 8 }, one))
  return results
}

/** "propose {…}" makes the model propose tickets or messages; what it says else is what it was told. */
function proposer(body: ChatBody): ScriptedReply {
  const said = /propose (\[.*\])$/.exec(lastUserText(body))?.[1]
  const last = body.messages.findLastIndex(
    ({ role, content }) => role === 'user' && !String(content).startsWith('[Hermes note]'),
  )
  const steps = body.messages.slice(last + 1).filter(({ role }) => role === 'assistant').length
  const wanted = said ? (JSON.parse(said) as { tool?: string }[][])[steps] : undefined
  if (!wanted) return { text: `It came to: ${String(body.messages.at(-1)?.content).slice(0, 300)}` }
  return {
    calls: wanted.map(({ tool = 'create_ticket', ...args }) => ({ name: tool, arguments: args })),
  }
}

describe('who decides', () => {
  let model: ModelStandIn
  let app: TestApp
  let rows: Rows
  let threads = 0

  beforeAll(async () => {
    model = await startModel()
    model.script((body) => (body.tools === undefined ? { text: '[]' } : proposer(body)))
    app = await startTestApp({
      variables: model.variables(),
      config: { approvals },
      // A process may be wrong about the time; the database's clock says when a card's time is over.
      clock: { now: () => new Date(Date.now() + 30 * 86_400_000), monotonic: systemClock.monotonic },
    })
    rows = await openRows(app.home)
    // These have written to Hermes before; Fay, Ida and Zoe never have.
    for (const name of ['Ned', 'Eve']) {
      await person(name, `first-${name}`).say('Hello')
      await person(name, `first-${name}`).answer()
    }
  }, 120_000)
  afterAll(async () => {
    await rows?.close()
    await app?.end()
    await model?.stop()
  }, 60_000)

  const person = (name: string, thread: string) => steadyClient(app.address, name, thread)
  const notice = (reply: Reply): string => {
    expect(reply).toMatchObject({ status: 200, body: { kind: 'answered' } })
    return reply.body.notice
  }
  // Many look at once, and one connection takes one question at a time.
  let line: Promise<unknown> = Promise.resolve()
  const query: Rows['query'] = (sql, ...values) => {
    const next = line.then(() => rows.query(sql, ...values))
    line = next.catch(() => {})
    return next as ReturnType<typeof rows.query<never>>
  }
  const titles = async (thread: string) =>
    (
      await query<{ title: string }>(
        'SELECT t.title FROM ticket t JOIN session s ON s.id = t.session_id WHERE s.thread = $1 ORDER BY t.number',
        thread,
      )
    ).map(({ title }) => title)
  const approvalOf = async (id: string) =>
    (await query('SELECT * FROM approval WHERE id = $1', id))[0] as Record<string, unknown>

  /** Ann asks for something in a thread of her own; `steps` are what the model proposes, one list for each step. */
  async function asked(...steps: readonly (readonly object[])[]) {
    threads += 1
    const thread = `approve-${threads}`
    const ann = person('Ann', thread)
    await ann.say(`propose ${JSON.stringify(steps)}`)
    return { thread, ann }
  }
  const ticket = (title: string, label: string, more: object = {}) => ({ title, labels: [label], ...more })

  const timings = ['in time', 'on an older version', 'after its time', 'after a decision'] as const

  it('follows the policy, whoever clicks, whenever, before and after a restart', {
    timeout: 240_000,
  }, async () => {
    const wanted = [false, true].flatMap((restarted) =>
      timings.flatMap((timing) =>
        Object.entries(policies).map(([policy, { may, only }]) => ({ restarted, timing, policy, may, only })),
      ),
    )
    const cases = await someAtOnce(wanted, async (each) => {
      const title = `${each.policy} ${each.timing}`
      const { thread, ann } = await asked([ticket(title, each.policy)])
      const card = await ann.card()
      return { ...each, title, thread, value: `${card.id}:1`, card }
    })
    expect(cases).toHaveLength(64)
    for (const restarted of [false, true]) {
      if (restarted) {
        await rows.quiet()
        await rows.close()
        app = await app.restart()
        rows = await openRows(app.home)
      }
      await someAtOnce(
        cases.filter((each) => each.restarted === restarted),
        async ({ timing, policy, may, only, title, thread, value, card }) => {
          const what = `${policy}, ${timing}${restarted ? ', after a restart' : ''}`
          const ann = person('Ann', thread)
          if (timing === 'on an older version')
            expect(notice(await ann.submit('approval.edit', value, { title: `${title} indeed` })), what).toBe(
              'Changed. Check the card and confirm it.',
            )
          if (timing === 'after its time')
            await query(`UPDATE approval SET expires_at = now() - interval '1 second' WHERE id = $1`, card.id)
          if (timing === 'after a decision')
            expect(notice(await ann.press('approval.cancel', card.id)), what).toBe(
              'Cancelled. Nothing was changed.',
            )
          const allowed: readonly string[] = may
          for (const name of ['Ann', 'Fay', 'Ned', 'Ida', 'Eve', 'Zoe'].filter(
            (one) => !allowed.includes(one),
          )) {
            // What decides is the same statement at any time; that every button asks it is shown once.
            const pressed =
              timing === 'in time' && !restarted
                ? ['approval.confirm', 'approval.always', 'approval.confirm_all']
                : ['approval.confirm']
            for (const action of pressed) {
              const told = notice(await person(name, thread).press(action, value))
              expect([what, name, action, told]).toEqual([
                what,
                name,
                action,
                expect.stringMatching(/^Only /),
              ])
              // Ida is known by her id alone until she clicks something that names her.
              if (policy !== 'id') expect(told).toBe(only)
            }
          }
          for (const name of allowed) {
            const told = notice(await person(name, thread).press('approval.confirm', value))
            const expected: Record<(typeof timings)[number], RegExp> = {
              'in time':
                name === may[0] ? /^Confirmed\. I am doing it now\.$/ : /^Already confirmed by Ann at/,
              'on an older version': /^This card has changed\. Decide on the newest one\.$/,
              'after its time': /^This has expired\./,
              'after a decision': /^Already cancelled by Ann at/,
            }
            expect([what, name, told]).toEqual([what, name, expect.stringMatching(expected[timing])])
          }
          const done = timing === 'in time'
          if (done)
            await ann.until(`${what}: the card`, (view) =>
              cardsOf(view).some((one) =>
                /^Confirmed by \w+, .* · Ticket T-\d+ created$/.test(one.footer ?? ''),
              ),
            )
          expect([what, await titles(thread)]).toEqual([what, done ? [title] : []])
          const row = await approvalOf(card.id)
          const status = {
            'in time': 'confirmed',
            'on an older version': 'open',
            'after a decision': 'cancelled',
          }
          if (timing !== 'after its time') expect([what, row.status]).toEqual([what, status[timing]])
        },
      )
    }
    // Whoever was named came into the directory by the click; strangers did not.
    const known = await rows.query<{ name: string }>(`SELECT name FROM identity ORDER BY name`)
    expect(known.map(({ name }) => name)).toEqual(['Ann', 'Eve', 'Fay', 'Ida', 'Ned'])
    const audited = await rows.query<{ data: Record<string, unknown> }>(
      `SELECT data FROM audit_event WHERE action = 'approval.confirmed' AND data->>'rule' = '1: create_ticket'`,
    )
    expect(audited[0]?.data).toMatchObject({
      tool: 'create_ticket',
      version: 1,
      call: expect.stringMatching(/^call_/),
    })
  })

  it('tells on the card for whom it waits, and who asked', { timeout: 60_000 }, async () => {
    const { ann, thread } = await asked([
      ticket('Who', 'four'),
      ticket('Urgent one', 'x', { priority: 'urgent' }),
    ])
    await ann.card(2)
    const [four, urgent] = cardsOf(await ann.read())
    expect(four?.footer).toMatch(/^waits for anyone of everyone, but not Ann · until /)
    expect(four?.fields).toContainEqual({ label: 'Asked for by', value: 'Ann' })
    expect(urgent?.footer).toMatch(/^waits for anyone of finance · until /)
    // Confirm all is for what one may decide.
    expect(notice(await person('Fay', thread).pressLabel(four!, 'Confirm all'))).toBe(
      'Confirmed. I am doing it now.',
    )
    await ann.until('both done', (view) =>
      cardsOf(view).every((card) => /Ticket T-\d+ created/.test(card.footer ?? '')),
    )
    expect((await titles(thread)).toSorted()).toEqual(['Urgent one', 'Who'])
  })

  it('lets nobody decide by a name that two people have', { timeout: 60_000 }, async () => {
    const { ann, thread } = await asked([ticket('Two Neds', 'named')])
    const card = await ann.card()
    await rows.query(`INSERT INTO person (id, display_name) VALUES ('per_second', 'ned')`)
    await rows.query(
      `INSERT INTO identity (id, person_id, channel, workspace, user_id, name) VALUES ('idn_second', 'per_second', 'web', 'local', 'ned-2', 'ned')`,
    )
    for (const name of ['Ned', 'ned-2'])
      expect(notice(await person(name, thread).pressLabel(card, 'Confirm'))).toBe('Only Ned can decide this.')
    await rows.query(`DELETE FROM identity WHERE id = 'idn_second'`)
    expect(notice(await person('Ned', thread).pressLabel(card, 'Confirm'))).toBe(
      'Confirmed. I am doing it now.',
    )
    await ann.answer()
    expect(await titles(thread)).toEqual(['Two Neds'])
  })

  it('shows the card in the room, and in the thread for whom it waits and what came of it', {
    timeout: 60_000,
  }, async () => {
    const { ann, thread } = await asked([ticket('Into the room', 'room')])
    const look = await ann.card()
    expect(look.actions.map(({ label }) => label)).toEqual(['Edit', 'Cancel'])
    expect(look.footer).toMatch(/^waits for anyone of finance · until /)
    const fay = person('Fay', 'finance-room')
    const inRoom = (view: { messages: readonly { cards: readonly WebCard[] }[] }) =>
      view.messages.flatMap(({ cards }) => cards).find((card) => card.target === 'Into the room')
    const card = inRoom(await fay.until('the card in the room', (view) => inRoom(view) !== undefined))!
    expect(card.actions.map(({ label }) => label)).toEqual(['Confirm', 'Edit', 'Cancel'])
    const told = await fay.pressLabel(card, 'Confirm')
    expect(notice(told)).toBe('Confirmed. I am doing it now.')
    const outcome = /^Confirmed by Fay, .* · Ticket T-\d+ created$/
    await ann.until('the outcome in the thread', (view) => outcome.test(cardsOf(view)[0]?.footer ?? ''))
    await fay.until('the outcome in the room', (view) => outcome.test(inRoom(view)?.footer ?? ''))
    await ann.answer()
    expect(await titles(thread)).toEqual(['Into the room'])
  })

  it('asks anew by the other rules where an edit brings other rules', { timeout: 60_000 }, async () => {
    const { ann, thread } = await asked([ticket('Cheap', 'plain')])
    const card = await ann.card()
    const edit = () =>
      ann.submit('approval.edit', `${card.id}:1`, { title: 'Dear', priority: 'urgent' }, 'the-edit')
    expect(notice(await edit())).toBe('Changed. With this, other rules count: see the new card below.')
    expect((await edit()).body).toEqual({ kind: 'repeated' })
    const next = await ann.card()
    expect(next).toMatchObject({
      target: 'Dear',
      footer: expect.stringContaining('waits for anyone of finance'),
    })
    expect(cardsOf(await ann.read())[0]).toMatchObject({
      footer: 'Changed: see the new card below',
      actions: [],
    })
    expect(notice(await ann.pressLabel(next, 'Confirm'))).toBe(finance)
    expect(notice(await ann.pressLabel(card, 'Confirm'))).toBe(
      'This card has changed. Decide on the newest one.',
    )
    expect(notice(await person('Fay', thread).pressLabel(next, 'Confirm'))).toBe(
      'Confirmed. I am doing it now.',
    )
    await ann.answer()
    expect(await titles(thread)).toEqual(['Dear'])
  })

  it('answers a click on a card whose tool has changed with a new card', { timeout: 60_000 }, async () => {
    const { ann, thread } = await asked([ticket('Old terms', 'plain'), ticket('Same terms', 'plain')])
    await ann.card(2)
    const [old] = cardsOf(await ann.read())
    await outdate(old!.id)
    expect(notice(await ann.pressLabel(old!, 'Confirm all'))).toBe(
      'The tool has changed since this card was shown. Look at the new card below and confirm that one.',
    )
    const next = await ann.card()
    expect(next).toMatchObject({
      target: 'Old terms',
      actions: expect.arrayContaining([expect.objectContaining({ label: 'Confirm' })]),
    })
    const shown = await ann.until('the others done', (view) => cardsOf(view)[1]?.tone === 'done')
    expect(cardsOf(shown)[0]).toMatchObject({ footer: 'Changed: see the new card below', actions: [] })
    expect(await titles(thread)).toEqual(['Same terms'])
    expect(notice(await ann.pressLabel(old!, 'Confirm'))).toBe(
      'This card has changed. Decide on the newest one.',
    )
    expect(notice(await ann.pressLabel(next, 'Confirm'))).toBe('Confirmed. I am doing it now.')
    await ann.answer()
    expect(await titles(thread)).toEqual(['Same terms', 'Old terms'])
  })

  it('asks anew, too, where the change shows only when the call is to run', { timeout: 60_000 }, async () => {
    const { ann, thread } = await asked([ticket('Late change', 'plain')])
    const old = await ann.card()
    await rows.quiet()
    await outdate(old.id)
    await ann.say('yes')
    const view = await ann.until('the new card', (shown) =>
      cardsOf(shown).some((card) => card.id !== old.id && card.tone === 'open'),
    )
    expect(cardsOf(view)[0]).toMatchObject({ footer: 'Changed: see the new card below', actions: [] })
    expect(await titles(thread)).toEqual([])
    expect(notice(await ann.pressLabel(await ann.card(), 'Confirm'))).toBe('Confirmed. I am doing it now.')
    await ann.answer()
    expect(await titles(thread)).toEqual(['Late change'])
  })

  /** As if the card had been shown by a release whose tool was another one. */
  async function outdate(approvalId: string): Promise<void> {
    await rows.query(
      `WITH old AS (UPDATE approval SET definition_hash = 'of-before' WHERE id = $1 RETURNING call_id)
       UPDATE tool_call SET definition_hash = 'of-before' FROM old WHERE tool_call.id = old.call_id`,
      approvalId,
    )
  }

  it('does not let what was rejected be proposed again in the turn, unless the person asks', {
    timeout: 60_000,
  }, async () => {
    const { ann, thread } = await asked(
      [ticket('The printer is broken', 'plain')],
      [ticket('the printer is  broken.', 'plain'), ticket('The copier is broken', 'plain')],
      [ticket('THE PRINTER IS BROKEN!', 'plain', { description: '' })],
    )
    const card = await ann.card()
    expect(notice(await ann.pressLabel(card, 'Cancel'))).toBe('Cancelled. Nothing was changed.')
    const other = await ann.until('the other card', (view) =>
      cardsOf(view).some(({ tone }) => tone === 'open'),
    )
    expect(cardsOf(other).map(({ target }) => target)).toEqual([
      'The printer is broken',
      'The copier is broken',
    ])
    await ann.pressLabel(cardsOf(other)[1]!, 'Confirm')
    expect((await ann.answer()).text).toContain('The person rejected this in this turn.')
    expect(cardsOf(await ann.read())).toHaveLength(2)
    expect(await titles(thread)).toEqual(['The copier is broken'])
    await ann.say(`propose ${JSON.stringify([[ticket('The printer is broken', 'plain')]])}`)
    await ann.pressLabel(await ann.card(), 'Confirm')
    await ann.answer(2)
    expect(await titles(thread)).toEqual(['The copier is broken', 'The printer is broken'])
  })

  /** The n-th card, counted from 0, once it tells what was done, and the answer is there. */
  async function doneByItself(ann: ReturnType<typeof person>, index: number): Promise<WebCard> {
    const view = await ann.until(
      'what was done without asking',
      (shown) => shown.state === 'done' && /^Done without asking/.test(cardsOf(shown)[index]?.footer ?? ''),
    )
    return cardsOf(view)[index]!
  }

  it('does what was allowed for good without a card, tells it, and asks again once it is revoked', {
    timeout: 90_000,
  }, async () => {
    const rent = { ...ticket('Water the plants', 'always'), due: '2099-12-04T06:00:00Z' }
    const { ann, thread } = await asked([rent])
    const card = await ann.card()
    expect(card.actions.map(({ label }) => label)).toEqual(['Confirm', 'Edit', 'Cancel', 'Always allow here'])
    expect(notice(await ann.pressLabel(card, 'Always allow here'))).toContain('without asking')
    await ann.answer()
    expect(await titles(thread)).toEqual(['Water the plants'])

    await ann.say(`again: propose ${JSON.stringify([[rent]])}`)
    const told = await doneByItself(ann, 1)
    expect(await titles(thread)).toEqual(['Water the plants', 'Water the plants'])
    expect(told).toMatchObject({ tone: 'done', actions: [{ label: 'Revoke' }] })
    expect(told.footer).toMatch(/^Done without asking, as Ann allowed here · Ticket T-\d+ created$/)
    const [grant] = await rows.query<{ id: string; approval: string }>(
      `SELECT g.id, a.id AS approval FROM approval_grant g JOIN approval a ON a.grant_id = g.id`,
    )
    const audited = await rows.query(
      `SELECT data->>'grant' AS grant FROM audit_event WHERE action = 'approval.granted' AND subject_id = $1`,
      grant!.approval,
    )
    expect(audited).toEqual([{ grant: grant!.id }])

    // Neither other arguments, nor another person, nor another thread.
    await ann.say(`propose ${JSON.stringify([[{ ...rent, title: 'Water the garden' }]])}`)
    await ann.pressLabel(await ann.card(), 'Cancel')
    await ann.answer(2)
    await person('Eve', thread).say(`propose ${JSON.stringify([[rent]])}`)
    const hers = await ann.card()
    expect(hers.footer).toMatch(/^waits for Eve/)
    await person('Eve', thread).pressLabel(hers, 'Cancel')
    await ann.answer(3)
    const elsewhere = await asked([rent])
    await elsewhere.ann.pressLabel(await elsewhere.ann.card(), 'Cancel')
    await elsewhere.ann.answer()

    // The list and its button are for the one who allowed it.
    const listed = await ann.say('/approvals')
    expect(listed.body.receipt.notice).toMatch(
      /Create ticket \(Due: 4 Dec 2099, \d\d:00 \(UTC.*\), Title: Water the plants/,
    )
    const revoke = `${grant!.id}:${grant!.approval}`
    expect(notice(await person('Eve', thread).press('grant.revoke', revoke))).toBe(
      'There is nothing of yours to revoke here.',
    )
    expect(notice(await ann.pressLabel(told, 'Revoke'))).toMatch(
      /^Revoked\. From now on I ask again: Create ticket/,
    )
    expect(notice(await ann.pressLabel(told, 'Revoke'))).toBe('There is nothing of yours to revoke here.')
    await ann.say(`once more: propose ${JSON.stringify([[rent]])}`)
    await ann.pressLabel(await ann.card(), 'Cancel')
    await ann.answer(4)
    expect(await titles(thread)).toEqual(['Water the plants', 'Water the plants'])
  })

  it('fixes only what the rule names, is told and revoked in words, and is not offered where no rule says so', {
    timeout: 90_000,
  }, async () => {
    const send = (text: string) => ({ tool: 'send_message', to: 'Eve', text })
    const { ann } = await asked([send('one')])
    await ann.pressLabel(await ann.card(), 'Always allow here')
    await ann.answer()
    await ann.say(`propose ${JSON.stringify([[send('two')]])}`)
    const told = await doneByItself(ann, 1)
    expect(told.footer).toMatch(/^Done without asking, as Ann allowed here · Message sent to Eve$/)
    await ann.say(`propose ${JSON.stringify([[{ tool: 'list_permissions' }]])}`)
    const list = (await ann.answer(2)).text
    expect(list).toContain('Send message (To: Eve, …)')
    const id = /grant_\w+/.exec(list)![0]
    await ann.say(`propose ${JSON.stringify([[{ tool: 'revoke_permission', permission: id }]])}`)
    expect((await ann.answer(3)).text).toContain('revoked')
    await ann.say(`propose ${JSON.stringify([[send('three')]])}`)
    const card = await ann.card()
    await ann.pressLabel(card, 'Cancel')
    await ann.answer(4)
    const plain = await asked([ticket('Never for good', 'plain')])
    const once = await plain.ann.card()
    expect(notice(await plain.ann.press('approval.always', `${once.id}:1`))).toBe(
      'This card has changed. Decide on the newest one.',
    )
    expect(await titles(plain.thread)).toEqual([])
    await plain.ann.pressLabel(once, 'Cancel')
    await plain.ann.answer()
  })

  it('reminds once, where the card is, before its time is over', { timeout: 60_000 }, async () => {
    const { ann } = await asked([{ tool: 'send_message', to: 'Ned', text: 'Soon' }])
    const card = await ann.card()
    const row = await approvalOf(card.id)
    expect((row.expires_at as Date).getTime() - (row.created_at as Date).getTime()).toBe(2 * 3_600_000)
    expect((row.expires_at as Date).getTime() - (row.remind_at as Date).getTime()).toBe(3_600_000)
    const room = await asked([ticket('Remind the room', 'room')])
    const inRoom = await room.ann.card()
    await rows.query(`UPDATE approval SET remind_at = now() WHERE id = ANY($1)`, [card.id, inRoom.id])
    const reminder = /^Still waiting for Ann: Send message: Ned · web chat, direct message\. It expires /
    const texts = (view: { messages: readonly { text: string }[] }) => view.messages.map(({ text }) => text)
    await ann.until('the reminder', (view) => texts(view).some((text) => reminder.test(text)))
    const ask = /^Still waiting for anyone of finance: Create ticket: Remind the room\. It expires /
    const fay = person('Fay', 'finance-room')
    await fay.until('the reminder in the room', (view) => texts(view).some((text) => ask.test(text)))
    await rows.quiet()
    expect(texts(await ann.read()).filter((text) => reminder.test(text))).toHaveLength(1)
    expect(texts(await room.ann.read()).filter((text) => ask.test(text))).toEqual([])
    await ann.pressLabel(card, 'Cancel')
    await room.ann.pressLabel(inRoom, 'Cancel')
    await ann.answer(2)
  })

  it.each([
    ['done', 'I looked: it was done.'],
    ['not done', 'I looked: it was not done'],
  ])('looks after a call whose outcome is not known: %s', { timeout: 60_000 }, async (found, said) => {
    const { ann, thread } = await asked([ticket(`Perhaps ${found}`, 'plain')])
    const card = await ann.card()
    await rows.quiet()
    // What is left where the process or the connection broke while it ran.
    const [call] = await rows.query<{ id: string }>(
      `WITH sure AS (UPDATE approval SET status = 'confirmed', decided_at = now(), decided_by = person_id WHERE id = $1 RETURNING call_id)
       UPDATE tool_call SET status = 'unknown', result_text = 'the connection broke while creating.'
       FROM sure WHERE tool_call.id = sure.call_id RETURNING tool_call.id`,
      card.id,
    )
    if (found === 'done')
      await rows.query(
        `INSERT INTO ticket (id, workspace, title, created_by, session_id, call_id)
         SELECT 'tkt_perhaps', 'local', 'Perhaps done', c.person_id, c.session_id, c.id FROM tool_call c WHERE c.id = $1`,
        call!.id,
      )
    const unknown = cardsOf(await ann.read())[0]!
    expect(unknown.footer).toBe('Not known: the connection broke while creating.')
    expect(unknown.actions.map(({ label }) => label)).toEqual(['Check', 'Run again', 'It is done'])
    expect(notice(await person('Eve', thread).pressLabel(unknown, 'Check'))).toBe('Only Ann can decide this.')
    expect(notice(await ann.pressLabel(unknown, 'Check'))).toBe('I am looking whether it was done.')
    const shown = await ann.until('what was found', (view) => (cardsOf(view)[0]?.footer ?? '').includes(said))
    if (found === 'done') {
      expect(cardsOf(shown)[0]).toMatchObject({ tone: 'done', actions: [] })
      expect(cardsOf(shown)[0]?.footer).toMatch(/ · Ticket T-\d+ created · I looked: it was done\.$/)
    } else {
      const buttons = cardsOf(shown)[0]!.actions.map(({ label }) => label)
      expect(buttons).toEqual(['Check', 'Run again', 'It is done'])
      await ann.pressLabel(unknown, 'Run again')
    }
    await ann.answer()
    expect(await titles(thread)).toEqual([`Perhaps ${found}`])
  })

  it('is told at start which rules can never count', { timeout: 60_000 }, async () => {
    const wrong = [
      { tool: 'create_tickets' },
      { tool: 'list_tickets' },
      { tool: 'create_ticket', when: { amount: { over: 1_000 } } },
      { tool: 'mcp__mail__*', room: { channel: 'slack', room: 'C1' } },
    ]
    const start = startTestApp({ config: { approvals: { rules: wrong } } })
    const lines = await start.then(
      () => [],
      (error: Error) => error.message.split('\n'),
    )
    expect(lines).toEqual([
      expect.stringMatching(
        /^hermes\.config\.json: approvals\.rules\.0\.tool is no tool of Hermes\. Tools that ask are: /,
      ),
      'hermes.config.json: approvals.rules.1.tool never asks for a confirmation, so no rule can count for it.',
      expect.stringMatching(
        /^hermes\.config\.json: approvals\.rules\.2\.when names an argument that the tool does not have\. It has: title, /,
      ),
      'hermes.config.json: approvals.rules.3.room is on slack, which is not configured.',
    ])
  })
})
