import { messageOf } from '../base/errors.ts'
import { within } from '../base/wait.ts'
import type { Log } from '../observe/log.ts'
import type { Answering, Bells } from './queue.ts'

/** Bells of a process that does the work itself. */
export interface NearBells extends Pick<Bells, 'ring' | 'ringAgain'>, Answering {}

/**
 * Answers a bell at once in the process where it rings, and leaves to the queue what there is no room for here.
 * As with the queue, one key is worked on once at a time, and a bell meanwhile counts for one more time after it.
 * What dies with the process is rung again by the sweep of another one, or of the next start.
 */
export function answerNear(parts: {
  far: Bells
  /** Keys that are worked on side by side. */
  room: number
  answer: (key: string) => Promise<void>
  log: Log
}): NearBells {
  const { far, room, answer, log } = parts
  const working = new Map<string, { again: boolean; readonly ended: Promise<void> }>()
  let open = true

  const work = async (key: string): Promise<void> => {
    // The event that rang is acknowledged first.
    await new Promise<void>((resolve) => setImmediate(resolve))
    for (;;) {
      const own = working.get(key)!
      own.again = false
      try {
        await answer(key)
      } catch (error) {
        log.error(
          { key, error: messageOf(error) },
          'A session could not be worked on; the sweep will ring again',
        )
      }
      if (!own.again || !open) break
    }
    working.delete(key)
  }

  return {
    async ring(key) {
      const before = working.get(key)
      if (before) before.again = true
      else if (!open || working.size >= room) await far.ring(key)
      else {
        const ended = Promise.withResolvers<void>()
        working.set(key, { again: false, ended: ended.promise })
        void work(key).then(ended.resolve)
      }
    },
    async ringAgain(key) {
      // What hangs here is for somebody else.
      if (working.has(key)) await far.ringAgain(key)
      else await this.ring(key)
    },
    async close(ms) {
      open = false
      const ended = Promise.all([...working.values()].map((own) => own.ended))
      await within(ms, 'Ending what is under way', ended).catch(() => {})
    },
  }
}
