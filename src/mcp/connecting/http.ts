import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { HttpServer } from '../config/config.ts'
import { type Line, LineCutter } from './lines.ts'
import { answeredId, oversizeAnswer } from './oversize.ts'

/** The transport of a remote server: streamable HTTP, or the SSE of older servers. */
export function httpTransport(
  server: HttpServer,
  kind: 'http' | 'sse',
): StreamableHTTPClientTransport | SSEClientTransport {
  const options = {
    requestInit: { headers: { ...server.headers } },
    fetch: boundedFetch(server.maxResultBytes),
  }
  const url = new URL(server.url)
  return kind === 'sse'
    ? new SSEClientTransport(url, options)
    : new StreamableHTTPClientTransport(url, options)
}

/** The code of the error that takes the place of an answer whose stream broke off. */
export const brokenStream = 'hermes/broken-stream'

const maxErrorBytes = 64 * 1024

/** A fetch whose answers can't fill the memory, and whose streams end with an answer even when they break off. */
function boundedFetch(limit: number): FetchLike {
  return async (url, init) => {
    const response = await fetch(url, init)
    const body = response.body
    if (!body) return response
    const id = requestId(init)
    const type = response.headers.get('content-type') ?? ''
    const replaced = (content: Uint8Array | ReadableStream | string) =>
      new Response(content as ConstructorParameters<typeof Response>[0], {
        status: response.status,
        statusText: response.statusText,
        headers: response.headers,
      })

    if (!response.ok) {
      // A Response of our own may not carry the statuses of redirects, and the SDK follows those itself.
      if (response.status < 400) return response
      return replaced(limitedStart(await gather(body, maxErrorBytes), maxErrorBytes))
    }
    if (type.includes('text/event-stream')) return replaced(events(body, limit, id))
    if (!type.includes('application/json')) return response
    const content = await gather(body, limit)
    if (content.length <= limit || id === undefined) return replaced(limitedStart(content, limit))
    return replaced(JSON.stringify(oversizeAnswer(id, { limit })))
  }
}

// Up to one chunk more than the limit, and then no more.
async function gather(body: ReadableStream<Uint8Array>, limit: number): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    parts.push(chunk)
    size += chunk.length
    if (size > limit) break
  }
  return Buffer.concat(parts)
}

function limitedStart(content: Buffer, limit: number): Uint8Array {
  return new Uint8Array(content.subarray(0, limit))
}

function events(
  body: ReadableStream<Uint8Array>,
  limit: number,
  id: number | undefined,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  const cutter = new LineCutter(limit)
  let answered = false
  // With event ids the SDK takes a broken stream up again by itself.
  let resumable = false

  const passed = (line: Line): string | Buffer => {
    if (line.kind === 'dropped') {
      const of = answeredId(line.head, line.tail.replace(/\r$/, '')) ?? id
      if (of === id) answered = true
      return of === undefined ? '' : dataLine(oversizeAnswer(of, { size: line.size, limit }))
    }
    if (line.bytes.subarray(0, 3).toString() === 'id:') resumable = true
    if (id !== undefined && !answered && line.bytes.subarray(0, 5).toString() === 'data:')
      answered = answeredId(edge(line.bytes, 0, 512), edge(line.bytes, -512).replace(/\r$/, '')) === id
    return line.bytes
  }
  const lost = (why: string): string =>
    id === undefined || answered || resumable
      ? ''
      : `\n\n${dataLine({ jsonrpc: '2.0', id, error: { code: -32000, message: why, data: brokenStream } })}\n\n`

  return new ReadableStream({
    async pull(controller) {
      const send = (text: string | Buffer) => {
        if (text.length > 0) controller.enqueue(Buffer.from(text))
      }
      try {
        let lines: readonly Line[] = []
        while (lines.length === 0) {
          const { done, value } = await reader.read()
          if (done) {
            const rest = cutter.rest()
            send(`${rest ? passed(rest) : ''}${lost('The server closed the stream before it answered.')}`)
            controller.close()
            return
          }
          lines = cutter.push(Buffer.from(value))
        }
        for (const line of lines) {
          send(passed(line))
          send('\n')
        }
      } catch (error) {
        const last = lost('The connection broke before the server answered.')
        if (last === '') controller.error(error)
        else {
          send(last)
          controller.close()
        }
      }
    },
    cancel: (reason) => reader.cancel(reason),
  })
}

function dataLine(message: object): string {
  return `data: ${JSON.stringify(message)}`
}

function edge(bytes: Buffer, from: number, to?: number): string {
  return bytes.subarray(from, to).toString('utf8')
}

function requestId(init: RequestInit | undefined): number | undefined {
  if (init?.method !== 'POST' || typeof init.body !== 'string') return undefined
  try {
    const message: unknown = JSON.parse(init.body)
    if (message && typeof message === 'object' && 'method' in message && 'id' in message)
      return typeof message.id === 'number' ? message.id : undefined
  } catch {
    // Not a message, so it has no id.
  }
  return undefined
}
