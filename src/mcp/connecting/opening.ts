import { pathToFileURL } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import {
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  PromptListChangedNotificationSchema,
  ResourceListChangedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { HermesError } from '../../base/errors.ts'
import { within } from '../../base/wait.ts'
import type { ServerConfig } from '../config/config.ts'
import { asksForCredentials, readError } from './failures.ts'
import { httpTransport } from './http.ts'
import { endSentence, Session, type SessionParts } from './session.ts'
import { StdioTransport } from './stdio.ts'

/** Why there is no session. */
export interface Refusal {
  readonly status: 'unavailable' | 'blocked'
  readonly reason: string
}

/** Connects to a server and shakes hands, or says why that is not possible. Always ends within its limit. */
export async function openSession(
  server: ServerConfig,
  parts: SessionParts,
  signal: AbortSignal,
): Promise<Session | Refusal> {
  const first = await attempt(server, server.transport, parts, signal)
  if (first instanceof Session || server.transport !== 'http' || !server.trySse || !first.perhapsSse)
    return first
  const second = await attempt(server, 'sse', parts, signal)
  return second instanceof Session ? second : first
}

async function attempt(
  server: ServerConfig,
  kind: ServerConfig['transport'],
  parts: SessionParts,
  signal: AbortSignal,
): Promise<Session | (Refusal & { readonly perhapsSse?: boolean })> {
  const { limits, output } = parts
  const transport =
    server.transport === 'stdio'
      ? new StdioTransport(server, { children: parts.children, output, limits })
      : httpTransport(server, kind === 'sse' ? 'sse' : 'http')
  const client = clientFor(server, parts)
  try {
    const connecting = client.connect(transport, { timeout: limits.connectMs })
    await within(limits.connectMs, 'Connecting', unlessStopped(signal, connecting))
    return new Session(client, transport, parts)
  } catch (error) {
    await transport.close().catch(() => {})
    const exit = transport instanceof StdioTransport ? transport.exit : undefined
    const why = exit === undefined ? whyNot(error, limits.connectMs) : endSentence(exit, '')
    const words = output.lastWords()
    const reason = parts.conceal(words === '' ? why : `${why} It said: ${words}`)
    if (asksForCredentials(error)) return { status: 'blocked', reason }
    return { status: 'unavailable', reason, perhapsSse: speaksNoHttp(error) }
  }
}

// The SDK (1.32) would listen to the signal only once the transport has started, which for SSE may take for ever,
// and would never stop listening.
async function unlessStopped(signal: AbortSignal, work: Promise<void>): Promise<void> {
  let onAbort = () => {}
  const stopped = new Promise<never>((_, reject) => {
    onAbort = () => reject(new HermesError('mcp.closed', 'Hermes is stopping.'))
    signal.addEventListener('abort', onAbort, { once: true })
  })
  try {
    await Promise.race([work, stopped])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

function clientFor(server: ServerConfig, parts: SessionParts): Client {
  const roots = server.roots
  const client = new Client(
    { name: 'hermes', version: '0.1.0' },
    { capabilities: roots.length > 0 ? { roots: {} } : {} },
  )
  if (roots.length > 0)
    client.setRequestHandler(ListRootsRequestSchema, () => ({
      roots: roots.map((root) => ({ uri: pathToFileURL(root).href })),
    }))
  const { onListChanged, log, conceal } = parts
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => onListChanged('tools'))
  client.setNotificationHandler(ResourceListChangedNotificationSchema, () => onListChanged('resources'))
  client.setNotificationHandler(PromptListChangedNotificationSchema, () => onListChanged('prompts'))
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
    const said = typeof params.data === 'string' ? params.data : JSON.stringify(params.data)
    log.debug({ level: params.level, said: conceal(said ?? '').slice(0, 2000) }, 'An MCP server logs.')
  })
  return client
}

function whyNot(error: unknown, connectMs: number): string {
  if (error instanceof HermesError && error.code === 'time.out')
    return `It did not answer within ${Math.round(connectMs / 1000)} s.`
  if (asksForCredentials(error)) return `${readError(error).message} Set what it needs in "headers".`
  return readError(error).message
}

// Servers from before streamable HTTP answer its first POST with one of these.
function speaksNoHttp(error: unknown): boolean {
  return error instanceof StreamableHTTPError && [400, 404, 405].includes(error.code ?? 0)
}
