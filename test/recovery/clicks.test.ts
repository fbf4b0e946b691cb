import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pause } from '../../src/base/wait.ts'
import { type Stage, startStage } from '../support/recovery/stage.ts'
import { cardsOf, type Reply } from '../support/recovery/steady-client.ts'

describe('clicks on a card', () => {
  let stage: Stage
  let threads = 0

  beforeAll(async () => {
    stage = await startStage()
  }, 120_000)
  afterAll(() => stage?.end())

  const person = (name: string, thread: string) => stage.person(name, thread)
  const ticketsOf = (thread: string) =>
    stage.rows.query<{ title: string }>(
      'SELECT t.title FROM ticket t JOIN session s ON s.id = t.session_id WHERE s.thread = $1',
      thread,
    )
  const asked = async () => {
    const thread = `click-${++threads}`
    const ann = person('Ann', thread)
    await ann.say(`ticket Lamp ${threads}`)
    return { thread, ann, card: await ann.card(), title: `Lamp ${threads}` }
  }
  const notice = (reply: Reply): string => {
    expect(reply.status).toBe(200)
    expect(reply.body.kind).toBe('answered')
    return reply.body.notice
  }

  it('counts the first one; the second is told when it was decided, and by whom', {
    timeout: 120_000,
  }, async () => {
    const { thread, ann, card, title } = await asked()
    expect(notice(await ann.pressLabel(card, 'Confirm'))).toBe('Confirmed. I am doing it now.')
    expect(notice(await ann.pressLabel(card, 'Confirm'))).toMatch(/^Already confirmed by Ann at \d\d:\d\d\.$/)
    expect(notice(await ann.pressLabel(card, 'Cancel'))).toMatch(/^Already confirmed by Ann at \d\d:\d\d\.$/)
    expect(notice(await ann.pressLabel(card, 'Edit'))).toMatch(/^Already confirmed by Ann at \d\d:\d\d\.$/)
    await ann.answer()
    expect(await ticketsOf(thread)).toEqual([{ title }])
  })

  it('takes no one else’s, and none for a card that is not there', { timeout: 120_000 }, async () => {
    const { thread, ann, card, title } = await asked()
    const bob = person('Bob', thread)
    const stranger = person('Eve', 'another-thread')
    for (const other of [bob, stranger])
      for (const label of ['Confirm', 'Cancel', 'Edit'])
        expect(notice(await other.pressLabel(card, label))).toBe('Only Ann can decide this.')
    for (const forged of ['apr_0', `${card.id}0`, `${card.id}:99`, "' OR 1=1 --", ''])
      for (const action of ['approval.confirm', 'approval.cancel', 'approval.edit', 'approval.confirm_all'])
        expect(notice(await ann.press(action, forged || undefined))).toMatch(
          /^I do not know this card\.|^This card has changed\./,
        )
    const sent = await bob.submit('approval.edit', `${card.id}:1`, { title: 'Mine' })
    expect(notice(sent)).toBe('Only Ann can decide this.')
    expect(cardsOf(await ann.read())).toMatchObject([{ tone: 'open', target: title }])
    expect(await ticketsOf(thread)).toEqual([])
    await ann.pressLabel(card, 'Cancel')
    await ann.answer()
    expect(await ticketsOf(thread)).toEqual([])
  })

  it('answers a thousand at once, and does the thing once', { timeout: 240_000 }, async () => {
    const { thread, ann, card, title } = await asked()
    const started = performance.now()
    const replies = await Promise.all(
      Array.from({ length: 1_000 }, (_, index) =>
        ann.pressLabel(card, 'Confirm', `${thread}-click-${index}`),
      ),
    )
    const seconds = (performance.now() - started) / 1_000
    const notices = replies.map(notice)
    expect(notices.filter((text) => text === 'Confirmed. I am doing it now.')).toHaveLength(1)
    expect(notices.filter((text) => /^Already confirmed by Ann/.test(text))).toHaveLength(999)
    await ann.answer()
    expect(await ticketsOf(thread)).toEqual([{ title }])
    console.log(`1,000 clicks on one card were answered in ${seconds.toFixed(1)} s.`)
  })

  it('refuses Confirm on a card as it was before an edit', { timeout: 120_000 }, async () => {
    const { thread, ann, card, title } = await asked()
    const { body } = await ann.pressLabel(card, 'Edit')
    const changed = `Changed ${title}`
    expect(notice(await ann.submit(body.form.action, body.form.value, { title: changed }))).toBe(
      'Changed. Check the card and confirm it.',
    )
    const stale = await ann.pressLabel(card, 'Confirm')
    expect(notice(stale)).toBe('This card has changed. Decide on the newest one.')
    expect(stale.body.card.target).toBe(changed)
    expect(notice(await ann.submit(body.form.action, body.form.value, { title: 'Too late' }))).toBe(
      'This card has changed. Decide on the newest one.',
    )
    expect(notice(await ann.pressLabel(await ann.card(), 'Confirm'))).toBe('Confirmed. I am doing it now.')
    await ann.answer()
    expect(await ticketsOf(thread)).toEqual([{ title: changed }])
  })

  it('lets Confirm or Cancel win where both come at the same moment', { timeout: 240_000 }, async () => {
    for (let round = 0; round < 6; round++) {
      const { thread, ann, card, title } = await asked()
      const both = round % 2 === 0 ? ['Confirm', 'Cancel'] : ['Cancel', 'Confirm']
      const notices = (await Promise.all(both.map((label) => ann.pressLabel(card, label)))).map(notice)
      const confirmed = notices.includes('Confirmed. I am doing it now.')
      const cancelled = notices.includes('Cancelled. Nothing was changed.')
      expect([confirmed, cancelled].filter(Boolean)).toHaveLength(1)
      expect(notices.filter((text) => text.startsWith('Already'))).toHaveLength(1)
      await ann.answer()
      expect(await ticketsOf(thread)).toEqual(confirmed ? [{ title }] : [])
      expect(cardsOf(await ann.read())[0]?.footer).toMatch(
        confirmed ? /^Confirmed by Ann/ : /^Cancelled by Ann/,
      )
    }
  })

  it('does exactly what the confirmed card said where it is edited at the same moment', {
    timeout: 240_000,
  }, async () => {
    for (let round = 0; round < 6; round++) {
      const { thread, ann, card, title } = await asked()
      const { body } = await ann.pressLabel(card, 'Edit')
      const changed = `Changed ${title}`
      const edit = () => ann.submit(body.form.action, body.form.value, { title: changed })
      const confirm = () => ann.pressLabel(card, 'Confirm')
      const [first, second] = round % 2 === 0 ? [edit(), confirm()] : [confirm(), edit()]
      const [edited, confirmed] = (
        round % 2 === 0 ? [await first, await second] : [await second, await first]
      ).map(notice)
      if (confirmed === 'Confirmed. I am doing it now.') {
        expect(edited).toMatch(/^Already confirmed by Ann/)
        await ann.answer()
        expect(await ticketsOf(thread)).toEqual([{ title }])
        continue
      }
      // The edit came first: what was confirmed is not what the card says by now.
      expect(confirmed).toBe('This card has changed. Decide on the newest one.')
      expect(edited).toBe('Changed. Check the card and confirm it.')
      const newest = await ann.card()
      expect(newest.target).toBe(changed)
      expect(await ticketsOf(thread)).toEqual([])
      expect(notice(await ann.pressLabel(newest, 'Confirm'))).toBe('Confirmed. I am doing it now.')
      await ann.answer()
      expect(await ticketsOf(thread)).toEqual([{ title: changed }])
    }
  })
})

describe('a click that comes too late', () => {
  let stage: Stage

  beforeAll(async () => {
    stage = await startStage({ config: { approvals: { expiryHours: 3 / 3_600 } } })
  }, 120_000)
  afterAll(() => stage?.end())

  it('changes nothing, and the turn goes on without it', { timeout: 240_000 }, async () => {
    const ann = stage.person('Ann', 'late')
    await ann.say('ticket Lamp')
    const card = await ann.card()
    await pause(3_100)
    const { body } = await ann.pressLabel(card, 'Confirm')
    expect(body.notice).toBe('This has expired. Ask again and I will make a new card.')
    expect((await ann.answer()).text).toBe('Told: Expired: nobody confirmed it in time. It was not done.')
    expect(cardsOf(await ann.read())).toMatchObject([{ footer: 'Expired', actions: [] }])
    expect((await ann.pressLabel(card, 'Confirm')).body.notice).toMatch(/^This has expired/)
    expect(await stage.rows.query('SELECT count(*)::int AS n FROM ticket')).toEqual([{ n: 0 }])
  })
})
