import { beforeAll, describe, expect, it } from 'vitest'
import type { Guest, Seen, Talk } from './channel.ts'
import { answered, answers, cardShows, cards, openCard, type Place, type Stage } from './stage.ts'
import { until } from './waiting.ts'

/** How people are asked for what a request leaves open, whatever the platform. */
export function asking(place: Place, at: () => Stage): void {
  const tickets = (word: string) =>
    at().rows.query('SELECT title, priority, assignee FROM ticket WHERE title LIKE $1', `%${word}%`)

  /** Ann wants a ticket and does not say for what: the model calls all the same, and asks. */
  async function asked(): Promise<{ word: string; ann: Guest; talk: Talk; card: Seen }> {
    const { driver, scripts } = at()
    const word = scripts.word()
    const ann = driver.guest('Ann')
    scripts.on(
      word,
      { calls: [{ name: 'create_ticket', arguments: { priority: 'high', assignee: `team-${word}` } }] },
      { text: `What is it about, ${word}?` },
    )
    const talk = await driver.shared(ann, `A ticket for team ${word}, please`)
    await answered(talk, `What is it about, ${word}?`)
    return { word, ann, talk, card: await openCard(talk, 'Create ticket') }
  }

  /** Ann wants to tell somebody whose name several have. */
  async function unclear(name: string): Promise<{ word: string; talk: Talk; card: Seen }> {
    const { driver, scripts } = at()
    const word = scripts.word()
    scripts.on(
      word,
      { calls: [{ name: 'send_message', arguments: { to: name, text: `It is about ${word}` } }] },
      { text: `Whom do you mean, ${word}?` },
      { text: `That was ${word}.` },
    )
    const talk = await driver.shared(driver.guest('Ann'), `Tell ${name} about ${word}`)
    return { word, talk, card: await openCard(talk, 'Send message') }
  }

  describe('asking', () => {
    let two: readonly Guest[]
    let five: readonly Guest[]
    beforeAll(async () => {
      const { driver, scripts } = at()
      two = ['Quan Min', 'Quan Wei'].map((name) => driver.guest(name))
      five = ['Ada', 'Bea', 'Cem', 'Dov', 'Eli'].map((name) => driver.guest(`Oduya ${name}`))
      if (driver.channel !== 'web') return
      // The web chat knows whoever has written.
      for (const person of [...two, ...five]) {
        const word = scripts.word()
        scripts.on(word, { text: 'Welcome.' })
        await answered(await driver.shared(person, `Hello, ${word}`), 'Welcome.')
      }
    })

    it('a form asks for what is missing, and what was sent is confirmed and done exactly', async () => {
      const { word, ann, talk, card } = await asked()
      for (const piece of [
        'Priority',
        'high',
        'Assignee',
        `team-${word}`,
        'Still needed: Title.',
        'waits for Ann',
      ])
        expect(card.text).toContain(piece)
      expect(card.buttons).toEqual(['Fill in'])
      expect(await talk.press(card, 'Fill in', at().driver.guest('Bob'))).toBe('Only Ann can answer this.')
      expect(talk.toldTo(ann)).toEqual([])

      const form = await talk.openForm(card, ['Title', 'Priority'], 'Fill in')
      expect(Object.keys(form.fields)[0]).toBe('Title')
      expect(form.fields).toMatchObject({ Title: '', Priority: 'High' })
      const refused = await form.submit({ Title: 'x' })
      if (typeof refused === 'string') throw new Error(`Taken: ${refused}`)
      expect(refused.complaint).toMatch(/Title.*3/s)
      await at().rows.quiet()
      expect((await cards(talk))[0]).toMatchObject({ text: card.text, buttons: card.buttons })

      const title = `The *${word}* lamp & "its" <switch>`
      at().scripts.on(word, { text: `That was ${word}.` })
      expect(await refused.submit({ Title: title, Priority: 'Urgent' })).toBe(
        'Thank you. I am going on with it.',
      )
      const shown = await cardShows(talk, card.id, 'Answered by Ann')
      expect(shown.buttons).toEqual([])
      expect(shown.text).toContain(title)
      const confirmation = await openCard(talk, 'A new ticket will be visible')
      for (const piece of [title, 'urgent', `team-${word}`]) expect(confirmation.text).toContain(piece)
      expect(confirmation.buttons).toEqual(['Confirm', 'Edit', 'Cancel'])
      await at().rows.quiet()
      expect(await tickets(word)).toEqual([])

      expect(await talk.press(card, 'Fill in')).toBe('Already answered.')
      expect(await talk.press(confirmation, 'Confirm')).toBe('Confirmed. I am doing it now.')
      await answered(talk, `That was ${word}.`)
      await at().rows.quiet()
      expect(await tickets(word)).toEqual([{ title, priority: 'urgent', assignee: `team-${word}` }])
      const seen = await talk.seen()
      expect(seen.map((one) => one.isCard)).toEqual([false, true, true, false])
      // The model is told exactly what the person gave.
      const calls = at()
        .scripts.requests(word)
        .at(-1)!
        .messages.flatMap((message) => message.tool_calls ?? [])
      expect(JSON.parse(calls.at(-1)!.function.arguments)).toEqual({
        title,
        priority: 'urgent',
        assignee: `team-${word}`,
      })
    })

    it('a typed answer works as well, and the card says so', async () => {
      const { word, talk, card } = await asked()
      at().scripts.on(word, {
        calls: [
          {
            name: 'create_ticket',
            arguments: { priority: 'high', assignee: `team-${word}`, title: `The ${word} door squeaks` },
          },
        ],
      })
      await talk.say('The door squeaks')
      const confirmation = await openCard(talk, `The ${word} door squeaks`)
      expect((await cardShows(talk, card.id, 'Answered by Ann')).buttons).toEqual([])
      expect(await talk.press(card, 'Fill in')).toBe('Already answered.')
      at().scripts.on(word, { text: `That was ${word}.` })
      await talk.press(confirmation, 'Confirm')
      await answered(talk, `That was ${word}.`)
      await at().rows.quiet()
      expect(await tickets(word)).toHaveLength(1)
    })

    it('a few possibilities are buttons, and pressing one twice or twice told answers once', async () => {
      const { word, talk, card } = await unclear('Quan')
      const [min, wei] = two as [Guest, Guest]
      expect(card.text).toContain('To: several fit "Quan". Which one?')
      expect([...card.buttons].sort()).toEqual([min.name, wei.name])
      expect(await talk.press(card, min.name, wei)).toBe('Only Ann can answer this.')
      expect(await talk.press(card, min.name)).toBe('Thank you. I am going on with it.')
      const confirmation = await openCard(talk, 'in your name')
      expect(confirmation.text).toContain(min.name)
      await cardShows(talk, card.id, 'Answered by Ann')
      expect(await talk.press(card, wei.name)).toBe('Already answered.')
      await talk.press(confirmation, 'Confirm')
      await answered(talk, `That was ${word}.`)
      await talk.redeliver()
      await at().rows.quiet()
      const received = async (person: Guest) =>
        at().driver.channel === 'web' && person === wei ? [] : at().driver.received(person)
      await until('the message', async () =>
        (await received(min)).some((text) => text.includes(`It is about ${word}`)),
      )
      expect((await received(wei)).join()).not.toContain(`It is about ${word}`)
    })

    it('more of them are a list', async () => {
      const { word, talk, card } = await unclear('Oduya')
      expect(card.buttons).toEqual([])
      expect([...card.options].sort()).toEqual(five.map((one) => one.name))
      expect(await talk.choose(card, five[3]!.name)).toBe('Thank you. I am going on with it.')
      const confirmation = await openCard(talk, 'in your name')
      expect(confirmation.text).toContain(five[3]!.name)
      await talk.press(confirmation, 'Cancel')
      await answered(talk, `That was ${word}.`)
    })

    it('is closed by "never mind", by another request, by removing the message and by its time', async () => {
      const closed = async (talk: Talk, card: Seen) => {
        expect((await cardShows(talk, card.id, 'No longer asked')).buttons).toEqual([])
        expect(await talk.press(card, 'Fill in')).toBe('No longer asked.')
      }
      const [stopped, turned, removed, late] = await Promise.all([asked(), asked(), asked(), asked()])
      await at().rows.quiet()

      await stopped.talk.say('never mind')
      await answered(stopped.talk, 'Stopped.')
      await closed(stopped.talk, stopped.card)

      at().scripts.on(turned.word, { text: 'Nice weather.' })
      await turned.talk.say('How is the weather?')
      await answered(turned.talk, 'Nice weather.')
      await at().rows.quiet()
      expect((await cards(turned.talk))[0]!.buttons).toEqual(['Fill in'])
      at().scripts.on(
        turned.word,
        { calls: [{ name: 'list_tickets', arguments: {} }] },
        { text: 'Those are all.' },
      )
      await turned.talk.say('Which tickets are there?')
      await answered(turned.talk, 'Those are all.')
      await closed(turned.talk, turned.card)

      await removed.talk.remove(removed.talk.first)
      await closed(removed.talk, removed.card)

      await at().rows.query(
        `UPDATE tool_call SET question = question || jsonb_build_object('expiresAt', now() - interval '1 second')
         WHERE question_status = 'open' AND arguments->>'assignee' = $1`,
        `team-${late.word}`,
      )
      await closed(late.talk, late.card)
      for (const { word } of [stopped, turned, removed, late]) expect(await tickets(word)).toEqual([])
    })

    if (place.only === undefined)
      it('a click counts after Hermes was started again', async () => {
        const { word, talk, card } = await asked()
        await at().rows.quiet()
        await at().restart()
        const form = await talk.openForm(card, ['Title'], 'Fill in')
        at().scripts.on(word, { text: `That was ${word}.` })
        expect(await form.submit({ Title: `The ${word} chair wobbles` })).toBe(
          'Thank you. I am going on with it.',
        )
        await cardShows(talk, card.id, 'Answered by Ann')
        await talk.press(await openCard(talk, 'A new ticket will be visible'), 'Confirm')
        await answered(talk, `That was ${word}.`)
        expect(await tickets(word)).toHaveLength(1)
        expect(await answers(talk)).toHaveLength(2)
      })
  })
}
