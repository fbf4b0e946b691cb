import type { types, webApi } from '@slack/bolt'
import type { Clock } from '../../src/base/clock.ts'
import { messageOf } from '../../src/base/errors.ts'
import { ChannelError } from '../../src/channel/failure.ts'
import type { Part, ReplyTarget, Surface } from '../../src/channel/port.ts'
import type { Log } from '../../src/observe/log.ts'
import type { Activity } from './activity.ts'
import { actionBlocks, markdownMessage } from './blocks.ts'
import type { Repeatable, SlackClient } from './client.ts'
import { metadataFor, type Past } from './past.ts'
import { threadTs, timeOf } from './place.ts'
import { filePrefix, idOf, type Posting } from './posting.ts'
import { codeIn } from './refusal.ts'
import { growth, settled, withoutPings } from './writing.ts'

/** Markdown of one message, before what `withoutPings` may add to it. */
const characters = Math.floor(12_000 / growth)

/** How a reply keeps time. */
export interface StreamTiming {
  /** The least time between two changes of a streamed message, ms. Appending is tier 4, 100 a minute. */
  readonly appendMs: number
  /** The same for a message that is edited. `chat.update` is tier 3, 50 a minute. */
  readonly updateMs: number
  /** The age at which a stream is ended by us; Slack ends it after about five minutes. */
  readonly rotateMs: number
}

export const streamTiming: StreamTiming = { appendMs: 700, updateMs: 1_300, rotateMs: 240_000 }

/** Rooms where streaming is not to be had, until when (monotonic). */
export type Streamless = Map<string, number>

const streamlessMs = 600_000

interface Live {
  readonly startedAt: number
  readonly nonce: string
  sent: string
  state: 'open' | 'closed' | 'stopped-by-user'
}

/** What a surface needs. */
export interface SurfaceParts {
  readonly client: SlackClient
  readonly past: Past
  readonly posting: Posting
  readonly clock: Clock
  readonly log: Log
  readonly timing: StreamTiming
  readonly streamless: Streamless
  readonly activity: Activity
  /** The team of a person, where it is known not to be the thread's. */
  teamOf(userId: string): string | undefined
}

/**
 * The messages of a reply. In a thread a growing text is streamed; whatever ends the stream (age, Slack, another
 * process, a text that is not the old one with more behind it), the same message goes on by `chat.update`.
 */
export function createSurface(target: ReplyTarget, parts: SurfaceParts): Surface {
  const { client, past, posting, clock, log, timing } = parts
  const { thread, recipientId } = target
  const channel = thread.room
  const root = threadTs(thread)
  const streams = new Map<string, Live>()
  const nonces = new Map<string, string>()
  /** Fires when the reply is closed: what waits for its turn or for Slack is not sent any more. */
  const closing = new AbortController()
  const { signal } = closing
  const call = <T>(method: string, how: Repeatable, run: (web: webApi.WebClient) => Promise<T>) =>
    client.call(method, how, run, signal)

  const canStream = () =>
    root !== undefined &&
    recipientId !== undefined &&
    (parts.streamless.get(channel) ?? 0) <= clock.monotonic()
  const show = (text: string) => withoutPings(text, recipientId)

  async function create(part: Part, nonce: string): Promise<string> {
    if (!part.final && canStream()) {
      const streamed = await start(part, nonce)
      if (streamed !== undefined) return streamed
    }
    const id = await posting.post(thread, markdownMessage(show(part.text), part.actions), nonce, signal)
    nonces.set(id, nonce)
    // Slack itself takes a status away only when the answer comes in the thread that shows it.
    if (root === undefined) void parts.activity.show(target, null)
    else parts.activity.answered(target)
    return id
  }

  /** Starts a stream; undefined where streaming is not to be had and a plain post has to do. */
  async function start(part: Part, nonce: string): Promise<string | undefined> {
    const sent = settled(show(part.text))
    const startedAt = clock.monotonic()
    const since = clock.now()
    try {
      const { ts } = await call('chat.startStream', 'once', (web) =>
        web.chat.startStream({
          channel,
          thread_ts: root!,
          recipient_user_id: recipientId!,
          recipient_team_id: parts.teamOf(recipientId!) ?? thread.workspace,
          ...chunksOf(sent),
        }),
      )
      const id = idOf(ts, 'chat.startStream')
      streams.set(id, { startedAt, nonce, sent, state: 'open' })
      return id
    } catch (error) {
      if (!(error instanceof ChannelError)) throw error
      if (error.failure === 'unknown') return adopt(sent, since, nonce, error)
      if (error.failure === 'unavailable') throw error
      const code = codeIn(error)
      log.info({ room: channel, code }, 'Slack does not stream here; the answer is posted and edited instead')
      parts.streamless.set(channel, clock.monotonic() + streamlessMs)
      return undefined
    }
  }

  /** The stream whose start got no answer, if it is there: streams carry no nonce before they end. */
  async function adopt(sent: string, since: Date, nonce: string, lost: ChannelError) {
    const after = target.postId === undefined ? 0 : Number(target.postId)
    try {
      const found = await past.find(
        thread,
        since,
        (message) =>
          message.nonce === undefined &&
          message.fileIds.length === 0 &&
          Number(message.ts) > after &&
          timeOf(message.ts).getTime() > since.getTime() - 10_000 &&
          !streams.has(message.ts),
      )
      if (!found) return undefined
      // What it shows is not known for certain, so the whole text replaces it.
      const live: Live = { startedAt: clock.monotonic(), nonce, sent, state: 'open' }
      streams.set(found.ts, live)
      await closeStream(found.ts, live)
      return found.ts
    } catch {
      throw lost
    }
  }

  async function edit(id: string, part: Part): Promise<void> {
    const live = streams.get(id)
    if (live?.state === 'open' && (await goOn(id, live, part))) return
    // The person pressed Slack's own stop button: nothing moves any more until the text is final.
    if (live?.state === 'stopped-by-user' && !part.final) return
    await update(id, part)
  }

  /** Adds to a stream, or ends it with the final text; false where the message has to be edited instead. */
  async function goOn(id: string, live: Live, part: Part): Promise<boolean> {
    const text = part.final ? show(part.text) : settled(show(part.text))
    const tooOld = clock.monotonic() - live.startedAt > timing.rotateMs
    if (!part.final && !tooOld && live.sent.startsWith(text)) return true
    if (tooOld || !text.startsWith(live.sent)) {
      await closeStream(id, live)
      return false
    }
    const rest = text.slice(live.sent.length)
    const chunks = chunksOf(rest)
    try {
      if (part.final) {
        const blocks = actionBlocks(part.actions ?? [])
        await call('chat.stopStream', 'once', (web) =>
          web.chat.stopStream({
            channel,
            ts: id,
            ...chunks,
            ...(blocks.length > 0 ? { blocks } : {}),
            metadata: metadataFor(live.nonce),
          }),
        )
        live.state = 'closed'
      } else {
        await call('chat.appendStream', 'once', (web) =>
          web.chat.appendStream({ channel, ts: id, ...chunks }),
        )
      }
      live.sent = text
      return true
    } catch (error) {
      if (!(error instanceof ChannelError)) throw error
      // Not taken and not the stream's fault: the same addition may be tried again.
      if (error.failure === 'unavailable') throw error
      log.debug({ code: codeIn(error) }, 'A stream ended early; its message is edited from now on')
      const gone = codeIn(error) === 'message_not_in_streaming_state'
      if (codeIn(error) === 'stopped_by_user') live.state = 'stopped-by-user'
      else if (gone) live.state = 'closed'
      else await closeStream(id, live)
      return false
    }
  }

  /** Ends a stream as it is. An end that can't be confirmed shows when the message is edited. */
  async function closeStream(id: string, live: Live): Promise<void> {
    live.state = 'closed'
    try {
      await stop(id, live.nonce)
    } catch (error) {
      log.debug({ error: messageOf(error) }, 'A stream could not be ended')
    }
  }

  async function stop(id: string, nonce: string | undefined): Promise<void> {
    await client.call('chat.stopStream', 'repeatable', (web) =>
      web.chat.stopStream({
        channel,
        ts: id,
        ...(nonce === undefined ? {} : { metadata: metadataFor(nonce) }),
      }),
    )
  }

  async function update(id: string, part: Part): Promise<void> {
    const message = markdownMessage(show(part.text), part.actions)
    const nonce = streams.get(id)?.nonce ?? nonces.get(id)
    const change = (content: { text?: string; blocks?: typeof message.blocks } | { markdown_text: string }) =>
      call('chat.update', 'repeatable', (web) =>
        web.chat.update({
          channel,
          ts: id,
          ...(content as { text: string; blocks: typeof message.blocks }),
          ...(nonce === undefined ? {} : { metadata: metadataFor(nonce) }),
        }),
      )
    try {
      await change(message)
    } catch (error) {
      switch (codeIn(error)) {
        // Another process began to stream here, or our end of the stream did not get through.
        case 'streaming_state_conflict':
          await stop(id, nonce)
          await change(message)
          return
        // Rich text that was streamed may only be replaced by rich text, which this argument always becomes.
        case 'block_mismatch':
          await change({ markdown_text: show(part.text) })
          return
        default:
          throw error
      }
    }
  }

  async function remove(id: string): Promise<void> {
    if (id.startsWith(filePrefix)) {
      const file = id.slice(filePrefix.length)
      await call('files.delete', 'repeatable', (web) => web.files.delete({ file }))
      return
    }
    const live = streams.get(id)
    if (live?.state === 'open') await closeStream(id, live)
    const take = () => call('chat.delete', 'repeatable', (web) => web.chat.delete({ channel, ts: id }))
    try {
      await take()
    } catch (error) {
      if (codeIn(error) === 'message_not_found') return
      if (codeIn(error) !== 'cant_delete_message') throw error
      await stop(id, undefined)
      await take()
    }
  }

  const inOrder = <T>(work: () => Promise<T>) => client.inOrder(thread, work)
  return {
    characters,
    get interval() {
      return canStream() ? timing.appendMs : timing.updateMs
    },
    create: (part, nonce) => inOrder(() => create(part, nonce)),
    edit: (id, part) => inOrder(() => edit(id, part)),
    remove: (id) => inOrder(() => remove(id)),
    attach: (file) => inOrder(() => posting.share(thread, file)),
    async close() {
      closing.abort()
      const open = [...streams].filter(([, live]) => live.state === 'open')
      await Promise.all(open.map(([id, live]) => inOrder(() => closeStream(id, live))))
    },
  }
}

// A stream takes only the kind of content that it was opened with. Chunks leave room for task cards.
function chunksOf(text: string): { chunks?: types.AnyChunk[] } {
  return text === '' ? {} : { chunks: [{ type: 'markdown_text', text }] }
}
