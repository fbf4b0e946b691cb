import { describe, expect, it } from 'vitest'
import type { Guest, Seen, Talk } from './channel.ts'
import { answered, answers, cardShows, cards, openCard, type Place, type Stage } from './stage.ts'
import { until } from './waiting.ts'

interface Ticket {
  readonly title: string
  readonly priority: string
  readonly body: string
  readonly assignee: string | null
}

/** How people decide about what Hermes wants to change, whatever the platform. */
export function deciding(place: Place, at: () => Stage): void {
  const tickets = (word: string) =>
    at().rows.query<Ticket>(
      'SELECT title, priority, body, assignee FROM ticket WHERE title LIKE $1 ORDER BY number',
      `%${word}%`,
    )

  /** Ann asks for a ticket; the card waits for her. */
  async function proposed(
    more: Readonly<Record<string, unknown>> = {},
    begin: (by: Guest, text: string) => Promise<Talk> = at().driver.shared,
  ): Promise<{ word: string; ann: Guest; talk: Talk; card: Seen }> {
    const { driver, scripts } = at()
    const word = scripts.word()
    const ann = driver.guest('Ann')
    const title = `The ${word} printer is broken`
    scripts.on(
      word,
      {
        text: 'I prepared it.',
        calls: [{ name: 'create_ticket', arguments: { title, priority: 'high', ...more } }],
      },
      { text: `That was ${word}.` },
    )
    const talk = await begin(ann, `Please make a ticket about ${word}`)
    return { word, ann, talk, card: await openCard(talk, title) }
  }

  describe('deciding', () => {
    it.each(place.beginnings)(
      '%s: nothing happens before Confirm, then once, and the answer is a new message',
      async (how) => {
        const description = 'It says *PC LOAD <LETTER>* & `beeps`;\nsince Monday. 三楼的打印机'
        const { word, talk, card } = await proposed(
          { description, assignee: 'ops-team' },
          at().driver.beginnings[how]!,
        )
        for (const piece of [
          'Create ticket',
          `The ${word} printer is broken`,
          'Priority',
          'high',
          'Assignee',
          'ops-team',
          'It says *PC LOAD <LETTER>* & `beeps`;',
          'since Monday. 三楼的打印机',
          'A new ticket will be visible to everyone in the workspace.',
        ]) {
          expect(card.text).toContain(piece)
        }
        expect(card.text).toMatch(/waits for Ann · until (?:tomorrow )?\d\d:\d\d/)
        expect(card.buttons).toEqual(['Confirm', 'Edit', 'Cancel'])
        await at().rows.quiet()
        expect(await tickets(word)).toEqual([])
        const before = await answers(talk)

        expect(await talk.press(card, 'Confirm')).toBe('Confirmed. I am doing it now.')
        const shown = await cardShows(talk, card.id, /Confirmed by Ann, \d\d:\d\d · Ticket T-\d+ created/)
        expect(shown.buttons).toEqual([])
        await answered(talk, `That was ${word}.`)
        await at().rows.quiet()
        const seen = await talk.seen()
        expect(seen.map((one) => one.isCard)).toEqual([false, true, false])
        expect(seen[0]).toMatchObject({ id: before[0]!.id, text: 'I prepared it.' })
        expect(await tickets(word)).toEqual([
          {
            title: `The ${word} printer is broken`,
            priority: 'high',
            body: description,
            assignee: 'ops-team',
          },
        ])
        expect(talk.elsewhere()).toEqual([])
      },
    )

    it('Cancel changes nothing, and the model knows', async () => {
      const { word, talk, card } = await proposed()
      expect(await talk.press(card, 'Cancel')).toBe('Cancelled. Nothing was changed.')
      expect((await cardShows(talk, card.id, /Cancelled by Ann, \d\d:\d\d/)).buttons).toEqual([])
      await answered(talk, `That was ${word}.`)
      await at().rows.quiet()
      expect(await tickets(word)).toEqual([])
      expect(JSON.stringify(at().scripts.requests(word).at(-1)!.messages)).toContain(
        'Cancelled by the person',
      )
    })

    it('Edit opens a form, says what is wrong in it, and what is confirmed is what the card then shows', async () => {
      const { word, talk, card } = await proposed()
      const form = await talk.openForm(card, ['Title', 'Priority'])
      expect(form.fields).toMatchObject({ Title: `The ${word} printer is broken`, Priority: 'High' })
      const refused = await form.submit({ Title: 'x' })
      if (typeof refused === 'string') throw new Error(`Taken: ${refused}`)
      expect(refused.complaint).toMatch(/Title.*3/s)
      expect(refused.fields.Title).toBe('x')
      expect((await cards(talk))[0]!.text).toContain(`The ${word} printer is broken`)

      const told = await refused.submit({ Title: `The ${word} copier is broken`, Priority: 'Urgent' })
      expect(told).toBe('Changed. Check the card and confirm it.')
      const changed = await cardShows(talk, card.id, `The ${word} copier is broken`)
      expect(changed.text).toContain('urgent')
      expect(changed.buttons).toEqual(['Confirm', 'Edit', 'Cancel'])
      expect(await tickets(word)).toEqual([])
      await talk.redeliver()
      await talk.press(changed, 'Confirm')
      await answered(talk, `That was ${word}.`)
      await at().rows.quiet()
      expect(await tickets(word)).toMatchObject([
        { title: `The ${word} copier is broken`, priority: 'urgent' },
      ])
    })

    it('only the person who asked decides; others are told so alone, and nothing changes', async () => {
      const { word, ann, talk, card } = await proposed()
      const bob = at().driver.guest('Bob')
      for (const label of ['Confirm', 'Cancel', 'Edit']) {
        expect([label, await talk.press(card, label, bob)]).toEqual([label, 'Only Ann can decide this.'])
      }
      expect(talk.toldTo(ann)).toEqual([])
      await at().rows.quiet()
      expect((await cards(talk))[0]).toMatchObject({ text: card.text, buttons: card.buttons })
      expect(await tickets(word)).toEqual([])
      await talk.press(card, 'Confirm')
      await answered(talk, `That was ${word}.`)
      expect(await tickets(word)).toHaveLength(1)
    })

    it('a second click is told when it was decided, and a click told twice by the platform is answered once', async () => {
      const { word, ann, talk, card } = await proposed()
      await talk.press(card, 'Confirm')
      await answered(talk, `That was ${word}.`)
      await talk.redeliver()
      await at().rows.quiet()
      expect(talk.toldTo(ann)).toEqual(['Confirmed. I am doing it now.'])
      expect(await talk.press(card, 'Confirm')).toMatch(/^Already confirmed by Ann at \d\d:\d\d\.$/)
      expect(await talk.press(card, 'Cancel')).toMatch(/^Already confirmed by Ann at \d\d:\d\d\.$/)
      expect(await talk.press(card, 'Edit')).toMatch(/^Already confirmed by Ann at \d\d:\d\d\.$/)
      await at().rows.quiet()
      expect(await tickets(word)).toHaveLength(1)
      expect(await answers(talk)).toHaveLength(2)
    })

    it('a click after the time is over is told so, and the card says it', async () => {
      const { word, talk, card } = await proposed()
      await at().rows.query(
        `UPDATE approval SET expires_at = now() - interval '1 second' WHERE card->>'target' LIKE $1`,
        `%${word}%`,
      )
      expect(await talk.press(card, 'Confirm')).toBe(
        'This has expired. Ask again and I will make a new card.',
      )
      expect((await cardShows(talk, card.id, 'Expired')).buttons).toEqual([])
      await answered(talk, `That was ${word}.`)
      expect(await tickets(word)).toEqual([])
    })

    it('forged buttons decide nothing', async () => {
      const { word, talk, card } = await proposed()
      const [mine] = await at().rows.query<{ id: string }>(
        `SELECT id FROM approval WHERE card->>'target' LIKE $1`,
        `%${word}%`,
      )
      const other = await proposed()
      const bob = at().driver.guest('Bob')
      for (const value of [`apr_${'0'.repeat(32)}`, "' OR 1=1 --", 'apr_']) {
        expect(await talk.forge(card, 'Confirm', value)).toMatch(/^I do not know this card/)
      }
      expect(await other.talk.forge(other.card, 'Confirm', mine!.id, bob)).toBe('Only Ann can decide this.')
      await at().rows.quiet()
      expect(await tickets(word)).toEqual([])
      expect(await tickets(other.word)).toEqual([])
    })

    it('a click counts after Hermes was started again', async () => {
      const { word, talk, card } = await proposed()
      await at().rows.quiet()
      await at().restart()
      expect(await talk.press(card, 'Confirm')).toBe('Confirmed. I am doing it now.')
      await cardShows(talk, card.id, /Confirmed by Ann, .* · Ticket T-\d+ created/)
      await answered(talk, `That was ${word}.`)
      await at().rows.quiet()
      expect(await tickets(word)).toHaveLength(1)
      expect((await talk.seen()).map((one) => one.isCard)).toEqual([false, true, false])
    })

    it('two cards of one step are decided in any order, with a message answered in between', async () => {
      const { driver, scripts, rows } = at()
      const word = scripts.word()
      const create = (title: string) => ({ name: 'create_ticket', arguments: { title } })
      scripts.on(
        word,
        { calls: [create(`First ${word}`), create(`Second ${word}`)] },
        { text: 'It is noon.' },
        { text: 'Both are dealt with.' },
      )
      const talk = await driver.shared(driver.guest('Ann'), `Two tickets about ${word}, please`)
      const [first, second] = [await openCard(talk, `First ${word}`), await openCard(talk, `Second ${word}`)]
      expect(first.buttons).toEqual(['Confirm', 'Edit', 'Cancel', 'Confirm all'])
      await talk.say('What time is it?')
      await answered(talk, 'It is noon.')
      await talk.press(second, 'Confirm')
      await cardShows(talk, second.id, /Ticket T-\d+ created/)
      await talk.press(first, 'Cancel')
      await answered(talk, 'Both are dealt with.')
      await rows.quiet()
      expect(await tickets(word)).toMatchObject([{ title: `Second ${word}` }])
      const seen = await talk.seen()
      expect(seen.map((one) => (one.isCard ? 'card' : one.text))).toEqual([
        'card',
        'card',
        'It is noon.',
        'Both are dealt with.',
      ])
    })

    it('cards of two turns are decided newest first, each with its own answer', async () => {
      const { driver, scripts, rows } = at()
      const [word, later] = [scripts.word(), scripts.word()]
      const create = (title: string) => ({ calls: [{ name: 'create_ticket', arguments: { title } }] })
      scripts.on(word, create(`Old ${word}`), { text: 'Nice weather.' })
      scripts.on(later, create(`New ${word}`), { text: 'The new one.' }, { text: 'The old one.' })
      const talk = await driver.shared(driver.guest('Ann'), `A ticket about ${word}, please`)
      const old = await openCard(talk, `Old ${word}`)
      await talk.say('How is the weather?')
      await answered(talk, 'Nice weather.')
      await talk.say(`Another ticket, ${later}`)
      const fresh = await openCard(talk, `New ${word}`)
      await talk.press(fresh, 'Confirm')
      await answered(talk, 'The new one.')
      await talk.press(old, 'Confirm')
      await answered(talk, 'The old one.')
      await rows.quiet()
      expect((await tickets(word)).map((ticket) => ticket.title)).toEqual([`New ${word}`, `Old ${word}`])
      for (const card of [old, fresh]) await cardShows(talk, card.id, /Ticket T-\d+ created/)
    })

    if (place.crowd)
      it('a card ends as it is, though the answer to the click is shown later than the outcome', async () => {
        const { word, talk, card } = await proposed()
        at().driver.crowd!.slowClick(1_000)
        await talk.press(card, 'Confirm')
        await answered(talk, `That was ${word}.`)
        await at().rows.quiet()
        const shown = await cardShows(talk, card.id, /Confirmed by Ann, \d\d:\d\d · Ticket T-\d+ created/)
        expect(shown.buttons).toEqual([])
      })

    it('Confirm all does all of them', async () => {
      const { driver, scripts, rows } = at()
      const word = scripts.word()
      const create = (title: string) => ({ name: 'create_ticket', arguments: { title } })
      scripts.on(
        word,
        { calls: [create(`First ${word}`), create(`Second ${word}`)] },
        { text: 'All of them.' },
      )
      const talk = await driver.shared(driver.guest('Ann'), `Two tickets about ${word}, please`)
      const card = await openCard(talk, `First ${word}`)
      const second = await openCard(talk, `Second ${word}`)
      await until('both cards', async () => (await cards(talk)).length === 2)
      await talk.press(card, 'Confirm all')
      await answered(talk, 'All of them.')
      await rows.quiet()
      expect(await tickets(word)).toHaveLength(2)
      for (const { id } of [card, second]) await cardShows(talk, id, /Ticket T-\d+ created/)
    })

    it('removing the question withdraws the card', async () => {
      const { word, talk, card } = await proposed()
      await at().rows.quiet()
      await talk.remove(talk.first)
      expect((await cardShows(talk, card.id, 'Withdrawn')).buttons).toEqual([])
      expect(await talk.press(card, 'Confirm')).toBe('This card has changed. Decide on the newest one.')
      await at().rows.quiet()
      expect(await tickets(word)).toEqual([])
    })
  })
}
