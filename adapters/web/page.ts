import type { Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { setCookie } from 'hono/cookie'
import type { Clock } from '../../src/base/clock.ts'
import {
  cookieName,
  cookieOf,
  holdsToken,
  refuseOrigin,
  refusePlace,
  sameSecret,
  type Trust,
} from './guard.ts'
import { type PageFile, servePageFile } from './page-files.ts'

const cookieDays = 30
const minute = 60_000
const mostMistakes = 10

/** The routes of the page itself: the chat, its files, and the login where a token is needed. */
export function addPageRoutes(
  routes: Hono,
  trust: Trust,
  clock: Clock,
  files: ReadonlyMap<string, PageFile>,
): void {
  let mistakes: number[] = []

  const login = (c: Context) => servePageFile(c, files.get('login.html'), 401)

  routes.get('/', (c) => {
    const problem = refusePlace(c, trust)
    if (problem) return c.text(`${problem.title}. ${problem.detail}\n`, problem.status)
    if (trust.kind === 'token' && !holdsToken(c, trust.token)) return login(c)
    return servePageFile(c, files.get('index.html'))
  })

  // Nothing in here is private: the same files are in the repository.
  routes.get('/assets/:name', (c) => {
    const name = c.req.param('name')
    return servePageFile(c, name.endsWith('.html') ? undefined : files.get(name))
  })

  routes.post('/login', bodyLimit({ maxSize: 4096 }), async (c) => {
    const problem = refusePlace(c, trust) ?? refuseOrigin(c)
    if (problem) return c.text(`${problem.title}. ${problem.detail}\n`, problem.status)
    if (trust.kind !== 'token') return c.redirect('/', 303)
    const now = clock.monotonic()
    mistakes = mistakes.filter((at) => now - at < minute)
    if (mistakes.length >= mostMistakes) {
      c.header('Retry-After', '60')
      return c.text('Too many wrong tokens. Wait a minute.\n', 429)
    }
    const form = await c.req.parseBody()
    if (typeof form.token !== 'string' || !sameSecret(form.token.trim(), trust.token)) {
      mistakes.push(now)
      return login(c)
    }
    setCookie(c, cookieName, cookieOf(trust.token), {
      httpOnly: true,
      sameSite: 'Strict',
      secure: c.req.header('x-forwarded-proto') === 'https',
      path: '/',
      maxAge: cookieDays * 24 * 60 * 60,
    })
    // Back to the ticket or the file whose address asked for the token.
    const from = URL.parse(c.req.header('referer') ?? '')?.pathname ?? ''
    return c.redirect(/^\/(?:tickets|files)\/[\w-]{1,60}$/.test(from) ? from : '/', 303)
  })
}
