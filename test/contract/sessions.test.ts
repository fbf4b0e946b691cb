import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ChatBody } from '../support/model.ts'
import type { Guest, Talk } from './channel.ts'
import { answered } from './stage.ts'
import { openTown, type Town } from './town.ts'

const phrases = ['Velvet Anvil', 'Copper Lantern', 'Quiet Meridian'] as const

/** Answers with every phrase that the request gives away. */
const tellAll = (body: ChatBody) => {
  const whole = JSON.stringify(body)
  return { text: `I know: ${phrases.filter((phrase) => whole.includes(phrase)).join(', ') || 'nothing'}.` }
}

describe('Hermes on all channels at once', { timeout: 90_000 }, () => {
  let town: Town
  beforeAll(async () => {
    town = await openTown()
  }, 120_000)
  afterAll(() => town.stop(), 60_000)

  it('tells nobody what another person said, neither on screen nor to the model', async () => {
    const people = [
      { channel: 'slack', name: 'Ann', way: 'a direct message', phrase: phrases[0] },
      { channel: 'discord', name: 'Bea', way: 'a direct message', phrase: phrases[1] },
      { channel: 'web', name: 'Cid', way: 'a new thread', phrase: phrases[2] },
    ] as const
    const words = people.map(() => town.scripts.word())
    const guests: Guest[] = people.map(({ channel, name }) => town[channel].guest(name))

    // All at once: each has something remembered, then asks for it.
    const talks: Talk[] = await Promise.all(
      people.map(({ channel, way, phrase }, index) => {
        const text = `my project is called ${phrase}`
        town.scripts.on(
          words[index]!,
          { calls: [{ name: 'remember', arguments: { text: `Their project is called ${phrase}` } }] },
          { text: 'I will keep that in mind.' },
          tellAll,
        )
        return town[channel].beginnings[way]!(guests[index]!, `Remember that ${text}, ${words[index]}`)
      }),
    )
    await Promise.all(talks.map((talk) => answered(talk, 'I will keep that in mind.')))
    await Promise.all(talks.map((talk) => talk.say('What is my project called?')))
    await Promise.all(talks.map((talk, index) => answered(talk, `I know: ${people[index]!.phrase}.`)))

    // Elsewhere: a thread of one's own knows what was remembered, one that others read does not.
    const elsewhere = await Promise.all(
      people.map(({ channel }, index) => {
        const word = town.scripts.word()
        town.scripts.on(word, tellAll)
        return town[channel].shared(guests[index]!, `What is my project called, ${word}?`)
      }),
    )
    await answered(elsewhere[0]!, 'I know: nothing.')
    await answered(elsewhere[1]!, 'I know: nothing.')
    await answered(elsewhere[2]!, `I know: ${phrases[2]}.`)

    // Strangers know nothing, each on the same platform.
    const strangers = await Promise.all(
      people.map(({ channel, way }) => {
        const word = town.scripts.word()
        town.scripts.on(word, tellAll)
        return town[channel].beginnings[way]!(town[channel].guest('Dan'), `And what is it called, ${word}?`)
      }),
    )
    await Promise.all(strangers.map((talk) => answered(talk, 'I know: nothing.')))
    await town.rows.quiet()

    // Every request, those that learn from turns included, is of one person alone.
    const requests = town.model.requests.map(({ body }) => JSON.stringify(body.messages))
    for (const request of requests) {
      const found = [...phrases, 'Ann', 'Bea', 'Cid', 'Dan'].filter((each) => request.includes(each))
      const owner = people.find(({ name }) => found.includes(name))
      const foreign = found.filter((each) => each !== owner?.name && each !== owner?.phrase)
      expect(owner ? foreign : found.filter((each) => each !== 'Dan')).toEqual([])
    }
    expect(requests.length).toBeGreaterThanOrEqual(15)
    for (const [index, talk] of [...talks, ...elsewhere, ...strangers].entries()) {
      const own = people[index % people.length]!.phrase
      const text = (await talk.seen()).map((seen) => seen.text).join('\n')
      expect(phrases.filter((phrase) => text.includes(phrase) && phrase !== own)).toEqual([])
    }
  })
})
