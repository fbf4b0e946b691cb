import { renameSync, rmSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import { createDataDirectory } from './engine.ts'

/** What this worker is started with. */
export interface MakingInput {
  /** The data directory to make; nothing is there yet. */
  readonly directory: string
}

// A worker of its own, since making a directory takes 250 MB that only the end of the thread gives back.
// Made beside its place and renamed, so that a kill midway leaves nothing that looks like a database.
const { directory } = workerData as MakingInput
const making = `${directory}.new`
rmSync(making, { recursive: true, force: true })
await createDataDirectory(making)
renameSync(making, directory)
