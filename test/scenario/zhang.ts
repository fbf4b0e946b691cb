import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { DateTime } from 'luxon'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Driver, Guest } from '../contract/channel.ts'
import { answered, answers, cardShows, cards, openCard } from '../contract/stage.ts'
import { whenUp } from '../contract/waiting.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { freshDirectory } from '../support/database.ts'
import { type ModelStandIn, startModel } from '../support/model.ts'
import { type MovingClock, movingClock } from '../support/moving-clock.ts'
import { type MailServer, startMailServer } from '../support/office/mail-server.ts'
import { openRows, type Rows } from '../support/rows.ts'
import { type Scripts, scriptModel } from '../support/scripts.ts'
import type { Ground } from './founding.ts'
import { requests, type ZhangRequest, zhangModel } from './zhang-model.ts'

const zones = { told: 'America/New_York', otherwise: 'Asia/Shanghai' }

/** A Sunday evening in Greenwich: in Shanghai the next week has begun already, in New York it has not. */
function sunday(): Date {
  const now = DateTime.utc()
  const evening = now.startOf('week').plus({ days: 6, hours: 20 })
  return (evening > now.plus({ minutes: 1 }) ? evening : evening.plus({ weeks: 1 })).toJSDate()
}

/** Several requests with a condition in one message, carried out with the company's own systems. */
export function zhang(
  name: string,
  how: { readonly open: () => Promise<Ground>; readonly tellsTimeZone: boolean },
): void {
  const zone = how.tellsTimeZone ? zones.told : zones.otherwise

  describe(`an expense check with a condition on ${name}`, { timeout: 90_000 }, () => {
    let model: ModelStandIn
    let scripts: Scripts
    let mail: MailServer
    let clock: MovingClock
    let app: TestApp
    let rows: Rows
    let driver: Driver
    let colleague: Guest
    let claims: string

    beforeAll(async () => {
      const ground = await how.open()
      clock = movingClock(sunday())
      model = await startModel()
      scripts = scriptModel(model)
      mail = await startMailServer()
      const home = await freshDirectory()
      claims = join(home, 'claims.json')
      writeFileSync(claims, '[]')
      app = await startTestApp({
        home,
        clock,
        variables: {
          ...ground.variables,
          ...model.variables(),
        },
        config: { timeZone: zones.otherwise },
        mcp: {
          mcpServers: {
            expenses: {
              command: process.execPath,
              args: [new URL('../support/office/expenses-server.ts', import.meta.url).pathname, claims],
              trusted: true,
            },
            mail: { url: mail.url },
          },
        },
      })
      driver = ground.driver(app)
      await whenUp(app)
      rows = await openRows(app.home)
      colleague = driver.guest('张工', { alsoCalled: 'Zhang' })
    }, 120_000)
    afterAll(async () => {
      await rows.close()
      await app.end()
      await driver.stop()
      await mail.stop()
      await model.stop()
    }, 60_000)

    const lastWeek = () => {
      const monday = DateTime.fromJSDate(clock.now(), { zone }).startOf('week').minus({ weeks: 1 })
      return { from: monday.toISODate(), to: monday.plus({ days: 6 }).toISODate() }
    }
    const planOf = async (word: string) => {
      const [row] = await rows.query<{ plan: { current: unknown; parked: unknown[] } | null }>(
        `SELECT s.plan FROM session s JOIN message m ON m.session_id = s.id WHERE m.text LIKE $1 LIMIT 1`,
        `%${word}%`,
      )
      return row?.plan
    }

    /** Ann asks where these claims are in the expense system. */
    async function asked(request: ZhangRequest, dates: readonly string[], by: string) {
      writeFileSync(
        claims,
        JSON.stringify(dates.map((date) => ({ person: request.person, date, amount: '120 EUR' }))),
      )
      const word = scripts.word()
      scripts.on(word, ...Array.from({ length: 6 }, () => zhangModel(request)))
      const ann = driver.guest(by, { timeZone: zones.told })
      const before = { mails: mail.sent.length, received: (await driver.received(colleague)).length }
      const talk = await driver.shared(ann, `${request.text}${request === requests.zh ? '。' : '. '}${word}`)
      return { ann, talk, word, before }
    }

    describe.each([
      ['English', requests.en],
      ['Chinese', requests.zh],
    ] as const)('in %s', (language, request) => {
      const confirm = request === requests.zh ? '确认' : 'Confirm'

      it('reminds him where nothing is submitted, then mails the result, each after Confirm', async () => {
        // One of the week before: only the right days tell that it does not count.
        const early = DateTime.fromISO(lastWeek().from!).minus({ days: 2 }).toISODate()!
        const { talk, word, before } = await asked(request, [early], `Ann ${language} one`)

        const reminder = await openCard(talk, request.reminder)
        const call = JSON.parse(readFileSync(`${claims}.calls`, 'utf8').trim().split('\n').at(-1)!)
        expect(call).toEqual({ person: request.person, ...lastWeek() })
        expect(await planOf(word)).toMatchObject({
          current: {
            steps: [
              { text: request.steps[0], status: 'open' },
              { text: request.steps[1], condition: request.condition },
              { text: request.steps[2] },
            ],
          },
        })
        await rows.quiet()
        expect(mail.sent).toHaveLength(before.mails)

        await talk.press(reminder, confirm)
        const letter = await openCard(talk, request.director)
        expect(await driver.received(colleague)).toHaveLength(before.received + 1)
        await rows.quiet()
        expect(mail.sent).toHaveLength(before.mails)

        await talk.press(letter, confirm)
        await answered(talk, request.mailed)
        await rows.quiet()
        expect(mail.sent.slice(before.mails)).toEqual([
          {
            to: request.director,
            subject: request.missing,
            text: `${request.missing} (${lastWeek().from}/${lastWeek().to})`,
          },
        ])
        expect((await answers(talk)).at(-1)?.text).toContain(
          `${request.missing}. ${request.reminded} ${request.mailed}`,
        )
        expect(await planOf(word)).toEqual({ current: null, parked: [] })
      })

      it('reminds nobody where it is submitted, and mails the result after Confirm', async () => {
        const { talk, word, before } = await asked(request, [lastWeek().to!], `Ann ${language} two`)
        const letter = await openCard(talk, request.director)
        await rows.quiet()
        expect(await cards(talk)).toHaveLength(1)
        expect(mail.sent).toHaveLength(before.mails)
        await talk.press(letter, confirm)
        const { text } = await answered(talk, request.mailed)
        expect(text).toContain(`${request.there}. ${request.mailed}`)
        await rows.quiet()
        expect(mail.sent.slice(before.mails)).toMatchObject([
          { to: request.director, subject: request.there },
        ])
        expect(await driver.received(colleague)).toHaveLength(before.received)
        expect(await planOf(word)).toEqual({ current: null, parked: [] })
      })
    })

    it('says that nothing was mailed where the mail is cancelled', async () => {
      const { talk, before } = await asked(requests.en, [lastWeek().to!], 'Ann three')
      const letter = await openCard(talk, requests.en.director)
      await talk.press(letter, 'Cancel')
      await cardShows(talk, letter.id, 'Cancelled')
      await answered(talk, requests.en.notMailed)
      await rows.quiet()
      expect(mail.sent).toHaveLength(before.mails)
    })
  })
}
