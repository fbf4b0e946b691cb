import { createPostgresBackend, Queue, Worker } from 'bullmq'
import { messageOf } from '../base/errors.ts'
import { within } from '../base/wait.ts'
import type { Log } from '../observe/log.ts'

/** Where the queue lives: on Redis where there is one, else on the database itself. */
export type QueueHome =
  /** `prefix` keeps installations that share a Redis apart. */
  | { readonly kind: 'redis'; readonly url: string; readonly prefix: string }
  | { readonly kind: 'postgres'; readonly url: string }

/** Work of one kind, handed from any process to any worker. A bell, not a memory: what is to do is in the database. */
export interface Bells {
  /** Asks for work on a key. Bells of one key that nobody has answered yet count as one. */
  ring(key: string): Promise<void>
  /** Rings even where a bell for the key seems to be under way: a dead worker's bell stays so for a while. */
  ringAgain(key: string): Promise<void>
  /** Does the queue answer? */
  check(): Promise<void>
  close(): Promise<void>
}

/** Answers bells until it is closed. */
export interface Answering {
  /** Waits up to `ms` for what is under way. */
  close(ms: number): Promise<void>
}

interface BellData {
  readonly key: string
}

// A killed worker's job is taken over after `stalledInterval`; the lease in the database decides who may work.
const workerTimes = {
  lockDuration: 15_000,
  stalledInterval: 5_000,
  maxStalledCount: 1_000,
  runRetryDelay: 1_000,
  drainDelay: 2,
}

/** Opens one kind of bell. */
export function createBells(name: string, home: QueueHome, log: Log): Bells {
  const queue =
    home.kind === 'redis'
      ? new Queue<BellData>(name, {
          connection: {
            url: home.url,
            enableOfflineQueue: false,
            maxRetriesPerRequest: 1,
            connectTimeout: 2_000,
          },
          prefix: home.prefix,
        })
      : new Queue<BellData>(
          name,
          { connection: { connectionString: home.url, migrate: true } as never },
          createPostgresBackend as never,
        )
  let told = 0
  queue.on('error', (error) => {
    // A queue that is away says so again and again.
    if (told++ % 50 === 0) log.warn({ queue: name, error: messageOf(error) }, 'The queue has an error')
  })
  const kept = { removeOnComplete: true, removeOnFail: 100 }
  return {
    async ring(key) {
      await queue.add(name, { key }, { ...kept, deduplication: { id: key, keepLastIfActive: true } })
    },
    async ringAgain(key) {
      await queue.add(name, { key }, kept)
    },
    async check() {
      await within(2_000, 'The queue', queue.getJobCounts('active'))
    },
    async close() {
      await within(3_000, 'Closing the queue', queue.close()).catch(() => {})
    },
  }
}

/** Answers the bells of a kind, `concurrency` at a time. */
export function answerBells(
  name: string,
  home: QueueHome,
  concurrency: number,
  answer: (key: string) => Promise<void>,
  log: Log,
): Answering {
  const run = async (job: { data: BellData }) => answer(job.data.key)
  const worker =
    home.kind === 'redis'
      ? new Worker<BellData>(name, run, {
          connection: { url: home.url, maxRetriesPerRequest: null },
          prefix: home.prefix,
          concurrency,
          ...workerTimes,
        })
      : new Worker<BellData>(
          name,
          run,
          { connection: { connectionString: home.url, migrate: true } as never, concurrency, ...workerTimes },
          createPostgresBackend as never,
        )
  let told = 0
  worker.on('error', (error) => {
    if (told++ % 50 === 0) log.warn({ queue: name, error: messageOf(error) }, 'A worker has an error')
  })
  worker.on('failed', (job, error) => {
    log.error(
      { queue: name, key: job?.data.key, error: messageOf(error) },
      'A job failed; the sweep will ring again',
    )
  })
  return {
    async close(ms) {
      await within(ms, 'Closing the worker', worker.close()).catch(async () => {
        await within(1_000, 'Closing the worker', worker.close(true)).catch(() => {})
      })
    },
  }
}
