import { z } from 'zod'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../observe/log.ts'
import { type FailureKind, mayBeRepeated, readError, readToolError } from './connecting/failures.ts'
import type { Progress, Session } from './connecting/session.ts'
import { type Attachment, readContent } from './content.ts'
import { isRecord } from './json.ts'
import { type CheckedTool, isAllowed } from './listing/definition.ts'
import { checkPin, type PinStore } from './listing/drift.ts'
import type { Server } from './server.ts'

/** How a call ended. `unknown`: it was sent, and nobody can say whether it had its effect. */
export interface McpResult {
  readonly outcome: 'succeeded' | 'failed' | 'unknown'
  readonly isError: boolean
  readonly text: string
  readonly structured?: Readonly<Record<string, unknown>>
  readonly attachments: readonly Attachment[]
  /** Set unless the call succeeded. */
  readonly failure?: McpFailure
}

export interface McpFailure {
  readonly kind: FailureKind
  readonly message: string
  readonly retryAfterMs?: number
}

export interface McpCallOptions {
  /** Stops the call; the server is told. */
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: Progress) => void
  /** The checks are passed and the request goes out. */
  readonly onSent?: () => void
  /** Of silence; the server's own setting by default. */
  readonly timeoutMs?: number
  /** Handed to the server, which may use it to do a repeated call only once. */
  readonly idempotencyKey?: string
  /** The server's own name for that in `_meta`, besides ours. */
  readonly keyName?: string
  /** A person confirmed exactly this call; the hash is that of the definition which they saw. */
  readonly approval?: { readonly definitionHash: string }
}

export type Arguments = Readonly<Record<string, unknown>>

export interface CallParts {
  readonly pins: PinStore
  readonly log: Log
  readonly clock: Clock
  readonly limits: { readonly readyMs: number; readonly callTotalMs: number }
}

/** Checks arguments by the server's own schema, and takes out what the model may not set. */
export function checkArguments(
  tool: CheckedTool,
  args: Arguments,
): { readonly args: Arguments; readonly problems: readonly string[] } {
  const own = Object.fromEntries(Object.entries(args).filter(([name]) => !tool.hidden.has(name)))
  return { args: own, problems: tool.check(confirmed(tool, own)) }
}

/** The one way to a tool: every call passes every check, whoever asks for it. */
export async function callTool(
  server: Server,
  name: string,
  args: Arguments,
  options: McpCallOptions,
  parts: CallParts,
): Promise<McpResult> {
  const from = parts.clock.monotonic()
  const result = await passGate(server, name, args, options, parts)
  parts.log.info(
    {
      server: server.config.name,
      tool: name,
      outcome: result.outcome,
      kind: result.failure?.kind,
      ms: Math.round(parts.clock.monotonic() - from),
    },
    'An MCP tool was called.',
  )
  return result
}

async function passGate(
  server: Server,
  name: string,
  args: Arguments,
  options: McpCallOptions,
  parts: CallParts,
): Promise<McpResult> {
  const { config, connection } = server
  if (!isAllowed(config, name))
    return refused('permission', `The tool "${name}" is not allowed on this server.`)

  const session = await connection.ready(parts.limits.readyMs, options.signal)
  if (!session) {
    const { reason = 'It is still connecting.' } = connection.state
    return refused('transient', `The server "${config.name}" is not available. ${reason}`)
  }
  // What was confirmed must still be what runs, so the list may not be an old one.
  if (server.find(name)?.verdict.effect !== 'read' && !(await server.freshen()))
    return refused(
      'transient',
      `The server "${config.name}" does not list its tools, so the call was not made.`,
    )
  const listed = server.find(name)
  if (!listed) return refused('not_found', `The server "${config.name}" has no tool "${name}".`)

  const { tool } = listed
  const verdict = listed.verdict.effect === 'read' ? listed.verdict : await checkPin(parts.pins, config, tool)
  if (verdict.blocked !== undefined) return refused('permission', verdict.blocked)
  if (verdict.effect === 'write' && options.approval === undefined)
    return refused('permission', 'This call changes something and needs a confirmation.')
  if (options.approval !== undefined && options.approval.definitionHash !== tool.definitionHash)
    return refused('permission', 'The tool changed after the call was confirmed, so it was not called.')

  const { args: own, problems } = checkArguments(tool, args)
  if (problems.length > 0) return refused('validation', problems.join('\n'))
  const waitMs = server.rate.take()
  if (waitMs > 0)
    return refused('rate_limit', `The server "${config.name}" was called too often just now.`, waitMs)

  const sent = options.approval === undefined ? own : confirmed(tool, own)
  return send(server, session, tool, verdict.effect === 'read', sent, options, parts)
}

async function send(
  server: Server,
  session: Session,
  tool: CheckedTool,
  read: boolean,
  args: Arguments,
  options: McpCallOptions,
  parts: CallParts,
): Promise<McpResult> {
  const { idempotencyKey: key, keyName = ourKeyName } = options
  const params = {
    name: tool.definition.name,
    arguments: args,
    ...(key === undefined ? {} : { _meta: { [ourKeyName]: key, [keyName]: key } }),
  }
  const request = (by: Session) =>
    by.request({ method: 'tools/call', params }, callResult, {
      timeoutMs: options.timeoutMs ?? server.config.timeoutMs,
      totalMs: parts.limits.callTotalMs,
      signal: options.signal,
      onProgress: options.onProgress,
    })
  let by = session
  for (let attempt = 1; ; attempt++) {
    try {
      options.onSent?.()
      return ended(await request(by), read)
    } catch (error) {
      // A restart shows twice, in the connection that was kept open and then in the session.
      const again = read && attempt < maxAttempts && mayBeRepeated(error)
      const next = again ? await server.connection.ready(parts.limits.readyMs, options.signal) : undefined
      if (!next) return broken(error, by, read)
      by = next
    }
  }
}

const maxAttempts = 3
const ourKeyName = 'hermes/idempotencyKey'

const callResult = z.looseObject({
  content: z.array(z.unknown()).default([]),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().default(false).catch(false),
})

function ended(answer: z.output<typeof callResult>, read: boolean): McpResult {
  const { text, attachments } = readContent(answer.content)
  const structured = isRecord(answer.structuredContent) ? answer.structuredContent : undefined
  const content = {
    text: text === '' && structured ? JSON.stringify(structured) : text,
    ...(structured ? { structured } : {}),
    attachments,
  }
  if (!answer.isError) return { outcome: 'succeeded', isError: false, ...content }
  const error = readToolError(text)
  return { ...content, isError: true, ...failed(error.kind, error.message, error.settled || read) }
}

function broken(error: unknown, session: Session, read: boolean): McpResult {
  const { kind, message, settled } = readError(error)
  const why = session.over?.kind === 'lost' && !settled ? ` ${session.over.reason}` : ''
  const text = `${message}${why}`
  return { text, isError: true, attachments: [], ...failed(kind, text, settled || read) }
}

function failed(kind: FailureKind, message: string, sure: boolean): Pick<McpResult, 'outcome' | 'failure'> {
  return sure
    ? { outcome: 'failed', failure: { kind, message } }
    : { outcome: 'unknown', failure: { kind: 'unknown', message } }
}

function refused(kind: FailureKind, message: string, retryAfterMs?: number): McpResult {
  const failure = { kind, message, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }
  return { outcome: 'failed', isError: true, text: message, attachments: [], failure }
}

function confirmed(tool: CheckedTool, args: Arguments): Arguments {
  return { ...args, ...Object.fromEntries(tool.confirmation.map(({ name, value }) => [name, value])) }
}
