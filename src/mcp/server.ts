import type { Clock } from '../base/clock.ts'
import { messageOf } from '../base/errors.ts'
import { within } from '../base/wait.ts'
import type { Log } from '../observe/log.ts'
import type { ServerConfig } from './config/config.ts'
import type { Children } from './connecting/children.ts'
import { Connection, type ConnectionLimits, type ConnectionState } from './connecting/connection.ts'
import type { ListKind, Session } from './connecting/session.ts'
import { type Catalogue, emptyCatalogue, type ListedTool, readCatalogue } from './listing/catalogue.ts'
import type { PinStore } from './listing/drift.ts'
import { RateLimit } from './rate.ts'

export interface ServerLimits extends ConnectionLimits {
  /** For one page of a list. */
  readonly listMs: number
  /** Between two listings, for servers that do not tell of changes or whose notice got lost. */
  readonly relistMs: number
  /** After a listing that failed. */
  readonly relistAfterFailureMs: number
  /** How old a list may be when a tool that changes something is called. */
  readonly freshMs: number
  /** How long a call waits for a server that is not connected. */
  readonly readyMs: number
  /** After a notice that the list changed: further notices come at once or not at all. */
  readonly settleMs: number
}

export interface ServerParts {
  readonly pins: PinStore
  readonly children: Children
  readonly log: Log
  readonly clock: Clock
  readonly random: () => number
  readonly limits: ServerLimits
  /** Its state or its tools changed. */
  readonly onChange: () => void
}

/** One server: its connection, and the list of its tools kept up to date. */
export class Server {
  readonly config: ServerConfig
  readonly connection: Connection
  readonly rate: RateLimit
  readonly #parts: ServerParts
  #catalogue: Catalogue = emptyCatalogue
  #problem: string | undefined
  #listedAt: number | undefined
  #listing: Promise<void> | undefined
  #again = false
  #timer: NodeJS.Timeout | undefined
  #stopped = false

  constructor(config: ServerConfig, parts: ServerParts) {
    this.config = config
    this.#parts = parts
    this.rate = new RateLimit(config.rateLimit, parts.clock)
    const { children, log, clock, random, limits, onChange } = parts
    this.connection = new Connection(config, {
      children,
      log,
      clock,
      random,
      limits,
      onState: onChange,
      onConnected: () => void this.relist(),
      onListChanged: (kind) => this.#onListChanged(kind),
    })
  }

  get tools(): readonly ListedTool[] {
    return this.#catalogue.tools
  }

  get quarantined(): Catalogue['quarantined'] {
    return this.#catalogue.quarantined
  }

  /** What an operator should know about its tools. */
  get notes(): readonly string[] {
    return this.#problem === undefined ? this.#catalogue.notes : [...this.#catalogue.notes, this.#problem]
  }

  /** Has it listed its tools, or is it known that it can't be reached? */
  get isSettled(): boolean {
    const { status } = this.state
    return status === 'connected'
      ? this.#listedAt !== undefined || this.#problem !== undefined
      : status !== 'connecting'
  }

  get state(): ConnectionState {
    return this.connection.state
  }

  start(): void {
    this.connection.start()
  }

  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#timer)
    await this.connection.stop()
    await this.#listing
  }

  /** The tool by the server's own name. */
  find(tool: string): ListedTool | undefined {
    return this.tools.find((listed) => listed.tool.definition.name === tool)
  }

  /** Lists the tools again. Never throws: what goes wrong is in `notes`. */
  relist(): Promise<void> {
    if (this.#listing) this.#again = true
    this.#listing ??= this.#relist().finally(() => {
      this.#listing = undefined
    })
    return this.#listing
  }

  /** Lists the tools again unless that was done a moment ago; false when that does not succeed. */
  async freshen(): Promise<boolean> {
    const { clock, limits } = this.#parts
    const asked = clock.monotonic()
    if (this.#listedAt !== undefined && asked - this.#listedAt < limits.freshMs) return true
    // More than once, since a restart shows first in the connection that was kept open, and then in the session.
    for (let attempt = 0; attempt < 3 && !this.#isListedSince(asked); attempt++) {
      if (attempt > 0 && !(await this.connection.ready(limits.readyMs))) return false
      await within(limits.listMs, 'Listing the tools', this.relist()).catch(() => {})
    }
    return this.#isListedSince(asked)
  }

  #isListedSince(moment: number): boolean {
    return this.#listedAt !== undefined && this.#listedAt >= moment
  }

  async #relist(): Promise<void> {
    const { clock, limits, log, pins, onChange } = this.#parts
    do {
      this.#again = false
      const session = this.connection.session
      if (!session) return
      clearTimeout(this.#timer)
      const done = await this.#read(session, pins)
      if (done) this.#listedAt = clock.monotonic()
      if (this.#problem !== undefined)
        log.warn({ server: this.config.name }, `The tools of an MCP server are not listed. ${this.#problem}`)
      onChange()
      const whole = done && !this.tools.some(({ verdict }) => verdict.unchecked)
      if (!this.#stopped) this.#schedule(whole ? limits.relistMs : limits.relistAfterFailureMs)
    } while (this.#again && !this.#stopped)
  }

  async #read(session: Session, pins: PinStore): Promise<boolean> {
    try {
      const { listMs } = this.#parts.limits
      const limits = { timeoutMs: listMs, signal: AbortSignal.timeout(listMs * 3) }
      this.#catalogue = await readCatalogue(session, this.config, pins, this.#catalogue, limits)
      this.#problem = undefined
      return true
    } catch (error) {
      this.#problem = session.over ? undefined : `Its tools could not be listed: ${messageOf(error)}`
      return false
    }
  }

  #schedule(ms: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.relist(), ms)
    this.#timer.unref()
  }

  #onListChanged(kind: ListKind): void {
    // Servers announce each of many changes; the list is read once for all of them.
    if (kind === 'tools' && !this.#stopped) this.#schedule(this.#parts.limits.settleMs)
    else this.#parts.onChange()
  }
}
