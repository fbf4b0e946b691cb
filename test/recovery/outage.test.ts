import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pause } from '../../src/base/wait.ts'
import { freshEmbedded, type TestDatabase } from '../support/database.ts'
import { plainModel } from '../support/recovery/plain-model.ts'
import { answersOf, cardsOf, steadyClient } from '../support/recovery/steady-client.ts'
import { startWorld, type World } from '../support/recovery/world.ts'

describe('a database that is gone for a while', { timeout: 240_000 }, () => {
  let database: TestDatabase
  let world: World

  beforeAll(async () => {
    database = await freshEmbedded()
    world = await startWorld({ url: database.url })
    world.script((body) => plainModel(body))
    world.killer.rest()
  }, 240_000)
  afterAll(async () => {
    await world?.close()
    await database?.close()
  }, 60_000)

  const ready = async () => {
    const response = await fetch(`${world.address}/readyz`)
    const body = (await response.json()) as { parts: { database: { state: string } } }
    return { status: response.status, parts: body.parts }
  }
  const person = (thread: string) => steadyClient(world.address, 'Ann', thread)

  /** Talks in several threads while the database goes and comes back, and looks that nothing was lost. */
  const live = async (name: string, goes: () => Promise<void>, comes: () => Promise<void>, ms: number) => {
    const { pid, alive, errors } = await world.child()
    await expect.poll(async () => (await ready()).status, { timeout: 60_000 }).toBe(200)
    const asking = person(`${name}-asking`)
    await asking.say('ticket Lamp')
    const card = await asking.card()
    const writing = person(`${name}-writing`)
    await writing.say('slowly and surely')
    await writing.until('half an answer', ({ draft }) => (draft?.text.length ?? 0) > 20)
    const waiting = Array.from({ length: 5 }, (_, index) => person(`${name}-waiting-${index}`))
    for (const someone of waiting) expect((await someone.say('are you there')).status).toBe(202)

    const gone = performance.now()
    await goes()
    const meanwhile = person(`${name}-meanwhile`)
    const said = meanwhile.say('hello')
    const clicked = asking.pressLabel(card, 'Confirm')
    await expect.poll(async () => (await ready()).status, { timeout: 30_000 }).toBe(503)
    expect((await ready()).parts.database.state).toBe('down')
    expect((await fetch(`${world.address}/healthz`)).status).toBe(200)
    await pause(Math.max(0, ms - (performance.now() - gone)))
    await comes()
    const back = performance.now()

    await expect.poll(async () => (await ready()).status, { timeout: 60_000 }).toBe(200)
    const readySeconds = (performance.now() - back) / 1_000
    for (const someone of waiting) expect((await someone.answer()).text).toBe('You said: are you there')
    expect((await said).status).toBe(202)
    expect((await meanwhile.answer()).text).toBe('You said: hello')
    expect((await writing.answer()).text).toMatch(
      /^You said: slowly and surely\. (And so on and on\.\s*){20}$/,
    )
    expect((await clicked).status).toBe(200)
    expect((await asking.answer()).text).toMatch(/^Told: .*Lamp/)
    const allSeconds = (performance.now() - back) / 1_000
    expect(cardsOf(await asking.read())).toMatchObject([{ tone: 'done' }])
    for (const someone of [...waiting, meanwhile, writing, asking])
      expect(answersOf(await someone.read())).toHaveLength(1)
    expect(
      await world.query(
        `SELECT count(*)::int AS n FROM ticket t JOIN session s ON s.id = t.session_id WHERE s.thread = $1`,
        [`${name}-asking`],
      ),
    ).toEqual([{ n: 1 }])
    // The same process, not one that was started again.
    expect((await world.child()).pid).toBe(pid)
    expect(alive()).toBe(true)
    expect(errors()).not.toMatch(/unhandled|uncaught/i)
    console.log(
      `${name}: ready ${readySeconds.toFixed(1)} s after the database was back, everything answered after ${allSeconds.toFixed(1)} s.`,
    )
  }

  it('breaks no promise where connections break and are refused', async () => {
    await live(
      'cut',
      () => world.proxy.cut(),
      () => world.proxy.mend(),
      5_000,
    )
  })

  it('breaks no promise where it hangs for longer than a lease lives', async () => {
    await live(
      'frozen',
      async () => world.proxy.freeze(),
      async () => world.proxy.thaw(),
      16_000,
    )
  })
})
