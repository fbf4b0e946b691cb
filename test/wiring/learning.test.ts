import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Database, openClient } from '../../src/store/client.ts'
import { runningUrl } from '../../src/store/running.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { type ModelStandIn, startModel } from '../support/model.ts'
import { webClient } from '../support/web-client.ts'

let model: ModelStandIn
let app: TestApp
let db: Database

beforeAll(async () => {
  model = await startModel()
  app = await startTestApp({ variables: { OPENAI_BASE_URL: model.baseUrl } })
  db = openClient(runningUrl(app.home)!, { connections: 1 })
})
afterAll(async () => {
  await db.$disconnect()
  await app.end()
  await model.stop()
})

it('what was said in passing is learned once the conversation pauses, from each turn once', async () => {
  const asked: string[] = []
  model.script((body) => {
    if (body.tools) return { text: 'I see.' }
    const input = String(body.messages.at(-1)?.content)
    asked.push(input)
    const quote = ['I live in Lyon', 'I prefer tea'].find((one) => input.includes(one))
    const item = { text: quote, quote, speaker: 0, category: 'fact', importance: 0.8, confidence: 0.9 }
    return { text: JSON.stringify(quote ? [item] : []) }
  })
  const ann = webClient(app.address, 'Ann', 'passing')
  await ann.say('I live in Lyon by the way.')
  await ann.answer(1)
  await ann.say('And I prefer tea to coffee.')
  await ann.answer(2)
  const unlearned = () => db.turn.count({ where: { learnedAt: null } })
  await expect.poll(unlearned, { timeout: 20_000 }).toBe(0)
  const memories = await db.memory.findMany({ where: { status: 'active' }, orderBy: { text: 'asc' } })
  expect(memories.map(({ text, scope }) => ({ text, scope }))).toEqual([
    { text: 'I live in Lyon', scope: 'private' },
    { text: 'I prefer tea', scope: 'private' },
  ])
  expect(asked).toHaveLength(2)
})
