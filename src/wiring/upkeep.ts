import type { Clock } from '../base/clock.ts'
import type { Config } from '../config/file.ts'
import type { Memory } from '../memory/memory.ts'
import type { Log } from '../observe/log.ts'
import type { Database } from '../store/client.ts'
import { eraseOldResults } from '../tools/builtin/results.ts'
import { createPuttingAway } from './putting-away.ts'

/** What keeps the store in order, a portion at a time. */
export function createUpkeep(parts: {
  db: Database
  memory: Memory
  sessions: Config['sessions']
  clock: Clock
  log: Log
  signal: AbortSignal
}): () => Promise<void> {
  const { db, memory, clock, signal } = parts
  const putAway = createPuttingAway(parts)
  return async () => {
    await putAway()
    await memory.upkeep()
    await eraseOldResults(db, clock.now())
    // Vectors of another embedder, or of a time when there was none, are made anew a batch at a time.
    await memory.reembed(signal)
  }
}
