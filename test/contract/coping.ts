import { describe, expect, it } from 'vitest'
import { answered, answers, cardShows, openCard, type Place, type Stage } from './stage.ts'
import { until } from './waiting.ts'

const slowly = { chunkSize: 10, delayMs: 50 }
const long = `${Array.from({ length: 12 }, (_, n) => `Sentence ${n + 1} of the long answer.`).join(' ')} The end.`

/** How Hermes copes with trouble and with people who do not wait, whatever the platform. */
export function coping(place: Place, at: () => Stage): void {
  describe('coping', () => {
    it('says plainly that the model is down, and goes on with the next message', async () => {
      const { driver, scripts, rows } = at()
      const word = scripts.word()
      scripts.on(word, { error: { status: 503, message: 'secret internals' } }, { text: 'Here I am.' })
      const talk = await driver.shared(driver.guest('Ann'), `Hello ${word}`)
      const { text } = await answered(talk, /does not answer right now/)
      expect(text).toBe(
        'The language model does not answer right now. Your message is kept; write again in a while and I will take it up.',
      )
      await talk.say('And now?')
      await answered(talk, 'Here I am.')
      await rows.quiet()
      expect(await answers(talk)).toHaveLength(2)
    })

    it('shows no answer that claims what was not done, and nothing of it above the card that asks for it', async () => {
      const { driver, scripts, rows } = at()
      const word = scripts.word()
      scripts.on(
        word,
        {
          text: 'I have created the ticket, and somebody will look after it. Is there anything else?',
          ...slowly,
        },
        {
          text: 'I have created the ticket, and somebody will look after it soon.',
          calls: [{ name: 'create_ticket', arguments: { title: `The ${word} lamp` } }],
          ...slowly,
        },
        { text: 'The ticket is made.' },
      )
      const talk = await driver.shared(driver.guest('Ann'), `Make a ticket about the ${word} lamp`)
      const card = await openCard(talk, `The ${word} lamp`)
      await rows.quiet()
      expect(await answers(talk)).toEqual([])
      await talk.press(card, 'Confirm')
      await answered(talk, 'The ticket is made.')
      await rows.quiet()
      expect((await answers(talk)).map((one) => one.text)).toEqual(['The ticket is made.'])
    })

    it('starts anew with both messages when the person says more meanwhile: one whole answer is seen', async () => {
      const { driver, scripts, rows, model } = at()
      const word = scripts.word()
      scripts.on(word, { text: long, ...slowly }, { text: 'The short answer to both.' })
      const talk = await driver.shared(driver.guest('Ann'), `Tell me about ${word}`)
      await answered(talk, 'Sentence 1')
      await talk.say('In short, please')
      await answered(talk, 'The short answer to both.')
      await rows.quiet()
      expect((await answers(talk)).map((one) => one.text)).toEqual(['The short answer to both.'])
      expect(scripts.requests(word)).toHaveLength(2)
      const said = JSON.stringify(scripts.requests(word)[1]!.messages)
      expect(said).toContain(`Tell me about ${word}`)
      expect(said).toContain('In short, please')
      expect(said).not.toContain('Sentence 1')
      const first = model.requests.find(({ body }) => body === scripts.requests(word)[0])
      expect(first?.aborted).toBe(true)
    })

    it('lets another person wait for the running answer, and then answers them', async () => {
      const { driver, scripts, rows } = at()
      const word = scripts.word()
      scripts.on(word, { text: long, ...slowly }, { text: 'And this is for you.' })
      const talk = await driver.shared(driver.guest('Ann'), `Tell me about ${word}`)
      await until('the model to be asked', () => scripts.requests(word).length === 1)
      await talk.say('What about me?', driver.guest('Bob'))
      await answered(talk, 'And this is for you.')
      await rows.quiet()
      expect((await answers(talk)).map((one) => one.text)).toEqual([long, 'And this is for you.'])
    })

    it('stops at a word, and withdraws what waits', async () => {
      const { driver, scripts, rows } = at()
      const word = scripts.word()
      const title = `The ${word} lamp is broken`
      scripts.on(
        word,
        { text: long, ...slowly },
        { calls: [{ name: 'create_ticket', arguments: { title } }] },
      )
      const talk = await driver.shared(driver.guest('Ann'), `Tell me about ${word}`)
      await until('the model to be asked', () => scripts.requests(word).length === 1)
      await talk.say('stop')
      await answered(talk, 'Stopped.')
      expect((await answers(talk)).map((one) => one.text)).toEqual(['Stopped.'])

      await talk.say('A ticket about the lamp, please')
      const card = await openCard(talk, title)
      await rows.quiet()
      await talk.say('算了')
      await answered(talk, /withdrawn|撤回/)
      await rows.quiet()
      const seen = (await talk.seen()).find((one) => one.id === card.id)
      expect(seen?.text).toContain('Withdrawn')
      expect(seen?.buttons).toEqual([])
    })

    it('stops where the platform has a stop button of its own, and goes on with the next message', async ({
      skip,
    }) => {
      const { driver, scripts, rows } = at()
      if (!driver.stopWriting) return skip()
      const word = scripts.word()
      scripts.on(word, { text: long, ...slowly, delayMs: 150 }, { text: 'Here I am again.' })
      const talk = await driver.shared(driver.guest('Ann'), `Tell me about ${word}`)
      await answered(talk, 'Sentence 1')
      await driver.stopWriting(talk)
      await answered(talk, 'Stopped.')
      await rows.quiet()
      expect((await answers(talk)).map((one) => one.text)).toEqual(['Stopped.'])
      await talk.say('Are you there?')
      await answered(talk, 'Here I am again.')
    })

    it.each(['after', 'before'] as const)(
      'looks after a write of another system that broke off %s its work, as the settings say',
      async (dies) => {
        const { driver, scripts, reserved, rows } = at()
        const word = scripts.word()
        const call = { name: 'mcp__office__reserve_room', arguments: { room: word, dies } }
        scripts.on(word, { calls: [call] }, { text: 'That was it.' })
        const talk = await driver.shared(driver.guest('Ann'), `Please reserve the room ${word}`)
        const card = await openCard(talk, word)
        await talk.press(card, 'Confirm')
        const unknown = await cardShows(talk, card.id, /Not known: /)
        expect(unknown.buttons).toEqual(['Check', 'Run again', 'It is done'])
        await answered(
          talk,
          /^Ann, I do not know whether this was done: .* Choose on its card: Check, Run again or /,
        )
        expect(await talk.press(unknown, 'Check', driver.guest('Bob'))).toBe('Only Ann can decide this.')
        expect(await talk.press(unknown, 'Check')).toBe('I am looking whether it was done.')
        if (dies === 'before') {
          const found = await cardShows(talk, card.id, 'I looked: it was not done')
          expect(found.buttons).toEqual(['Check', 'Run again', 'It is done'])
          await talk.press(found, 'Run again')
          await cardShows(talk, card.id, /done in office/)
        } else expect((await cardShows(talk, card.id, 'I looked: it was done.')).buttons).toEqual([])
        await answered(talk, 'That was it.')
        await rows.quiet()
        expect(reserved(word)).toBe(1)
      },
    )

    it('gives help and memories by command, to the person alone', async () => {
      const { driver } = at()
      const ann = driver.guest(`Ann ${driver.channel}`)
      const help = await driver.command(ann, 'help')
      expect(help).toContain('Nothing is changed anywhere without your Confirm.')
      expect(help).toContain('/hermes memory')
      expect(await driver.command(ann, 'memory')).toContain('I remember nothing of you yet.')
      expect(await driver.command(ann, 'approvals')).toContain('Nothing waits for your decision.')
    })
  })

  if (!place.crowd) return
  describe('coping with the platform', () => {
    it.each(['rate-limited', 'server-error'] as const)(
      'brings an answer and a card through once when it is %s',
      async (kind) => {
        const { driver, scripts, rows } = at()
        const word = scripts.word()
        const title = `The ${word} door is stuck`
        scripts.on(
          word,
          { text: long, ...slowly, calls: [{ name: 'create_ticket', arguments: { title } }] },
          { text: 'That was it.' },
        )
        driver.crowd!.trouble(kind)
        const talk = await driver.shared(driver.guest('Ann'), `A ticket about ${word}`)
        const card = await openCard(talk, title)
        driver.crowd!.trouble(kind)
        await talk.press(card, 'Confirm')
        await answered(talk, 'That was it.')
        await rows.quiet()
        const seen = await talk.seen()
        expect(seen.map((one) => (one.isCard ? 'card' : one.text))).toEqual([long, 'card', 'That was it.'])
        const made = await rows.query('SELECT 1 FROM ticket WHERE title = $1', title)
        expect(made).toHaveLength(1)
      },
    )
  })
}
