import { execFile } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { root } from '../docs/pages.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { lastUserText, type ModelStandIn, startModel } from '../support/model.ts'
import { openRows, type Rows } from '../support/rows.ts'
import { webClient } from '../support/web-client.ts'

let model: ModelStandIn
let app: TestApp
let rows: Rows
let days = 0

// "spends 123" makes a turn use so many tokens, "teaches 123" what is learned from it.
beforeAll(async () => {
  model = await startModel()
  model.script((body) => {
    const said = lastUserText(body)
    const spent = (body.tools ? /spends (\d+)/ : /teaches (\d+)/).exec(said)?.[1] ?? '0'
    const usage = { prompt_tokens: Number(spent), completion_tokens: spent === '0' ? 0 : 10 }
    const quote = 'I live in Lyon'
    const fact = { text: quote, quote, speaker: 0, category: 'fact', importance: 0.8, confidence: 0.9 }
    const learned = said.includes(quote) ? [fact] : []
    return { text: body.tools ? 'I see.' : JSON.stringify(learned), usage }
  })
  app = await startTestApp({
    variables: {
      ...model.variables(),
      HERMES_MODEL: 'thinker',
      HERMES_EMBEDDING_MODEL: 'placer',
    },
    config: {
      timeZone: 'Etc/UTC',
      limits: { personDayTokens: 5_000 },
      model: {
        prices: {
          thinker: { inputPerMillion: 1_000, outputPerMillion: 10_000 },
          placer: { inputPerMillion: 5_000, outputPerMillion: 0 },
        },
      },
    },
    clock: { now: () => new Date(Date.now() + days * 86_400_000), monotonic: systemClock.monotonic },
  })
  rows = await openRows(app.home)
})
afterAll(async () => {
  await rows.close()
  await app.end()
  await model.stop()
})

const putOff = async () => {
  const figures = await (await fetch(`${app.address}/metrics`)).text()
  return Number(
    /^hermes_put_off_total\{task="learn",limit="person_day_tokens"\} (\d+)$/m.exec(figures)?.[1] ?? 0,
  )
}

const turnOf = async (name: string) =>
  (
    await rows.query<{ id: string; learned: boolean }>(
      `SELECT t.id, t.learned_at IS NOT NULL AS learned FROM turn t JOIN person p ON p.id = t.person_id
       WHERE p.display_name = $1 ORDER BY t.id LIMIT 1`,
      name,
    )
  )[0]!

async function says(name: string, text: string) {
  const person = webClient(app.address, name, `meter-${name}`)
  await person.say(text)
  return person
}

it('what is learned and the vectors that are made for a person count for their day, and the trace of the turn names them', async () => {
  const ann = await says('Ann', 'I live in Lyon. This spends 1000 and teaches 6000')
  expect((await ann.answer()).text).toBe('I see.')
  await expect.poll(async () => (await turnOf('Ann')).learned, { timeout: 20_000 }).toBe(true)
  const { id } = await turnOf('Ann')
  const uses = await rows.query(
    `SELECT u.task, u.model, u.input_tokens, u.output_tokens, u.cost, p.display_name AS name FROM model_use u
     LEFT JOIN person p ON p.id = u.person_id WHERE u.turn_id = $1 ORDER BY u.model`,
    id,
  )
  expect(uses).toEqual([
    { task: 'learn', model: 'placer', input_tokens: 1, output_tokens: 0, cost: 0.005, name: 'Ann' },
    { task: 'learn', model: 'thinker', input_tokens: 6_000, output_tokens: 10, cost: 6.1, name: 'Ann' },
  ])
  const trace = await new Promise<string>((resolve) => {
    const env = { ...process.env, HERMES_HOME: app.home, LOG_LEVEL: 'silent' }
    execFile(process.execPath, [join(root, 'src/main.ts'), 'trace', id], { env }, (_, output) =>
      resolve(output),
    )
  })
  expect(trace).toContain('1000 tokens in, 10 out, cost 1.1')
  expect(trace).toContain('+ learn  thinker  6000 tokens in, 10 out, cost 6.1')
  expect(trace).toContain('+ learn  placer  1 tokens in, 0 out, cost 0.005')
  expect(await (await fetch(`${app.address}/metrics`)).text()).toContain(
    'hermes_model_aside_tokens_total{task="learn"} 6011',
  )

  await ann.say('And this?')
  expect((await ann.answer(2)).text).toMatch(/^You have used up what one person may use .* \(5,000 tokens\)/)
})

it('a question that memories are looked for with counts for whoever asks it', async () => {
  const cy = await says('Cy', 'I live in Lyon')
  await cy.answer()
  await expect.poll(async () => (await turnOf('Cy')).learned, { timeout: 20_000 }).toBe(true)
  await cy.say('In which town do I live?')
  await cy.answer(2)
  const recalled = () =>
    rows.query(
      `SELECT u.model, t.id <> $1 AS second FROM model_use u JOIN person p ON p.id = u.person_id
       JOIN turn t ON t.id = u.turn_id WHERE p.display_name = 'Cy' AND u.task = 'recall'`,
      first.id,
    )
  const first = await turnOf('Cy')
  await expect.poll(recalled).toEqual([{ model: 'placer', second: true }])
})

it('what a limit of the day puts off is said in the figures, and done on the next day', async () => {
  const before = await putOff()
  const bob = await says('Bob', 'This spends 7000 and teaches 100')
  expect((await bob.answer()).text).toBe('I see.')
  const learns = () =>
    model.requests.filter(
      ({ body }) => body.messages && !body.tools && lastUserText(body).includes('spends 7000'),
    )
  await expect.poll(putOff, { timeout: 20_000 }).toBe(before + 1)
  expect((await turnOf('Bob')).learned).toBe(false)
  expect(learns()).toEqual([])

  await rows.close()
  days += 1
  app = await app.restart()
  rows = await openRows(app.home)
  await expect.poll(async () => (await turnOf('Bob')).learned, { timeout: 20_000 }).toBe(true)
  const { id } = await turnOf('Bob')
  const used = () => rows.query(`SELECT task FROM model_use WHERE turn_id = $1 AND task = 'learn'`, id)
  await expect.poll(used).toEqual([{ task: 'learn' }])
})
