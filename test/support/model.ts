import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { type Fixture, LLMock } from '@copilotkit/aimock'
import { mistakesInOpenAiRequest } from './openai-rules.ts'

export { assertValidOpenAiRequest } from './openai-rules.ts'

/** The body of a Chat Completions request, as far as scripts look at it. */
export interface ChatBody {
  readonly model: string
  readonly stream?: boolean
  readonly messages: readonly {
    readonly role: string
    readonly content: unknown
    readonly name?: string
    readonly tool_call_id?: string
    readonly tool_calls?: readonly { id: string; function: { name: string; arguments: string } }[]
  }[]
  readonly tools?: readonly { function: { name: string; description: string; parameters: unknown } }[]
  readonly [field: string]: unknown
}

/** One request that came in. */
export interface RecordedRequest {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: ChatBody
  /** Did the client hang up before the answer was whole? */
  aborted: boolean
  /** The TCP port it came from: the same one means the same connection. */
  readonly port: number | undefined
}

/** A call as a script writes it; text is sent as it is, so it may be malformed. */
export interface ScriptedCall {
  readonly name: string
  readonly arguments?: string | Readonly<Record<string, unknown>>
  readonly id?: string
}

/** What the endpoint does with one request. */
export type ScriptedReply =
  /** A proper answer, streamed in chunks of `chunkSize` characters. */
  | {
      readonly text?: string
      readonly calls?: readonly ScriptedCall[]
      readonly chunkSize?: number
      /** Before each chunk. */
      readonly delayMs?: number
      readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number }
      readonly finish?: string
      /** Then the connection breaks. */
      readonly breakAfterChunks?: number
      /** After some of it, the rest waits for this: so that a test can see the beginning stand there. */
      readonly held?: Promise<unknown>
    }
  /** An error in OpenAI's form. */
  | {
      readonly error: {
        readonly status: number
        readonly message?: string
        readonly code?: string
        readonly type?: string
        readonly param?: string
        readonly headers?: Readonly<Record<string, string>>
      }
    }
  /** Nothing, until the client hangs up. */
  | { readonly hang: true }
  /** Server-sent events as given; a string goes out as it is. `done: false` leaves the end mark out. */
  | {
      readonly events: readonly unknown[]
      readonly delayMs?: number
      readonly done?: boolean
      readonly hang?: boolean
    }
  /** Any body, not streamed. */
  | { readonly body: unknown; readonly status?: number; readonly type?: string }

/** Decides by the request; nothing means: the next one of the queue. */
export type Script = (body: ChatBody, count: number) => ScriptedReply | undefined

/** An OpenAI endpoint on loopback whose answers a test decides. */
export interface ModelStandIn {
  /** Ends in `/v1`. */
  readonly baseUrl: string
  /** What the environment of a Hermes says that uses it. */
  variables(): { OPENAI_BASE_URL: string; OPENAI_API_KEY: string }
  readonly requests: readonly RecordedRequest[]
  /** Answers of the next requests, in order. */
  reply(...replies: readonly ScriptedReply[]): void
  /** Answers all requests for which it returns something; it comes before the queue. */
  script(script: Script): void
  /** Replies that nobody has asked for yet. */
  readonly unused: number
  /** Forgets requests, replies and script. */
  reset(): void
  /** Fails if a request was one that OpenAI would have refused. */
  stop(): Promise<void>
}

/**
 * Starts aimock as the endpoint, behind a small server that records each request, refuses what OpenAI would
 * refuse, and does what aimock can't: hang, break rules, answer without streaming. A request without a scripted
 * answer gets status 501.
 */
export async function startModel(options: { readonly strict?: boolean } = {}): Promise<ModelStandIn> {
  const strict = options.strict ?? true
  const mock = new LLMock({ port: 0, logLevel: 'silent', journalMaxEntries: 1 })
  await mock.start()
  const requests: RecordedRequest[] = []
  const queue: ScriptedReply[] = []
  const mistakes: string[] = []
  let script: Script | undefined
  let count = 0
  let passing = 0

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const raw = await readBody(request)
    const body = JSON.parse(raw) as ChatBody
    const record: RecordedRequest = {
      path: request.url ?? '',
      headers: request.headers,
      body,
      aborted: false,
      port: request.socket.remotePort,
    }
    requests.push(record)
    response.once('close', () => {
      record.aborted = !response.writableFinished
    })
    if (record.path.endsWith('/embeddings')) return sendEmbeddings(body, queue.shift(), response)
    const wrong = mistakesInOpenAiRequest(body)
    if (wrong.length > 0 && strict) {
      mistakes.push(...wrong)
      return sendError(response, { status: 400, message: wrong.join(' '), type: 'invalid_request_error' })
    }
    const reply = script?.(body, count++) ?? queue.shift()
    if (!reply)
      return sendError(response, { status: 501, message: 'No answer is scripted for this request.' })
    if ('hang' in reply && !('events' in reply)) return
    if ('error' in reply) return sendError(response, reply.error)
    if ('body' in reply) {
      response.writeHead(reply.status ?? 200, { 'content-type': reply.type ?? 'application/json' })
      response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body))
      return
    }
    if ('events' in reply) return await sendEvents(reply, response)

    passing += 1
    const context = `reply-${count}-${requests.length}`
    mock.addFixture(fixture(reply, context))
    await pass(mock.port, raw, request, response, context, reply.held)
    passing -= 1
    // aimock looks through its fixtures one by one.
    if (passing === 0) mock.clearFixtures()
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (!response.headersSent) sendError(response, { status: 500, message: String(error) })
      else response.destroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const baseUrl = `http://127.0.0.1:${port}/v1`

  return {
    baseUrl,
    variables: () => ({ OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: 'test-key-of-nobody' }),
    requests,
    reply: (...replies) => {
      queue.push(...replies)
    },
    script: (given) => {
      script = given
    },
    get unused() {
      return queue.length
    },
    reset() {
      requests.length = 0
      queue.length = 0
      script = undefined
    },
    async stop() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
      await mock.stop()
      if (mistakes.length > 0)
        throw new Error(`OpenAI would have refused requests:\n- ${mistakes.join('\n- ')}`)
    },
  }
}

/** The text of the last message that a person wrote. */
export function lastUserText(body: ChatBody): string {
  const content = body.messages.findLast(({ role }) => role === 'user')?.content
  if (typeof content === 'string') return content
  return (Array.isArray(content) ? (content as { text?: string }[]) : [])
    .map(({ text }) => text ?? '')
    .join('\n')
}

/** The tool messages after the last message that a person wrote. */
export function resultsSinceUser(body: ChatBody): string[] {
  const from = body.messages.findLastIndex(({ role }) => role === 'user')
  return body.messages
    .slice(from + 1)
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => String(content))
}

function fixture(reply: Extract<ScriptedReply, { text?: string }>, context: string): Fixture {
  const calls = reply.calls?.map(({ name, arguments: given, id }) => ({
    name,
    arguments: typeof given === 'string' ? given : JSON.stringify(given ?? {}),
    ...(id === undefined ? {} : { id }),
  }))
  const overrides = {
    ...(reply.usage ? { usage: reply.usage } : {}),
    ...(reply.finish ? { finishReason: reply.finish } : {}),
  }
  return {
    match: { context },
    response: calls
      ? reply.text === undefined
        ? { toolCalls: calls, ...overrides }
        : { content: reply.text, toolCalls: calls, ...overrides }
      : { content: reply.text ?? '', ...overrides },
    chunkSize: reply.chunkSize ?? 20,
    latency: reply.delayMs ?? 0,
    ...(reply.breakAfterChunks === undefined ? {} : { truncateAfterChunks: reply.breakAfterChunks }),
  }
}

async function pass(
  port: number,
  raw: string,
  request: IncomingMessage,
  response: ServerResponse,
  context: string,
  held: Promise<unknown> | undefined,
): Promise<void> {
  await new Promise<void>((resolve) => {
    const upstream = httpRequest({
      host: '127.0.0.1',
      port,
      path: request.url,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-aimock-context': context },
    })
    upstream.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      let characters = 0
      answer.on('data', (piece: Buffer) => {
        response.write(piece)
        const before = characters
        characters += piece.length
        if (!held || before >= heldAfter || characters < heldAfter) return
        answer.pause()
        void held.then(() => answer.resume())
      })
      answer.on('end', () => response.end())
      // What came before the break goes out first.
      answer.on('error', () => response.write('', () => response.destroy()))
      answer.on('close', resolve)
    })
    upstream.on('error', () => {
      response.destroy()
      resolve()
    })
    response.on('close', () => upstream.destroy())
    upstream.end(raw)
  })
}

/** Bytes of a streamed reply after which it is held: a dozen pieces. */
const heldAfter = 2_500

async function sendEvents(
  reply: Extract<ScriptedReply, { events: readonly unknown[] }>,
  response: ServerResponse,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  response.flushHeaders()
  for (const event of reply.events) {
    if (reply.delayMs) await delay(reply.delayMs)
    if (response.destroyed) return
    response.write(typeof event === 'string' ? event : `data: ${JSON.stringify(event)}\n\n`)
  }
  if (reply.hang) return
  response.end(reply.done === false ? '' : 'data: [DONE]\n\n')
}

function sendError(
  response: ServerResponse,
  error: Extract<ScriptedReply, { error: unknown }>['error'],
): void {
  const {
    status,
    headers,
    message = 'Something went wrong.',
    type = 'server_error',
    code = null,
    param = null,
  } = error
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify({ error: { message, type, code, param } }))
}

/** Vectors of four numbers, the same for the same text. */
function sendEmbeddings(body: ChatBody, reply: ScriptedReply | undefined, response: ServerResponse): void {
  if (reply && 'hang' in reply) return
  if (reply && 'error' in reply) {
    sendError(response, reply.error)
    return
  }
  if (reply && 'body' in reply) {
    response.writeHead(reply.status ?? 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(reply.body))
    return
  }
  const inputs = body.input as readonly string[]
  const data = inputs.map((text, index) => ({
    object: 'embedding',
    index,
    embedding: [0, 1, 2, 3].map(
      (part) => [...text].reduce((sum, sign) => (sum * 31 + sign.charCodeAt(0) + part) % 997, 7) / 997,
    ),
  }))
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(
    JSON.stringify({ object: 'list', model: body.model, data, usage: { prompt_tokens: 1, total_tokens: 1 } }),
  )
}

async function readBody(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return Buffer.concat(pieces).toString('utf8')
}
