import { createHmac, timingSafeEqual } from 'node:crypto'
import type { App, Receiver, ReceiverEvent } from '@slack/bolt'
import type { Clock } from '../../src/base/clock.ts'
import { messageOf } from '../../src/base/errors.ts'
import type { Log } from '../../src/observe/log.ts'
import { afterCommit } from './durable.ts'

/** Requests older than that may be replays: docs.slack.dev/authentication/verifying-requests-from-slack. */
const windowSeconds = 300
const bodyLimit = 2_000_000
/** Slack waits 3 s; what takes longer goes on, and Slack delivers again. */
const answerMs = 2_900

/** Receives Slack's signed requests on our own HTTP server. */
export class HttpReceiver implements Receiver {
  readonly #secret: string
  readonly #clock: Clock
  readonly #log: Log
  #app: App | undefined

  constructor(options: { readonly signingSecret: string; readonly clock: Clock; readonly log: Log }) {
    this.#secret = options.signingSecret
    this.#clock = options.clock
    this.#log = options.log
  }

  init(app: App): void {
    this.#app = afterCommit(app)
  }

  async start(): Promise<void> {}

  async stop(): Promise<void> {
    this.#app = undefined
  }

  /** Answers one request: 401 where the signature is wrong, 500 where the event was not kept. */
  readonly handle = async (request: Request): Promise<Response> => {
    const body = await readBody(request)
    if (body === undefined) return new Response('Too large', { status: 413 })
    if (!this.#isSigned(request.headers, body)) return new Response('Wrong signature', { status: 401 })
    const payload = parse(request.headers.get('content-type') ?? '', body)
    if (!payload) return new Response('Not readable', { status: 400 })
    if (payload.type === 'url_verification') return Response.json({ challenge: payload.challenge })
    if (payload.ssl_check !== undefined) return new Response(null, { status: 200 })
    // Not before the token is known to work: Slack tries again.
    if (!this.#app) return new Response('Not ready', { status: 503 })
    return this.#process(this.#app, payload, request.headers)
  }

  async #process(app: App, body: Record<string, unknown>, headers: Headers): Promise<Response> {
    const { promise, resolve } = Promise.withResolvers<Response>()
    const timer = setTimeout(() => resolve(new Response('Still working', { status: 503 })), answerMs)
    const event: ReceiverEvent = {
      body,
      retryNum: Number(headers.get('x-slack-retry-num') ?? 0),
      retryReason: headers.get('x-slack-retry-reason') ?? '',
      ack: async (answer?: unknown) => resolve(acknowledgement(answer)),
    }
    app.processEvent(event).then(
      () => resolve(acknowledgement(undefined)),
      (error: unknown) => {
        this.#log.error(
          { error: messageOf(error) },
          'An event from Slack was not kept; Slack delivers it again',
        )
        resolve(new Response('Not kept', { status: 500 }))
      },
    )
    return promise.finally(() => clearTimeout(timer))
  }

  #isSigned(headers: Headers, body: Buffer): boolean {
    const stamp = headers.get('x-slack-request-timestamp') ?? ''
    const given = Buffer.from(headers.get('x-slack-signature') ?? '')
    const age = this.#clock.now().getTime() / 1000 - Number(stamp)
    if (!/^\d+$/.test(stamp) || Math.abs(age) > windowSeconds) return false
    const hash = createHmac('sha256', this.#secret).update(`v0:${stamp}:`).update(body).digest('hex')
    const wanted = Buffer.from(`v0=${hash}`)
    return given.length === wanted.length && timingSafeEqual(given, wanted)
  }
}

function acknowledgement(answer: unknown): Response {
  if (answer === undefined || answer === null || answer === '') return new Response(null, { status: 200 })
  return typeof answer === 'string' ? new Response(answer) : Response.json(answer)
}

async function readBody(request: Request): Promise<Buffer | undefined> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of request.body ?? []) {
    size += part.length
    if (size > bodyLimit) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** Events come as JSON, commands as a form, interactions as JSON in a form. */
function parse(contentType: string, body: Buffer): Record<string, unknown> | undefined {
  try {
    const text = body.toString('utf8')
    if (!contentType.startsWith('application/x-www-form-urlencoded')) return record(JSON.parse(text))
    const form = new URLSearchParams(text)
    const payload = form.get('payload')
    return payload === null ? Object.fromEntries(form) : record(JSON.parse(payload))
  } catch {
    return undefined
  }
}

function record(value: unknown): Record<string, unknown> | undefined {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined
}
