import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { answerLearning } from '../support/learning.ts'
import { type ModelStandIn, startModel } from '../support/model.ts'
import { webClient } from '../support/web-client.ts'

let database: TestDatabase
let model: ModelStandIn
let gateway: TestApp
let workers: readonly TestApp[]

// One gateway and two workers on one database, as on three machines: nothing is shared but what is committed.
beforeAll(async () => {
  database = await freshDatabase()
  model = await startModel()
  const variables = {
    DATABASE_URL: database.url,
    ...model.variables(),
    ...(process.env.REDIS_URL ? { REDIS_URL: process.env.REDIS_URL } : {}),
  }
  const services = { variables: {}, close: async () => {} }
  gateway = await startTestApp({ role: 'gateway', variables, services })
  workers = [
    await startTestApp({ role: 'worker', variables, services }),
    await startTestApp({ role: 'worker', variables, services }),
  ]
}, 120_000)

afterAll(async () => {
  await gateway.end()
  for (const worker of workers) await worker.end()
  await model.stop()
  await database.close()
})

test('a gateway receives and shows what a worker answers, with a card and its click', {
  timeout: 60_000,
}, async () => {
  model.reset()
  answerLearning(model)
  const ann = webClient(gateway.address, 'Ann', 'roles')
  model.reply(
    { calls: [{ name: 'create_ticket', arguments: { title: 'Lamp is out' } }] },
    { text: 'It is made.' },
  )
  await ann.say('ticket: lamp is out')
  const card = await ann.card()
  await ann.press('approval.confirm', card.id)
  expect((await ann.answer()).text).toBe('It is made.')
  const shown = (await ann.read()).messages.flatMap((message) => message.cards)
  expect(shown).toHaveLength(1)
  expect(shown[0]?.footer).toMatch(/Ticket T-\d+ created$/)
})

test('what a worker writes is seen through the gateway before it is finished', {
  timeout: 60_000,
}, async () => {
  model.reset()
  answerLearning(model)
  const ann = webClient(gateway.address, 'Ann', 'draft')
  model.reply({ text: 'One word after the other, slowly enough to be seen.', chunkSize: 6, delayMs: 250 })
  await ann.say('tell me slowly')
  await ann.until('a draft', (thread) =>
    /^One word/.test((thread as { draft?: { text?: string } }).draft?.text ?? ''),
  )
  expect((await ann.answer()).text).toBe('One word after the other, slowly enough to be seen.')
})

test('a turn whose worker stops midway is answered by the other one, once', { timeout: 90_000 }, async () => {
  model.reset()
  let asked = 0
  model.script((body) => {
    if (body.tools === undefined) return { text: '[]' }
    asked += 1
    return asked === 1 ? { hang: true } : { text: 'Here I am.' }
  })
  const ann = webClient(gateway.address, 'Ann', 'handover')
  await ann.say('are you there?')
  await ann.until('the model is asked', () => asked > 0)
  // Whichever of the two has the turn: one after the other is stopped until it moves.
  await workers[0]!.stop()
  const done = await ann
    .until(
      'the other answers',
      ({ messages }) => messages.some((message) => message.text === 'Here I am.'),
      6_000,
    )
    .catch(() => undefined)
  if (!done) {
    workers = [workers[0]!, await workers[1]!.restart()]
    await ann.until(
      'the next one answers',
      ({ messages }) => messages.some((message) => message.text === 'Here I am.'),
      30_000,
    )
  }
  const { messages } = await ann.read()
  expect(messages.filter((message) => message.role === 'assistant')).toHaveLength(1)
})
