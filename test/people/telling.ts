import { describe, expect, it } from 'vitest'
import type { Driver, Guest, Seen, Talk } from '../contract/channel.ts'
import { answered, cardShows, openCard } from '../contract/stage.ts'
import type { Town } from '../contract/town.ts'
import { until } from '../contract/waiting.ts'
import type { Cast } from './cast.ts'
import { linked, newcomer } from './somebody.ts'

/** How messages reach people and rooms on other platforms, by their names. */
export function telling(at: () => Town & { readonly cast: Cast }): void {
  describe('telling', () => {
    /** Has the model propose a message, and gives the conversation with the word that marks it. */
    async function proposed(
      driver: Driver,
      by: Guest,
      args: Readonly<Record<string, unknown>>,
      language: 'en' | 'zh' = 'en',
    ): Promise<{ talk: Talk; word: string; text: string }> {
      const { scripts } = at()
      const word = scripts.word()
      const text = `The ${word} lamp is broken`
      scripts.on(
        word,
        { calls: [{ name: 'send_message', arguments: { text, ...args } }] },
        { text: `Done ${word}.` },
      )
      const direct = driver.channel === 'web' ? 'a new thread' : 'a direct message'
      const said = language === 'zh' ? `请转告一下 ${word}` : `Please tell them about ${word}`
      return { talk: await driver.beginnings[direct]!(by, said), word, text }
    }
    /** What the model was told of its call, where no card came. */
    async function refused(...by: Parameters<typeof proposed>): Promise<string> {
      const { talk, word } = await proposed(...by)
      await answered(talk, `Done ${word}.`)
      return String(at().scripts.requests(word).at(-1)!.messages.at(-1)?.content)
    }
    const confirmed = async (talk: Talk, card: Seen) => {
      await talk.press(card, 'Confirm')
      await cardShows(talk, card.id, /Message sent to|已.*发送给/)
      await at().rows.quiet()
    }
    const arrived = (driver: Driver, guest: Guest, text: string) =>
      until(`${text} to arrive`, async () => (await driver.received(guest)).find((one) => one.includes(text)))

    it('from Slack to somebody directly on Discord, named so on the card, without waking everyone', async () => {
      const { slack, discord, cast, standIns } = at()
      const ann = slack.guest('Ann')
      const { talk, word, text } = await proposed(slack, ann, {
        to: 'Zhang Wei on Discord',
        text: `@everyone The lamp is broken <@${standIns.discord.world.botId}>`,
      })
      const card = await openCard(talk, 'Zhang Wei · Discord, direct message')
      expect(await discord.received(cast.zhang.discord)).toEqual([])
      await confirmed(talk, card)
      const told = await arrived(discord, cast.zhang.discord, 'The lamp is broken')
      expect(told).toContain('Ann (Slack) asked me to tell you:')
      expect(standIns.discord.screen.pings().filter(({ who }) => who.length > 0)).toEqual([])
      await answered(talk, `Done ${word}.`)
      expect(text).not.toBe('')
    })

    it('prefers the channel of the one who asks, then what the other prefers, and says where', async () => {
      const { slack, web, discord } = at()
      const near = await proposed(slack, slack.guest('Ann'), { to: '张伟' })
      await openCard(near.talk, 'Zhang Wei · Slack, direct message')
      const far = await proposed(web, web.guest(`Ann ${near.word}`), { to: 'zhang' })
      const card = await openCard(far.talk, 'Zhang Wei · Discord, direct message')
      await confirmed(far.talk, card)
      await arrived(discord, at().cast.zhang.discord, far.text)
      const chinese = await proposed(
        web,
        web.guest(`安 ${near.word}`),
        { to: '张伟', channel: 'slack' },
        'zh',
      )
      await openCard(chinese.talk, 'Zhang Wei · Slack，私信')
    })

    it('from Discord into a channel of Slack that the operator names, and into no other', async () => {
      const { discord, standIns } = at()
      const eve = discord.guest('Eve')
      const { talk, text } = await proposed(discord, eve, { to: '#ops', channel: 'slack' })
      const card = await openCard(talk, '#ops · Slack')
      await confirmed(talk, card)
      const posted = () =>
        standIns.slack.topLevel(at().cast.ops).map((message) => JSON.stringify(message.blocks))
      await until('the post', () => posted().some((post) => post.includes(text)))
      const other = await refused(discord, eve, { to: '#general on Slack' })
      expect(other).toContain('I know no channel called')
    })

    it('from the web chat to somebody on Slack, in pieces on Discord where it is long, once each', async () => {
      const { web, slack, discord, cast } = at()
      const short = await proposed(web, web.guest('Ann'), { to: 'Li Na' })
      await confirmed(short.talk, await openCard(short.talk, 'Li Na · Slack, direct message'))
      await arrived(slack, cast.li, short.text)
      const lines = Array.from(
        { length: 120 },
        (_, index) => `Line ${index + 1} of the long ${short.word} report.`,
      )
      const long = await proposed(web, web.guest('Ann'), { to: 'Zhang Wei', text: lines.join('\n') })
      await confirmed(long.talk, await openCard(long.talk, 'Zhang Wei · Discord'))
      const pieces = (await discord.received(cast.zhang.discord)).filter((one) =>
        one.includes(`${short.word} report`),
      )
      expect(pieces.length).toBeGreaterThan(1)
      const whole = pieces.join('\n')
      for (const line of lines) expect(whole.split(line)).toHaveLength(2)
      const rows = await at().rows.query(
        `SELECT status FROM delivery WHERE purpose = 'message' AND turn_id IN (
           SELECT turn_id FROM tool_call WHERE arguments->>'text' LIKE $1)`,
        `%Line 1 of the long ${short.word}%`,
      )
      expect(rows).toEqual(pieces.map(() => ({ status: 'sent' })))
    })

    it('asks who is meant where several are, in both languages, and takes the answer', async () => {
      const { web } = at()
      const ann = web.guest('Ann')
      expect(await refused(web, ann, { to: 'Chen' })).toContain(
        '"Chen" may be any of: Chen Jing · Slack, Chen Hao · Discord. Ask which one',
      )
      expect(await refused(web, ann, { to: '陈' }, 'zh')).toMatch(
        /“陈”可能是：Chen Jing · Slack、Chen Hao · Discord/,
      )
      const one = await proposed(web, ann, { to: 'Chen Hao · Discord' })
      await openCard(one.talk, 'Chen Hao · Discord, direct message')
      const nobody = await refused(web, ann, { to: 'Chen Hao on Slack' })
      expect(nobody).toContain('Chen Hao is not known to me on Slack, but on Discord')
    })

    it('does not tell that a stranger of another workspace is there, until the asker is there, too', async () => {
      const { slack, discord } = at()
      const { stranger } = at().cast
      const gus = newcomer(at(), 'Gus')
      for (const args of [{ to: stranger.name }, { to: stranger.name, channel: 'slack' }])
        expect(await refused(discord, gus.discord, args)).toContain(`I know nobody called "${stranger.name}"`)
      await linked([slack, gus.slack], [discord, gus.discord])
      const found = await proposed(discord, gus.discord, { to: `${stranger.name} on Slack` })
      const card = await openCard(found.talk, `${stranger.name} · Slack, direct message`)
      await confirmed(found.talk, card)
      await arrived(slack, stranger, found.text)
      // The same holds for channels.
      const room = await proposed(discord, gus.discord, { to: '#general on Slack' })
      await openCard(room.talk, '#general · Slack')
    })

    it('goes where somebody is that the asker knows from their own platform, once they are one person there', async () => {
      const { web, discord } = at()
      const ivy = newcomer(at(), 'Ivy')
      const ann = web.guest('Ann')
      expect(await refused(web, ann, { to: ivy.web.name, channel: 'discord' })).toContain(
        'I know nobody called',
      )
      await linked([web, ivy.web], [discord, ivy.discord])
      const { talk, text } = await proposed(web, ann, { to: `${ivy.web.name} on Discord` })
      await confirmed(talk, await openCard(talk, `${ivy.web.name} · Discord, direct message`))
      await arrived(discord, ivy.discord, text)
    })

    it('looks on the other platform what became of a message whose sending broke', async () => {
      const { web, slack, cast, standIns } = at()
      const { talk, text } = await proposed(web, web.guest('Ann'), { to: 'Li Na' })
      const card = await openCard(talk, 'Li Na · Slack')
      standIns.slack.faults.plan('chat.postMessage', { kind: 'reset-after' })
      standIns.slack.faults.always('conversations.history', { kind: 'error', error: 'missing_scope' })
      await talk.press(card, 'Confirm')
      const unknown = await until('the question', async () =>
        (await talk.seen()).find((one) => one.id === card.id && one.buttons.includes('Check')),
      )
      standIns.slack.faults.always('conversations.history', undefined)
      await talk.press(unknown, 'Check')
      await cardShows(talk, card.id, 'Message sent to Li Na')
      await at().rows.quiet()
      expect((await slack.received(cast.li)).filter((one) => one.includes(text))).toHaveLength(1)
    })

    it('says so where a platform is not connected any more, keeps what was asked for, and goes where it can', async () => {
      const { slack, web, cast, rows, standIns } = at()
      const { talk, text } = await proposed(slack, slack.guest('Ann'), { to: '张伟', channel: 'discord' })
      const card = await openCard(talk, 'Zhang Wei · Discord, direct message')
      await rows.quiet()
      await at().restart(undefined, { ...at().model.variables(), ...standIns.slack.variables() })
      await talk.press(card, 'Confirm')
      await cardShows(talk, card.id, 'Discord is not connected to me any more, so nothing was sent.')
      const sent = `SELECT status, arguments->>'text' AS text FROM tool_call WHERE arguments->>'text' = $1`
      expect(await at().rows.query(sent, text)).toEqual([{ status: 'failed', text }])
      const ann = web.guest('Ann')
      expect(await refused(web, ann, { to: '张伟', channel: 'discord' })).toContain(
        'Discord is not connected to me',
      )
      expect(await refused(web, ann, { to: 'Chen Hao' })).toContain('Chen Hao is only on Discord')
      const other = await proposed(web, ann, { to: '张伟' })
      await confirmed(other.talk, await openCard(other.talk, 'Zhang Wei · Slack, direct message'))
      await arrived(slack, cast.zhang.slack, other.text)
    })
  })
}
