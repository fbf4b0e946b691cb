import type { Context } from 'hono'
import { type SSEStreamingApi, streamSSE } from 'hono/streaming'
import { messageOf } from '../../src/base/errors.ts'
import type { ThreadRef } from '../../src/channel/events.ts'
import type { ThreadReader, ThreadView } from '../../src/channel/view.ts'
import type { Log } from '../../src/observe/log.ts'
import { drawDraft, drawMessage, drawMessages, messageIdOf } from './drawing.ts'
import type { MarkdownHtml } from './html.ts'

/** How many of a thread's latest messages a snapshot holds; earlier ones are asked for. */
const snapshotSize = 100

const keepAlive = 15_000

/** A thread in which nothing was said. */
export const emptyView: ThreadView = { seq: 0, messages: [], state: 'idle' }

/**
 * Streams a thread as server-sent events: `snapshot` first, then `message`, `card`, `draft` and `state` as they
 * change. Ends when the client goes or the signal fires.
 */
export function streamThread(
  c: Context,
  thread: ThreadRef,
  parts: {
    readonly reader: ThreadReader
    readonly html: MarkdownHtml
    readonly log: Log
    readonly signal: AbortSignal
  },
): Response {
  // Proxies that buffer would hold the events back.
  c.header('X-Accel-Buffering', 'no')
  return streamSSE(c, async (stream) => {
    const gone = new AbortController()
    const signal = AbortSignal.any([gone.signal, parts.signal])
    stream.onAbort(() => gone.abort())
    const alive = setInterval(() => void stream.write(': alive\n\n'), keepAlive)
    try {
      await follow(stream, thread, parts, signal)
    } catch (error) {
      // The client connects again by itself and gets a new snapshot.
      if (!signal.aborted) {
        parts.log.warn({ error: messageOf(error), thread: thread.thread }, 'A thread could not be followed.')
      }
    } finally {
      clearInterval(alive)
      gone.abort()
    }
  })
}

async function follow(
  stream: SSEStreamingApi,
  thread: ThreadRef,
  parts: { readonly reader: ThreadReader; readonly html: MarkdownHtml },
  signal: AbortSignal,
): Promise<void> {
  const { reader, html } = parts
  const changes = reader.changes(thread, signal)[Symbol.asyncIterator]()
  // Listening begins before the first look, so that nothing falls between them.
  let next = changes.next()
  next.catch(() => {})
  let shown = (await reader.read(thread)) ?? emptyView
  const messages = shown.messages.slice(-snapshotSize)
  const first = {
    seq: shown.seq,
    earlier: shown.messages.length - messages.length,
    messages: await drawMessages(messages, html),
    state: shown.state,
    draft: drawDraft(shown, html),
  }
  await stream.writeSSE({
    event: 'snapshot',
    id: String(shown.seq),
    retry: 1000,
    data: JSON.stringify(first),
  })
  while (!signal.aborted && !(await next).done) {
    next = changes.next()
    next.catch(() => {})
    const view = (await reader.read(thread)) ?? emptyView
    for (const event of differences(shown, view, html)) {
      await stream.writeSSE({ event: event.name, id: String(view.seq), data: JSON.stringify(event.data) })
    }
    shown = view
  }
}

interface Difference {
  readonly name: 'message' | 'card' | 'draft' | 'state'
  readonly data: unknown
}

/** What a viewer of one view must be told to see the other. A message comes before the end of its draft. */
function differences(before: ThreadView, after: ThreadView, html: MarkdownHtml): Difference[] {
  const told: Difference[] = []
  if (before.seq !== after.seq) {
    const known = new Map(before.messages.map((message) => [messageIdOf(message), message]))
    for (const message of after.messages) {
      const id = messageIdOf(message)
      const old = known.get(id)
      known.delete(id)
      const { cards, ...rest } = message
      const { cards: oldCards, ...oldRest } = old ?? { cards: [] }
      const sameCards = cards.length === oldCards.length
      if (!old || !sameCards || JSON.stringify(rest) !== JSON.stringify(oldRest)) {
        told.push({ name: 'message', data: drawMessage(message, html) })
        continue
      }
      for (const [index, card] of cards.entries()) {
        if (JSON.stringify(card) !== JSON.stringify(oldCards[index])) {
          told.push({ name: 'card', data: { message: id, card } })
        }
      }
    }
    for (const id of known.keys()) told.push({ name: 'message', data: { id, removed: true } })
    if (before.state !== after.state) told.push({ name: 'state', data: { state: after.state } })
  }
  const draft = drawDraft(after, html)
  const old = drawDraft(before, html)
  if (draft?.text !== old?.text || draft?.status !== old?.status) told.push({ name: 'draft', data: draft })
  return told
}
