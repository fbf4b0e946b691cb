import { beforeAll, describe, expect, it } from 'vitest'
import type { Guest, Seen, Talk } from './channel.ts'
import { answered, answers, cardShows, cards, openCard, type Place, type Stage } from './stage.ts'
import { until } from './waiting.ts'

/** How rules and standing permissions look to people, whatever the platform. */
export function approving(place: Place, at: () => Stage): void {
  const tickets = (word: string) =>
    at().rows.query('SELECT title FROM ticket WHERE title LIKE $1', `%${word}%`)

  /** Ann asks for a ticket with that label. */
  async function asked(
    label: string,
  ): Promise<{ word: string; title: string; ann: Guest; talk: Talk; card: Seen }> {
    const { driver, scripts } = at()
    const word = scripts.word()
    const ann = driver.guest('Ann')
    const title = `The ${word} lamp is dark`
    scripts.on(
      word,
      { calls: [{ name: 'create_ticket', arguments: { title, labels: [label] } }] },
      { text: `That was ${word}.` },
    )
    const talk = await driver.shared(ann, `Please make a ticket about ${word}`)
    return { word, title, ann, talk, card: await openCard(talk, title) }
  }

  describe('approving', () => {
    /** The one approver of the rules; she never writes to Hermes, she only clicks. */
    let fay: Guest
    beforeAll(() => {
      fay = at().driver.guest('Fay')
    })

    it('another person decides, and the one who asked does not', async () => {
      const { word, talk, card } = await asked('four-eyes')
      expect(card.text).toMatch(/waits for Fay, but not Ann · until /)
      expect(await talk.press(card, 'Confirm')).toBe('Only Fay, but not Ann can decide this.')
      expect(await talk.press(card, 'Confirm', at().driver.guest('Bob'))).toBe(
        'Only Fay, but not Ann can decide this.',
      )
      await at().rows.quiet()
      expect(await tickets(word)).toEqual([])
      expect(await talk.press(card, 'Confirm', fay)).toBe('Confirmed. I am doing it now.')
      await cardShows(talk, card.id, /Confirmed by Fay, \d\d:\d\d · Ticket T-\d+ created/)
      await answered(talk, `That was ${word}.`)
      expect(await tickets(word)).toHaveLength(1)
    })

    it('a card goes to the approvers’ room, and the thread is told for whom it waits and what came of it', async () => {
      const { word, title, talk, card } = await asked('room')
      expect(card.buttons).toEqual(['Edit', 'Cancel'])
      expect(card.text).toMatch(/waits for Fay · until /)
      const room = await at().driver.inRoom(fay)
      const there = await until('the card in the room', async () =>
        (await room.seen()).find((one) => one.isCard && one.text.includes(title)),
      )
      expect(there.buttons).toEqual(['Confirm', 'Edit', 'Cancel'])
      expect(there.text).toMatch(/Asked for by\W+Ann/)
      expect(await room.press(there, 'Confirm', at().driver.guest('Bob'))).toBe('Only Fay can decide this.')
      expect(await room.press(there, 'Confirm', fay)).toBe('Confirmed. I am doing it now.')
      const outcome = /Confirmed by Fay, \d\d:\d\d · Ticket T-\d+ created/
      expect((await cardShows(talk, card.id, outcome)).buttons).toEqual([])
      await until('the outcome in the room', async () =>
        (await room.seen()).some((one) => one.id === there.id && outcome.test(one.text)),
      )
      await answered(talk, `That was ${word}.`)
      await at().rows.quiet()
      expect(await tickets(word)).toHaveLength(1)
      expect((await room.seen()).filter((one) => one.text.includes(title))).toHaveLength(1)
    })

    it('what is allowed for good is done and told without a question, until it is revoked', async () => {
      const { word, title, ann, talk, card } = await asked('always')
      expect(card.buttons).toEqual(['Confirm', 'Edit', 'Cancel', 'Always allow here'])
      expect(await talk.press(card, 'Always allow here')).toContain('without asking')
      await answered(talk, `That was ${word}.`)
      expect(await at().driver.command(ann, 'approvals', talk)).toContain(`Create ticket (Title: ${title}`)
      const again = { calls: [{ name: 'create_ticket', arguments: { title, labels: ['always'] } }] }
      at().scripts.on(word, again, { text: `Done again: ${word}.` })
      await talk.say(`The same for ${word} again`)
      await answered(talk, `Done again: ${word}.`)
      await at().rows.quiet()
      expect(await tickets(word)).toHaveLength(2)
      const told = (await cards(talk)).find((one) =>
        one.text.includes('Done without asking, as Ann allowed here'),
      )!
      expect(told.text).toMatch(/Ticket T-\d+ created/)
      expect(told.buttons).toEqual(['Revoke'])
      expect(await talk.press(told, 'Revoke', fay)).toBe('There is nothing of yours to revoke here.')
      expect(await talk.press(told, 'Revoke')).toMatch(/^Revoked\. From now on I ask again: Create ticket/)
      at().scripts.on(word, again, { text: `Not done: ${word}.` })
      await talk.say(`And once more for ${word}`)
      const next = await until('a card that asks', async () =>
        (await cards(talk)).find((one) => one.buttons.includes('Confirm')),
      )
      await talk.press(next, 'Cancel')
      await answered(talk, `Not done: ${word}.`)
      expect(await tickets(word)).toHaveLength(2)
    })

    /** As a process leaves a call that was killed while it ran a tool which must not be repeated by itself. */
    const leaveRunning = (title: string) =>
      at().rows.query(
        `WITH sure AS (UPDATE approval SET status = 'confirmed', decided_at = now(), decided_by = person_id
           WHERE card->>'target' = $1 RETURNING call_id)
         UPDATE tool_call SET status = 'executing', idempotent = false, started_at = now() FROM sure
         WHERE tool_call.id = sure.call_id`,
        title,
      )
    const audited = async (title: string) => {
      const found = await at().rows.query<{ action: string; to: string | null; by: string }>(
        `SELECT e.action, e.data->>'to' AS to, p.display_name AS by FROM audit_event e LEFT JOIN person p ON p.id = e.person_id
         JOIN tool_call c ON c.id = e.subject_id WHERE c.arguments->>'title' = $1
           AND e.data->>'argumentsHash' = c.arguments_hash AND e.data->>'tool' = c.tool ORDER BY e.at, e.id`,
        title,
      )
      return found.map(({ action, to, by }) => [action, ...(to ? [to] : []), by].join(' '))
    }

    it('what nobody knows the outcome of is put to the person: looked after, done again, or taken as done', async () => {
      const { word, title, talk, card } = await asked('plain')
      await at().rows.quiet()
      await leaveRunning(title)
      const unknown = await cardShows(talk, card.id, /Not known: Hermes was interrupted while it ran/)
      expect(unknown.buttons).toEqual(['Check', 'Run again', 'It is done'])
      const told = `Ann, I do not know whether this was done: Create ticket: ${title}. Hermes was interrupted while it ran; it may have happened. Choose on its card: Check, Run again or It is done.`
      await answered(talk, told)
      expect(await talk.press(unknown, 'Run again', at().driver.guest('Bob'))).toBe(
        'Only Ann can decide this.',
      )
      expect(await talk.press(unknown, 'Check')).toBe('I am looking whether it was done.')
      const looked = await cardShows(talk, card.id, 'I looked: it was not done')
      expect(looked.buttons).toEqual(['Check', 'Run again', 'It is done'])
      expect(await tickets(word)).toEqual([])
      expect(await talk.press(looked, 'Run again')).toBe('Confirmed. I am doing it now.')
      const shown = await cardShows(talk, card.id, /Confirmed by Ann, \d\d:\d\d · Ticket T-\d+ created/)
      expect(shown.buttons).toEqual([])
      await answered(talk, `That was ${word}.`)
      expect(await tickets(word)).toHaveLength(1)
      expect((await answers(talk)).filter((one) => one.text.includes('I do not know'))).toHaveLength(1)
      expect(await audited(title)).toEqual([
        'call.unknown Ann',
        'call.resolved check Ann',
        'call.checked Ann',
        'call.resolved approved Ann',
        'call.succeeded Ann',
      ])

      const other = await asked('plain')
      await at().rows.quiet()
      await leaveRunning(other.title)
      const again = await cardShows(other.talk, other.card.id, /Not known/)
      await other.talk.press(again, 'It is done')
      await cardShows(other.talk, other.card.id, /Confirmed by Ann, \d\d:\d\d/)
      await answered(other.talk, `That was ${other.word}.`)
      await at().rows.quiet()
      expect(await tickets(other.word)).toEqual([])
      expect(await audited(other.title)).toEqual(['call.unknown Ann', 'call.resolved succeeded Ann'])
    })

    it('where another room decides, what nobody knows is told there, and in the thread to whoever asked', async () => {
      const { word, title, talk, card } = await asked('room')
      const room = await at().driver.inRoom(fay)
      await at().rows.quiet()
      await leaveRunning(title)
      const what = `I do not know whether this was done: Create ticket: ${title}. Hermes was interrupted while it ran; it may have happened.`
      const choices = 'Check, Run again or It is done'
      await answered(room, `Fay, ${what} Choose on its card: ${choices}.`)
      await answered(talk, `Ann, ${what} Fay can choose on its card: ${choices}.`)
      const there = await openCard(room, title)
      expect(there.buttons).toEqual(['Check', 'Run again', 'It is done'])
      expect((await cardShows(talk, card.id, /Not known/)).buttons).toEqual([])
      await room.press(there, 'It is done', fay)
      await answered(talk, `That was ${word}.`)
      for (const place of [room, talk])
        expect((await answers(place)).filter((one) => one.text.includes(what))).toHaveLength(1)
    })

    it('a card that nobody has decided is called to mind once before its end, where it stands', async () => {
      const [own, others] = [await asked('plain'), await asked('room')]
      await at().rows.quiet()
      const remind = () =>
        at().rows.query(`UPDATE approval SET remind_at = now() WHERE card->>'target' = ANY($1)`, [
          own.title,
          others.title,
        ])
      await remind()
      const words = (who: string, title: string) =>
        `Still waiting for ${who}: Create ticket: ${title}. It expires`
      await answered(own.talk, words('Ann', own.title))
      const room = await at().driver.inRoom(fay)
      const inRoom = async () =>
        (await room.seen()).filter((one) => one.text.includes(words('Fay', others.title)))
      await until('the reminder in the room', async () => (await inRoom()).length > 0)
      await remind()
      await at().rows.quiet()
      expect(await inRoom()).toHaveLength(1)
      expect((await answers(own.talk)).map((one) => one.text)).toHaveLength(1)
      expect(await answers(others.talk)).toEqual([])
      for (const { talk, card, word } of [own, others]) {
        await talk.press(card, 'Cancel')
        await answered(talk, `That was ${word}.`)
      }
    })

    // The web chat has no rooms to look up.
    it.runIf(place.crowd)(
      'a card whose room can no longer be looked up is called to mind in its thread, once',
      async () => {
        const { word, title, talk, card } = await asked('room')
        await at().rows.quiet()
        await at().rows.query(
          `UPDATE approval SET place = jsonb_set(place, '{room}', '"@nobody"'), remind_at = now() WHERE card->>'target' = $1`,
          title,
        )
        const words = `Still waiting for Fay: Create ticket: ${title}. It expires`
        await answered(talk, words)
        await at().rows.quiet()
        expect((await answers(talk)).filter((one) => one.text.includes(words))).toHaveLength(1)
        await talk.press(card, 'Cancel')
        await answered(talk, `That was ${word}.`)
      },
    )

    it('a card of a tool that has changed is answered with a new one', async () => {
      const { word, title, talk, card } = await asked('plain')
      await at().rows.quiet()
      // As if a release with another definition had shown it.
      await at().rows.query(
        `WITH old AS (UPDATE approval SET definition_hash = 'of-before' WHERE card->>'target' = $1 RETURNING call_id)
         UPDATE tool_call SET definition_hash = 'of-before' FROM old WHERE tool_call.id = old.call_id`,
        title,
      )
      expect(await talk.press(card, 'Confirm')).toMatch(/^The tool has changed since this card was shown\./)
      expect((await cardShows(talk, card.id, 'Changed: see the new card below')).buttons).toEqual([])
      const next = await until('the new card', async () =>
        (await cards(talk)).find((one) => one.id !== card.id && one.buttons.includes('Confirm')),
      )
      expect(await tickets(word)).toEqual([])
      expect(await talk.press(next, 'Confirm')).toBe('Confirmed. I am doing it now.')
      await answered(talk, `That was ${word}.`)
      await at().rows.quiet()
      expect(await tickets(word)).toHaveLength(1)
      expect((await answers(talk)).at(-1)?.text).toBe(`That was ${word}.`)
    })
  })
}
