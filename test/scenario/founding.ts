import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Driver, Guest, Talk } from '../contract/channel.ts'
import { answered, answers, cardShows, openCard } from '../contract/stage.ts'
import { whenUp } from '../contract/waiting.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { type ModelStandIn, startModel } from '../support/model.ts'
import { type MovingClock, movingClock } from '../support/moving-clock.ts'
import { openRows, type Rows } from '../support/rows.ts'
import { type Scripts, scriptModel } from '../support/scripts.ts'
import { assistant, namesOf } from './assistant.ts'
import { lastWeeksNotes, nextMonday, type Request, requests, wednesday } from './notes.ts'

/** A platform for the scenario: started before the app, told of it after. */
export interface Ground {
  readonly variables: Readonly<Record<string, string>>
  driver(app: TestApp): Driver
}

/** What Ann's time zone is where the platform tells it, and what it is for people of whom nothing is known. */
const zones = { told: 'America/New_York', otherwise: 'Asia/Shanghai' }

/** The founding request, from the message to the reminder, with a model that is scripted or with the offline one. */
export function founding(
  name: string,
  how: {
    readonly open: () => Promise<Ground>
    readonly model: 'scripted' | 'offline'
    readonly tellsTimeZone: boolean
  },
): void {
  const zone = how.tellsTimeZone ? zones.told : zones.otherwise

  describe(`the founding request on ${name}`, { timeout: 90_000 }, () => {
    let model: ModelStandIn | undefined
    let scripts: Scripts | undefined
    let clock: MovingClock
    let app: TestApp
    let rows: Rows
    let driver: Driver
    let ownerOf: (request: Request) => Guest
    const talks: { readonly talk: Talk; readonly ann: Guest; readonly request: Request }[] = []

    beforeAll(async () => {
      const ground = await how.open()
      clock = movingClock(wednesday())
      if (how.model === 'scripted') {
        model = await startModel()
        scripts = scriptModel(model)
      }
      app = await startTestApp({
        variables: {
          ...ground.variables,
          ...(model ? model.variables() : {}),
        },
        config: { timeZone: zones.otherwise },
        mcp: 'example',
        clock,
      })
      driver = ground.driver(app)
      await whenUp(app)
      rows = await openRows(app.home)
      // The notes name the owner in two ways; the web chat knows people by the one name that they gave.
      const owner = driver.guest('李伟', { alsoCalled: 'Li Wei' })
      const english = driver.channel === 'web' ? driver.guest('Li Wei') : owner
      ownerOf = (request) => (request === requests.zh ? owner : english)
    }, 120_000)
    afterAll(async () => {
      await rows.close()
      await app.end()
      await driver.stop()
      await model?.stop()
    }, 60_000)

    /** Ann asks; the card of the message waits for her. */
    async function asked(request: Request, name: string) {
      const ann = driver.guest(name, { timeZone: zones.told })
      const owner = ownerOf(request)
      const before = await driver.received(owner)
      const word = scripts?.word() ?? ''
      if (scripts) scripts.on(word, ...Array.from({ length: 8 }, () => assistant(request, () => clock.now())))
      const talk = await driver.shared(ann, word ? `${request.text} ${word}` : request.text)
      talks.push({ talk, ann, request })
      const card = await openCard(talk, request.conclusion)
      return { ann, owner, talk, card, word, before }
    }

    async function reminders(ann: Guest) {
      return rows.query<{ text: string; due: Date; zone: string; thread: string; status: string }>(
        `SELECT r.text, r.due_at AS due, r.time_zone AS zone, s.thread, r.status::text FROM reminder r
         JOIN person p ON p.id = r.person_id JOIN session s ON s.id = r.session_id WHERE p.display_name = $1`,
        ann.name,
      )
    }

    it.each([
      ['English', requests.en, 'Ann'],
      ['Chinese', requests.zh, 'Anna'],
    ] as const)(
      'in %s is carried out, and the message waits for Confirm',
      async (_language, request, name) => {
        const { ann, owner, talk, card, word, before } = await asked(request, name)
        const notes = await lastWeeksNotes(app.home, request, clock.now())
        expect(notes).toContain(request.conclusion)

        // What was found in the notes is on the screen, the message is not sent, the reminder is set.
        expect((await answers(talk)).map((one) => one.text).join('\n')).toContain(request.conclusion)
        expect(card.text).toContain(owner.name)
        await rows.quiet()
        expect(await driver.received(owner)).toEqual(before)
        expect(await reminders(ann)).toMatchObject([
          { text: request.reminder, due: nextMonday(clock.now(), zone), zone, status: 'open' },
        ])
        if (scripts) {
          const offered = namesOf(scripts.requests(word)[0]!)
          for (const tool of ['search_files', 'read_text_file', 'send_message', 'set_reminder']) {
            expect(offered.some((one) => one.endsWith(tool)) ? tool : offered).toBe(tool)
          }
        }

        await talk.press(card, request === requests.zh ? '确认' : 'Confirm')
        await cardShows(talk, card.id, request === requests.zh ? /已发送给/ : /Message sent to/)
        await rows.quiet()
        const received = await driver.received(owner)
        expect(received).toHaveLength(before.length + 1)
        expect(received.at(-1)).toContain(request.conclusion)
        expect(received.at(-1)).toContain(ann.name)
        const last = (await talk.seen()).at(-1)!
        expect(last.isCard).toBe(false)
        expect(last.text).toContain(request.owner)
        expect(last.text).toMatch(
          scripts ? /was sent to .*; reminder: .*09:00/ : /(?:is sent|已发出)[\s\S]*09:00/,
        )
        expect(await reminders(ann)).toHaveLength(1)
      },
    )

    it('sends nothing when the message is cancelled, and says so', async () => {
      const { ann, owner, talk, card, before } = await asked(requests.en, 'Annika')
      await talk.press(card, 'Cancel')
      await answered(talk, scripts ? 'nothing was sent to Li Wei' : /cancelled/)
      await rows.quiet()
      expect(await driver.received(owner)).toEqual(before)
      expect(await reminders(ann)).toHaveLength(1)
    })

    it('ends with each reminder in its own thread, once, when its time has come', async () => {
      clock.moveTo(new Date(nextMonday(clock.now(), zone).getTime() - 60_000))
      const before = await Promise.all(talks.map(({ talk }) => talk.seen()))
      await rows.quiet()
      clock.moveTo(new Date(clock.now().getTime() + 61_000))
      for (const [index, { talk, ann, request }] of talks.entries()) {
        const said =
          request === requests.zh
            ? `提醒 ${ann.name}：${request.reminder}`
            : `Reminder for ${ann.name}: ${request.reminder}`
        await answered(talk, said)
        await rows.quiet()
        const seen = await talk.seen()
        expect(seen.map((one) => one.text)).toEqual([
          ...before[index]!.map((one) => one.text),
          seen.at(-1)!.text,
        ])
        expect(seen.at(-1)!.text).toContain(said)
        expect(await reminders(ann)).toMatchObject([{ status: 'fired' }])
      }
    })
  })
}
