import { randomUUID } from 'node:crypto'
import { createServer, type Server as HttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'

/** A streamable HTTP server with sessions, on loopback, that can vanish and come back on the same port. */
export interface TestHttpServer {
  readonly url: string
  /** Names of the tools that were called, in order, over all lives. */
  readonly calls: string[]
  /** How many sessions were begun, over all lives. */
  readonly sessions: () => number
  readonly headers: () => IncomingMessage['headers'] | undefined
  /** Forgets all sessions, as a restart behind a proxy does. */
  forget(): void
  /** Closes every connection, and forgets all sessions. */
  restart(): Promise<void>
  /** Closes every connection and the port. */
  stop(): Promise<void>
  /** Opens the same port again. */
  again(): Promise<void>
}

export interface HttpBehaviour {
  /** The status for a session that is not known. */
  readonly unknownSession?: 404 | 400
  /** Answers every request with this status. */
  readonly refuse?: number
  readonly tools?: readonly {
    readonly name: string
    readonly annotations?: { readonly readOnlyHint?: boolean }
  }[]
  /** Runs in a call; throws to break the socket. */
  readonly onCall?: (
    name: string,
    request: { readonly socket: Socket; readonly arguments: Readonly<Record<string, unknown>> },
  ) => Promise<string> | string
}

export async function startHttpServer(behaviour: HttpBehaviour = {}): Promise<TestHttpServer> {
  const calls: string[] = []
  const sockets = new Set<Socket>()
  let sessions = new Map<string, StreamableHTTPServerTransport>()
  let begun = 0
  let lastHeaders: IncomingMessage['headers'] | undefined
  let port = 0
  let http: HttpServer

  const protocolServer = (socketOf: () => Socket) => {
    const server = new Server({ name: 'test-http', version: '0.0.1' }, { capabilities: { tools: {} } })
    const tools = behaviour.tools ?? [
      { name: 'look', annotations: { readOnlyHint: true } },
      { name: 'change' },
    ]
    server.setRequestHandler(ListToolsRequestSchema, () => ({
      tools: tools.map((tool) => ({ ...tool, inputSchema: { type: 'object' as const } })),
    }))
    server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
      calls.push(params.name)
      const request = { socket: socketOf(), arguments: params.arguments ?? {} }
      const text = (await behaviour.onCall?.(params.name, request)) ?? `did ${params.name}`
      return { content: [{ type: 'text' as const, text }] }
    })
    return server
  }

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    lastHeaders = request.headers
    if (behaviour.refuse !== undefined) {
      response.writeHead(behaviour.refuse).end('refused')
      return
    }
    const id = request.headers['mcp-session-id']
    const known = typeof id === 'string' ? sessions.get(id) : undefined
    if (known) {
      latest.set(known, request.socket)
      return known.handleRequest(request, response)
    }
    if (id !== undefined) {
      const status = behaviour.unknownSession ?? 404
      const message = status === 404 ? 'Session not found' : 'Bad Request: No valid session ID provided'
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32000, message }, id: null }))
      return
    }
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (session) => {
        begun++
        sessions.set(session, transport)
      },
    })
    latest.set(transport, request.socket)
    await protocolServer(() => latest.get(transport) ?? request.socket).connect(transport)
    await transport.handleRequest(request, response)
  }
  const latest = new Map<StreamableHTTPServerTransport, Socket>()

  const listen = async () => {
    http = createServer((request, response) => {
      handle(request, response).catch(() => response.destroy())
    })
    http.on('connection', (socket) => {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    })
    await new Promise<void>((resolve, reject) => {
      http.once('error', reject)
      http.listen(port, '127.0.0.1', resolve)
    })
    port = (http.address() as AddressInfo).port
  }
  const stop = async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise<void>((resolve) => http.close(() => resolve()))
    sessions = new Map()
  }

  await listen()
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    calls,
    sessions: () => begun,
    headers: () => lastHeaders,
    forget() {
      sessions = new Map()
    },
    async restart() {
      await stop()
      await listen()
    },
    stop,
    again: listen,
  }
}
