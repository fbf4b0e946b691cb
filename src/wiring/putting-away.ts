import type { Clock } from '../base/clock.ts'
import type { Config } from '../config/file.ts'
import type { Log } from '../observe/log.ts'
import { archiveIdle, eraseOld } from '../session/archive.ts'
import type { Database } from '../store/client.ts'

/** How often what has been in the archive for long is looked for, in ms. */
const erasing = 3_600_000

/** Archives what is idle, and erases what has been in the archive long enough. Runs in every worker; twice does no harm. */
export function createPuttingAway(parts: {
  readonly db: Database
  readonly sessions: Config['sessions']
  readonly clock: Clock
  readonly log: Log
}): () => Promise<void> {
  const { db, sessions, clock, log } = parts
  let eraseAt = 0
  return async () => {
    const archived = await archiveIdle(db, sessions.archiveDays)
    if (archived > 0) log.info({ sessions: archived }, 'Idle conversations were archived')
    if (sessions.retentionDays === 0 || clock.monotonic() < eraseAt) return
    eraseAt = clock.monotonic() + erasing
    const erased = await eraseOld(db, sessions.retentionDays)
    if (erased > 0) log.info({ sessions: erased }, 'Conversations that were archived long ago were erased')
  }
}
