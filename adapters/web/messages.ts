import type { Context, Hono } from 'hono'
import {
  type CommandEvent,
  editKey,
  type InboundEvent,
  interactionKey,
  type MessageEvent,
  postKey,
  removalKey,
} from '../../src/channel/events.ts'
import { readUploads } from './attachments.ts'
import { drawReceipt, messageIdOf } from './drawing.ts'
import { editBody, messageBody, personBody, readBody } from './input.ts'
import { answerUnavailable, isProblem, receive, type WebParts } from './intake.ts'
import { answerProblem, type Problem } from './problem.ts'
import { authorOf, sendingId, threadRef } from './threads.ts'

// "/memory printers", also "/hermes memory printers"; not "/etc/hosts".
const command = /^\/(?:hermes[ \t]+)?([a-z][a-z-]{0,30})(?:\s+([\s\S]*))?$/i

/** Routes by which people write, change and remove messages, and open threads. */
export function addMessageRoutes(routes: Hono, parts: WebParts): void {
  routes.post('/api/threads/:thread/messages', async (c) => {
    const input = await readBody(c, messageBody)
    if ('problem' in input) return answerProblem(c, input.problem)
    const { body } = input
    const thread = threadRef(c.req.param('thread'))
    const id = sendingId(parts.ids, `message ${thread.thread}`, body)
    const base = { thread, threadKind: 'direct', author: authorOf(body), at: parts.clock.now() } as const
    const attachments = readUploads(body.attachments)
    // Files belong to a message; commands take none.
    const [, name, rest = ''] = attachments.length > 0 ? [] : (command.exec(body.text.trim()) ?? [])
    const event: MessageEvent | CommandEvent = name
      ? {
          ...base,
          kind: 'command',
          dedupeKey: interactionKey('web', id),
          name: name.toLowerCase(),
          text: rest.trim(),
        }
      : {
          ...base,
          kind: 'message',
          dedupeKey: postKey(thread, id),
          postId: id,
          text: body.text,
          attachments,
          addressed: true,
        }
    return await hand(c, parts, event, { id })
  })

  routes.patch('/api/threads/:thread/messages/:message', async (c) => {
    const input = await readBody(c, editBody)
    if ('problem' in input) return answerProblem(c, input.problem)
    const { body } = input
    const thread = threadRef(c.req.param('thread'))
    const postId = c.req.param('message')
    const problem = await refuseForeign(parts, thread.thread, postId, body.user)
    if (problem) return answerProblem(c, problem)
    const stamp = sendingId(parts.ids, `edit ${thread.thread} ${postId}`, body)
    return await hand(
      c,
      parts,
      {
        kind: 'edit',
        dedupeKey: editKey(thread, postId, stamp),
        thread,
        threadKind: 'direct',
        author: authorOf(body),
        at: parts.clock.now(),
        postId,
        text: body.text,
        attachments: [],
        // What is edited was taken when it was sent, so it is never a new message.
        addressed: false,
      },
      { id: postId },
    )
  })

  routes.delete('/api/threads/:thread/messages/:message', async (c) => {
    const input = await readBody(c, personBody)
    if ('problem' in input) return answerProblem(c, input.problem)
    const thread = threadRef(c.req.param('thread'))
    const postId = c.req.param('message')
    const problem = await refuseForeign(parts, thread.thread, postId, input.body.user)
    if (problem) return answerProblem(c, problem)
    return await hand(
      c,
      parts,
      {
        kind: 'removal',
        dedupeKey: removalKey(thread, postId),
        thread,
        threadKind: 'direct',
        author: authorOf(input.body),
        at: parts.clock.now(),
        postId,
      },
      { id: postId },
    )
  })

  routes.post('/api/threads/:thread/opened', async (c) => {
    const input = await readBody(c, personBody)
    if ('problem' in input) return answerProblem(c, input.problem)
    const { body } = input
    const thread = threadRef(c.req.param('thread'))
    const id = sendingId(parts.ids, `opened ${thread.thread}`, body)
    return await hand(
      c,
      parts,
      {
        kind: 'opened',
        dedupeKey: interactionKey('web', id),
        thread,
        threadKind: 'direct',
        author: authorOf(body),
        at: parts.clock.now(),
      },
      { id },
    )
  })
}

/** Hands an event on and answers 202 with what is known of it; what was decided at once is in `receipt`. */
async function hand(c: Context, parts: WebParts, event: InboundEvent, answer: object): Promise<Response> {
  const outcome = await receive(parts, event)
  if (isProblem(outcome)) return answerUnavailable(c, outcome)
  return c.json({ ...answer, receipt: drawReceipt(outcome, parts.html) }, 202)
}

/** People change and remove only what they wrote. */
async function refuseForeign(
  parts: WebParts,
  thread: string,
  messageId: string,
  user: string,
): Promise<Problem | undefined> {
  const view = await parts.reader.read(threadRef(thread))
  const message = view?.messages.find((each) => messageIdOf(each) === messageId)
  if (!message) {
    return { status: 404, code: 'web.message', title: 'No such message', detail: 'It is not in this thread.' }
  }
  if (message.role === 'user' && message.author === user) return undefined
  return {
    status: 403,
    code: 'web.foreign',
    title: 'Not your message',
    detail: 'Only the person who wrote a message can change or remove it.',
  }
}
