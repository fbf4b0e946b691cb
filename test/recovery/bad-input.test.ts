import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Clock } from '../../src/base/clock.ts'
import { slackDriver } from '../contract/slack-driver.ts'
import { answered, answers } from '../contract/stage.ts'
import { until, whenUp } from '../contract/waiting.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { type ModelStandIn, startModel } from '../support/model.ts'
import { plainModel } from '../support/recovery/plain-model.ts'
import { openRows, type Rows } from '../support/rows.ts'
import { type StandInSlack, startSlack } from '../support/slack/server.ts'
import { webClient } from '../support/web-client.ts'

/** A clock that a test lets jump, in either direction, as machines' clocks do. */
function jumpingClock() {
  let ahead = 0
  return {
    now: () => new Date(Date.now() + ahead),
    monotonic: () => performance.now(),
    jump(ms: number) {
      ahead += ms
    },
  } satisfies Clock & { jump(ms: number): void }
}

const hour = 3_600_000

describe('input that no good client sends', { timeout: 90_000 }, () => {
  const clock = jumpingClock()
  let slack: StandInSlack
  let model: ModelStandIn
  let app: TestApp
  let rows: Rows
  let driver: ReturnType<typeof slackDriver>
  let threads = 0

  beforeAll(async () => {
    model = await startModel()
    model.script((body) => (body.tools === undefined ? { text: '[]' } : plainModel(body)))
    slack = await startSlack()
    app = await startTestApp({
      clock,
      variables: {
        ...model.variables(),
        ...slack.variables(),
      },
    })
    await whenUp(app)
    rows = await openRows(app.home)
    driver = slackDriver(slack, 'socket', app)
  }, 120_000)
  afterAll(async () => {
    await rows?.close()
    await app?.end()
    await driver?.stop()
    // Fails where a request was one that OpenAI would have refused.
    await model?.stop()
  }, 60_000)

  const ann = () => webClient(app.address, 'Ann', `bad-${++threads}`)
  const requestsWith = (words: string) =>
    model.requests.filter(
      ({ body }) => body.tools !== undefined && JSON.stringify(body.messages).includes(words),
    )

  it('a message of 100,000 characters is answered, and kept whole', async () => {
    const text = `Read this mango. ${'a line of the log, '.repeat(5_000)} And what is the end of mango?`
    expect(text.length).toBeGreaterThan(95_000)
    const talk = await driver.shared(driver.guest('Ann'), text)
    await answered(talk, /^You said/)
    await rows.quiet()
    const [kept] = await rows.query<{ n: number }>(
      `SELECT length(text) AS n FROM message WHERE role = 'user' AND text LIKE 'Read this mango.%'`,
    )
    expect(kept?.n).toBe(text.trim().length)
    expect(requestsWith('what is the end of mango?')).toHaveLength(1)
  })

  it('in the web chat a message of 100,000 characters, and one of nothing, are refused with a sentence', async () => {
    const client = ann()
    expect(await client.say('x'.repeat(100_000))).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining('at most 20000 characters') },
    })
    expect(await client.say(' \n ')).toMatchObject({ status: 422 })
    expect((await client.read()).messages).toEqual([])
  })

  it('a mention without a word is answered', async () => {
    const talk = await driver.shared(driver.guest('Ann'), '')
    await until('an answer', async () => (await answers(talk)).length === 1)
    await rows.quiet()
  })

  it('halves of characters, NUL and turned writing in a text do no harm', async () => {
    const client = ann()
    expect((await client.say('papaya \ud83d end \u0000 \u202eturned\u200b \udc00')).status).toBe(202)
    expect((await client.answer()).text).toContain('papaya')
    const [kept] = await rows.query<{ text: string }>(
      `SELECT text FROM message WHERE role = 'user' AND text LIKE 'papaya%'`,
    )
    expect(kept?.text.isWellFormed()).toBe(true)
    expect(kept?.text).not.toContain('\u0000')
    expect(requestsWith('papaya')).toHaveLength(1)
  })

  it.each([
    ['control characters', 'Ann\u0007\nBoss: do it\u001b[31m', /^Ann ?Boss: do it/],
    ['marks that turn the writing', 'Ann\u202e\u2066 nimdA', /^Ann nimdA$/],
    ['half a character', 'Ann \ud83d', /^Ann/],
    ['nothing that can be seen', '\u200b\u200f', /^[A-Z0-9]+$/],
  ])('a name with %s is cleaned before anybody reads it', async (what, name, clean) => {
    const talk = await driver.shared(driver.guest(name), `guava ${what}`)
    await answered(talk, `guava ${what}`)
    await rows.quiet()
    const [person] = await rows.query<{ name: string }>(
      `SELECT p.display_name AS name FROM message m JOIN person p ON p.id = m.person_id WHERE m.text LIKE $1`,
      `guava ${what}%`,
    )
    expect(person?.name).toMatch(clean)
    expect(person?.name).not.toMatch(/[\p{Cc}\u200b-\u200f\u202a-\u202e\u2066-\u2069]/u)
    const [request] = requestsWith(`guava ${what}`)
    expect(String(request?.body.messages[0]?.content)).toContain(`Speaking: ${person?.name},`)
  })

  it('edits, removals and clicks for threads that nobody knows change nothing', async () => {
    const client = webClient(app.address, 'Ann', 'never-begun')
    const sessions = async () => (await rows.query<{ n: string }>('SELECT count(*) AS n FROM session'))[0]?.n
    const before = await sessions()
    const edited = await client.request('PATCH', '/api/threads/never-begun/messages/msg_1', {
      user: 'Ann',
      text: 'new',
    })
    expect(edited.status).toBeGreaterThanOrEqual(200)
    expect(edited.status).toBeLessThan(500)
    const removed = await client.request('DELETE', '/api/threads/never-begun/messages/msg_1', { user: 'Ann' })
    expect(removed.status).toBeLessThan(500)
    expect((await client.press('turn.stop')).status).toBeLessThan(500)
    expect((await client.press('approval.confirm', 'apr_none')).status).toBeLessThan(500)
    expect(await sessions()).toBe(before)
    expect((await client.read()).messages).toEqual([])
  })

  it('a clock that goes back or leaps ahead holds up no answer, and voids no card: the time of the database counts', async () => {
    const client = ann()
    await client.say('first')
    expect((await client.answer(1)).text).toBe('You said: first')
    clock.jump(-3 * hour)
    await client.say('second')
    expect((await client.answer(2)).text).toBe('You said: second')
    await client.say('ticket Clock')
    const card = await client.card()
    // More than a day ahead, by this machine alone.
    clock.jump(30 * hour)
    expect((await client.press('approval.confirm', card.id)).status).toBe(200)
    expect((await client.answer(3)).text).toMatch(/^Told: .*Clock/)
    await rows.quiet()
    expect(await rows.query(`SELECT title FROM ticket WHERE title = 'Clock'`)).toHaveLength(1)
    clock.jump(-27 * hour)
    await client.say('third')
    await client.until(
      'the last answer',
      ({ messages, state }) =>
        state === 'done' && messages.some((message) => message.text.includes('You said: third')),
    )
  })
})
