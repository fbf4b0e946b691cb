import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../base/clock.ts'
import type { HermesError } from '../../base/errors.ts'
import type { Log } from '../../observe/log.ts'
import { lockDirectory } from './lock.ts'
import { DatabaseThread, makeDataDirectory } from './thread.ts'

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

/** Opens the database in the directory, and makes it first where there is none. */
export async function openEmbeddedDatabase(options: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> {
  const { log, clock, signal } = options
  signal?.throwIfAborted()
  const home = options.directory
  await mkdir(home, { recursive: true, mode: 0o700 })
  const lock = await lockDirectory(home)
  const started = clock.monotonic()
  const data = join(home, 'database')
  let thread: DatabaseThread | undefined
  let url: string
  try {
    if (!existsSync(join(data, 'PG_VERSION'))) {
      log.info({ directory: data }, 'Making the embedded database; this takes some seconds, once.')
      await makeDataDirectory({ directory: data }, signal)
    }
    thread = new DatabaseThread({
      directory: data,
      idleHoldMs: options.idleHoldMs ?? 30_000,
      upkeepMs: options.upkeepMs ?? 15_000,
    })
    url = await thread.opened(signal)
  } catch (error) {
    await thread?.end()
    lock.release()
    throw error
  }
  log.info({ ms: Math.round(clock.monotonic() - started) }, 'The embedded database is open.')
  const { failed } = thread
  void failed.then((error) => log.error({ code: error.code, ...error.data }, error.message))
  let closing: Promise<void> | undefined
  return {
    url,
    failed,
    close: () => {
      closing ??= thread.close().finally(() => lock.release())
      return closing
    },
  }
}
