import type { Clock } from '../../base/clock.ts'
import { messageOf } from '../../base/errors.ts'
import { pause } from '../../base/wait.ts'
import type { Log } from '../../observe/log.ts'
import type { ServerConfig } from '../config/config.ts'
import type { Children } from './children.ts'
import { openSession } from './opening.ts'
import { concealer, OutputTail } from './output.ts'
import { type Handshake, type ListKind, Session, type SessionEnd, type SessionLimits } from './session.ts'

/** Where a server stands: `blocked` needs a person, `unavailable` is tried again. */
export type ConnectionStatus = 'connecting' | 'connected' | 'unavailable' | 'blocked'

export interface ConnectionState {
  readonly status: ConnectionStatus
  /** Why it is not connected, in a sentence without secrets. */
  readonly reason?: string
  readonly since: Date
  readonly nextAttemptAt?: Date
  readonly handshake?: Handshake
  /** The end of what the server printed, without secrets. */
  readonly output: string
}

export interface ConnectionLimits extends SessionLimits {
  /** The wait before the second attempt; it doubles with each further one, up to `retryMaxMs`. */
  readonly retryMs: number
  readonly retryMaxMs: number
  /** A connection that lived this long was a good one: the next wait is short again. */
  readonly steadyMs: number
}

export interface ConnectionParts {
  readonly children: Children
  readonly log: Log
  readonly clock: Clock
  readonly limits: ConnectionLimits
  /** From 0 to 1. */
  readonly random: () => number
  readonly onState: () => void
  readonly onConnected: (session: Session) => void
  readonly onListChanged: (kind: ListKind) => void
}

/** The life of one server: connects in the background, watches, and connects again with growing waits. */
export class Connection {
  readonly server: ServerConfig
  readonly #parts: ConnectionParts
  readonly #log: Log
  readonly #output: OutputTail
  readonly #conceal: (text: string) => string
  readonly #stop = new AbortController()
  readonly #waiting = new Set<() => void>()
  #state: Omit<ConnectionState, 'output'>
  #session: Session | undefined
  #nudge = new AbortController()
  #running: Promise<void> | undefined

  constructor(server: ServerConfig, parts: ConnectionParts) {
    this.server = server
    this.#parts = parts
    this.#log = parts.log.child({ server: server.name })
    this.#conceal = concealer(server.secrets)
    this.#output = new OutputTail(this.#conceal)
    this.#state = { status: 'connecting', since: parts.clock.now() }
  }

  get state(): ConnectionState {
    return { ...this.#state, output: this.#output.text() }
  }

  get session(): Session | undefined {
    return this.#session
  }

  /** Begins to connect; returns at once. */
  start(): void {
    this.#running ??= this.#run()
  }

  /** Ends the connection, and a child with all that it started. */
  async stop(): Promise<void> {
    this.#stop.abort()
    this.#session?.end({ kind: 'stopped' })
    await this.#running
  }

  /** Does not wait for the next attempt. */
  retryNow(): void {
    this.#nudge.abort()
  }

  /** A session to work with, waiting for one up to the limit; a waiting attempt is made at once. */
  async ready(ms: number, signal?: AbortSignal): Promise<Session | undefined> {
    if (this.#session && !this.#session.over) return this.#session
    if (this.#state.status !== 'connecting') this.retryNow()
    const limit = AbortSignal.any([AbortSignal.timeout(ms), this.#stop.signal, ...(signal ? [signal] : [])])
    while (!limit.aborted) {
      await this.#change(limit)
      if (this.#session && !this.#session.over) return this.#session
      // This attempt failed too; the caller learns why from the state.
      if (this.#state.status === 'unavailable' || this.#state.status === 'blocked') return undefined
    }
    return undefined
  }

  async #run(): Promise<void> {
    const { clock, limits } = this.#parts
    let failures = 0
    while (!this.#stop.signal.aborted) {
      this.#nudge = new AbortController()
      this.#set({ status: 'connecting' })
      const opened = await this.#open()
      let end: { status: 'unavailable' | 'blocked'; reason: string }
      if (opened instanceof Session) {
        const from = clock.monotonic()
        const why = await this.#live(opened)
        if (this.#stop.signal.aborted) break
        const steady = clock.monotonic() - from >= limits.steadyMs
        if (steady) failures = 0
        // A restarted server has lost the session but is there. One that loses it again at once is not well.
        if (why.kind === 'stale' && (steady || failures === 0)) {
          failures = steady ? 0 : 1
          continue
        }
        end = { status: 'unavailable', reason: why.kind === 'lost' ? why.reason : 'It lost the session.' }
      } else {
        end = { status: opened.status, reason: opened.reason }
      }
      if (this.#stop.signal.aborted) break
      failures++
      const wait = this.#waitAfter(failures)
      this.#log.warn({ reason: end.reason, waitMs: wait }, 'An MCP server is not connected.')
      this.#set({ ...end, nextAttemptAt: new Date(clock.now().getTime() + wait) })
      await pause(wait, AbortSignal.any([this.#stop.signal, this.#nudge.signal]))
    }
    this.#set({ status: 'unavailable', reason: 'Stopped.' })
  }

  async #open(): Promise<Awaited<ReturnType<typeof openSession>>> {
    const { children, limits, onListChanged } = this.#parts
    this.#output.clear()
    const parts = {
      children,
      output: this.#output,
      conceal: this.#conceal,
      log: this.#log,
      limits,
      onListChanged,
    }
    try {
      return await openSession(this.server, parts, this.#stop.signal)
    } catch (error) {
      return { status: 'unavailable', reason: this.#conceal(messageOf(error)) }
    }
  }

  async #live(session: Session): Promise<SessionEnd> {
    this.#session = session
    const { handshake } = session
    this.#set({ status: 'connected', handshake })
    this.#log.info(
      { version: handshake.version, protocol: handshake.protocolVersion },
      'An MCP server is connected.',
    )
    this.#parts.onConnected(session)
    const end = this.#stop.signal.aborted ? { kind: 'stopped' as const } : await session.ended
    this.#session = undefined
    await session.close()
    return end
  }

  #waitAfter(failures: number): number {
    const { retryMs, retryMaxMs } = this.#parts.limits
    const full = Math.min(retryMs * 2 ** (failures - 1), retryMaxMs)
    // Spread, so that many clients do not return to a restarted server in the same moment.
    return Math.round(full * (0.75 + this.#parts.random() / 4))
  }

  #set(state: Omit<ConnectionState, 'output' | 'since'>): void {
    this.#state = { ...state, since: this.#parts.clock.now() }
    for (const wake of [...this.#waiting]) wake()
    this.#parts.onState()
  }

  #change(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        this.#waiting.delete(wake)
        signal.removeEventListener('abort', wake)
        resolve()
      }
      this.#waiting.add(wake)
      signal.addEventListener('abort', wake, { once: true })
    })
  }
}
