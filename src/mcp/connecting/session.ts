import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { z } from 'zod'
import { HermesError } from '../../base/errors.ts'
import { pause, within } from '../../base/wait.ts'
import type { Log } from '../../observe/log.ts'
import type { Children } from './children.ts'
import { isAnswer, isStaleSession, isTimeout } from './failures.ts'
import type { OutputTail } from './output.ts'
import { oversizeOf } from './oversize.ts'
import { type EndLimits, StdioTransport } from './stdio.ts'

/** What the server said about itself. */
export interface Handshake {
  readonly name: string
  readonly version: string
  readonly protocolVersion?: string
  readonly capabilities: readonly string[]
  readonly instructions?: string
}

/** Why a session is over. */
export type SessionEnd =
  | { readonly kind: 'stopped' }
  /** The server no longer knows it: begin a new one at once. */
  | { readonly kind: 'stale' }
  | { readonly kind: 'lost'; readonly reason: string }

/** The lists whose changes a server may tell. */
export type ListKind = 'tools' | 'resources' | 'prompts'

export interface SessionLimits extends EndLimits {
  readonly connectMs: number
  /** Between two signs of life that are asked for. */
  readonly pingMs: number
  readonly pingTimeoutMs: number
}

export interface SessionParts {
  readonly children: Children
  readonly output: OutputTail
  readonly conceal: (text: string) => string
  readonly log: Log
  readonly limits: SessionLimits
  readonly onListChanged: (kind: ListKind) => void
}

/** Progress of a call, as the server tells it. */
export interface Progress {
  readonly progress: number
  readonly total?: number
  readonly message?: string
}

export interface RequestLimits {
  /** Of silence; progress begins it anew. */
  readonly timeoutMs: number
  /** Of the whole, whatever progress there is. */
  readonly totalMs?: number
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: Progress) => void
}

export type AnyTransport = StdioTransport | StreamableHTTPClientTransport | SSEClientTransport

/** One initialised connection to a server, until the first thing that ends it. */
export class Session {
  readonly handshake: Handshake
  readonly ended: Promise<SessionEnd>
  /** Why it is over, once it is. */
  over: SessionEnd | undefined
  readonly #client: Client
  readonly #transport: AnyTransport
  readonly #parts: SessionParts
  readonly #stop = new AbortController()
  #finish: (end: SessionEnd) => void = () => {}
  #inFlight = 0
  #asking = false

  constructor(client: Client, transport: AnyTransport, parts: SessionParts) {
    this.#client = client
    this.#transport = transport
    this.#parts = parts
    this.handshake = handshakeOf(client, transport)
    this.ended = new Promise((resolve) => {
      this.#finish = resolve
    })
    client.onclose = () => this.end({ kind: 'lost', reason: this.#lastWords() })
    client.onerror = (error) => this.#onError(error)
    if (client.transport === undefined) this.end({ kind: 'lost', reason: this.#lastWords() })
    void this.#watch()
  }

  /** Declares the session over; the first reason counts. */
  end(end: SessionEnd): void {
    if (this.over) return
    this.over = end
    this.#stop.abort()
    this.#finish(end)
  }

  /** Closes the transport and waits until a child has ended. */
  async close(): Promise<void> {
    this.end({ kind: 'stopped' })
    if (this.#transport instanceof StreamableHTTPClientTransport) {
      // Polite, not needed: a server that is gone can't be told.
      await within(1000, 'Ending the session', this.#transport.terminateSession()).catch(() => {})
    }
    await this.#client.close()
  }

  /** Sends a request. Throws what `readError` reads; a stale session has been ended by then. */
  async request<T extends z.ZodType>(
    request: { readonly method: string; readonly params?: Record<string, unknown> },
    schema: T,
    limits: RequestLimits,
  ): Promise<z.output<T>> {
    if (this.over) throw new HermesError('mcp.closed', 'The connection to the server is closed.')
    if (limits.signal?.aborted)
      throw new HermesError('mcp.closed', 'The call was stopped before it was sent.')
    // The SDK keeps listening to a signal after the answer, and then cancels what has long ended.
    const stop = new AbortController()
    const onAbort = () => stop.abort()
    const tooLong = limits.totalMs === undefined ? undefined : setTimeout(onAbort, limits.totalMs)
    limits.signal?.addEventListener('abort', onAbort, { once: true })
    this.#inFlight++
    try {
      const options = {
        signal: stop.signal,
        timeout: limits.timeoutMs,
        resetTimeoutOnProgress: true,
        // Without a listener the SDK (1.32) asks for no progress, and nothing begins the time-out anew.
        onprogress: limits.onProgress ?? (() => {}),
      }
      const answer = await this.#client.request(request, z.unknown(), options)
      const oversize = oversizeOf(answer)
      if (oversize)
        throw new HermesError(
          'mcp.oversize',
          `The answer is larger than ${oversize.limit} bytes, which is the limit for this server. Ask for less: a page, a part, a filter.`,
          { data: oversize },
        )
      return schema.parse(answer)
    } catch (error) {
      if (isStaleSession(error)) this.end({ kind: 'stale' })
      if (limits.signal?.aborted)
        throw new HermesError('mcp.stopped', 'The call was stopped.', { cause: error })
      if (stop.signal.aborted)
        throw new HermesError('mcp.slow', `The call took longer than ${limits.totalMs} ms.`, { cause: error })
      throw error
    } finally {
      this.#inFlight--
      clearTimeout(tooLong)
      limits.signal?.removeEventListener('abort', onAbort)
    }
  }

  // Asks for a sign of life now and then, since a remote server that has gone does not say so (SDK 1.32).
  async #watch(): Promise<void> {
    const { pingMs } = this.#parts.limits
    let misses = 0
    while (!this.over) {
      await pause(misses === 0 ? pingMs : Math.ceil(pingMs / 4), this.#stop.signal)
      // A server that works on a call may be too busy for pings; calls have time-outs of their own.
      if (this.over || this.#inFlight > 0) continue
      misses = (await this.#sign()) === 'alive' ? 0 : misses + 1
      if (misses >= 2) this.end({ kind: 'lost', reason: 'It no longer answers.' })
    }
  }

  async #sign(): Promise<'alive' | 'silent' | 'gone'> {
    try {
      await this.request({ method: 'ping' }, z.unknown(), { timeoutMs: this.#parts.limits.pingTimeoutMs })
      return 'alive'
    } catch (error) {
      return isAnswer(error) ? 'alive' : isTimeout(error) ? 'silent' : 'gone'
    }
  }

  #onError(error: Error): void {
    const sentence = this.#parts.conceal(error.message)
    this.#parts.log.debug({ error: sentence.slice(0, 500) }, 'An MCP connection reports an error.')
    if (!(this.#transport instanceof StdioTransport) && /SSE stream|reconnect/i.test(error.message))
      void this.#onStreamLost()
  }

  // The stream on which a remote server tells its changes has ended. Only the stream, or the server too?
  async #onStreamLost(): Promise<void> {
    if (this.over || this.#asking) return
    this.#asking = true
    let sign = await this.#sign()
    if (sign !== 'alive') {
      await pause(500, this.#stop.signal)
      sign = await this.#sign()
    }
    this.#asking = false
    if (sign === 'gone' || (sign === 'silent' && this.#inFlight === 0))
      this.end({ kind: 'lost', reason: 'It can no longer be reached.' })
  }

  #lastWords(): string {
    const exit = this.#transport instanceof StdioTransport ? this.#transport.exit : undefined
    return endSentence(exit, this.#parts.output.lastWords())
  }
}

function handshakeOf(client: Client, transport: AnyTransport): Handshake {
  const server = client.getServerVersion()
  const protocolVersion = 'protocolVersion' in transport ? transport.protocolVersion : undefined
  return {
    name: server?.name ?? '',
    version: server?.version ?? '',
    ...(protocolVersion === undefined ? {} : { protocolVersion }),
    capabilities: Object.keys(client.getServerCapabilities() ?? {}),
    instructions: client.getInstructions(),
  }
}

/** How a connection ended, in words. */
export function endSentence(exit: string | undefined, words: string): string {
  const how = exit === undefined ? 'The connection was closed.' : `Its process ${exit}.`
  return words === '' ? how : `${how} It said: ${words}`
}
