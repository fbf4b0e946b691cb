import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { endMark, keepIn, tokenIn } from './chat.ts'

/** What the model had to do with one turn. */
export interface ModelTime {
  readonly requests: number
  /** When the first request came and the last answer was out, by `performance.now()`. */
  readonly from: number
  readonly to: number
  /** In requests, ms. */
  readonly busy: number
  /** Size of the last request's body, bytes. */
  readonly bytes: number
}

/** A Chat Completions endpoint on loopback that answers at once. */
export interface InstantModel {
  readonly baseUrl: string
  timeOf(token: string): ModelTime | undefined
  stop(): Promise<void>
}

const answer = (token: string) =>
  [
    'This week holds the review on **Tuesday** at 10:00, the planning on Wednesday at 14:00,',
    ' and the release on Friday, if the tests of the new build are green by Thursday evening. ',
    endMark(token),
  ] as const

/**
 * Streams an answer that names the token of the question, or first keeps the fact that it is asked to; what is
 * asked after a turn is answered by "nothing".
 */
export async function startInstantModel(): Promise<InstantModel> {
  const times = new Map<string, ModelTime>()

  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const started = performance.now()
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const raw = Buffer.concat(pieces)
    const body = JSON.parse(raw.toString('utf8')) as {
      readonly messages: readonly { readonly role: string; readonly content: unknown }[]
      readonly tools?: unknown
    }
    const content = body.messages.findLast(({ role }) => role === 'user')?.content
    const asked = typeof content === 'string' ? content : JSON.stringify(content)
    const token = body.tools ? tokenIn(asked) : undefined
    const fact = token && body.messages.at(-1)?.role !== 'tool' ? keepIn(asked) : undefined
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    if (token && fact !== undefined) {
      const call = { name: 'remember', arguments: JSON.stringify({ text: fact }) }
      const calls = [{ index: 0, id: `call_${token}`, type: 'function', function: call }]
      response.write(event({ delta: { tool_calls: calls } }))
    } else {
      for (const text of token ? answer(token) : ['[]']) response.write(event({ delta: { content: text } }))
    }
    response.write(event({ delta: {}, finish_reason: fact === undefined ? 'stop' : 'tool_calls' }))
    response.write(
      `data: ${JSON.stringify({ ...frame, choices: [], usage: { prompt_tokens: 900, completion_tokens: 50, total_tokens: 950 } })}\n\n`,
    )
    response.end('data: [DONE]\n\n')
    if (!token) return
    const before = times.get(token)
    const now = performance.now()
    times.set(token, {
      requests: (before?.requests ?? 0) + 1,
      from: before?.from ?? started,
      to: now,
      busy: (before?.busy ?? 0) + now - started,
      bytes: raw.length,
    })
  }
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => response.destroy(error as Error))
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    timeOf: (token) => times.get(token),
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const frame = { id: 'chatcmpl-bench', object: 'chat.completion.chunk', created: 0, model: 'instant' }

function event(choice: object): string {
  return `data: ${JSON.stringify({ ...frame, choices: [{ index: 0, finish_reason: null, ...choice }] })}\n\n`
}
