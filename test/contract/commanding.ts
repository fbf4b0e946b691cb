import { describe, expect, it } from 'vitest'
import { answered, answers, openCard, type Place, type Stage } from './stage.ts'
import { until } from './waiting.ts'

/** What people can command, whatever the platform. */
export function commanding(place: Place, at: () => Stage): void {
  const direct = place.crowd ? 'a direct message' : 'a new thread'

  describe('commands', () => {
    it('begins a conversation anew by a typed word: what was said is gone, its open card too', async () => {
      const { driver, scripts, rows } = at()
      const [word, next] = [scripts.word(), scripts.word()]
      const title = `The ${word} gate is open`
      scripts.on(word, { calls: [{ name: 'create_ticket', arguments: { title } }] })
      const talk = await driver.shared(
        driver.guest('Ann'),
        `A ticket about the ${word} gate of ORD-2024-0099`,
      )
      const card = await openCard(talk, title)
      await rows.quiet()
      await talk.say('reset')
      await answered(talk, 'This conversation starts anew.')
      await rows.quiet()
      const closed = (await talk.seen()).find((one) => one.id === card.id)
      expect(closed?.buttons ?? []).toEqual([])
      scripts.on(next, { text: 'We begin anew.' })
      await talk.say(`Hello ${next}`)
      await answered(talk, 'We begin anew.')
      const request = JSON.stringify(scripts.requests(next).at(-1)!.messages)
      expect(request).not.toContain(word)
      expect(request).not.toContain('ORD-2024-0099')
    })

    it('begins it anew by a command', async () => {
      const { driver, scripts, rows } = at()
      const [word, next] = [scripts.word(), scripts.word()]
      scripts.on(word, { text: 'Noted.' })
      const ann = driver.guest('Ann')
      const talk = await driver.beginnings[direct]!(ann, `We speak of ${word}`)
      await answered(talk, 'Noted.')
      await rows.quiet()
      expect(await driver.command(ann, 'reset', talk)).toBe('This conversation is being reset.')
      await answered(talk, 'This conversation starts anew.')
      scripts.on(next, { text: 'Hello.' })
      await talk.say(`Hello ${next}`)
      await answered(talk, 'Hello.')
      expect(JSON.stringify(scripts.requests(next).at(-1)!.messages)).not.toContain(word)
      expect(await driver.command(driver.guest('Zoe'), 'reset')).toContain('There is no conversation here.')
    })

    it('takes commands as words where nobody else reads, in both languages', async () => {
      const { driver, scripts, rows } = at()
      const word = scripts.word()
      scripts.on(word, { text: 'Hello.' })
      const talk = await driver.beginnings[direct]!(driver.guest('Ann'), `Hello ${word}`)
      await answered(talk, 'Hello.')
      await rows.quiet()
      await talk.say('my reminders')
      await answered(talk, 'You have no reminders.')
      await rows.quiet()
      await talk.say('我的工单')
      await answered(talk, /没有未关闭的工单|T-\d+/)
      await rows.quiet()
      await talk.say('hermes why')
      await answered(talk, 'Only this conversation, and what the language model knows.')
      await rows.quiet()
      expect(scripts.left(word)).toBe(0)
      expect(scripts.requests(word)).toHaveLength(1)
    })

    it('tells the person who asked why: memories and tools, which can be corrected', async () => {
      const { driver, scripts, rows } = at()
      const [word, next] = [scripts.word(), scripts.word()]
      const ann = driver.guest(`Ann ${word}`)
      scripts.on(
        word,
        { calls: [{ name: 'remember', arguments: { text: `The ${word} plant stands in Lyon` } }] },
        { text: 'Kept.' },
      )
      const talk = await driver.beginnings[direct]!(ann, `Remember that the ${word} plant stands in Lyon`)
      await answered(talk, 'Kept.')
      await rows.quiet()
      scripts.on(next, { calls: [{ name: 'list_tickets', arguments: {} }] }, { text: 'It stands in Lyon.' })
      await talk.say(`Where is the ${word} plant, ${next}?`)
      await answered(talk, 'It stands in Lyon.')
      await rows.quiet()
      const why = await driver.command(ann, 'why', talk)
      expect(why).toContain(`plant stands in Lyon`)
      expect(why).toMatch(/Looked up and done[\s\S]*List tickets|Looked up and done[\s\S]*tickets/i)
      expect(await driver.command(driver.guest(`Eve ${word}`), 'why')).not.toContain('Lyon')
      if (!place.crowd) return
      // The button below says the same, and to nobody else.
      const answer = await answered(talk, 'It stands in Lyon.')
      expect(answer.buttons).toEqual(['Why'])
      expect(await talk.press(answer, 'Why')).toContain('plant stands in Lyon')
    })

    it('shows a person on the page of the app what waits for them and is remembered of them', async ({
      skip,
    }) => {
      const { driver, scripts, rows } = at()
      if (!driver.home) return skip()
      const word = scripts.word()
      const ann = driver.guest(`Ann ${word}`)
      const title = `The ${word} roof leaks`
      scripts.on(
        word,
        {
          calls: [
            { name: 'remember', arguments: { text: `The ${word} roof is made of tin` } },
            { name: 'create_ticket', arguments: { title } },
          ],
        },
        { text: 'Kept.' },
      )
      const talk = await driver.beginnings[direct]!(ann, `Remember that the ${word} roof is made of tin`)
      await openCard(talk, title)
      await rows.quiet()
      const shown = await driver.home(ann)
      expect(shown).toContain(`${word} roof is made of tin`)
      expect(shown).toContain(title)
      expect(shown).toContain('You have no reminders.')
      expect(await driver.home(driver.guest(`Eve ${word}`))).not.toContain(word)
    })

    it('erases all that is kept of a person after one more click, and nothing of others', async () => {
      const { driver, scripts, rows } = at()
      const word = scripts.word()
      const ann = driver.guest(`Ann ${word}`)
      const text = `The ${word} door is red`
      scripts.on(
        word,
        { calls: [{ name: 'remember', arguments: { text } }] },
        { text: `The ${word} is kept.` },
      )
      const talk = await driver.beginnings[direct]!(ann, `Remember that the ${word} door is red`)
      await answered(talk, `The ${word} is kept.`)
      await rows.quiet()
      const others = () =>
        rows.query(
          `SELECT count(*)::int AS n FROM message WHERE text NOT LIKE $1 AND text <> ''`,
          `%${word}%`,
        )
      const before = await others()
      const asked = await driver.told(ann, 'forget everything')
      expect(asked.text).toContain('1 memory, 1 message of yours')
      expect(await asked.press('Erase all of it')).toBe('Erased. I know your name, and nothing else of you.')
      const left = await rows.query(
        `SELECT text FROM message WHERE text LIKE $1 UNION ALL SELECT arguments::text FROM tool_call WHERE arguments::text LIKE $1
         UNION ALL SELECT text FROM memory WHERE text LIKE $1 AND status <> 'forgotten'`,
        `%${word}%`,
      )
      expect(left).toEqual([])
      expect(await others()).toEqual(before)
      expect(await driver.command(ann, 'memory')).toContain('I remember nothing of you yet.')
    })

    it('hands out all that is kept of a person, to them alone', async () => {
      const { driver, scripts, rows } = at()
      const word = scripts.word()
      const ann = driver.guest(`Ann ${word}`)
      scripts.on(
        word,
        { calls: [{ name: 'remember', arguments: { text: `The ${word} key is blue` } }] },
        { text: 'Kept.' },
      )
      const talk = await driver.beginnings[direct]!(ann, `Remember that the ${word} key is blue`)
      await answered(talk, 'Kept.')
      await rows.quiet()
      const told = await driver.command(ann, 'export')
      const json = place.crowd
        ? (await until('the file', () => driver.files(ann)[0], 10_000)).content
        : told.replaceAll(/^```(?:json)?$/gm, '')
      const data = JSON.parse(json)
      expect(data.memories.map((one: { text: string }) => one.text).join()).toContain(`${word} key is blue`)
      expect(data.messages.map((one: { text: string }) => one.text)).toContain(
        `Remember that the ${word} key is blue`,
      )
      expect(data.identities).toHaveLength(1)
      if (place.crowd) expect(told).toContain('as a file')
      expect((await answers(talk)).map((one) => one.text).join()).not.toContain('identities')
    })
  })
}
