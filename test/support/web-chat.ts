import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { createWebChannel } from '../../adapters/web/web.ts'
import { systemClock } from '../../src/base/clock.ts'
import { createIds } from '../../src/base/ids.ts'
import type { Card } from '../../src/channel/card.ts'
import type { InboundEvent, ThreadRef } from '../../src/channel/events.ts'
import type { PageReader } from '../../src/channel/pages.ts'
import type { Channel, Receipt } from '../../src/channel/port.ts'
import type { DraftBoard, ThreadReader, ThreadView, TraceNode, ViewMessage } from '../../src/channel/view.ts'
import { silentLog } from '../../src/observe/log.ts'

type Draft = NonNullable<ThreadView['draft']>

/** Threads in memory: what the web chat reads, and what a test writes. */
export class MemoryThreads implements ThreadReader, DraftBoard {
  readonly traces = new Map<string, readonly TraceNode[]>()
  readonly #threads = new Map<
    string,
    { seq: number; messages: ViewMessage[]; state: string; draft?: Draft }
  >()
  readonly #waiting = new Set<() => void>()
  /** How many viewers follow a thread now. */
  followers = 0
  #count = 0

  async read(thread: ThreadRef): Promise<ThreadView | undefined> {
    const held = this.#threads.get(thread.thread)
    return held && { ...held, messages: [...held.messages] }
  }

  async list(person: { readonly userId: string }) {
    return [...this.#threads]
      .filter(([, held]) => held.messages.some((message) => message.author === person.userId))
      .map(([thread, held]) => ({
        thread,
        title: held.messages.find((message) => message.role === 'user')?.text ?? '',
        at: held.messages.at(-1)!.at,
        state: held.state,
      }))
      .sort((a, b) => b.at.getTime() - a.at.getTime())
  }

  async *changes(_thread: ThreadRef, signal: AbortSignal): AsyncIterable<void> {
    this.followers += 1
    try {
      while (!signal.aborted) {
        const { promise, resolve } = Promise.withResolvers<void>()
        this.#waiting.add(resolve)
        signal.addEventListener('abort', () => resolve(), { once: true })
        await promise
        this.#waiting.delete(resolve)
        if (!signal.aborted) yield
      }
    } finally {
      this.followers -= 1
    }
  }

  async trace(_thread: ThreadRef, turnId: string): Promise<readonly TraceNode[]> {
    return this.traces.get(turnId) ?? []
  }

  async show(thread: ThreadRef, draft: Draft | null): Promise<void> {
    const held = this.#held(thread.thread)
    if (draft) held.draft = draft
    else delete held.draft
    this.changed()
  }

  changed(): void {
    for (const resolve of this.#waiting) resolve()
  }

  /** Adds a message, or replaces the one of that id. */
  put(thread: string, message: Partial<ViewMessage> & Pick<ViewMessage, 'role' | 'text'>): string {
    const held = this.#held(thread)
    this.#count += 1
    const id = message.id ?? `m${this.#count}`
    const whole: ViewMessage = { at: new Date(), cards: [], actions: [], ...message, id }
    const index = held.messages.findIndex((each) => each.id === id)
    if (index < 0) held.messages.push(whole)
    else held.messages[index] = whole
    this.#grow(held)
    return id
  }

  putCard(thread: string, card: Card): void {
    const held = this.#held(thread)
    held.messages = held.messages.map((message) => ({
      ...message,
      cards: message.cards.map((each) => (each.id === card.id ? card : each)),
    }))
    this.#grow(held)
  }

  remove(thread: string, id: string): void {
    const held = this.#held(thread)
    held.messages = held.messages.filter((message) => message.id !== id)
    this.#grow(held)
  }

  state(thread: string, state: string): void {
    const held = this.#held(thread)
    held.state = state
    this.#grow(held)
  }

  texts(thread: string): string[] {
    return this.#held(thread).messages.map((message) => message.text)
  }

  #held(thread: string) {
    const held = this.#threads.get(thread) ?? { seq: 0, messages: [], state: 'idle' }
    this.#threads.set(thread, held)
    return held
  }

  #grow(held: { seq: number }): void {
    held.seq += 1
    this.changed()
  }
}

/** A web chat on a port of its own, with threads in memory. */
export interface WebChat {
  readonly url: string
  readonly port: number
  readonly channel: Channel
  readonly threads: MemoryThreads
  /** Every event that the gateway got, repeats left out. */
  readonly events: InboundEvent[]
  stop(): Promise<void>
}

/** Starts one. `answer` says what the gateway makes of a new event; by default messages are kept. */
export async function startWebChat(
  options: {
    readonly answer?: (
      event: InboundEvent,
      threads: MemoryThreads,
    ) => Receipt | undefined | Promise<Receipt | undefined>
    readonly host?: string
    readonly token?: string
    readonly listen?: boolean
    readonly port?: number
    readonly threads?: MemoryThreads
    readonly pages?: PageReader
  } = {},
): Promise<WebChat> {
  const threads = options.threads ?? new MemoryThreads()
  const events: InboundEvent[] = []
  const seen = new Set<string>()
  const { channel, routes } = createWebChannel({
    reader: threads,
    drafts: threads,
    pages: options.pages ?? { ticket: async () => undefined, file: async () => undefined },
    timeZone: 'Etc/UTC',
    host: options.host ?? '127.0.0.1',
    ...(options.token === undefined ? {} : { token: options.token }),
    log: silentLog,
    clock: systemClock,
    ids: createIds(),
  })
  const receive = async (event: InboundEvent): Promise<Receipt> => {
    if (seen.has(event.dedupeKey)) return { kind: 'repeated' }
    seen.add(event.dedupeKey)
    let receipt: Receipt | undefined
    try {
      receipt = await options.answer?.(event, threads)
    } catch (error) {
      seen.delete(event.dedupeKey)
      throw error
    }
    events.push(event)
    if (receipt) return receipt
    if (event.kind === 'message') {
      const { postId: id, text, author } = event
      threads.put(event.thread.thread, { id, role: 'user', author: author.name, text })
    }
    return { kind: 'accepted', sessionId: 'sess_test' }
  }
  if (options.listen !== false) await channel.listen({ receive })
  const server = serve({ fetch: routes.fetch, port: options.port ?? 0, hostname: '127.0.0.1' })
  if (!server.listening) await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    channel,
    threads,
    events,
    async stop() {
      await channel.stop()
      server.close()
      if ('closeAllConnections' in server) server.closeAllConnections()
    },
  }
}
