import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { codeOf, HermesError, messageOf } from '../../base/errors.ts'
import { brokenStream } from './http.ts'

/** What kind of trouble a call ran into, which decides what may be done next. */
export type FailureKind =
  | 'validation'
  | 'permission'
  | 'not_found'
  | 'rate_limit'
  | 'transient'
  | 'permanent'
  | 'unknown'

/** An error of a request, read. */
export interface ReadError {
  readonly kind: FailureKind
  readonly message: string
  /** The server surely did not act, or said itself how it ended. Otherwise nobody knows. */
  readonly settled: boolean
}

/** A server that restarted no longer knows the session: 404 by the specification, 400 from many. */
export function isStaleSession(error: unknown): boolean {
  if (!(error instanceof StreamableHTTPError)) return false
  return error.code === 404 || (error.code === 400 && /session/i.test(error.message))
}

/**
 * Did the call most likely meet a server that restarted, so that the same call may well succeed now? Either it no
 * longer knows the session, or the connection that was kept open from the last call is gone.
 */
export function mayBeRepeated(error: unknown): boolean {
  return isStaleSession(error) || (error instanceof TypeError && networkCode(error) !== undefined)
}

/** Does the server ask for (other) credentials? */
export function asksForCredentials(error: unknown): boolean {
  const status = httpStatus(error)
  return status === 401 || status === 403
}

/** Does the error say that the server received the request and answered it, in whatever words? */
export function isAnswer(error: unknown): boolean {
  return error instanceof McpError && !isTimeout(error) && !isClosed(error) && error.data !== brokenStream
}

/** Reads the error of a request. */
export function readError(error: unknown): ReadError {
  if (error instanceof HermesError) return readOwn(error)
  const status = httpStatus(error)
  if (status !== undefined) return readStatus(status, messageOf(error))
  if (error instanceof McpError) return readProtocol(error)
  if (error instanceof z.ZodError || error instanceof z.core.$ZodError)
    return { kind: 'permanent', message: 'The server sent an answer that is not valid MCP.', settled: false }
  if (messageOf(error) === 'Not connected')
    return { kind: 'transient', message: 'The server is not connected.', settled: true }
  const code = networkCode(error)
  return {
    kind: 'transient',
    message: `The server could not be reached (${code ?? messageOf(error)}).`,
    settled: code !== undefined && neverSent.has(code),
  }
}

/** Reads the text of a result that the tool itself marked as an error: there are no codes, only words. */
export function readToolError(text: string): ReadError {
  const start = text.slice(0, 2000)
  for (const [kind, words, settled] of toolWords)
    if (words.test(start)) return { kind, message: start, settled }
  return { kind: 'permanent', message: start, settled: true }
}

const toolWords: readonly (readonly [FailureKind, RegExp, boolean])[] = [
  ['rate_limit', /rate.?limit|too many requests|quota exceeded|\b429\b/i, true],
  ['validation', /-32602|invalid (?:arg|param|input)|validation (?:error|failed)|missing required/i, true],
  [
    'permission',
    /permission denied|access denied|forbidden|unauthori[sz]ed|\bEACCES\b|\bEPERM\b|\b40[13]\b/i,
    true,
  ],
  ['not_found', /not found|no such|does not exist|\bENOENT\b|\b404\b/i, true],
  // The tool itself does not know how this ended.
  ['transient', /time[d ]?.?out|\bETIMEDOUT\b|\bECONNRESET\b|socket hang up|\b50[24]\b/i, false],
  ['transient', /temporar|unavailable|try again|\bECONNREFUSED\b|\b503\b/i, true],
]

const neverSent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'EHOSTUNREACH',
])

function readOwn(error: HermesError): ReadError {
  switch (error.code) {
    case 'mcp.oversize':
      return { kind: 'validation', message: error.message, settled: false }
    case 'mcp.closed':
      return { kind: 'transient', message: error.message, settled: true }
    case 'mcp.stopped':
    case 'mcp.slow':
      return { kind: 'transient', message: error.message, settled: false }
    default:
      return { kind: 'permanent', message: error.message, settled: true }
  }
}

function readStatus(status: number, message: string): ReadError {
  if (status === 401 || status === 403)
    return {
      kind: 'permission',
      message: `The server refused the credentials (HTTP ${status}).`,
      settled: true,
    }
  if (status === 429) return { kind: 'rate_limit', message: 'The server is asked too often.', settled: true }
  if (status === 503) return { kind: 'transient', message: 'The server is busy (HTTP 503).', settled: true }
  if (status >= 500)
    return { kind: 'transient', message: `The server failed (HTTP ${status}).`, settled: false }
  if (status === 400 || status === 413 || status === 422)
    return { kind: 'validation', message, settled: true }
  return { kind: 'permanent', message, settled: status >= 300 }
}

function readProtocol(error: McpError): ReadError {
  const message = error.message.replace(/^MCP error -?\d+: /, '')
  if (isTimeout(error))
    return { kind: 'transient', message: 'The server did not answer in time.', settled: false }
  if (isClosed(error) || error.data === brokenStream)
    return { kind: 'transient', message: 'The connection to the server broke.', settled: false }
  switch (error.code) {
    case ErrorCode.InvalidParams:
      return { kind: 'validation', message, settled: true }
    case ErrorCode.MethodNotFound:
    case -32002: // "Resource not found" in the specification
      return { kind: 'not_found', message, settled: true }
    case ErrorCode.UrlElicitationRequired:
      return { kind: 'permission', message, settled: true }
    default:
      return { kind: readToolError(message).kind, message, settled: true }
  }
}

/** Did the SDK give up waiting? Servers use the same code, but only the SDK's own error carries the limit. */
export function isTimeout(error: unknown): boolean {
  if (!(error instanceof McpError) || error.code !== ErrorCode.RequestTimeout) return false
  const data: unknown = error.data
  return typeof data === 'object' && data !== null && 'timeout' in data
}

function isClosed(error: McpError): boolean {
  return error.code === ErrorCode.ConnectionClosed && error.message.endsWith('Connection closed')
}

function httpStatus(error: unknown): number | undefined {
  if (error instanceof StreamableHTTPError) return error.code
  // The SSE transport has its statuses only in words, and for the stream in a code.
  const match = /\(HTTP (\d{3})\)/.exec(messageOf(error))
  if (match) return Number(match[1])
  const isSse = error instanceof Error && error.message.startsWith('SSE error')
  return isSse && 'code' in error && typeof error.code === 'number' ? error.code : undefined
}

function networkCode(error: unknown): string | undefined {
  const own = codeOf(error)
  if (own !== 'unknown') return own
  return error instanceof Error && error.cause !== undefined ? networkCode(error.cause) : undefined
}
