import { messageOf } from '../../src/base/errors.ts'
import type { ReplyTarget } from '../../src/channel/port.ts'
import type { Log } from '../../src/observe/log.ts'
import type { SlackClient } from './client.ts'
import { isDirect, threadTs } from './place.ts'
import { clip } from './writing.ts'

/** Shows a status line under a thread; `null` takes it away. Never rejects. */
export type ShowActivity = (target: ReplyTarget, line: string | null) => Promise<void>

/** One call at a time for each thread; of lines that wait only the latest is shown. */
export function createActivity(client: SlackClient, log: Log): ShowActivity {
  const running = new Map<string, { next: string | undefined; readonly done: Promise<void> }>()

  async function set(room: string, under: string, status: string): Promise<void> {
    try {
      await client.tryOnce('assistant.threads.setStatus', (web) =>
        web.assistant.threads.setStatus({
          channel_id: room,
          thread_ts: under,
          status,
          ...(status === '' ? {} : { loading_messages: [status] }),
        }),
      )
    } catch (error) {
      log.debug({ room, error: messageOf(error) }, 'A sign of life could not be shown')
    }
  }

  return ({ thread, postId }, line) => {
    // At the top level of a direct message the sign stands under the post that is answered.
    const under = threadTs(thread) ?? (isDirect(thread.room) ? postId : undefined)
    if (under === undefined) return Promise.resolve()
    const key = `${thread.room}/${under}`
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
        await set(thread.room, under, next)
      }
      running.delete(key)
    }
    void work().then(finished.resolve)
    return own.done
  }
}
