import { pause } from '../../src/base/wait.ts'

/** A message as the web API gives it. */
export interface WebMessage {
  readonly id: string
  readonly role: string
  readonly text: string
  readonly author?: string
  readonly cards: readonly WebCard[]
  readonly files?: readonly { readonly name: string; readonly mediaType: string; readonly path: string }[]
}

export interface WebCard {
  readonly id: string
  readonly title: string
  readonly target?: string
  readonly footer?: string
  readonly risk?: string
  readonly tone?: string
  readonly fields: readonly { label: string; value: string }[]
  readonly actions: readonly { label: string; action: string; value?: string }[]
  readonly choice?: { label: string; action: string; options: readonly { label: string; value: string }[] }
}

export interface WebThread {
  readonly messages: readonly WebMessage[]
  readonly state: string
  /** What is being written. */
  readonly draft?: { readonly text: string; readonly status?: string } | null
}

/** How long to wait until the next look, in ms: those who look all the time slow down what they wait for. */
export function betweenLooks(lookedAt: number): number {
  return Math.max(25, 2 * (performance.now() - lookedAt))
}

/** A person at the web chat, by its HTTP interface alone. */
export function webClient(address: string, user: string, thread: string) {
  const request = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${address}${path}`, {
      method,
      headers: { 'Content-Type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  }
  const client = {
    request,
    say: (text: string, key?: string) =>
      request('POST', `/api/threads/${thread}/messages`, { user, text, ...(key ? { key } : {}) }),
    async read(): Promise<WebThread> {
      const { status, body } = await request('GET', `/api/threads/${thread}?user=${encodeURIComponent(user)}`)
      return status === 200 ? body : { messages: [], state: 'idle' }
    },
    press: (action: string, value?: string, key?: string) =>
      request('POST', '/api/actions', {
        user,
        thread,
        action,
        ...(value ? { value } : {}),
        ...(key ? { key } : {}),
      }),
    submit: (action: string, value: string, fields: Record<string, string>) =>
      request('POST', '/api/actions', { user, thread, action, value, fields }),
    /** Waits until the thread looks as wanted. */
    async until(what: string, wanted: (thread: WebThread) => boolean, ms = 10_000): Promise<WebThread> {
      const deadline = performance.now() + ms
      for (;;) {
        const asked = performance.now()
        const view = await client.read()
        if (wanted(view)) return view
        if (performance.now() > deadline)
          throw new Error(`${what} did not come about: ${JSON.stringify(view, null, 1)}`)
        await pause(betweenLooks(asked))
      }
    },
    /** Waits for the n-th answer, counted from 1. */
    async answer(count = 1): Promise<WebMessage> {
      const view = await client.until(
        `answer ${count}`,
        ({ messages, state }) =>
          messages.filter((message) => message.role === 'assistant' && message.cards.length === 0).length >=
            count &&
          (state === 'done' || state === 'awaiting_confirmation'),
      )
      return view.messages.filter((message) => message.role === 'assistant' && message.cards.length === 0)[
        count - 1
      ]!
    },
    async card(): Promise<WebCard> {
      const view = await client.until('an open card', ({ messages }) =>
        messages.some((message) => message.cards.some((card) => card.tone === 'open')),
      )
      return view.messages.flatMap((message) => message.cards).find((card) => card.tone === 'open')!
    },
  }
  return client
}
