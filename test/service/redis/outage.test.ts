import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pause } from '../../../src/base/wait.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { freshDatabase, type TestDatabase } from '../../support/database.ts'
import { type ModelStandIn, startModel } from '../../support/model.ts'
import { freePort } from '../../support/recovery/child.ts'
import { plainModel } from '../../support/recovery/plain-model.ts'
import { answersOf, type SteadyClient, steadyClient } from '../../support/recovery/steady-client.ts'

const hasServer = spawnSync('redis-server', ['--version']).status === 0

/** A Redis of the test's own, which may be killed. */
async function startRedis(port: number): Promise<{ kill(): Promise<void> }> {
  const server = spawn(
    'redis-server',
    ['--bind', '127.0.0.1', '--port', String(port), '--save', '', '--appendonly', 'no'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const ended = once(server, 'exit')
  let said = ''
  server.stdout.on('data', (piece) => {
    said += piece
  })
  const until = performance.now() + 30_000
  while (!said.includes('Ready to accept connections')) {
    if (server.exitCode !== null || performance.now() > until) throw new Error(`No Redis started: ${said}`)
    await pause(10)
  }
  return {
    async kill() {
      server.kill('SIGKILL')
      await ended
    },
  }
}

let database: TestDatabase
let model: ModelStandIn
let port: number
let redis: { kill(): Promise<void> }
let gateway: TestApp
let worker: TestApp

// In processes of their own roles every bell goes through Redis.
beforeAll(async () => {
  if (!hasServer) return
  port = await freePort()
  redis = await startRedis(port)
  database = await freshDatabase()
  model = await startModel()
  model.script((body) => (body.tools === undefined ? { text: '[]' } : plainModel(body)))
  const variables = {
    DATABASE_URL: database.url,
    REDIS_URL: `redis://127.0.0.1:${port}`,
    ...model.variables(),
    HERMES_MODEL: 'plain',
  }
  const services = { variables: {}, close: async () => {} }
  gateway = await startTestApp({ role: 'gateway', variables, services })
  worker = await startTestApp({ role: 'worker', variables, services })
}, 120_000)

afterAll(async () => {
  await gateway?.end()
  await worker?.end()
  await redis?.kill()
  await model?.stop()
  await database?.close()
}, 60_000)

const queueOf = async (app: TestApp) => {
  const response = await fetch(`${app.address}/readyz`)
  const { parts } = (await response.json()) as { parts: { queue: { state: string } } }
  return { status: response.status, queue: parts.queue.state }
}

test.skipIf(!hasServer)('a Redis that is gone for a while loses nothing', { timeout: 180_000 }, async () => {
  const person = (thread: string) => steadyClient(gateway.address, 'Ann', thread)
  const limit = { timeout: 60_000 }
  for (const app of [gateway, worker])
    await expect.poll(() => queueOf(app), limit).toEqual({ status: 200, queue: 'up' })
  const asking = person('asking')
  await asking.say('ticket Lamp')
  const card = await asking.card()
  const writing = person('writing')
  await writing.say('slowly and surely')
  await writing.until('half an answer', ({ draft }) => (draft?.text.length ?? 0) > 20)

  await redis.kill()

  for (const app of [gateway, worker])
    await expect.poll(() => queueOf(app), limit).toEqual({ status: 503, queue: 'down' })
  const meanwhile = Array.from({ length: 5 }, (_, index) => person(`meanwhile-${index}`))
  for (const someone of meanwhile) expect((await someone.say('are you there')).status).toBe(202)
  expect((await asking.pressLabel(card, 'Confirm')).status).toBe(200)
  // The queue is a bell only: what was under way goes on, and what came in is found by the sweep.
  expect((await writing.answer()).text).toMatch(/^You said: slowly and surely\./)
  for (const someone of meanwhile) expect((await someone.answer()).text).toBe('You said: are you there')
  expect((await asking.answer()).text).toMatch(/^Told: .*Lamp/)
  expect((await queueOf(gateway)).queue).toBe('down')

  redis = await startRedis(port)

  for (const app of [gateway, worker])
    await expect.poll(() => queueOf(app), limit).toEqual({ status: 200, queue: 'up' })
  const later = person('later')
  await later.say('hello again')
  expect((await later.answer()).text).toBe('You said: hello again')
  const everyone: readonly SteadyClient[] = [...meanwhile, asking, writing, later]
  for (const someone of everyone) expect(answersOf(await someone.read())).toHaveLength(1)
  expect(await tickets()).toEqual([{ title: 'Lamp' }])
})

async function tickets() {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  try {
    return (await client.query('SELECT title FROM ticket')).rows
  } finally {
    await client.end()
  }
}
