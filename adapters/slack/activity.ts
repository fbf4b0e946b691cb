import type { Clock } from '../../src/base/clock.ts'
import { messageOf } from '../../src/base/errors.ts'
import { clip } from '../../src/channel/clip.ts'
import type { ReplyTarget } from '../../src/channel/port.ts'
import type { Log } from '../../src/observe/log.ts'
import type { SlackClient } from './client.ts'
import { isDirect, threadTs } from './place.ts'

/** The status lines under threads. */
export interface Activity {
  /** Shows a line; `null` takes it away. Never rejects. */
  readonly show: (target: ReplyTarget, line: string | null) => Promise<void>
  /** A post of ours came into the thread: Slack has taken its status away. */
  answered(target: ReplyTarget): void
}

/** Slack takes a status away after two minutes; one that stands for half of that is shown again. */
const standsMs = 60_000
const remembered = 1_000

/**
 * One call at a time for each thread; of lines that wait only the latest is shown, and one that stands already is
 * not sent again.
 */
export function createActivity(client: SlackClient, clock: Clock, log: Log): Activity {
  const running = new Map<string, { next: string | undefined; readonly done: Promise<void> }>()
  const standing = new Map<string, { readonly status: string; readonly since: number }>()

  async function set(room: string, under: string, status: string): Promise<boolean> {
    try {
      await client.tryOnce('assistant.threads.setStatus', (web) =>
        web.assistant.threads.setStatus({
          channel_id: room,
          thread_ts: under,
          status,
          ...(status === '' ? {} : { loading_messages: [status] }),
        }),
      )
      return true
    } catch (error) {
      log.debug({ room, error: messageOf(error) }, 'A sign of life could not be shown')
      return false
    }
  }

  const stands = (key: string, status: string) => {
    const known = standing.get(key)
    if (known?.status !== status) return false
    return status === '' || clock.monotonic() - known.since < standsMs
  }
  const note = (key: string, status: string) => {
    standing.delete(key)
    standing.set(key, { status, since: clock.monotonic() })
    const [oldest] = standing.size > remembered ? standing.keys() : []
    if (oldest !== undefined) standing.delete(oldest)
  }

  return {
    show({ thread, postId }, line) {
      const place = placeOf(thread, postId)
      if (!place) return Promise.resolve()
      const { key, under } = place
      const status = clip(line ?? '', 100)
      const before = running.get(key)
      if (before) {
        before.next = status
        return before.done
      }
      const finished = Promise.withResolvers<void>()
      const own = { next: status as string | undefined, done: finished.promise }
      running.set(key, own)
      const work = async () => {
        for (let next = own.next; next !== undefined; next = own.next) {
          own.next = undefined
          if (stands(key, next)) continue
          standing.delete(key)
          if (await set(thread.room, under, next)) note(key, next)
        }
        running.delete(key)
      }
      void work().then(finished.resolve)
      return own.done
    },
    answered({ thread, postId }) {
      const place = placeOf(thread, postId)
      // A line that is under way may come after the post.
      if (place && !running.has(place.key)) note(place.key, '')
    },
  }
}

/** At the top level of a direct message the sign stands under the post that is answered. */
function placeOf(thread: ReplyTarget['thread'], postId: string | undefined) {
  const under = threadTs(thread) ?? (isDirect(thread.room) ? postId : undefined)
  return under === undefined ? undefined : { under, key: `${thread.room}/${under}` }
}
