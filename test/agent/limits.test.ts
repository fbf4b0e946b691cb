import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { costOf } from '../../src/model/prices.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { type ModelStandIn, startModel } from '../support/model.ts'
import { openRows, type Rows } from '../support/rows.ts'
import { type Scripts, scriptModel } from '../support/scripts.ts'
import { webClient } from '../support/web-client.ts'

// Every request costs 1.
const usage = { prompt_tokens: 1_000, completion_tokens: 0 }
const day = 86_400_000
let model: ModelStandIn
let scripts: Scripts
let app: TestApp
let rows: Rows
let days = 0

beforeAll(async () => {
  model = await startModel()
  // What is learned from what was said counts, too; here it costs nothing, so that the sums are round.
  scripts = scriptModel(model, { text: '[]', usage: { prompt_tokens: 0, completion_tokens: 0 } })
  app = await startTestApp({
    variables: {
      ...model.variables(),
      HERMES_MODEL: 'thinker',
    },
    config: {
      timeZone: 'Etc/UTC',
      limits: { turnCost: 3, personDayCost: 4, dayTokens: 10_000 },
      model: { currency: 'EUR', prices: { thinker: { inputPerMillion: 1_000, outputPerMillion: 0 } } },
    },
    clock: { now: () => new Date(Date.now() + days * day), monotonic: systemClock.monotonic },
  })
  rows = await openRows(app.home)
})
afterAll(async () => {
  await rows.close()
  await app.end()
  await model.stop()
})

/** What is answered in a new thread, and how often the model was asked for it. */
async function ask(name: string, ...calls: readonly object[]): Promise<{ text: string; requests: number }> {
  const word = scripts.word()
  const lines = calls.map((args) => ({ calls: [{ name: 'list_tickets', arguments: { ...args } }], usage }))
  scripts.on(word, ...lines, { text: 'Here you are.', usage })
  const person = webClient(app.address, name, `limit-${word}`)
  await person.say(`Look for ${word}`)
  const { text } = await person.answer()
  return { text, requests: scripts.requests(word).length }
}

it('ends a turn, a day of one person and a day of all by what they cost, says what was done and who can help', async () => {
  // A card that was shown before a limit is reached is still decided, and what came of it is told.
  const word = scripts.word()
  const cid = webClient(app.address, 'Cid', `limit-${word}`)
  scripts.on(word, { calls: [{ name: 'create_ticket', arguments: { title: 'Lamp' } }], usage })
  await cid.say(`Make a ticket for the lamp ${word}`)
  const card = await cid.card()
  await rows.query(`UPDATE person SET time_zone = 'Asia/Kolkata' WHERE display_name = 'Cid'`)
  expect((await ask('Cid', { query: 'one' }, { query: 'two' }, { query: 'three' })).requests).toBe(3)
  await cid.press('approval.confirm', card.id)
  const { messages } = await cid.until('the end', ({ state }) => state === 'done')
  expect(messages.at(-1)!.text).toMatch(
    /^You have used up .* in a day \(€4\.00\)\. It starts anew at 05:30 \(Asia\/Kolkata\);.*\n\nDone so far: Ticket T-\d+ created\.$/,
  )
  expect(await rows.query(`SELECT 1 FROM ticket WHERE title = 'Lamp'`)).toHaveLength(1)

  expect(await ask('Ann', { query: 'one' }, { query: 'two' }, { query: 'three' })).toEqual({
    text: 'I stopped: this request has cost as much of the language model as one may (€3.00). Ask for less at once; whoever runs Hermes can raise limits.turnCost.\n\nLooked at: List tickets. Nothing was changed.',
    requests: 3,
  })
  expect(await ask('Ann')).toEqual({ text: 'Here you are.', requests: 1 })
  const over = await ask('Ann')
  expect(over.requests).toBe(0)
  expect(over.text).toMatch(
    /^You have used up what one person may use .* in a day \(€4\.00\)\. It starts anew at 00:00 \(Etc\/UTC\); whoever runs Hermes can raise it/,
  )
  expect(await ask('Bob')).toMatchObject({ requests: 1 })
  expect(await ask('Bob')).toMatchObject({ requests: 1 })
  const all = await ask('Bob')
  expect(all.requests).toBe(0)
  expect(all.text).toMatch(/^What everybody here may use .* is used up \(10,000 tokens\)\./)

  const reached = await rows.query<{ data: object }>(
    `SELECT data - 'turn' AS data FROM audit_event WHERE action = 'limit.reached' ORDER BY at`,
  )
  expect(reached.map(({ data }) => data)).toEqual([
    ...['Cid', 'Ann'].flatMap(() => [
      { limit: 'cost', at: 3, most: 3 },
      { limit: 'person_day_cost', at: 4, most: 4 },
    ]),
    { limit: 'day_tokens', at: 10_000, most: 10_000 },
  ])
  days += 1
  expect(await ask('Ann')).toEqual({ text: 'Here you are.', requests: 1 })
})

it('prices cached input apart, dated names like their family, and unknown models not at all', () => {
  const prices = {
    big: { inputPerMillion: 10, outputPerMillion: 30, cachedPerMillion: 1 },
    'big-mini': { inputPerMillion: 1, outputPerMillion: 2 },
  }
  const used = { inputTokens: 1_000_000, outputTokens: 100_000, cachedTokens: 400_000 }
  expect(costOf(used, 'big', prices)).toBeCloseTo(6 + 0.4 + 3)
  expect(costOf(used, 'big-mini-2026-05-01', prices)).toBeCloseTo(1 + 0.2)
  expect(costOf(used, 'bigger', prices)).toBe(0)
})
