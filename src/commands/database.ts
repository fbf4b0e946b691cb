import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../base/clock.ts'
import type { Settings } from '../config/environment.ts'
import { createLog } from '../observe/log.ts'
import { type Database, openClient } from '../store/client.ts'
import { openEmbeddedDatabase } from '../store/embedded/database.ts'
import { runningUrl } from '../store/running.ts'

/** Runs a command's work on the database, also while Hermes itself holds the embedded one. */
export async function withDatabase<T>(settings: Settings, work: (db: Database) => Promise<T>): Promise<T> {
  const shared = settings.database.url ?? runningUrl(settings.home)
  if (shared) {
    const db = openClient(shared, { connections: 2 })
    try {
      await db.$queryRaw`SELECT 1`
      return await work(db)
    } catch (error) {
      if (settings.database.url) throw error
      // The process that left the note is gone.
    } finally {
      await db.$disconnect().catch(() => {})
    }
  }
  if (!existsSync(join(settings.home, 'database'))) {
    throw new Error(`There is no database in ${settings.home} yet. Start Hermes first.`)
  }
  const embedded = await openEmbeddedDatabase({
    directory: settings.home,
    log: createLog(settings.logLevel === 'debug' ? 'debug' : 'error'),
    clock: systemClock,
  })
  const db = openClient(embedded.url, { connections: 2 })
  try {
    return await work(db)
  } finally {
    await db.$disconnect().catch(() => {})
    await embedded.close()
  }
}
