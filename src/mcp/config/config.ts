import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { z } from 'zod'
import { codeOf, messageOf } from '../../base/errors.ts'
import { isRecord } from '../json.ts'
import { unpinnedPackage } from './pinning.ts'
import { fillIn, type Variables } from './variables.ts'

/** Does a tool change the world outside? */
export type Effect = 'read' | 'write'

/** What the operator says about one tool of a server. */
export interface ToolRule {
  readonly effect?: Effect
  readonly enabled?: boolean
  /** Which parameters ask for a person's confirmation, instead of those that are named like it. */
  readonly confirmParameters?: readonly string[]
}

interface AnyServer {
  readonly name: string
  /** The server's `readOnlyHint` and `idempotentHint` are believed. */
  readonly trusted: boolean
  readonly tools: Readonly<Record<string, ToolRule>>
  /** Patterns with `*`; without a list every tool is allowed. */
  readonly allow?: readonly string[]
  readonly deny: readonly string[]
  /** Silence (without progress) after which a call is given up. */
  readonly timeoutMs: number
  /** What that is raised to at most where it proves too short. */
  readonly longestTimeoutMs: number
  readonly rateLimit: { readonly calls: number; readonly perSeconds: number }
  /** Size of one message from the server, on the wire. */
  readonly maxResultBytes: number
  /** Folders told to the server when it asks; none by default. */
  readonly roots: readonly string[]
  /** Values that may show nowhere. */
  readonly secrets: readonly string[]
}

/** A server that Hermes starts as a child process. */
export interface StdioServer extends AnyServer {
  readonly transport: 'stdio'
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd?: string
}

/** A server that runs elsewhere and is reached over HTTP. */
export interface HttpServer extends AnyServer {
  readonly transport: 'http' | 'sse'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The file names no type, so that legacy SSE is tried where streamable HTTP is not spoken. */
  readonly trySse: boolean
}

export type ServerConfig = StdioServer | HttpServer

/** The servers of a file, with what is wrong in it. One bad server does not touch the others. */
export interface McpConfig {
  readonly servers: readonly ServerConfig[]
  /** Servers that are named but can't be used as they are written. */
  readonly blocked: readonly { readonly server: string; readonly reason: string }[]
  /** One line per mistake. */
  readonly errors: readonly string[]
  /** One line per thing that works but should be looked at. */
  readonly warnings: readonly string[]
}

const usualTimeoutMs = 30_000
const mostTimeoutMs = 600_000

const toolRule = z.strictObject({
  effect: z.enum(['read', 'write']).optional(),
  enabled: z.boolean().optional(),
  confirmParameters: z.array(z.string()).optional(),
})

const common = {
  disabled: z.boolean().default(false),
  trusted: z.boolean().default(false),
  tools: z.record(z.string(), toolRule).default({}),
  allow: z.array(z.string()).optional(),
  deny: z.array(z.string()).default([]),
  timeoutMs: z.int().min(100).max(mostTimeoutMs).optional(),
  longestTimeoutMs: z.int().min(100).max(mostTimeoutMs).optional(),
  rateLimit: z
    .strictObject({ calls: z.int().min(1), perSeconds: z.number().positive() })
    .default({ calls: 120, perSeconds: 60 }),
  maxResultBytes: z
    .int()
    .min(1024)
    .max(256 * 1024 * 1024)
    .default(8 * 1024 * 1024),
  roots: z.array(z.string().min(1)).default([]),
}

const stdioServer = z.strictObject({
  type: z.literal('stdio').optional(),
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  env: z.record(z.string(), z.string()).default({}),
  cwd: z.string().min(1).optional(),
  ...common,
})

const httpServer = z.strictObject({
  type: z.enum(['http', 'streamable-http', 'sse']).optional(),
  url: z.url({ protocol: /^https?$/, error: 'expected an address that begins with http:// or https://' }),
  headers: z.record(z.string(), z.string()).default({}),
  ...common,
})

// Settings of other clients that files are copied from. They mean nothing here, so they are dropped and said.
const foreign: ReadonlyMap<string, string> = new Map([
  ['autoApprove', 'say which tools only read with tools.<name>.effect'],
  ['alwaysAllow', 'say which tools only read with tools.<name>.effect'],
  ['timeout', 'use timeoutMs, in milliseconds'],
  ['enabled', 'use disabled'],
  ['description', 'it is not needed'],
  ['icon', 'it is not needed'],
  ['envFile', 'set the variables for Hermes itself and name them in env'],
])

// A name is shown to people and is part of `resource://server/uri`.
const serverName = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,63}$/u

/**
 * Reads the file of MCP servers. Never throws: what is wrong is told in `errors`.
 * @param timeoutMs for servers that name none
 */
export async function readMcpConfig(
  path: string,
  variables: Variables,
  timeoutMs?: number,
): Promise<McpConfig> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    const why = codeOf(error) === 'ENOENT' ? 'it does not exist' : messageOf(error)
    return { servers: [], blocked: [], errors: [`The MCP file ${path} can't be read: ${why}.`], warnings: [] }
  }
  return parseMcpConfig(text, { file: path, variables, timeoutMs })
}

/** Checks the text of a file of MCP servers. `cwd` of a server is relative to the file's folder. */
export function parseMcpConfig(
  text: string,
  options: {
    readonly file: string
    readonly variables: Variables
    /** For servers that name none. */
    readonly timeoutMs?: number | undefined
  },
): McpConfig {
  const { file, variables, timeoutMs = usualTimeoutMs } = options
  const errors: string[] = []
  const warnings: string[] = []
  const servers: ServerConfig[] = []
  const blocked: { server: string; reason: string }[] = []

  const entries = serversOf(text, file, errors, warnings)
  for (const [name, entry] of Object.entries(entries)) {
    const reading = readServer(name, entry, file, variables, timeoutMs)
    warnings.push(...reading.warnings)
    if (reading.server) {
      servers.push(reading.server)
      continue
    }
    errors.push(...reading.errors)
    blocked.push({ server: name, reason: reading.errors.join(' ') || `Switched off in ${file}.` })
  }
  return { servers, blocked, errors, warnings }
}

function serversOf(
  text: string,
  file: string,
  errors: string[],
  warnings: string[],
): Record<string, unknown> {
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch (error) {
    errors.push(`The MCP file ${file} is not valid JSON: ${messageOf(error)}.`)
    return {}
  }
  if (!isRecord(content) || !isRecord(content.mcpServers)) {
    errors.push(`The MCP file ${file} needs an object "mcpServers" with one entry per server.`)
    return {}
  }
  for (const key of Object.keys(content)) {
    if (key !== 'mcpServers' && key !== '$schema')
      warnings.push(`The MCP file ${file} has "${key}", which is ignored.`)
  }
  return content.mcpServers
}

interface ServerReading {
  readonly server?: ServerConfig
  readonly errors: readonly string[]
  readonly warnings: readonly string[]
}

function readServer(
  name: string,
  entry: unknown,
  file: string,
  variables: Variables,
  usual: number,
): ServerReading {
  const warnings: string[] = []
  const fail = (...errors: string[]): ServerReading => ({ errors, warnings })
  const at = `MCP server "${name}"`

  if (!serverName.test(name))
    return fail(
      `${at}: a name has 1 to 64 letters, digits, spaces, dots, dashes and underscores, and begins with a letter or digit.`,
    )
  if (!isRecord(entry)) return fail(`${at}: expected an object with "command" or "url".`)
  if (entry.disabled === true) return fail()
  if ('command' in entry === 'url' in entry)
    return fail(`${at}: give either "command" (a local server) or "url" (a remote one).`)

  const known = Object.entries(entry).filter(([key]) => !foreign.has(key))
  for (const [key, advice] of foreign)
    if (key in entry) warnings.push(`${at}: "${key}" is ignored; ${advice}.`)

  const missing: string[] = []
  const secrets: string[] = []
  const filled = fillServer(Object.fromEntries(known), (text, field) => {
    const result = fillIn(text, variables)
    for (const variable of result.missing)
      missing.push(
        `${at}, field ${field}: the variable ${variable} is not set. Set it, or write \${${variable}:-default}.`,
      )
    for (const { name, value } of result.used) if (secretName.test(name)) secrets.push(value)
    return result.text
  })
  if (missing.length > 0) return fail(...missing)

  const parsed = 'command' in entry ? stdioServer.safeParse(filled) : httpServer.safeParse(filled)
  if (!parsed.success)
    return fail(...parsed.error.issues.flatMap((issue) => sentences(at, issue, 'command' in entry)))
  const { disabled: _, type: _type, longestTimeoutMs: longest, ...settings } = parsed.data
  const { timeoutMs = Math.min(usual, longest ?? mostTimeoutMs) } = settings
  const longestTimeoutMs = longest ?? Math.min(timeoutMs * 2, mostTimeoutMs)
  if (longestTimeoutMs < timeoutMs)
    return fail(`${at}: "longestTimeoutMs" is what "timeoutMs" may be raised to, so it can't be smaller.`)
  const rest = { ...settings, timeoutMs, longestTimeoutMs }

  if ('command' in rest) {
    const loose = unpinnedPackage(rest.command, rest.args)
    if (loose !== undefined)
      warnings.push(
        `${at} runs the package ${loose} without an exact version; write ${bare(loose)}@1.2.3 so that it can't change unseen.`,
      )
    const cwd = rest.cwd === undefined ? undefined : resolve(dirname(file), rest.cwd)
    secrets.push(...Object.values(rest.env))
    return { server: { name, transport: 'stdio', ...rest, cwd, secrets }, errors: [], warnings }
  }
  if (rest.url.startsWith('http://') && Object.keys(rest.headers).length > 0 && !isLoopback(rest.url))
    warnings.push(`${at} sends its headers over plain http; use https.`)
  const type = parsed.data.type
  const transport = type === 'sse' ? 'sse' : 'http'
  // Of "Bearer abc", servers repeat the last part alone.
  secrets.push(...Object.values(rest.headers).flatMap((value) => [value, value.split(' ').at(-1) ?? '']))
  return { server: { name, transport, trySse: type === undefined, ...rest, secrets }, errors: [], warnings }
}

// Variables in a command's arguments or in an address are mostly folders and hosts; these are not.
const secretName = /token|secret|key|pass|auth|credential/i

// Only these fields may name variables; names and rules of tools are taken as they are.
const fillable = ['command', 'args', 'env', 'cwd', 'url', 'headers', 'roots']

function fillServer(
  entry: Record<string, unknown>,
  fillText: (text: string, field: string) => string,
): Record<string, unknown> {
  const fill = (value: unknown, field: string): unknown => {
    if (typeof value === 'string') return fillText(value, field)
    if (Array.isArray(value)) return value.map((item, index) => fill(item, `${field}[${index}]`))
    if (isRecord(value))
      return Object.fromEntries(
        Object.entries(value).map(([key, item]) => [key, fill(item, `${field}.${key}`)]),
      )
    return value
  }
  return Object.fromEntries(
    Object.entries(entry).map(([key, value]) => [key, fillable.includes(key) ? fill(value, key) : value]),
  )
}

function sentences(at: string, issue: z.core.$ZodIssue, stdio: boolean): string[] {
  const field = issue.path.map(String).join('.')
  if (issue.code === 'unrecognized_keys') {
    const shape = field === '' ? (stdio ? stdioServer.shape : httpServer.shape) : undefined
    const allowed = shape ? ` Known settings: ${Object.keys(shape).join(', ')}.` : ''
    return issue.keys.map((key) => `${at}: "${field ? `${field}.` : ''}${key}" is not a setting.${allowed}`)
  }
  const what = issue.message.replace(/^Invalid (?:input|option): /, '')
  return [`${at}, field ${field}: ${what}.`]
}

function bare(spec: string): string {
  const at = spec.lastIndexOf('@')
  return at > 0 ? spec.slice(0, at) : spec.replace(/[=<>~!].*$/, '')
}

function isLoopback(url: string): boolean {
  const host = new URL(url).hostname
  return host === 'localhost' || host === '[::1]' || host.startsWith('127.')
}
