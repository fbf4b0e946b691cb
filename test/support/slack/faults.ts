import type { ServerResponse } from 'node:http'

/** What goes wrong with a call of the Web API. */
export type Fault =
  /** HTTP 429 with a Retry-After in seconds. */
  | { readonly kind: 'rate-limited'; readonly retryAfter: number }
  /** HTTP 200 with `ratelimited` in the body. */
  | { readonly kind: 'rate-limited-softly' }
  /** `{ok: false, error}`. */
  | { readonly kind: 'error'; readonly error: string }
  | { readonly kind: 'status'; readonly status: number }
  /** The connection breaks before Slack has taken the call. */
  | { readonly kind: 'reset-before' }
  /** Slack takes the call, then the connection breaks. */
  | { readonly kind: 'reset-after' }
  /** Slack takes the call and answers with a server error all the same. */
  | { readonly kind: 'status-after'; readonly status: number }
  /** The answer takes its time. */
  | { readonly kind: 'slow'; readonly ms: number }

/** Faults that tests plan, by method; each is used up by the calls that meet it. */
export interface Faults {
  /** The next calls of the method (`*` for any) go wrong. */
  plan(method: string, fault: Fault, times?: number): void
  /** Every call of the method goes wrong until told otherwise. */
  always(method: string, fault: Fault | undefined): void
  take(method: string): Fault | undefined
  /** Forgets what was planned. */
  clear(): void
}

export function createFaults(): Faults {
  const planned: { method: string; fault: Fault; left: number }[] = []
  const standing = new Map<string, Fault>()
  return {
    plan: (method, fault, times = 1) => planned.push({ method, fault, left: times }),
    always(method, fault) {
      if (fault) standing.set(method, fault)
      else standing.delete(method)
    },
    clear() {
      planned.length = 0
      standing.clear()
    },
    take(method) {
      const next = planned.find((item) => item.left > 0 && (item.method === method || item.method === '*'))
      if (next) {
        next.left -= 1
        return next.fault
      }
      return standing.get(method) ?? standing.get('*')
    },
  }
}

/** Writes the answer of a fault that keeps Slack from taking the call; false where the call goes on. */
export function failEarly(fault: Fault | undefined, response: ServerResponse): boolean {
  switch (fault?.kind) {
    case undefined:
    case 'slow':
    case 'reset-after':
    case 'status-after':
      return false
    case 'rate-limited':
      response.writeHead(429, { 'retry-after': String(fault.retryAfter) })
      response.end(JSON.stringify({ ok: false, error: 'ratelimited' }))
      return true
    case 'rate-limited-softly':
      reply(response, { ok: false, error: 'ratelimited' })
      return true
    case 'error':
      reply(response, { ok: false, error: fault.error })
      return true
    case 'status':
      response.writeHead(fault.status, { 'content-type': 'text/html' })
      response.end('<html>Server Error</html>')
      return true
    case 'reset-before':
      response.destroy()
      return true
    default:
      return fault satisfies never
  }
}

export function reply(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' })
  response.end(JSON.stringify(body))
}
