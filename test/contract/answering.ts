import { describe, expect, it } from 'vitest'
import { answered, answers, type Place, type Stage } from './stage.ts'
import { until } from './waiting.ts'

const slowly = { chunkSize: 12, delayMs: 45 }

/** Long enough to be watched while it is written (about 3 s). */
function story(word: string): string {
  const lines = Array.from(
    { length: 9 },
    (_, n) => `Part ${n + 1} of the story about the ${word} bird and the sea.`,
  )
  return `${lines.join(' ')} The end.`
}

/** How Hermes answers, whatever the platform. */
export function answering(place: Place, at: () => Stage): void {
  describe('answering', () => {
    it.each(place.beginnings)(
      '%s gets one answer in its own place, and what follows needs no mention',
      async (how) => {
        const { driver, scripts, rows } = at()
        const word = scripts.word()
        let goOn = () => {}
        const held = new Promise<void>((resolve) => {
          goOn = resolve
        })
        scripts.on(word, { text: story(word), ...slowly, held }, { text: 'And so on.' })
        const talk = await driver.beginnings[how]!(driver.guest('Ann'), `Tell me about ${word}`)
        await answered(talk, 'Part 1 ').finally(goOn)
        await answered(talk, 'The end.')
        await rows.quiet()
        const [answer] = await answers(talk)
        if (!answer) throw new Error('The answer is gone.')
        expect(answer.text).toBe(story(word))
        // It grew where it stands, below a sign of life that was there before it.
        expect(answer.looks.some((look) => look.includes('Part 1 ') && !look.includes('The end.'))).toBe(true)
        expect(talk.signs()[0]).toBeLessThanOrEqual(answer.at)

        await talk.say('Go on')
        await answered(talk, 'And so on.')
        await rows.quiet()
        expect((await answers(talk)).map((one) => one.text)).toEqual([story(word), 'And so on.'])
        expect(talk.elsewhere()).toEqual([])
        const told = JSON.stringify(scripts.requests(word).at(-1)!.messages)
        for (const said of [`Tell me about ${word}`, 'The end.', 'Go on']) expect(told).toContain(said)
      },
    )

    it('gives people the files that a tool gave, below the answer, each once', async () => {
      const { driver, scripts, rows, pages } = at()
      const word = scripts.word()
      const get = (path: string) => ({
        name: 'http_request',
        arguments: { url: `http://${pages.address}/${path}` },
      })
      scripts.on(
        word,
        { calls: [get(`${word}.png`), get('plan.png')] },
        { calls: [get(`${word}.png?again`)] },
        { text: `Here is ${word}.` },
      )
      const talk = await driver.shared(driver.guest('Ann'), `Show me the page of ${word}`)
      await answered(talk, `Here is ${word}.`)
      const picture = (path: string) => ({ name: path.split('?')[0], content: `the picture of /${path}` })
      const all = [picture(`${word}.png`), picture('plan.png'), picture(`${word}.png?again`)]
      await until('the files', async () => (await talk.files()).length === all.length)
      await rows.quiet()
      expect(await talk.files()).toEqual(all)
      const told = scripts
        .requests(word)
        .at(-1)!
        .messages.filter(({ role }) => role === 'tool')
      expect(told).toHaveLength(3)
      for (const { content } of told)
        expect(content).toMatch(/\[File: \w+\.png, image\/png, \d+ bytes, stored as ref_/)
      scripts.on(word, { text: 'No more.' })
      await talk.say('Thanks')
      await answered(talk, 'No more.')
      await rows.quiet()
      expect(await talk.files()).toHaveLength(3)
    })

    it('carries an answer longer than a message over several, with every line and whole fences', async () => {
      const { driver, scripts, rows } = at()
      const word = scripts.word()
      const ann = driver.guest('Ann')
      const prose = (from: number, count: number) =>
        Array.from({ length: count }, (_, n) => `Line ${from + n} tells of the ${word} in some more words.`)
      const code = (count: number) =>
        Array.from({ length: count }, (_, n) => `const value${n} = "${'x'.repeat(n % 40)}"`)
      const one = { text: 'Ask.' }
      scripts.on(word, one)
      const talk = await driver.shared(ann, `Are you there, ${word}?`)
      await answered(talk, 'Ask.')
      const scale = (talk.limit === Number.POSITIVE_INFINITY ? 2_000 : talk.limit) / 2_000
      const lines = [
        ...prose(0, 20 * scale),
        '',
        '```ts',
        ...code(80 * scale),
        '```',
        '',
        ...prose(1_000, 20 * scale),
      ]
      scripts.on(word, { text: lines.join('\n'), chunkSize: 1_000 })
      await talk.say('Show me all of it')
      await answered(talk, lines.at(-1)!)
      await rows.quiet()
      const shown = (await answers(talk)).slice(1).map((message) => message.text)
      expect(shown.length).toBeGreaterThanOrEqual(talk.limit === Number.POSITIVE_INFINITY ? 1 : 2)
      for (const text of shown) {
        expect(text.length).toBeLessThanOrEqual(talk.limit)
        expect((text.match(/^```/gm) ?? []).length % 2).toBe(0)
      }
      const inner = (text: string) =>
        text.split('\n').filter((line) => line !== '' && !line.startsWith('```'))
      expect(shown.flatMap(inner)).toEqual(lines.flatMap(inner))
    })

    it('keeps tables, Chinese and emoji readable', async () => {
      const { driver, scripts } = at()
      const word = scripts.word()
      const table = '| 名称 | Count |\n| --- | ---: |\n| 退款 🧾 | 12 |\n| 三楼的打印机 | 7 |'
      scripts.on(word, { text: `${table}\n\n家庭 👨‍👩‍👧‍👦，旗 🇩🇪，𠮷野家，café naïve. That is all.` })
      const talk = await driver.shared(driver.guest('Ann'), `A table of ${word}, please`)
      const { text } = await answered(talk, 'That is all.')
      for (const piece of [
        '名称',
        'Count',
        '退款 🧾',
        '12',
        '三楼的打印机',
        '7',
        '👨‍👩‍👧‍👦',
        '🇩🇪',
        '𠮷野家',
        'café naïve',
      ]) {
        expect(text).toContain(piece)
      }
    })

    it('answers once, however often the platform tells of what was said', async () => {
      const { driver, scripts, rows } = at()
      const [word, other] = [scripts.word(), scripts.word()]
      scripts.on(word, { text: 'Once.' }, { text: 'Twice.' })
      scripts.on(other, { text: 'Meanwhile.' })
      const talk = await driver.shared(driver.guest('Ann'), `Hello ${word}`)
      await talk.redeliver()
      await answered(talk, 'Once.')
      await talk.redeliver()
      await talk.redeliver()
      await answered(await driver.shared(driver.guest('Bob'), `Hello ${other}`), 'Meanwhile.')
      await rows.quiet()
      expect((await answers(talk)).map((one) => one.text)).toEqual(['Once.'])
      expect(scripts.requests(word)).toHaveLength(1)
    })

    it('takes an answer away when its question is removed while it is being written', async () => {
      const { driver, scripts, rows } = at()
      const word = scripts.word()
      scripts.on(word, { text: story(word), ...slowly })
      const talk = await driver.shared(driver.guest('Ann'), `Tell me about ${word}`)
      await answered(talk, 'Part 1 ')
      await talk.remove(talk.first)
      await until('the half answer to go', async () => (await answers(talk)).length === 0)
      await rows.quiet()
      await talk.redeliver()
      await rows.quiet()
      expect(await answers(talk)).toEqual([])
      expect(scripts.requests(word)).toHaveLength(1)
    })

    it('answers what an edit asks instead, in one message, when the question changes meanwhile', async () => {
      const { driver, scripts, rows } = at()
      const word = scripts.word()
      scripts.on(word, { text: story(word), ...slowly }, { text: 'Very well, in short.' })
      const talk = await driver.shared(driver.guest('Ann'), `Tell me all about ${word}`)
      await until('the model to be asked', () => scripts.requests(word).length === 1)
      await talk.edit(talk.first, `Tell me in short about ${word}`)
      await answered(talk, 'Very well, in short.')
      await talk.redeliver()
      await rows.quiet()
      expect((await answers(talk)).map((one) => one.text)).toEqual(['Very well, in short.'])
      const asked = JSON.stringify(scripts.requests(word).at(-1)!.messages)
      expect(asked).toContain('in short about')
      expect(asked).not.toContain('all about')
    })
  })

  if (!place.crowd) return
  describe('among other people', () => {
    it('leaves conversations alone that it was not asked into, until an edit mentions it', async () => {
      const { driver, scripts, rows } = at()
      const [word, other] = [scripts.word(), scripts.word()]
      scripts.on(word, { text: 'Gladly.' })
      scripts.on(other, { text: 'Meanwhile.' })
      const ann = driver.guest('Ann')
      const talk = await driver.crowd!.chatter(ann, 'Did you see this?')
      const post = await talk.say(`Could anyone look at ${word}?`)
      await answered(await driver.shared(driver.guest('Bob'), `Hello ${other}`), 'Meanwhile.')
      await rows.quiet()
      expect(await talk.seen()).toEqual([])
      expect(talk.signs()).toEqual([])
      expect(scripts.requests(word)).toEqual([])

      await driver.crowd!.addMention(talk, post)
      await answered(talk, 'Gladly.')
      await talk.redeliver()
      await rows.quiet()
      expect(await talk.seen()).toHaveLength(1)
      expect(scripts.requests(word)).toHaveLength(1)
    })

    it('answers neither other bots nor itself', async () => {
      const { driver, scripts, rows } = at()
      const word = scripts.word()
      scripts.on(word, { text: 'I am Hermes.' }, { text: 'Still here.' })
      const talk = await driver.shared(driver.guest('Ann'), `Who are you, ${word}?`)
      await answered(talk, 'I am Hermes.')
      await driver.crowd!.bot(talk, `Beep ${word}`)
      await talk.say('Are you there?')
      await answered(talk, 'Still here.')
      await rows.quiet()
      expect((await answers(talk)).map((one) => one.text)).toEqual(['I am Hermes.', 'Still here.'])
      expect(JSON.stringify(scripts.requests(word))).not.toContain('Beep')
    })

    it('pings nobody who has no part in the conversation, whatever the model writes', async () => {
      const { driver, scripts } = at()
      const word = scripts.word()
      const { massPings } = driver.crowd!
      scripts.on(
        word,
        { text: `Attention ${massPings} that was all.` },
        {
          calls: [
            { name: 'create_ticket', arguments: { title: `Tell ${massPings}`, description: massPings } },
          ],
        },
      )
      const talk = await driver.shared(driver.guest('Ann'), `Call everyone, ${word}`)
      await answered(talk, 'that was all.')
      await talk.say('Now on a card')
      await until('a card', async () => (await talk.seen()).some((seen) => seen.isCard))
      expect(talk.pings()).toEqual([])
    })
  })
}
