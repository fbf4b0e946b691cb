import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { threadRef } from '../../adapters/web/threads.ts'
import type { Card } from '../../src/channel/card.ts'
import { openEvents } from '../support/sse.ts'
import { startWebChat, type WebChat } from '../support/web-chat.ts'

const thread = threadRef('tour')

async function begin(): Promise<WebChat> {
  const chat = await startWebChat()
  onTestFinished(() => chat.stop())
  return chat
}

async function follow(chat: WebChat, name = 'tour') {
  const client = await openEvents(`${chat.url}/api/threads/${name}/events`)
  onTestFinished(() => client.close())
  await vi.waitFor(() => expect(client.events[0]?.name).toBe('snapshot'))
  return client
}

const names = (client: { events: { name: string }[] }) => client.events.map((event) => event.name)

const card = (tone: Card['tone']): Card => ({
  id: 'apr_1',
  title: 'Create ticket',
  fields: [],
  tone,
  actions: [],
})

describe('following a thread', () => {
  it('begins with the thread as it stands, also an empty one', async () => {
    const chat = await begin()
    const empty = await follow(chat, 'empty')
    expect(empty.events[0]!.data).toEqual({ seq: 0, earlier: 0, messages: [], state: 'idle', draft: null })
    chat.threads.put('tour', { role: 'user', author: 'Ann', text: 'Hello' })
    await chat.threads.show(thread, { text: 'Hi', status: 'Thinking' })
    const { events } = await follow(chat)
    expect(events[0]).toMatchObject({
      id: '1',
      data: { messages: [{ text: 'Hello' }], draft: { text: 'Hi', html: '<p>Hi</p>\n', status: 'Thinking' } },
    })
  })

  it('tells of messages, drafts, cards and states as they change, with the thread’s sequence', async () => {
    const chat = await begin()
    const client = await follow(chat)
    const told = (count: number) =>
      vi.waitFor(() => expect(client.events.length).toBeGreaterThanOrEqual(count))
    chat.threads.put('tour', { role: 'user', author: 'Ann', text: 'Hello' })
    await told(2)
    await chat.threads.show(thread, { text: '', status: 'Looking' })
    await told(3)
    await chat.threads.show(thread, { text: 'Half' })
    await told(4)
    chat.threads.put('tour', { role: 'assistant', text: 'Whole', cards: [card('open')] })
    await told(5)
    await chat.threads.show(thread, null)
    await told(6)
    chat.threads.putCard('tour', card('done'))
    await told(7)
    chat.threads.state('tour', 'done')
    await told(8)
    expect(names(client)).toEqual([
      'snapshot',
      'message',
      'draft',
      'draft',
      'message',
      'draft',
      'card',
      'state',
    ])
    expect(client.events.map((event) => event.data).slice(2)).toMatchObject([
      { text: '', status: 'Looking' },
      { text: 'Half', html: '<p>Half</p>\n' },
      { text: 'Whole', cards: [{ id: 'apr_1', tone: 'open' }] },
      {},
      { card: { id: 'apr_1', tone: 'done' } },
      { state: 'done' },
    ])
    expect(client.events[5]!.data).toBeNull()
    const ids = client.events.map((event) => Number(event.id))
    expect(ids).toEqual([...ids].sort((a, b) => a - b))
  })

  it('tells of changed and removed messages', async () => {
    const chat = await begin()
    const id = chat.threads.put('tour', { role: 'user', author: 'Ann', text: 'Hello' })
    const client = await follow(chat)
    chat.threads.put('tour', { id, role: 'user', author: 'Ann', text: 'Hello again' })
    await vi.waitFor(() => expect(client.events[1]?.data).toMatchObject({ id, text: 'Hello again' }))
    chat.threads.remove('tour', id)
    await vi.waitFor(() => expect(client.events[2]?.data).toEqual({ id, removed: true }))
  })

  it('does not show a draft beside the message that it has become', async () => {
    const chat = await begin()
    const client = await follow(chat)
    await chat.threads.show(thread, { text: 'The whole answer' })
    await vi.waitFor(() => expect(client.events.at(-1)!.data?.text).toBe('The whole answer'))
    chat.threads.put('tour', { role: 'assistant', text: 'The whole answer, finished.' })
    await vi.waitFor(() => expect(names(client).slice(-2)).toEqual(['message', 'draft']))
    expect(client.events.at(-1)!.data).toBeNull()
  })

  it('misses nothing that happens while the snapshot is made', async () => {
    const chat = await begin()
    const read = chat.threads.read.bind(chat.threads)
    chat.threads.read = async (ref) => {
      chat.threads.read = read
      const view = await read(ref)
      chat.threads.put('tour', { role: 'user', author: 'Ann', text: 'In between' })
      return view
    }
    const client = await follow(chat)
    await vi.waitFor(() => expect(client.events[1]?.data).toMatchObject({ text: 'In between' }))
  })

  it('sends only the latest messages of a long thread, and says how many are before', async () => {
    const chat = await begin()
    for (let n = 0; n < 300; n += 1) chat.threads.put('tour', { role: 'note', text: `Note ${n}` })
    const { events } = await follow(chat)
    expect(events[0]!.data.messages).toHaveLength(100)
    expect(events[0]!.data.earlier).toBe(200)
    expect(events[0]!.data.messages.at(-1).text).toBe('Note 299')
  })

  it('stops reading when the client goes', async () => {
    const chat = await begin()
    const client = await follow(chat)
    expect(chat.threads.followers).toBe(1)
    client.close()
    await vi.waitFor(() => expect(chat.threads.followers).toBe(0), { timeout: 5000 })
  })

  it('ends every stream when the channel stops', async () => {
    const chat = await begin()
    const client = await follow(chat)
    await chat.channel.stop()
    await client.ended
    expect(chat.threads.followers).toBe(0)
    expect(chat.channel.health().state).toBe('down')
  })

  it('ends the stream where the thread can’t be read, so that the client comes again', async () => {
    const chat = await begin()
    const client = await follow(chat)
    chat.threads.read = () => Promise.reject(new Error('The database is away.'))
    chat.threads.changed()
    await client.ended
    expect(client.events).toHaveLength(1)
  })
})
