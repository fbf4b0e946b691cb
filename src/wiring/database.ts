import { join } from 'node:path'
import { within } from '../base/wait.ts'
import { type Database, openClient } from '../store/client.ts'
import { type EmbeddedDatabase, openEmbeddedDatabase } from '../store/embedded/database.ts'
import { migrate } from '../store/migrations.ts'
import { forgetRunning, noteRunning } from '../store/running.ts'
import type { AppOptions } from './options.ts'

/** The database as the process has it. */
export interface OpenDatabase {
  readonly db: Database
  readonly url: string
  /** Where it lives in this process. */
  readonly embedded: EmbeddedDatabase | undefined
  close(): Promise<void>
}

/** Opens the configured database, else the embedded one, and brings its tables up to date. */
export async function openDatabase(options: AppOptions): Promise<OpenDatabase> {
  const { settings, root, clock, log } = options
  const embedded: EmbeddedDatabase | undefined = settings.database.url
    ? undefined
    : await (options.embedded ?? openEmbeddedDatabase({ directory: settings.home, log, clock }))
  const url = settings.database.url ?? embedded!.url
  if (embedded) noteRunning(settings.home, embedded.url)
  const db = openClient(url)
  const close = async () => {
    await within(3_000, 'Closing the database', db.$disconnect()).catch(() => {})
    if (embedded) forgetRunning(settings.home)
    await embedded?.close()
  }
  try {
    await migrate(url, join(root, 'prisma/migrations'), log)
  } catch (error) {
    await close()
    throw error
  }
  return { db, url, embedded, close }
}
