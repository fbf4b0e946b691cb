import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { createDataDirectory, openEngine } from './engine.ts'
import { startWireServer } from './server.ts'

/** What the worker is started with. */
export interface WorkerInput {
  readonly directory: string
  readonly idleHoldMs: number
  readonly upkeepMs: number
}

/** What the worker is asked. */
export type WorkerRequest = 'ping' | 'close'

/** What the worker says; the wire server's sockets are its own, so no query passes the main thread. */
export type WorkerMessage =
  | { readonly kind: 'open'; readonly url: string }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'closed' }
  | { readonly kind: 'pong' }

const { directory, idleHoldMs, upkeepMs } = workerData as WorkerInput
const port = parentPort!
const say = (message: WorkerMessage) => port.postMessage(message)

try {
  if (!existsSync(join(directory, 'PG_VERSION'))) {
    // Made beside its place and renamed, so that a kill midway leaves nothing that looks like a database.
    const making = `${directory}.new`
    rmSync(making, { recursive: true, force: true })
    await createDataDirectory(making)
    renameSync(making, directory)
  }
  const engine = await openEngine(directory)
  const server = await startWireServer({
    engine,
    idleHoldMs,
    upkeepMs,
    onFailure: (error) => say({ kind: 'failed', reason: error.message }),
  })
  port.on('message', async (request: WorkerRequest) => {
    if (request === 'ping') {
      say({ kind: 'pong' })
      return
    }
    await server.close()
    await engine.close()
    say({ kind: 'closed' })
  })
  say({ kind: 'open', url: server.url })
} catch (error) {
  say({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) })
}
