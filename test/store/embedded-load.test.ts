import { once } from 'node:events'
import type { Socket } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import process from 'node:process'
import { createPostgresBackend, type Job, Queue, Worker } from 'bullmq'
import pg from 'pg'
import { expect, test } from 'vitest'
import { messageOf } from '../../src/base/errors.ts'
import { pause } from '../../src/base/wait.ts'
import { openClient } from '../../src/store/client.ts'
import { freshEmbedded } from '../support/database.ts'

const seconds = Number(process.env.HERMES_LOAD_SECONDS ?? (process.env.CI ? 20 : 10))

test(
  'the embedded database bears mixed load: no error, no lost update, no lost job',
  async () => {
    const database = await freshEmbedded()
    const load = startLoad(database.url)
    await load.ready
    const lag = monitorEventLoopDelay({ resolution: 10 })
    lag.enable()
    const until = performance.now() + seconds * 1000
    await load.run(() => performance.now() < until)
    lag.disable()
    const result = await load.finish()
    await database.close()

    const { errors, wakeMs, restMs, ...figures } = result
    process.stdout.write(
      `${JSON.stringify({
        seconds,
        ...figures,
        maxLagMs: Math.round(lag.max / 1e6),
        wakeMs: { p50: at(wakeMs, 0.5), p95: at(wakeMs, 0.95), max: at(wakeMs, 1) },
        restMs: { p50: at(restMs, 0.5), max: at(restMs, 1) },
        errors: errors.length,
      })}\n`,
    )
    expect(errors).toEqual([])
    expect(figures.counted).toBe(figures.committed)
    expect(figures.jobsDone).toBe(figures.jobsAdded)
    expect(figures.jobsTwice).toBe(0)
    expect(figures.tooEarly).toBe(0)
    expect(figures.killed).toBeGreaterThan(0)
    expect(figures.keptOfKilled).toBe(0)
    // Without notifications for idle clients, a job waits for up to five seconds.
    expect(at(wakeMs, 0.5)).toBeLessThan(1_000)
    expect(restMs).toHaveLength(10)
    expect(at(restMs, 0.5)).toBeLessThan(500)
  },
  (seconds + 120) * 1000,
)

function at(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return Math.round(sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN)
}

function startLoad(url: string) {
  const errors: string[] = []
  const note = (part: string) => (error: unknown) => void errors.push(`${part}: ${messageOf(error)}`)
  const prisma = openClient(url)
  const pool = new pg.Pool({ connectionString: url, max: 4 })
  pool.on('error', note('pool'))
  const settings = {
    connection: { connectionString: url, migrate: true },
  }
  const queueOf = (name: string) => new Queue(name, settings, createPostgresBackend)
  const workerOf = (name: string, concurrency: number, work: (data: JobData) => Promise<void>) =>
    new Worker(
      name,
      async (job: Job<JobData>) => work(job.data),
      { ...settings, concurrency },
      createPostgresBackend,
    )

  let committed = 0
  let reads = 0
  let jobsAdded = 0
  let tooEarly = 0
  let killed = 0
  const ran = new Map<number, number>()
  const wakeMs: number[] = []
  const queue = queueOf('busy')
  const bell = queueOf('idle')
  const busy = workerOf('busy', 8, async ({ number, due }) => {
    if (Date.now() < due - 5) tooEarly += 1
    await pool.query('INSERT INTO load_job VALUES ($1)', [number])
    ran.set(number, (ran.get(number) ?? 0) + 1)
  })
  const idle = workerOf('idle', 1, async ({ due }) => {
    wakeMs.push(performance.timeOrigin + performance.now() - due)
  })
  queue.on('error', note('queue'))
  bell.on('error', note('bell'))
  busy.on('error', note('busy worker'))
  idle.on('error', note('idle worker'))

  /** Reads, thinks, writes: an update is lost wherever two of these mix. */
  const write = async () => {
    await prisma.$transaction(async (tx) => {
      const where = { scope_key: { scope: 'load', key: 'count' } }
      const { value } = await tx.state.findUniqueOrThrow({ where })
      await tx.state.update({ where, data: { value: Number(value) + 1 } })
      await tx.$executeRaw`INSERT INTO load_row (text) VALUES (${'x'.repeat(200)})`
    })
    committed += 1
  }

  const read = async () => {
    const number = reads
    reads += 1
    const { rows } = await pool.query('SELECT $1::int AS number, count(*)::int AS rows FROM load_row', [
      number,
    ])
    if (rows[0].number !== number) throw new Error(`asked ${number}, answered ${rows[0].number}`)
  }

  const add = async () => {
    const number = jobsAdded
    jobsAdded += 1
    const delay = number % 3 === 0 ? 200 + (number % 7) * 50 : 0
    await queue.add('work', { number, due: Date.now() + delay }, { delay, removeOnComplete: true })
    await pause(5)
  }

  const ring = async () => {
    await pause(400)
    await bell.add('ring', { number: 0, due: performance.timeOrigin + performance.now() })
  }

  const kill = async () => {
    const victim = new pg.Client({ connectionString: url })
    victim.on('error', () => {})
    await victim.connect()
    await victim.query('BEGIN')
    await victim.query(`UPDATE state SET value = '-1000000' WHERE scope = 'load' AND key = 'count'`)
    await victim.query("INSERT INTO load_row (text) VALUES ('of the killed')")
    const { stream } = (victim as unknown as { connection: { stream: Socket } }).connection
    const gone = once(stream, 'close')
    stream.resetAndDestroy()
    await gone
    killed += 1
    await pause(300)
  }

  const repeat = async (part: string, work: () => Promise<unknown>, more: () => boolean) => {
    while (more()) await work().catch(note(part))
  }

  const prepare = async () => {
    await pool.query('CREATE TABLE load_row (id serial PRIMARY KEY, text text NOT NULL)')
    await pool.query('CREATE TABLE load_job (number int PRIMARY KEY)')
    await prisma.state.create({ data: { scope: 'load', key: 'count', value: 0 } })
    await Promise.all([queue, bell, busy, idle].map((part) => part.waitUntilReady()))
  }

  return {
    ready: prepare(),
    async run(more: () => boolean) {
      await Promise.all([
        ...Array.from({ length: 5 }, () => repeat('write', write, more)),
        ...Array.from({ length: 2 }, () => repeat('read', read, more)),
        repeat('add', add, more),
        repeat('ring', ring, more),
        repeat('kill', kill, more),
      ])
    },
    async finish() {
      const until = performance.now() + 30_000
      while (ran.size < jobsAdded && performance.now() < until) await pause(50)
      const { value } = await prisma.state.findUniqueOrThrow({
        where: { scope_key: { scope: 'load', key: 'count' } },
      })
      const { rows } = await pool.query(
        "SELECT (SELECT count(*)::int FROM load_job) AS jobs, count(*)::int AS kept FROM load_row WHERE text = 'of the killed'",
      )
      const rungUnderLoad = wakeMs.length
      for (let index = 0; index < 10; index += 1) await ring()
      await pause(200)
      await Promise.all([busy.close(), idle.close()])
      await Promise.all([queue.close(), bell.close()])
      await prisma.$disconnect()
      await pool.end()
      return {
        errors,
        wakeMs: wakeMs.slice(0, rungUnderLoad),
        restMs: wakeMs.slice(rungUnderLoad),
        committed,
        counted: Number(value),
        reads,
        jobsAdded,
        jobsDone: rows[0].jobs as number,
        jobsTwice: [...ran.values()].filter((times) => times > 1).length,
        tooEarly,
        killed,
        keptOfKilled: rows[0].kept as number,
      }
    },
  }
}

interface JobData {
  readonly number: number
  /** When it may run at the earliest, or was added. */
  readonly due: number
}
