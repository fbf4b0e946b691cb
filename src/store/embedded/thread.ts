import { Worker, type WorkerOptions } from 'node:worker_threads'
import { HermesError, messageOf } from '../../base/errors.ts'
import { within } from '../../base/wait.ts'
import type { MakingInput } from './making.ts'
import type { WorkerInput, WorkerMessage, WorkerRequest } from './worker.ts'

// Making a new data directory took up to 19 s on a busy machine with 2 cores, opening one up to 6 s.
const makeMs = 180_000
const openMs = 60_000
const closeMs = 15_000
// No statement of Hermes takes minutes, and one that runs can't be stopped: it has the only thread.
const pingMs = 10_000
const stuckAfterPings = 30

// Flags for the main program, such as --input-type, can be wrong for a worker.
const workerOptions: WorkerOptions = {
  execArgv: [],
  // PostgreSQL measures the stack in its WebAssembly memory; this one must not run out before that.
  resourceLimits: { stackSizeMb: 32 },
}

/** Makes a new data directory, on a thread that ends with it. */
export async function makeDataDirectory(input: MakingInput, signal: AbortSignal | undefined): Promise<void> {
  const worker = new Worker(new URL('./making.ts', import.meta.url), { ...workerOptions, workerData: input })
  const ended = new Promise<void>((resolve, reject) => {
    worker.once('error', reject)
    worker.once('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`its thread ended with code ${code}`)),
    )
  })
  try {
    await within(makeMs, 'Making the embedded database', unlessAborted(signal, ended))
  } catch (cause) {
    if (signal?.aborted) throw cause
    throw new HermesError(
      'store.embedded_not_made',
      `The embedded database could not be made in ${input.directory} (${messageOf(cause)}). Check that the disk has room and that Hermes may write there.`,
      { data: { directory: input.directory }, cause },
    )
  } finally {
    await worker.terminate()
  }
}

/** The thread that the embedded database runs on, from its start to its end. */
export class DatabaseThread {
  /** Resolves when it has ended by itself, or has stopped answering. */
  readonly failed: Promise<HermesError>
  readonly #worker: Worker
  readonly #opened = Promise.withResolvers<string>()
  readonly #closed = Promise.withResolvers<void>()
  readonly #failed = Promise.withResolvers<HermesError>()
  readonly #pings: NodeJS.Timeout
  #unanswered = 0
  #ending = false

  constructor(input: WorkerInput) {
    this.failed = this.#failed.promise
    this.#worker = new Worker(new URL('./worker.ts', import.meta.url), {
      ...workerOptions,
      workerData: input,
    })
    this.#worker.on('message', (message: WorkerMessage) => this.#hear(message))
    this.#worker.on('error', (error) => this.#fail(messageOf(error), error))
    this.#worker.on('exit', (code) => this.#fail(`its thread ended with code ${code}`))
    this.#pings = setInterval(() => this.#ping(), pingMs)
  }

  /** Waits until clients can connect, and gives the address. */
  async opened(signal: AbortSignal | undefined): Promise<string> {
    const failed = this.failed.then((error) => Promise.reject(error))
    const opened = Promise.race([this.#opened.promise, failed])
    return within(openMs, 'Opening the embedded database', unlessAborted(signal, opened))
  }

  /** Closes the data directory in good order. */
  async close(): Promise<void> {
    this.#ending = true
    this.#say('close')
    await within(
      closeMs,
      'Closing the embedded database',
      Promise.race([this.#closed.promise, this.failed]),
    ).finally(() => this.end())
  }

  /** Ends the thread as it is; what was committed stays. */
  async end(): Promise<void> {
    this.#ending = true
    clearInterval(this.#pings)
    await this.#worker.terminate()
  }

  #say(request: WorkerRequest): void {
    this.#worker.postMessage(request)
  }

  #hear(message: WorkerMessage): void {
    this.#unanswered = 0
    switch (message.kind) {
      case 'open':
        this.#opened.resolve(message.url)
        return
      case 'closed':
        this.#closed.resolve()
        return
      case 'failed':
        this.#fail(message.reason)
        return
      case 'pong':
        return
      default:
        message satisfies never
    }
  }

  #ping(): void {
    this.#unanswered += 1
    this.#say('ping')
    if (this.#unanswered <= stuckAfterPings) return
    this.#fail(`a statement has run for over ${(stuckAfterPings * pingMs) / 60_000} minutes`)
    void this.#worker.terminate()
  }

  #fail(reason: string, cause?: unknown): void {
    clearInterval(this.#pings)
    if (this.#ending) {
      this.#closed.resolve()
      return
    }
    this.#failed.resolve(
      new HermesError(
        'store.embedded_failed',
        `The embedded database has failed (${reason}). Start Hermes again; what was acknowledged is on disk.`,
        { data: { reason }, cause },
      ),
    )
  }
}

async function unlessAborted<T>(signal: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  const aborted = Promise.withResolvers<never>()
  const abort = () => aborted.reject(signal?.reason)
  signal?.addEventListener('abort', abort)
  try {
    return await Promise.race([work, aborted.promise])
  } finally {
    signal?.removeEventListener('abort', abort)
  }
}
