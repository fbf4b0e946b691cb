import { randomUUID } from 'node:crypto'
import { pause } from '../../../src/base/wait.ts'
import { betweenLooks, type WebCard, type WebMessage, type WebThread, webClient } from '../web-client.ts'

/** What the web API answered. */
export interface Reply {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of many shapes
  readonly body: any
}

/** How long a test waits for anything, in ms. Long, since it may run beside much else. */
export const patience = 120_000

/**
 * A person at the web chat whose client does what a good client does while Hermes is away: it sends the same
 * thing again, with the same key, until it is taken.
 */
export function steadyClient(address: string, user: string, thread: string) {
  const client = webClient(address, user, thread)
  const key = (): string => randomUUID()

  const insist = async (send: () => Promise<Reply>): Promise<Reply> => {
    const until = performance.now() + patience
    for (;;) {
      const reply = await send().catch((error: unknown) => ({ status: 0, body: String(error) }))
      if (reply.status > 0 && reply.status !== 503) return reply
      if (performance.now() > until) throw new Error(`Nobody took it: ${JSON.stringify(reply)}`)
      await pause(50)
    }
  }
  const steady = {
    request: client.request,
    say: (text: string, id = key()) => taken(insist(() => client.say(text, id))),
    press: (action: string, value?: string, id = key()) => insist(() => client.press(action, value, id)),
    submit: (action: string, value: string, fields: Record<string, string>, id = key()) =>
      insist(() => client.request('POST', '/api/actions', { user, thread, action, value, fields, key: id })),
    edit: (messageId: string, text: string, id = key()) =>
      taken(
        insist(() =>
          client.request('PATCH', `/api/threads/${thread}/messages/${messageId}`, { user, text, key: id }),
        ),
      ),
    remove: (messageId: string) =>
      taken(insist(() => client.request('DELETE', `/api/threads/${thread}/messages/${messageId}`, { user }))),
    read: () => client.read(),
    /** Waits until the thread looks as wanted. */
    async until(what: string, wanted: (thread: WebThread) => boolean): Promise<WebThread> {
      const until = performance.now() + patience
      let view: WebThread | undefined
      for (;;) {
        const asked = performance.now()
        view = await client.read().catch(() => undefined)
        if (view && wanted(view)) return view
        if (performance.now() > until)
          throw new Error(`${what} did not come about: ${JSON.stringify(view, null, 1)}`)
        await pause(betweenLooks(asked))
      }
    },
    /** Waits for the n-th answer, counted from 1. */
    async answer(count = 1): Promise<WebMessage> {
      const view = await steady.until(
        `answer ${count}`,
        (thread) => answersOf(thread).length >= count && resting.has(thread.state),
      )
      return answersOf(view)[count - 1]!
    },
    /** Waits for an open card; for the n-th of the thread where a number is given. */
    async card(count = 1): Promise<WebCard> {
      const view = await steady.until(
        `card ${count}`,
        (thread) => thread.state === 'awaiting_confirmation' && openCards(thread).length >= count,
      )
      return openCards(view)[count - 1]!
    },
    /** Presses a button of a card by its label. */
    pressLabel: (card: WebCard, label: string, id = key()) => {
      const action = card.actions.find((each) => each.label === label)
      if (!action) throw new Error(`The card has no ${label}: ${JSON.stringify(card)}`)
      return steady.press(action.action, action.value, id)
    },
  }
  return steady
}

async function taken(sent: Promise<Reply>): Promise<Reply> {
  const reply = await sent
  if (reply.status !== 202) throw new Error(`It was refused: ${JSON.stringify(reply)}`)
  return reply
}

export type SteadyClient = ReturnType<typeof steadyClient>

const resting = new Set(['done', 'awaiting_confirmation', 'idle'])

/** The answers of a thread: what Hermes said, beside its cards. */
export function answersOf(thread: WebThread): readonly WebMessage[] {
  return thread.messages.filter((message) => message.role === 'assistant' && message.cards.length === 0)
}

/** Every card of a thread, in order. */
export function cardsOf(thread: WebThread): readonly WebCard[] {
  return thread.messages.flatMap((message) => message.cards)
}

function openCards(thread: WebThread): readonly WebCard[] {
  return cardsOf(thread).filter((card) => card.tone === 'open')
}
