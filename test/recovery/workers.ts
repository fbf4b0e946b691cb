import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pause } from '../../src/base/wait.ts'
import type { TestDatabase } from '../support/database.ts'
import { type ModelStandIn, startModel } from '../support/model.ts'
import { type Child, freshHome, spawnChild } from '../support/recovery/child.ts'
import { plainModel, unanswered } from '../support/recovery/plain-model.ts'
import { overlapsOf } from '../support/recovery/stage.ts'
import { answersOf, cardsOf, steadyClient } from '../support/recovery/steady-client.ts'

/**
 * What a gateway and two workers on one database promise, each a process of its own.
 * @param variables for all of them, beside the database
 */
export function describeWorkers(
  where: string,
  open: () => Promise<TestDatabase>,
  variables: Readonly<Record<string, string>> = {},
): void {
  describe(`a gateway and two workers ${where}`, { timeout: 240_000 }, () => {
    let database: TestDatabase
    let client: pg.Client
    let model: ModelStandIn
    let home: Awaited<ReturnType<typeof freshHome>>
    let gateway: Child
    let workers: Child[] = []

    const spawn = (role: 'gateway' | 'worker') =>
      spawnChild({
        home: home.path,
        role,
        variables: {
          DATABASE_URL: database.url,
          ...model.variables(),
          ...variables,
        },
      })
    beforeAll(async () => {
      database = await open()
      client = new pg.Client({ connectionString: database.url })
      await client.connect()
      model = await startModel()
      model.script((body) => {
        if (body.tools === undefined) return { text: '[]' }
        const reply = plainModel(body)
        // Long enough for a worker to be found at it and killed.
        return unanswered(body).some((said) => said.includes('slowly')) ? { ...reply, delayMs: 100 } : reply
      })
      home = await freshHome()
      gateway = spawn('gateway')
      await gateway.ready
      workers = [spawn('worker'), spawn('worker')]
      await Promise.all(workers.map(({ ready }) => ready))
    }, 240_000)
    afterAll(async () => {
      for (const child of [gateway, ...workers]) child?.kill()
      await Promise.all([gateway, ...workers].map((child) => child?.ended))
      await client?.end()
      await home?.remove()
      await model?.stop()
      await database?.close()
    }, 60_000)

    const person = (name: string, thread: string) => steadyClient(gateway.address(), name, thread)
    const query = async <T extends pg.QueryResultRow>(sql: string, ...values: readonly unknown[]) =>
      (await client.query<T>(sql, [...values])).rows
    const turns = (thread: string) =>
      query<{ status: string }>(
        `SELECT t.status FROM turn t JOIN session s ON s.id = t.session_id WHERE s.thread = $1 ORDER BY t.id`,
        thread,
      )
    const overlaps = (thread: string) => overlapsOf({ query }, thread)

    it('answer many people in many threads, never two in one thread at once', async () => {
      const threads = Array.from({ length: 6 }, (_, index) => `many-${index}`)
      const names = ['Ann', 'Bob', 'Cem']
      await Promise.all(
        threads.flatMap((thread) =>
          names.map(async (name) => {
            const someone = person(name, thread)
            await someone.say(`${name} says one`)
            await someone.say(`${name} says two`)
          }),
        ),
      )
      for (const thread of threads) {
        const view = await person('Ann', thread).until(
          'all answers',
          (seen) =>
            seen.state === 'done' &&
            names.every((name) =>
              ['one', 'two'].every((word) =>
                answersOf(seen).some(({ text }) => text.includes(`${name} says ${word}`)),
              ),
            ),
        )
        expect(view.messages.filter(({ role }) => role === 'user')).toHaveLength(6)
        expect(await overlaps(thread)).toEqual([])
        expect((await turns(thread)).every(({ status }) => status === 'done')).toBe(true)
      }
    })

    it('show, interrupt and stop in one process what is written in another', async () => {
      const ann = person('Ann', 'across')
      await ann.say('slowly one')
      await ann.until('half an answer', ({ draft }) => (draft?.text.length ?? 0) > 20)
      await ann.say('two')
      expect((await ann.answer()).text).toMatch(/^You said: slowly one \+ two\./)
      await ann.say('slowly three')
      await ann.until('half an answer', ({ draft }) => draft?.text.includes('three') ?? false)
      await ann.press('turn.stop')
      expect((await ann.answer(2)).text).toBe('Stopped.')
      expect(await turns('across')).toEqual([{ status: 'done' }, { status: 'stopped' }])
      expect(await overlaps('across')).toEqual([])
    })

    it('run in a worker what was confirmed at the gateway, once', async () => {
      const ann = person('Ann', 'confirm')
      await ann.say('ticket Lamp')
      const card = await ann.card()
      await Promise.all(Array.from({ length: 5 }, () => ann.pressLabel(card, 'Confirm')))
      expect((await ann.answer()).text).toMatch(/^Told: .*Lamp/)
      expect(cardsOf(await ann.read())).toMatchObject([{ tone: 'done' }])
      expect(
        await query(
          `SELECT t.title FROM ticket t JOIN session s ON s.id = t.session_id WHERE s.thread = 'confirm'`,
        ),
      ).toEqual([{ title: 'Lamp' }])
    })

    it('say a reminder that is due once, though both look for it', async () => {
      const ann = person('Ann', 'remind')
      await ann.say('hello')
      await ann.answer()
      await query(
        `INSERT INTO reminder (id, person_id, session_id, text, due_at, time_zone, call_id)
         SELECT 'rem_' || n, e.person_id, s.id, 'water the plants ' || n, now(), 'UTC', 'call_none_' || n
         FROM session s JOIN inbound_event e ON e.session_id = s.id, generate_series(1, 3) n WHERE s.thread = 'remind'`,
      )
      const reminded = (seen: Parameters<typeof answersOf>[0]) =>
        answersOf(seen).filter(({ text }) => text.includes('water the plants'))
      await ann.until('three reminders', (seen) => reminded(seen).length >= 3)
      await pause(4_500)
      expect(new Set(reminded(await ann.read()).map(({ text }) => text)).size).toBe(3)
      expect(reminded(await ann.read())).toHaveLength(3)
    })

    it('go on when one worker is killed in the middle of answers', async () => {
      const threads = Array.from({ length: 4 }, (_, index) => `killed-${index}`)
      const people = threads.map((thread) => person('Ann', thread))
      for (const someone of people) await someone.say('slowly and surely')
      for (const someone of people)
        await someone.until('half an answer', ({ draft }) => (draft?.text.length ?? 0) > 20)
      const [held] = await query<{ lease_owner: string }>(
        `SELECT lease_owner FROM session WHERE thread = $1`,
        threads[0],
      )
      const doomed = workers.find(({ pid }) => held?.lease_owner.startsWith(`${pid}-`))
      expect(doomed).toBeDefined()
      const killed = performance.now()
      doomed?.kill('SIGKILL')
      for (const someone of people) {
        expect((await someone.answer()).text).toMatch(
          /^You said: slowly and surely\. (And so on and on\.\s*){20}$/,
        )
      }
      const seconds = (performance.now() - killed) / 1_000
      for (const thread of threads) {
        expect(await turns(thread)).toEqual([{ status: 'done' }])
        expect(answersOf(await person('Ann', thread).read())).toHaveLength(1)
      }
      // The lease lives for 15 s, the sweep looks every 2 s, and the answer takes some seconds to write.
      console.log(`The answers of a killed worker were whole ${seconds.toFixed(1)} s later.`)
    })

    it('end in good order', async () => {
      const asked = performance.now()
      const left = [gateway, ...workers].filter((child) => child.alive())
      expect(left).toHaveLength(2)
      for (const child of left) child.kill('SIGTERM')
      expect(await Promise.all(left.map(({ ended }) => ended))).toEqual([0, 0])
      expect(performance.now() - asked).toBeLessThan(10_000)
    })
  })
}
