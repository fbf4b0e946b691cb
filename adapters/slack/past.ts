import { pause } from '../../src/base/wait.ts'
import type { ThreadRef } from '../../src/channel/events.ts'
import type { OwnMessage, PastMessage } from '../../src/channel/port.ts'
import type { SlackClient } from './client.ts'
import type { Directory } from './directory.ts'
import type { Identity } from './identity.ts'
import { threadTs, timeOf } from './place.ts'
import { mentionedIn, readText } from './reading.ts'

/** The event type of our messages' metadata; it carries the nonce of a post. */
const metadataType = 'hermes_message'

/** The metadata of a message with that nonce. */
export function metadataFor(nonce: string) {
  return { event_type: metadataType, event_payload: { nonce } }
}

/** A message as the history tells it. */
export interface StoredMessage {
  readonly ts: string
  readonly user?: string
  readonly botId?: string
  /** The name that another app gave itself. */
  readonly botName?: string
  readonly text: string
  readonly nonce?: string
  readonly fileIds: readonly string[]
}

/** What stands in threads already. */
export interface Past {
  /** Messages newer than that, oldest first. */
  newer(thread: ThreadRef, oldest: Date): Promise<readonly StoredMessage[]>
  /** An own message for which the test holds. Looks again for a second, since a post may show up late. */
  find(
    thread: ThreadRef,
    oldest: Date,
    is: (message: StoredMessage) => boolean,
  ): Promise<StoredMessage | undefined>
  own(thread: ThreadRef, since: Date): Promise<readonly OwnMessage[]>
  history(thread: ThreadRef, limit: number, signal?: AbortSignal): Promise<readonly PastMessage[]>
}

/** Our clock and Slack's may differ; what is too old is told apart by its nonce or id. */
const skewMs = 10_000
const pageSize = 200
const pages = 5

export function createPast(
  client: SlackClient,
  identity: () => Promise<Identity>,
  directory: Directory,
): Past {
  async function page(
    thread: ThreadRef,
    oldest: number,
    cursor: string | undefined,
    signal: AbortSignal | undefined,
  ) {
    const root = threadTs(thread)
    const shared = {
      channel: thread.room,
      oldest: oldest.toFixed(6),
      limit: pageSize,
      include_all_metadata: true,
      ...(cursor === undefined ? {} : { cursor }),
    }
    if (root === undefined) {
      return client.call(
        'conversations.history',
        'repeatable',
        (web) => web.conversations.history(shared),
        signal,
      )
    }
    return client.call(
      'conversations.replies',
      'repeatable',
      (web) => web.conversations.replies({ ...shared, ts: root }),
      signal,
    )
  }

  /** All pages, at most five; replies come oldest first, the history of a room newest first. */
  async function read(thread: ThreadRef, oldest: number, signal?: AbortSignal): Promise<StoredMessage[]> {
    const found = new Map<string, StoredMessage>()
    let cursor: string | undefined
    for (let count = 0; count < pages; count += 1) {
      const answer = await page(thread, oldest, cursor, signal)
      // The root of a thread comes with each page of it.
      for (const message of (answer.messages ?? []).flatMap(stored)) found.set(message.ts, message)
      cursor = answer.response_metadata?.next_cursor || undefined
      if (cursor === undefined) break
    }
    const within = [...found.values()].filter((message) => Number(message.ts) > oldest)
    return within.sort((a, b) => Number(a.ts) - Number(b.ts))
  }

  const newer = (thread: ThreadRef, oldest: Date) => read(thread, (oldest.getTime() - skewMs) / 1000)

  async function ownNewer(thread: ThreadRef, since: Date): Promise<StoredMessage[]> {
    const { botUserId, botId } = await identity()
    const all = await newer(thread, since)
    return all.filter((message) => message.user === botUserId || message.botId === botId)
  }

  return {
    newer,
    async find(thread, oldest, is) {
      for (const wait of [0, 250, 750]) {
        if (wait > 0) await pause(wait)
        const found = (await ownNewer(thread, oldest)).findLast(is)
        if (found) return found
      }
      return undefined
    },
    async own(thread, since) {
      return (await ownNewer(thread, since)).map(({ ts, nonce }) => ({
        messageId: ts,
        at: timeOf(ts),
        ...(nonce === undefined ? {} : { nonce }),
      }))
    },
    async history(thread, limit, signal) {
      const { botUserId, botId } = await identity()
      const all = (await read(thread, 0, signal)).slice(-limit)
      const people = all.flatMap((message) => [message.user ?? '', ...mentionedIn(message.text)])
      await directory.learn([...new Set(people)].filter(Boolean).slice(0, 20), 2_000)
      const nameOf = (userId: string) => directory.peek(userId)?.name
      return all.map((message) => {
        const own = message.user === botUserId || message.botId === botId
        const name = message.botName ?? nameOf(message.user ?? '') ?? message.user ?? message.botId
        return {
          id: message.ts,
          author: own ? 'Hermes' : (name ?? 'someone'),
          text: readText(message.text, { botUserId, nameOf }),
          at: timeOf(message.ts),
          own,
          bot: !own && message.botId !== undefined,
        }
      })
    },
  }
}

/** The fields of Slack's answer that matter. */
function stored(message: {
  ts?: string
  user?: string
  bot_id?: string
  username?: string
  bot_profile?: { name?: string }
  text?: string
  metadata?: unknown
  files?: readonly { id?: string }[]
}): StoredMessage[] {
  if (!message.ts) return []
  const metadata = message.metadata as
    | { event_type?: string; event_payload?: { nonce?: unknown } }
    | undefined
  const botName = message.bot_id ? (message.username ?? message.bot_profile?.name) : undefined
  const nonce = metadata?.event_type === metadataType ? metadata.event_payload?.nonce : undefined
  return [
    {
      ts: message.ts,
      ...(message.user ? { user: message.user } : {}),
      ...(message.bot_id ? { botId: message.bot_id } : {}),
      ...(botName === undefined ? {} : { botName }),
      text: message.text ?? '',
      ...(typeof nonce === 'string' ? { nonce } : {}),
      fileIds: (message.files ?? []).flatMap((file) => (file.id ? [file.id] : [])),
    },
  ]
}
