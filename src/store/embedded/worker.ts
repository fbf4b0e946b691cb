import { parentPort, workerData } from 'node:worker_threads'
import { openEngine } from './engine.ts'
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
