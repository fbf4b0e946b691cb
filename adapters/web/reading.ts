import type { Hono } from 'hono'
import { drawDraft, drawMessages, messageIdOf } from './drawing.ts'
import { userName } from './input.ts'
import type { WebParts } from './intake.ts'
import { answerProblem } from './problem.ts'
import { emptyView, streamThread } from './stream.ts'
import { threadRef, workspace } from './threads.ts'

const mostEarlier = 200

/** Routes by which the page and other clients read threads. */
export function addReadingRoutes(routes: Hono, parts: WebParts): void {
  const { reader, html } = parts

  routes.get('/api/threads', async (c) => {
    const user = userName.safeParse(c.req.query('user'))
    if (!user.success) {
      return answerProblem(c, {
        status: 422,
        code: 'web.user',
        title: 'Not a name',
        detail: `user ${user.error.issues[0]?.message ?? 'is not a name'}.`,
      })
    }
    const lines = await reader.list({ channel: 'web', workspace, userId: user.data })
    return c.json({ threads: lines.map((line) => ({ ...line, at: line.at.toISOString() })) })
  })

  // All messages; with `before` and the id of a message, a page of those before it.
  routes.get('/api/threads/:thread', async (c) => {
    const view = (await reader.read(threadRef(c.req.param('thread')))) ?? emptyView
    const before = c.req.query('before')
    const end =
      before === undefined ? -1 : view.messages.findIndex((message) => messageIdOf(message) === before)
    const start = before === undefined ? 0 : Math.max(0, end - mostEarlier)
    const messages = before === undefined ? view.messages : view.messages.slice(start, Math.max(end, 0))
    return c.json({
      messages: await drawMessages(messages, html),
      state: view.state,
      seq: view.seq,
      earlier: Math.max(start, 0),
      draft: drawDraft(view, html),
    })
  })

  routes.get('/api/threads/:thread/events', (c) =>
    streamThread(c, threadRef(c.req.param('thread')), { ...parts, signal: parts.stopping }),
  )

  routes.get('/api/threads/:thread/turns/:turn/trace', async (c) => {
    const turn = c.req.param('turn')
    const trace = /^\w{1,80}$/.test(turn) ? await reader.trace(threadRef(c.req.param('thread')), turn) : []
    if (trace.length > 0) return c.json({ trace })
    return answerProblem(c, {
      status: 404,
      code: 'web.trace',
      title: 'No trace',
      detail: 'This thread has no turn of that id, or its trace is gone.',
    })
  })
}
