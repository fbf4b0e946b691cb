import { join } from 'node:path'
import { systemClock } from '../base/clock.ts'
import type { Settings } from '../config/environment.ts'
import { createLog } from '../observe/log.ts'
import { openEmbeddedDatabase } from '../store/embedded/database.ts'
import { migrate } from '../store/migrations.ts'

/** Brings the database up to date, for those who do it before they start new processes. */
export async function migrateDatabase(input: {
  readonly settings: Settings
  readonly root: string
}): Promise<number> {
  const { settings, root } = input
  const log = createLog(settings.logLevel)
  const embedded = settings.database.url
    ? undefined
    : await openEmbeddedDatabase({ directory: settings.home, log, clock: systemClock })
  try {
    const applied = await migrate(
      settings.database.url ?? embedded!.url,
      join(root, 'prisma/migrations'),
      log,
    )
    console.log(applied.length > 0 ? `Applied: ${applied.join(', ')}.` : 'The database is up to date.')
    return 0
  } finally {
    await embedded?.close()
  }
}
