import type { Clock } from '../base/clock.ts'
import { messageOf } from '../base/errors.ts'
import type { Log } from '../observe/log.ts'

/** How long a session is left alone after its aftercare failed, in ms. */
const rest = 5 * 60_000

/** What is done for a session when nobody waits for it. One that failed is left alone for a while. */
export function createAftercare(parts: {
  readonly tasks: readonly ((sessionId: string) => Promise<void>)[]
  readonly clock: Clock
  readonly log: Log
}): (sessionId: string) => Promise<void> {
  const resting = new Map<string, number>()
  return async (sessionId) => {
    const now = parts.clock.monotonic()
    for (const [id, until] of resting) if (until <= now) resting.delete(id)
    if (resting.has(sessionId)) return
    try {
      for (const task of parts.tasks) await task(sessionId)
    } catch (error) {
      resting.set(sessionId, now + rest)
      parts.log.warn(
        { session: sessionId, error: messageOf(error) },
        'The aftercare of a session failed; it is tried again later',
      )
    }
  }
}
