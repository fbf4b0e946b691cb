import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Clock } from '../../base/clock.ts'
import { HermesError, messageOf } from '../../base/errors.ts'
import { within } from '../../base/wait.ts'
import type { Log } from '../../observe/log.ts'
import { lockDirectory } from './lock.ts'
import type { WorkerInput, WorkerMessage } from './worker.ts'

/** A PostgreSQL that lives in this process. */
export interface EmbeddedDatabase {
  /** Where clients connect, with a password made for this run. */
  readonly url: string
  /** Resolves when the database has ended by itself; nothing works any more then, and it says so in the log. */
  readonly failed: Promise<HermesError>
  /** Rolls back what is open, closes the data directory and gives the lock back. Calls after the first wait too. */
  close(): Promise<void>
}

export interface EmbeddedDatabaseOptions {
  /** HERMES_HOME; the data are in its folder `database`. It is locked for this process. */
  readonly directory: string
  readonly log: Log
  readonly clock: Clock
  /** Stops the opening. */
  readonly signal?: AbortSignal
  /** A client idle in a transaction for so long is cut off; 30 s by default. */
  readonly idleHoldMs?: number
  /** How often checkpoints and vacuum are looked to; 15 s by default. */
  readonly upkeepMs?: number
}

// Making a new data directory took up to 19 s on a busy machine with 2 cores.
const openMs = 180_000
const closeMs = 15_000

/** Opens the database in the directory, and makes it first where there is none. */
export async function openEmbeddedDatabase(options: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> {
  const { log, clock, signal } = options
  signal?.throwIfAborted()
  const home = options.directory
  await mkdir(home, { recursive: true, mode: 0o700 })
  const lock = await lockDirectory(home)
  const started = clock.monotonic()
  const input: WorkerInput = {
    directory: join(home, 'database'),
    idleHoldMs: options.idleHoldMs ?? 30_000,
    upkeepMs: options.upkeepMs ?? 15_000,
  }
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: input,
    name: 'hermes-database',
  })
  const life = watch(worker)
  try {
    const url = await within(openMs, 'Opening the embedded database', untilOpen(life, signal))
    log.info({ ms: Math.round(clock.monotonic() - started) }, 'The embedded database is open.')
    let closed: Promise<void> | undefined
    life.failed.then((error) => {
      if (!closed) log.error({ code: error.code, reason: error.data.reason }, error.message)
    })
    const close = async () => {
      try {
        worker.postMessage('close')
        await within(closeMs, 'Closing the embedded database', Promise.race([life.closed, life.failed]))
      } finally {
        await worker.terminate()
        lock.release()
      }
    }
    return {
      url,
      failed: life.failed,
      close: () => {
        closed ??= close()
        return closed
      },
    }
  } catch (error) {
    await worker.terminate()
    lock.release()
    throw error
  }
}

interface WorkerLife {
  readonly open: Promise<string>
  readonly closed: Promise<void>
  readonly failed: Promise<HermesError>
}

function watch(worker: Worker): WorkerLife {
  const open = Promise.withResolvers<string>()
  const closed = Promise.withResolvers<void>()
  const failed = Promise.withResolvers<HermesError>()
  const fail = (reason: string, cause?: unknown) =>
    failed.resolve(
      new HermesError(
        'store.embedded_failed',
        `The embedded database has failed (${reason}). Start Hermes again; what was acknowledged is on disk.`,
        { data: { reason }, cause },
      ),
    )
  worker.on('message', (message: WorkerMessage) => {
    switch (message.kind) {
      case 'open':
        open.resolve(message.url)
        return
      case 'closed':
        closed.resolve()
        return
      case 'failed':
        fail(message.reason)
        return
      default:
        message satisfies never
    }
  })
  worker.on('error', (error) => fail(messageOf(error), error))
  worker.on('exit', (code) => fail(`its thread ended with code ${code}`))
  return { open: open.promise, closed: closed.promise, failed: failed.promise }
}

async function untilOpen(life: WorkerLife, signal: AbortSignal | undefined): Promise<string> {
  const aborted = Promise.withResolvers<never>()
  const abort = () => aborted.reject(signal?.reason)
  signal?.addEventListener('abort', abort)
  try {
    return await Promise.race([
      life.open,
      aborted.promise,
      life.failed.then((error) => {
        throw error
      }),
    ])
  } finally {
    signal?.removeEventListener('abort', abort)
  }
}
