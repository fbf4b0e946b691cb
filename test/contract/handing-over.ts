import { describe, expect, it } from 'vitest'
import type { Guest, Seen, Talk } from './channel.ts'
import { answered, answers, type Stage } from './stage.ts'
import { until } from './waiting.ts'

/** How people of the desk take over from Hermes and give back, whatever the platform. */
export function handingOver(at: () => Stage): void {
  const deskCard = (text: string, button?: string): Promise<Seen> =>
    until(`a card of the desk with ${text}`, async () =>
      (await at().driver.desk.cards()).find(
        (card) => card.text.includes(text) && (button === undefined || card.buttons.includes(button)),
      ),
    )

  /** Ann asked about something, was answered, and then wants a person. */
  async function handedOver(word: string, asking: string, told: RegExp): Promise<{ ann: Guest; talk: Talk }> {
    const { driver, scripts } = at()
    const ann = driver.guest('Ann')
    scripts.on(word, { text: `I know little about ${word}.` })
    const talk = await driver.shared(ann, `What about ${word}?`)
    await answered(talk, `I know little about ${word}.`)
    await talk.say(asking)
    await answered(talk, told)
    return { ann, talk }
  }

  describe('handing over', () => {
    it('gives the case to the desk, passes on what both sides write, also over a restart, and comes back', async () => {
      const { driver, scripts } = at()
      const word = scripts.word()
      const { talk } = await handedOver(word, 'Can I talk to a person, please?', /people of the desk/)
      const [dana, eve] = [driver.guest('Dana'), driver.guest('Eve')]
      const card = await deskCard(`What about ${word}?`, 'Claim')
      for (const piece of ['Talk with Ann', 'asked for a person', 'nobody has claimed it yet'])
        expect(card.text).toContain(piece)
      const desk = await driver.desk.talk(card, dana)
      await answered(desk, `I know little about ${word}.`)

      await desk.say('Who is that?', eve)
      await answered(desk, /Press Claim first/)
      expect(await desk.press(card, 'Claim', dana)).toContain('It is yours')
      expect(await desk.press(card, 'Claim', eve)).toMatch(/Dana has claimed it already, at \d\d:\d\d/)
      await answered(talk, 'Dana has taken over and answers here.')
      expect((await deskCard(word, 'Release')).text).toMatch(/Claimed by Dana, \d\d:\d\d/)

      await at().restart()
      await talk.say('It is urgent.')
      await answered(desk, /Ann.*It is urgent\./s)
      await desk.say('Between us: who knows this?', eve)
      await desk.say('I am on it.', dana, { name: 'steps.txt', content: 'Turn it off and on.' })
      await answered(talk, /Dana.*I am on it\./s)
      await until('the file', async () => (await talk.files()).length > 0)
      await talk.say('This is what it prints:', undefined, { name: 'page.txt', content: 'PC LOAD LETTER' })
      await until('the page', async () => (await desk.files()).length > 0)
      await talk.redeliver()
      await desk.redeliver()
      await at().rows.quiet()
      const shown = (await answers(talk)).map((one) => one.text)
      expect(shown.filter((text) => text.includes('I am on it.'))).toHaveLength(1)
      expect(shown.join('\n')).not.toMatch(/Who is that|Between us/)
      expect(await talk.files()).toEqual([{ name: 'steps.txt', content: 'Turn it off and on.' }])
      expect(await desk.files()).toEqual([{ name: 'page.txt', content: 'PC LOAD LETTER' }])
      const passed = (await answers(desk)).map((one) => one.text)
      expect(passed.filter((text) => text.includes('It is urgent.'))).toHaveLength(1)
      // Meanwhile the model was asked nothing.
      expect(scripts.requests(word)).toHaveLength(1)

      expect(await desk.press(await deskCard(word, 'Release'), 'Release', dana)).toContain('Released')
      await answered(talk, 'Dana has given the conversation back. I am here again.')
      scripts.on(word, { text: 'Then it is settled.' })
      await talk.say('Thanks. And now?')
      await answered(talk, 'Then it is settled.')
      const asked = JSON.stringify(scripts.requests(word).at(-1)!.messages)
      for (const said of ['It is urgent.', 'I am on it.', 'Dana of the desk had taken over'])
        expect(asked).toContain(said)
      expect(asked).not.toContain('Between us')
      await at().rows.quiet()
      expect((await deskCard(word)).text).toMatch(/Released by Dana, \d\d:\d\d/)
      const done = await at().rows.query<{ action: string }>(
        `SELECT a.action FROM audit_event a JOIN hand_over h ON h.id = a.subject_id WHERE h.request = $1 ORDER BY a.at`,
        `What about ${word}?`,
      )
      expect(done.map(({ action }) => action)).toEqual([
        'hand_over.begun',
        'hand_over.claimed',
        'hand_over.released',
      ])
    })

    it('is asked for and ended in Chinese too, by the person alone', async () => {
      const { driver, scripts } = at()
      const word = scripts.word()
      const { talk } = await handedOver(word, '转人工', /已请人工服务台接手/)
      const card = await deskCard(`What about ${word}?`, 'Claim')
      await talk.say('交还')
      await answered(talk, /我回来了/)
      await until('the card to be closed', async () =>
        (await driver.desk.cards()).find((one) => one.id === card.id && one.buttons.length === 0),
      )
      scripts.on(word, { text: '好的。' })
      await talk.say('谢谢')
      await answered(talk, '好的。')
    })
  })
}
