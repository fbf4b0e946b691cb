import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'
import { getCookie } from 'hono/cookie'
import { isLoopback } from '../../src/config/environment.ts'
import { answerProblem, type Problem } from './problem.ts'

/** Who may ask: anyone on this machine, whoever has the token, or nobody until there is a token. */
export type Trust =
  | { readonly kind: 'local' }
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'closed' }

/** The name of the cookie that the login form sets. */
export const cookieName = 'hermes_web'

/** The rule for the address that the server listens on. */
export function trustOf(host: string, token: string | undefined): Trust {
  if (isLoopback(host)) return { kind: 'local' }
  return token ? { kind: 'token', token } : { kind: 'closed' }
}

/** What the cookie holds: proof of the token, not the token. */
export function cookieOf(token: string): string {
  return createHmac('sha256', token).update('hermes web chat').digest('base64url')
}

/** Is it the token? Takes the same time for every wrong one. */
export function sameSecret(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}

/** Does the request carry the token, as Bearer or as the login's cookie? */
export function holdsToken(c: Context, token: string): boolean {
  const bearer = /^Bearer (.+)$/i.exec(c.req.header('authorization') ?? '')?.[1]
  if (bearer !== undefined) return sameSecret(bearer.trim(), token)
  const cookie = getCookie(c, cookieName)
  return cookie !== undefined && sameSecret(cookie, cookieOf(token))
}

/** Lets requests to the API through that the rules allow, and answers the others with a problem. */
export function guardApi(trust: Trust): MiddlewareHandler {
  return async (c, next) => {
    const problem = refusePlace(c, trust) ?? refuseOrigin(c) ?? refuseStranger(c, trust) ?? refuseType(c)
    if (!problem) return await next()
    if (problem.status === 401) c.header('WWW-Authenticate', 'Bearer realm="Hermes"')
    return answerProblem(c, problem)
  }
}

/** Refuses a request that was meant for another host (DNS rebinding) or came by a proxy without a token. */
export function refusePlace(c: Context, trust: Trust): Problem | undefined {
  if (trust.kind === 'closed') return closed
  if (trust.kind === 'token') return undefined
  const host = hostOf(`http://${c.req.header('host') ?? ''}`)
  if (!host || !isLoopback(host.hostname)) {
    return {
      status: 403,
      code: 'web.host',
      title: 'Foreign host',
      detail:
        'Here only localhost or a loopback address is answered. Set HOST and HERMES_CONSOLE_TOKEN for more.',
    }
  }
  // A proxy on this machine hands on requests from anywhere; names can't be trusted then.
  const proxied = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via']
  if (proxied.some((name) => c.req.header(name) !== undefined)) {
    return {
      status: 403,
      code: 'web.proxy',
      title: 'Came by a proxy',
      detail: 'Behind a proxy, set HOST to another address than loopback, and HERMES_CONSOLE_TOKEN.',
    }
  }
  return undefined
}

const closed: Problem = {
  status: 403,
  code: 'web.closed',
  title: 'Closed',
  detail: 'On an address other than loopback the web chat needs HERMES_CONSOLE_TOKEN to be set.',
}

/** Refuses a request that a page of another origin made. */
export function refuseOrigin(c: Context): Problem | undefined {
  const origin = c.req.header('origin')
  const site = c.req.header('sec-fetch-site')
  const own = hostOf(`http://${c.req.header('host') ?? ''}`)
  const same = origin === undefined || (own !== undefined && hostOf(origin)?.host === own.host)
  if (same && site !== 'cross-site' && site !== 'same-site') return undefined
  return {
    status: 403,
    code: 'web.origin',
    title: 'Foreign origin',
    detail: 'Pages of another origin may not use this address.',
  }
}

function refuseStranger(c: Context, trust: Trust): Problem | undefined {
  if (trust.kind !== 'token' || holdsToken(c, trust.token)) return undefined
  return {
    status: 401,
    code: 'web.token',
    title: 'Token needed',
    detail: 'Send HERMES_CONSOLE_TOKEN as a Bearer token, or sign in at the page.',
  }
}

// What a form of another page can send without asking first is never this type.
function refuseType(c: Context): Problem | undefined {
  if (c.req.method === 'GET' || c.req.method === 'HEAD') return undefined
  const type = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type === 'application/json') return undefined
  return {
    status: 415,
    code: 'web.type',
    title: 'Not JSON',
    detail: 'Send Content-Type: application/json.',
  }
}

function hostOf(url: string): URL | undefined {
  return /[\s@\\#?]/.test(url) ? undefined : (URL.parse(url) ?? undefined)
}
