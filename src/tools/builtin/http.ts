import { lookup as systemLookup } from 'node:dns'
import { isIP } from 'node:net'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { Agent, request } from 'undici'
import { z } from 'zod'
import { codeOf, messageOf } from '../../base/errors.ts'
import { defineTool } from '../definition.ts'
import { type CallContext, type Tool, ToolFailure, type ToolResult } from '../tool.ts'
import { type AddressKind, addressKind } from './addresses.ts'

/** Which hosts may be asked, and how much. */
export interface HttpRules {
  /** `host`, `host:port` or `*.domain`; of public addresses. */
  readonly allow: readonly string[]
  /** `host` or `host:port`, exactly: those that may also be in the own network or on this machine. */
  readonly internal: readonly string[]
  readonly timeoutMs: number
  readonly maxBytes: number
}

type Lookup = typeof systemLookup

const mostRedirects = 5

/**
 * Looking at addresses of allowed hosts: GET only, without anything that says who asks. None where no host is allowed.
 * @param lookup how names become addresses
 */
export function httpTools(rules: HttpRules, lookup: Lookup = systemLookup): readonly Tool[] {
  const hosts = [...rules.allow, ...rules.internal]
  if (hosts.length === 0) return []
  return [
    defineTool({
      name: 'http_request',
      title: { en: 'Fetch address', zh: '读取网址' },
      useWhen: `the answer stands at a web address on one of these hosts: ${hosts.slice(0, 30).join(', ')}.`,
      notWhen: 'the address is on another host: say that it is not allowed here.',
      returns: 'the status, and the content as text or JSON.',
      failsWith: 'a sentence, where the host is not allowed, does not answer, or answers with an error.',
      effect: 'read',
      idempotent: true,
      timeoutMs: rules.timeoutMs + 1_000,
      cacheSeconds: 60,
      activity: { en: 'Fetching a page', zh: '正在读取网页' },
      input: z.object({
        url: z
          .url({ protocol: /^https?$/ })
          .max(2_000)
          .describe('For example https://…'),
      }),
      settle(args) {
        const url = new URL(args.url)
        const problem = refusal(url, rules)
        url.hash = ''
        return problem === undefined
          ? { ok: true, arguments: { url: url.href } }
          : { ok: false, problems: [{ field: 'url', problem, missing: false }] }
      },
      run: (args, context) => fetchPage(new URL(args.url), rules, lookup, context),
    }),
  ]
}

async function fetchPage(
  start: URL,
  rules: HttpRules,
  lookup: Lookup,
  context: CallContext,
): Promise<ToolResult> {
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(rules.timeoutMs)])
  let url = start
  for (let hop = 0; hop <= mostRedirects; hop += 1) {
    // Each address that a redirect leads to is looked at like the first.
    const problem = refusal(url, rules)
    if (problem !== undefined) throw new ToolFailure('permission', `${url.host}: ${problem}.`)
    const agent = new Agent({ connect: { lookup: checkedLookup(isInternal(url, rules), lookup) } })
    try {
      const response = await request(url, {
        dispatcher: agent,
        signal,
        headers: {
          accept: 'application/json, text/*;q=0.9, */*;q=0.5',
          'accept-encoding': 'identity',
          'user-agent': 'Hermes',
        },
      })
      const location = response.headers.location
      if (response.statusCode >= 300 && response.statusCode < 400 && typeof location === 'string') {
        const next = URL.parse(location, url.href)
        if (!next) throw new ToolFailure('permanent', 'The server leads to no readable address.')
        url = next
        continue
      }
      // What an error page says is not told, so it need not be read.
      if (response.statusCode >= 400)
        throw failedWith(response.statusCode, response.headers['retry-after'], context.now)
      const packed = await readBody(response.body, rules.maxBytes)
      const bytes = unpacked(packed, response.headers['content-encoding'], rules.maxBytes)
      return shown(url, response.statusCode, String(response.headers['content-type'] ?? ''), bytes)
    } catch (error) {
      if (error instanceof ToolFailure) throw error
      context.signal.throwIfAborted()
      if (signal.aborted)
        throw new ToolFailure('transient', `${url.host} did not answer in time.`, { cause: error })
      if (codeOf(error) === 'EHERMESADDRESS')
        throw new ToolFailure('permission', messageOf(error), { cause: error })
      throw new ToolFailure(
        'transient',
        `${url.host} can not be reached: ${codeOf(error) || messageOf(error)}.`,
        {
          cause: error,
        },
      )
    } finally {
      void agent.destroy()
    }
  }
  throw new ToolFailure('permanent', `The server leads on more than ${mostRedirects} times.`)
}

/** Why an address is not asked, before any name is looked up. */
function refusal(url: URL, rules: HttpRules): string | undefined {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'only http and https can be asked'
  if (url.username !== '' || url.password !== '') return 'an address with a password in it is not asked'
  const internal = isInternal(url, rules)
  if (!internal && !rules.allow.some((entry) => fits(url, entry))) return 'this host is not allowed here'
  const host = plainHost(url)
  const kind = isIP(host) === 0 ? 'public' : addressKind(host)
  return allowed(kind, internal) ? undefined : 'addresses of the own network are not asked'
}

function isInternal(url: URL, rules: HttpRules): boolean {
  return rules.internal.some((entry) => !entry.startsWith('*') && fits(url, entry))
}

function fits(url: URL, entry: string): boolean {
  const [, name = '', port = ''] = /^(\[[^\]]+\]|[^:]+)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? []
  // Without a port only the usual ones: other ports are other services.
  if (port === '' ? url.port !== '' : (url.port || (url.protocol === 'https:' ? '443' : '80')) !== port)
    return false
  const host = url.hostname.toLowerCase().replace(/\.$/, '')
  return name.startsWith('*.') ? host.endsWith(name.slice(1)) && host.length > name.length - 1 : host === name
}

function plainHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '')
}

function allowed(kind: AddressKind, internal: boolean): boolean {
  return kind === 'public' || (internal && kind === 'private')
}

/**
 * Looks a name up for the connection itself, so that what was checked is what is connected to: a name that shows
 * another address a moment later (DNS rebinding) gains nothing.
 */
function checkedLookup(internal: boolean, lookup: Lookup): Lookup {
  const checked = (
    hostname: string,
    options: { all?: boolean },
    callback: (error: Error | null, address?: unknown, family?: number) => void,
  ) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error)
      const [first] = addresses
      if (!first || !addresses.every(({ address }) => allowed(addressKind(address), internal))) {
        const refused = Object.assign(new Error(`${hostname} leads into a network that is not asked.`), {
          code: 'EHERMESADDRESS',
        })
        return callback(refused)
      }
      if (options.all) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }
  return checked as Lookup
}

async function readBody(body: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > maxBytes) throw tooLarge(maxBytes)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** What a server has packed, though it was not asked to; a small packet may hold more than anybody wants. */
function unpacked(bytes: Buffer, encoding: unknown, maxBytes: number): Buffer {
  const unpack = { gzip: gunzipSync, 'x-gzip': gunzipSync, deflate: inflateSync, br: brotliDecompressSync }[
    String(encoding ?? '').toLowerCase()
  ]
  if (!unpack) return bytes
  try {
    return unpack(bytes, { maxOutputLength: maxBytes })
  } catch (error) {
    if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(maxBytes)
    throw new ToolFailure('permanent', 'The answer can not be unpacked.', { cause: error })
  }
}

function tooLarge(maxBytes: number): ToolFailure {
  return new ToolFailure('permanent', `The answer is larger than ${Math.round(maxBytes / 1_000)} KB.`)
}

/** The last part of an address, as people read it. */
function nameIn(url: URL): string {
  const last = url.pathname.split('/').at(-1) || url.host
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}

function shown(url: URL, status: number, type: string, bytes: Buffer): ToolResult {
  const mimeType = type.split(';')[0]!.trim().toLowerCase()
  const content = (rest: object) => ({ url: url.href, status, type: mimeType, ...rest })
  if (!/^(?:text\/|application\/(?:.*\+)?(?:json|xml)$|$)/.test(mimeType)) {
    return {
      content: content({ bytes: bytes.length }),
      files: [{ name: nameIn(url), mimeType, bytes }],
    }
  }
  const charset = /charset="?([\w-]+)/i.exec(type)?.[1] ?? 'utf-8'
  const text = decoded(bytes, charset)
  if (mimeType.endsWith('json')) {
    try {
      return { content: content({ data: JSON.parse(text) as unknown }) }
    } catch {
      return { content: content({ text }) }
    }
  }
  // A page is told as its words; see results.ts.
  return { content: mimeType === 'text/html' ? text : content({ text }) }
}

function decoded(bytes: Buffer, charset: string): string {
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}

function failedWith(status: number, retryAfter: unknown, now: Date): ToolFailure {
  const sentence = `The server answered with status ${status}.`
  if (status === 404 || status === 410) return new ToolFailure('not_found', sentence)
  if (status === 401 || status === 403) return new ToolFailure('permission', sentence)
  const wait = waitOf(retryAfter, now)
  if (status === 429) return new ToolFailure('rate_limit', sentence, wait)
  return new ToolFailure(status >= 500 ? 'transient' : 'permanent', sentence, status === 503 ? wait : {})
}

/** Of a Retry-After: seconds, or a date (RFC 9110). */
function waitOf(retryAfter: unknown, now: Date): { readonly retryAfterMs?: number } {
  const text = typeof retryAfter === 'string' ? retryAfter.trim() : ''
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now.getTime()
  return Number.isFinite(ms) && ms > 0 ? { retryAfterMs: ms } : {}
}
