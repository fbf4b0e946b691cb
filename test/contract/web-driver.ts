import { randomUUID } from 'node:crypto'
import { directThreadName } from '../../src/channel/view.ts'
import type { TestApp } from '../support/app.ts'
import { type EventClient, openEvents } from '../support/sse.ts'
import type { WebCard, WebMessage } from '../support/web-client.ts'
import type { Driver, Form, Guest, Post, Seen, Talk, TextFile, Told } from './channel.ts'

interface WebGuest extends Guest {
  readonly timeZone?: string
}

interface WebPost extends Post {
  readonly id: string
  /** The thread's name. */
  readonly thread: string
}

interface WebSeen extends Seen {
  readonly actions: WebCard['actions']
  readonly choice?: WebCard['choice']
}

interface WebForm {
  readonly action: string
  readonly value?: string
  readonly error?: string
  readonly fields: readonly {
    readonly name: string
    readonly label: string
    readonly value: string
    readonly error?: string
    readonly options?: readonly { readonly label: string; readonly value: string }[]
  }[]
}

interface Receipt {
  readonly kind: string
  readonly notice?: string
  readonly actions?: WebCard['actions']
  readonly form?: WebForm
}

/** The web chat, by its HTTP interface. */
export function webDriver(first: TestApp): Driver {
  let app = first
  const streams: EventClient[] = []

  const request = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${app.address}${path}`, {
      method,
      headers: { 'Content-Type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const content = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${content}`)
    return JSON.parse(content)
  }

  const talk = async (
    owner: Guest,
    text: string | undefined,
    name = `talk-${randomUUID().slice(0, 12)}`,
  ): Promise<Talk> => {
    const path = `/api/threads/${name}/messages`
    const stream = await openEvents(`${app.address}/api/threads/${name}/events`)
    // It breaks when the app is started again.
    stream.ended.catch(() => {})
    streams.push(stream)
    const sent: { readonly method: string; readonly path: string; readonly body: object }[] = []
    const pressed: { body: object; told: Receipt }[] = []
    const told: { readonly who: string; readonly notice: string }[] = []

    const send = (method: string, where: string, body: object) => {
      sent.push({ method, path: where, body })
      return request(method, where, body)
    }
    const say = async (said: string, who: Guest, file?: TextFile): Promise<WebPost> => {
      const { timeZone } = who as WebGuest
      const body = {
        user: who.name,
        text: said,
        key: randomUUID(),
        ...(timeZone ? { timeZone } : {}),
        ...(file ? { attachments: [{ name: file.name, mediaType: 'text/plain', text: file.content }] } : {}),
      }
      const { id } = await send('POST', path, body)
      return { text: said, id, thread: name }
    }
    const act = async (who: Guest, what: object): Promise<Receipt> => {
      const body = { user: who.name, thread: name, key: randomUUID(), ...what }
      const receipt: Receipt = await request('POST', '/api/actions', body)
      pressed.push({ body, told: receipt })
      if (receipt.notice !== undefined) told.push({ who: who.name, notice: receipt.notice })
      return receipt
    }
    const actionOf = (on: Seen, label: string) => {
      const found = (on as WebSeen).actions.find((action) => action.label === label)
      if (!found) throw new Error(`There is no button ${label}.`)
      return found
    }
    const form = (given: WebForm, who: Guest): Form => ({
      fields: Object.fromEntries(
        given.fields.map((field) => [
          field.label,
          field.options?.find((option) => option.value === field.value)?.label ?? field.value,
        ]),
      ),
      complaint: [
        ...(given.error ? [given.error] : []),
        ...given.fields.flatMap((field) => (field.error ? [`${field.label}: ${field.error}`] : [])),
      ].join('\n'),
      async submit(values) {
        const fields = Object.fromEntries(
          given.fields.map((field) => {
            const entered = values[field.label] ?? field.value
            return [field.name, field.options?.find((one) => one.label === entered)?.value ?? entered]
          }),
        )
        const receipt = await act(who, { action: given.action, value: given.value, fields })
        return receipt.form ? form(receipt.form, who) : (receipt.notice ?? '')
      },
    })

    const firstPost: WebPost =
      text === undefined ? { text: '', id: '', thread: name } : await say(text, owner)
    return {
      owner,
      limit: Number.POSITIVE_INFINITY,
      first: firstPost,
      say: (said, who = owner, file) => say(said, who, file),
      async edit(post, said) {
        const body = { user: owner.name, text: said, key: randomUUID() }
        await send('PATCH', `${path}/${(post as WebPost).id}`, body)
      },
      async remove(post) {
        const body = { user: owner.name, key: randomUUID() }
        await send('DELETE', `${path}/${(post as WebPost).id}`, body)
      },
      async seen() {
        const { messages, draft } = (await request('GET', `/api/threads/${name}`)) as {
          messages: WebMessage[]
          draft: { text: string } | null
        }
        const looks = looksOf(stream)
        return [
          ...messages
            .filter((message) => message.role === 'assistant')
            .flatMap((message) => [
              ...(message.text === '' ? [] : [asAnswer(message, looks.get(message.id))]),
              ...message.cards.map((card) => asCard(message, card)),
            ]),
          ...(draft?.text ? [asAnswer({ id: 'draft', text: draft.text }, undefined)] : []),
        ]
      },
      signs: () =>
        stream.events
          .filter((event) => event.name === 'draft' && event.data?.status !== undefined)
          .map((event) => event.at),
      elsewhere: () => [],
      async press(on, label, who = owner) {
        const { action, value } = actionOf(on, label)
        return (await act(who, { action, value })).notice ?? ''
      },
      async forge(on, label, value, who = owner) {
        return (await act(who, { action: actionOf(on, label).action, value })).notice ?? ''
      },
      async choose(on, option, who = owner) {
        const { choice } = on as WebSeen
        const found = choice?.options.find((one) => one.label === option)
        if (!choice || !found) throw new Error(`There is no option ${option}.`)
        return (await act(who, { action: choice.action, value: found.value })).notice ?? ''
      },
      async openForm(on, _fields, label = 'Edit') {
        const { action, value } = actionOf(on, label)
        const receipt = await act(owner, { action, value })
        if (!receipt.form) throw new Error(`No form, but: ${receipt.notice}`)
        return form(receipt.form, owner)
      },
      async redeliver() {
        // What was removed meanwhile is not there to be changed again.
        for (const { method, path: where, body } of [...sent]) {
          await request(method, where, body).catch((error: Error) => {
            if (!error.message.includes('404')) throw error
          })
        }
        for (const { body } of pressed) {
          const again: Receipt = await request('POST', '/api/actions', body)
          if (again.notice !== undefined) told.push({ who: owner.name, notice: again.notice })
        }
      },
      toldTo: (person) => told.filter(({ who }) => who === person.name).map(({ notice }) => notice),
      async files() {
        const { messages } = (await request('GET', `/api/threads/${name}`)) as { messages: WebMessage[] }
        return Promise.all(
          messages
            .flatMap((message) => message.files ?? [])
            .map(async (file) => {
              const response = await fetch(`${app.address}${file.path}`)
              return { name: file.name, content: await response.text() }
            }),
        )
      },
      pings: () => [],
    }
  }

  const told = async (guest: Guest, text: string, within?: Talk): Promise<Told> => {
    const thread = (within?.first as WebPost | undefined)?.thread ?? `talk-${randomUUID().slice(0, 12)}`
    const body = { user: guest.name, text: `/${text}` }
    const { receipt } = await request('POST', `/api/threads/${thread}/messages`, body)
    return {
      text: (receipt as Receipt).notice ?? '',
      async press(label) {
        const button = (receipt as Receipt).actions?.find((one) => one.label === label)
        if (!button) throw new Error(`There is no button ${label}.`)
        const { action, value } = button
        const pressed: Receipt = await request('POST', '/api/actions', {
          user: guest.name,
          thread,
          action,
          value,
        })
        return pressed.notice ?? ''
      },
    }
  }

  return {
    channel: 'web',
    guest: (name, { timeZone } = {}) => ({ name, timeZone }) as WebGuest,
    async received(person) {
      const { messages } = (await request('GET', `/api/threads/${directThreadName(person.name)}`)) as {
        messages: WebMessage[]
      }
      return messages.filter((message) => message.role === 'assistant').map((message) => message.text)
    },
    beginnings: { 'a new thread': (by, text) => talk(by, text) },
    shared: (by, text) => talk(by, text),
    desk: {
      async cards() {
        const { messages } = (await request('GET', '/api/threads/desk')) as { messages: WebMessage[] }
        return messages.flatMap((message) => message.cards.map((card) => asCard(message, card)))
      },
      talk: async (card, by) => talk(by, undefined, /^desk-[0-9a-f]{12}$/m.exec(card.text)![0]),
    },
    room: 'approvers',
    inRoom: (by) => talk(by, undefined, 'approvers'),
    files: () => [],
    command: async (guest, text, within) => (await told(guest, text, within)).text,
    told,
    async moved(next) {
      app = next
    },
    async stop() {
      for (const stream of streams) stream.close()
    },
  }
}

/** What stood in each message's place before it, by the message's id. */
function looksOf(stream: EventClient): ReadonlyMap<string, { texts: string[]; at: number }> {
  const looks = new Map<string, { texts: string[]; at: number }>()
  let drafts: { text: string; at: number }[] = []
  for (const { name, data, at } of stream.events) {
    if (name === 'draft' && data?.text) drafts.push({ text: data.text, at })
    if (name !== 'message' || data.role !== 'assistant' || data.removed || data.text === '') continue
    const known = looks.get(data.id)
    if (known) known.texts.push(...drafts.map((draft) => draft.text), data.text)
    else
      looks.set(data.id, {
        texts: [...drafts.map((draft) => draft.text), data.text],
        at: drafts[0]?.at ?? at,
      })
    drafts = []
  }
  return looks
}

function asAnswer(
  message: Pick<WebMessage, 'id' | 'text'>,
  looks: { texts: string[]; at: number } | undefined,
): WebSeen {
  return {
    id: message.id,
    isCard: false,
    text: message.text,
    buttons: [],
    options: [],
    looks: looks?.texts ?? [message.text],
    at: looks?.at ?? Date.now(),
    actions: [],
  }
}

function asCard(message: WebMessage, card: WebCard): WebSeen {
  const fields = card.fields.flatMap((field) => [field.label, field.value])
  const text = [card.title, card.target, ...fields, card.risk, card.footer].filter(Boolean).join('\n')
  return {
    id: card.id,
    isCard: true,
    text,
    buttons: card.actions.map((action) => action.label),
    options: card.choice?.options.map((option) => option.label) ?? [],
    ...(card.choice ? { choice: card.choice } : {}),
    looks: [text],
    at: Date.parse((message as WebMessage & { at: string }).at),
    actions: card.actions,
  }
}
