import { Hono } from 'hono'
import { bodyLimit as limitBody } from 'hono/body-limit'
import type { Clock } from '../../src/base/clock.ts'
import { messageOf } from '../../src/base/errors.ts'
import type { Ids } from '../../src/base/ids.ts'
import type { PageReader } from '../../src/channel/pages.ts'
import type { Channel, ChannelHealth, Gateway } from '../../src/channel/port.ts'
import type { DraftBoard, ThreadReader } from '../../src/channel/view.ts'
import type { Log } from '../../src/observe/log.ts'
import { addActionRoutes } from './actions.ts'
import { guardApi, trustOf } from './guard.ts'
import { createMarkdownHtml } from './html.ts'
import { bodyLimit, isThreadName, messageLimit } from './input.ts'
import type { WebParts } from './intake.ts'
import { addMessageRoutes } from './messages.ts'
import { addPageRoutes } from './page.ts'
import { readPageFiles } from './page-files.ts'
import { answerProblem } from './problem.ts'
import { addReadingRoutes } from './reading.ts'
import { createWebSpeaker } from './speaker.ts'
import { addTicketRoutes } from './tickets.ts'

/** What the web chat is made of. */
export interface WebChannelOptions {
  readonly reader: ThreadReader
  readonly drafts: DraftBoard
  readonly pages: PageReader
  /** For times on pages. */
  readonly timeZone: string
  /** The address that the server listens on (`HOST`): it decides whether names are trusted. */
  readonly host: string
  /** `HERMES_CONSOLE_TOKEN`; without it only a loopback address is served. */
  readonly token?: string
  readonly log: Log
  readonly clock: Clock
  readonly ids: Ids
}

/** The web chat: a channel, and the routes (`/`, `/assets`, `/login`, `/tickets`, `/files`, `/api`) for the one server to mount. */
export function createWebChannel(options: WebChannelOptions): {
  readonly channel: Channel
  readonly routes: Hono
} {
  const { reader, drafts, pages, timeZone, log, clock, ids } = options
  const trust = trustOf(options.host, options.token)
  const stopping = new AbortController()
  let gateway: Gateway | undefined
  const parts: WebParts = {
    reader,
    html: createMarkdownHtml(),
    log,
    clock,
    ids,
    gateway: () => gateway,
    stopping: stopping.signal,
  }

  const routes = new Hono()
  routes.use('/api/*', guardApi(trust))
  const limitOf = (maxSize: number) =>
    limitBody({
      maxSize,
      onError: (c) =>
        answerProblem(c, {
          status: 413,
          code: 'web.size',
          title: 'Too large',
          detail: `A request may hold at most ${maxSize / 1024} KB here.`,
        }),
    })
  const [usual, withFiles] = [limitOf(bodyLimit), limitOf(messageLimit)]
  routes.use('/api/*', (c, next) =>
    (c.req.method === 'POST' && /^\/api\/threads\/[^/]+\/messages$/.test(c.req.path) ? withFiles : usual)(
      c,
      next,
    ),
  )
  routes.use('/api/threads/:thread/*', async (c, next) => {
    if (isThreadName(c.req.param('thread'))) return await next()
    return answerProblem(c, {
      status: 422,
      code: 'web.thread',
      title: 'Not a thread name',
      detail: 'A thread name has 1 to 64 letters, digits, dots, hyphens or underscores.',
    })
  })
  addMessageRoutes(routes, parts)
  addActionRoutes(routes, parts)
  addReadingRoutes(routes, parts)
  const files = readPageFiles()
  addPageRoutes(routes, trust, clock, files)
  addTicketRoutes(routes, trust, { pages, html: parts.html, timeZone, login: files.get('login.html') })
  routes.all('/api/*', (c) =>
    answerProblem(c, {
      status: 404,
      code: 'web.route',
      title: 'No such address',
      detail: 'The web channel has no such address or method.',
    }),
  )
  routes.onError((error, c) => {
    log.error({ error: messageOf(error), path: c.req.path }, 'A request to the web chat failed.')
    return answerProblem(c, {
      status: 500,
      code: 'web.failed',
      title: 'Failed',
      detail: 'Something went wrong on this side. Try again.',
    })
  })

  const health = (): ChannelHealth => {
    if (trust.kind === 'closed') {
      return {
        state: 'down',
        reason: `HOST is ${options.host}: set HERMES_CONSOLE_TOKEN to open the web chat.`,
      }
    }
    if (stopping.signal.aborted) return { state: 'down', reason: 'The web chat has stopped.' }
    return gateway ? { state: 'up' } : { state: 'starting' }
  }

  const channel: Channel = {
    name: 'web',
    speaker: createWebSpeaker({ reader, drafts }),
    async listen(to) {
      gateway = to
    },
    async stop() {
      gateway = undefined
      stopping.abort()
    },
    health,
  }
  return { channel, routes }
}
