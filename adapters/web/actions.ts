import type { Hono } from 'hono'
import { type ActionEvent, type FormEvent, interactionKey } from '../../src/channel/events.ts'
import { directThreadName, type ViewMessage } from '../../src/channel/view.ts'
import { drawReceipt } from './drawing.ts'
import { actionBody, readBody } from './input.ts'
import { answerUnavailable, isProblem, receive, type WebParts } from './intake.ts'
import { answerProblem } from './problem.ts'
import { authorOf, sendingId, threadRef, workspace } from './threads.ts'

// How many of a person's latest threads are searched for a button whose thread the client did not name.
const searched = 20

/** The route by which people press buttons and send forms. */
export function addActionRoutes(routes: Hono, parts: WebParts): void {
  routes.post('/api/actions', async (c) => {
    const input = await readBody(c, actionBody)
    if ('problem' in input) return answerProblem(c, input.problem)
    const { body } = input
    const id = sendingId(parts.ids, 'action', body)
    const thread = threadRef(body.thread ?? (await threadOf(parts, body)))
    const base = {
      dedupeKey: interactionKey('web', id),
      thread,
      threadKind: 'direct',
      author: authorOf(body),
      at: parts.clock.now(),
      action: body.action,
      ...(body.value === undefined ? {} : { value: body.value }),
    } as const
    const event: ActionEvent | FormEvent = body.fields
      ? { ...base, kind: 'form', fields: body.fields }
      : { ...base, kind: 'action', ...(body.messageId === undefined ? {} : { messageId: body.messageId }) }
    const outcome = await receive(parts, event)
    if (isProblem(outcome)) return answerUnavailable(c, outcome)
    return c.json(drawReceipt(outcome, parts.html), outcome.kind === 'accepted' ? 202 : 200)
  })
}

/** The person's thread that shows such a button; else the one that is theirs alone, where it is as unknown. */
async function threadOf(
  parts: WebParts,
  body: { readonly user: string; readonly action: string; readonly value?: string },
): Promise<string> {
  const lines = await parts.reader.list({ channel: 'web', workspace, userId: body.user })
  for (const { thread } of lines.slice(0, searched)) {
    const view = await parts.reader.read(threadRef(thread))
    if (view?.messages.some((message) => shows(message, body.value))) return thread
  }
  return lines[0]?.thread ?? directThreadName(body.user)
}

function shows(message: ViewMessage, value: string | undefined): boolean {
  if (value === undefined) return false
  const buttons = [...message.actions, ...message.cards.flatMap((card) => card.actions)]
  const chosen = message.cards.flatMap((card) => card.choice?.options ?? [])
  return (
    [...buttons, ...chosen].some((each) => each.value === value) ||
    message.cards.some((card) => card.id === value)
  )
}
