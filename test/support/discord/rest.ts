import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { ApiError, refusals } from './api-error.ts'
import { readBody, type UploadedFile } from './body.ts'
import type { FaultKind, Faults } from './faults.ts'
import type { World } from './world.ts'

/** A request as the routes see it. */
export interface RestRequest {
  readonly params: readonly string[]
  readonly query: URLSearchParams
  readonly json: unknown
  readonly files: readonly UploadedFile[]
}

/** An answer: nothing for 204, a body for 200. */
type RestAnswer = object | undefined

export interface Route {
  readonly method: string
  /** Matches the path after `/api/v10`; its groups are the parameters. */
  readonly path: RegExp
  /** Interaction answers and webhooks carry their own token. */
  readonly open?: boolean
  readonly handle: (request: RestRequest) => RestAnswer
}

/** A request that came in, for tests that look at the traffic itself. */
export interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly at: number
  readonly body: unknown
  status: number
}

/** How many messages a channel takes in a span of time; Discord's usual bucket is 5 in 5 seconds. */
export interface ChannelLimit {
  readonly count: number
  readonly perMs: number
}

interface RestOptions {
  readonly token: () => string
  readonly channelLimit: ChannelLimit | undefined
}

/** The HTTP interface: authentication, faults, the message bucket, routes and the download of files. */
export class RestServer {
  readonly requests: SeenRequest[] = []
  readonly server: Server
  private readonly world: World
  private readonly faults: Faults
  private readonly routes: Route[] = []
  private readonly options: RestOptions
  private readonly buckets = new Map<string, number[]>()
  private readonly timers = new Set<NodeJS.Timeout>()

  constructor(world: World, faults: Faults, options: RestOptions) {
    this.world = world
    this.faults = faults
    this.options = options
    this.server = createServer((request, response) => {
      void this.serve(request, response)
    })
  }

  use(routes: readonly Route[]): void {
    this.routes.push(...routes)
  }

  stopTimers(): void {
    for (const timer of this.timers) clearTimeout(timer)
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    if (url.pathname.startsWith('/cdn/')) {
      this.download(url.pathname, response)
      return
    }
    const path = url.pathname.replace(/^\/api\/v\d+/, '')
    const seen: SeenRequest = {
      method: request.method ?? '',
      path,
      at: this.world.now(),
      body: undefined,
      status: 0,
    }
    this.requests.push(seen)
    const fault = this.faults.take(seen.method, path)
    try {
      if (fault && this.strikes(fault, response, seen)) return
      const body = await readBody(request)
      ;(seen as { body: unknown }).body = body.json
      if (fault?.kind === 'slow') await this.pause(fault.ms)
      const answer = this.route(seen.method, path, url.searchParams, request, body, response)
      if (fault?.kind === 'break') {
        seen.status = -1
        breakOff(fault.how, response)
        return
      }
      seen.status = answer === undefined ? 204 : 200
      write(response, seen.status, answer)
    } catch (error) {
      if (!(error instanceof ApiError)) {
        seen.status = 500
        write(response, 500, { message: `The stand-in itself failed: ${String(error)}`, code: 0 })
        return
      }
      seen.status = error.status
      for (const [name, value] of Object.entries(error.headers)) response.setHeader(name, value)
      write(response, error.status, error.body())
    } finally {
      this.world.changed()
    }
  }

  /** Faults that answer instead of the routes. */
  private strikes(fault: FaultKind, response: ServerResponse, seen: SeenRequest): boolean {
    switch (fault.kind) {
      case 'status':
        seen.status = fault.status
        write(response, fault.status, fault.body ?? { message: `${fault.status}`, code: 0 })
        return true
      case 'rate-limit': {
        seen.status = 429
        response.setHeader('Retry-After', String(fault.retryAfter))
        response.setHeader('X-RateLimit-Scope', fault.global ? 'global' : 'user')
        if (fault.global) response.setHeader('X-RateLimit-Global', 'true')
        write(response, 429, {
          message: 'You are being rate limited.',
          retry_after: fault.retryAfter,
          global: fault.global ?? false,
        })
        return true
      }
      case 'break':
        if (fault.when === 'after') return false
        seen.status = -1
        breakOff(fault.how, response)
        return true
      case 'hang':
        seen.status = -1
        return true
      case 'slow':
        return false
      default:
        return fault satisfies never
    }
  }

  private route(
    method: string,
    path: string,
    query: URLSearchParams,
    request: IncomingMessage,
    body: { readonly json: unknown; readonly files: readonly UploadedFile[] },
    response: ServerResponse,
  ): RestAnswer {
    for (const route of this.routes) {
      const match = route.method === method ? route.path.exec(path) : null
      if (!match) continue
      if (!route.open && request.headers.authorization !== `Bot ${this.options.token()}`) {
        throw refusals.unauthorized()
      }
      this.spend(method, path, response)
      return route.handle({ params: match.slice(1), query, ...body })
    }
    throw refusals.notFound()
  }

  /** The bucket of a channel's new messages, told in headers so that the client paces itself. */
  private spend(method: string, path: string, response: ServerResponse): void {
    const limit = this.options.channelLimit
    const channel = /^\/channels\/(\d+)\/messages$/.exec(path)?.[1]
    if (!limit || method !== 'POST' || channel === undefined) return
    const now = this.world.now()
    const spent = (this.buckets.get(channel) ?? []).filter((at) => at > now - limit.perMs)
    this.buckets.set(channel, spent)
    const wait = (((spent[0] ?? now) + limit.perMs - now) / 1000).toFixed(3)
    response.setHeader('X-RateLimit-Bucket', 'messages')
    response.setHeader('X-RateLimit-Limit', String(limit.count))
    response.setHeader('X-RateLimit-Reset-After', wait)
    if (spent.length >= limit.count) {
      response.setHeader('X-RateLimit-Remaining', '0')
      throw new ApiError(429, 0, 'You are being rate limited.', {
        extra: { retry_after: Number(wait), global: false },
        headers: { 'Retry-After': wait, 'X-RateLimit-Scope': 'user' },
      })
    }
    spent.push(now)
    response.setHeader('X-RateLimit-Remaining', String(limit.count - spent.length))
  }

  private download(path: string, response: ServerResponse): void {
    const id = /^\/cdn\/attachments\/\d+\/(\d+)\//.exec(path)?.[1]
    for (const message of this.world.messages.values()) {
      const file = message.attachments.find((attachment) => attachment.id === id)
      if (!file || message.removedAt !== undefined) continue
      response.writeHead(200, { 'Content-Type': file.contentType, 'Content-Length': file.bytes.length })
      response.end(file.bytes)
      return
    }
    response.writeHead(404).end('This content is no longer available.')
  }

  private async pause(ms: number): Promise<void> {
    await new Promise<void>((resolve) => this.timers.add(setTimeout(resolve, ms)))
  }
}

function write(response: ServerResponse, status: number, body: RestAnswer): void {
  if (response.destroyed) return
  if (body === undefined) {
    response.writeHead(status).end()
    return
  }
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
}

function breakOff(how: 'reset' | 'close', response: ServerResponse): void {
  const socket = response.socket
  if (!socket) return
  if (how === 'reset') socket.resetAndDestroy()
  else socket.destroy()
}
