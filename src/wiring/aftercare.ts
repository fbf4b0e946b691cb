import type { Clock } from '../base/clock.ts'
import { messageOf } from '../base/errors.ts'
import type { Log } from '../observe/log.ts'
import type { Metrics } from '../observe/metrics.ts'

/** How long a session is left alone after its aftercare failed or was put off, in ms. */
const rest = 5 * 60_000

/** Something that is done for a session; put off where a limit of the day does not let it be done now. */
export type AftercareTask = (sessionId: string) => Promise<'done' | 'put off'>

/** Is a limit of the day reached, for this person or for all? */
export type IsOver = (task: 'learn' | 'summary', personId: string) => Promise<boolean>

/** Asks for the limits of the day, and counts what they put off. */
export function createIsOver(parts: {
  readonly dayLimit: (personId: string) => Promise<{ readonly outcome: string } | undefined>
  readonly putOff: Metrics['putOff']
  readonly log: Log
}): IsOver {
  return async (task, personId) => {
    const limit = await parts.dayLimit(personId)
    if (!limit) return false
    parts.putOff.inc({ task, limit: limit.outcome })
    parts.log.info(
      { task, person: personId, limit: limit.outcome },
      'Put off, since a limit of the day is reached',
    )
    return true
  }
}

/** What is done for a session when nobody waits for it. One that failed, or was put off, is left alone for a while. */
export function createAftercare(parts: {
  readonly tasks: readonly AftercareTask[]
  readonly clock: Clock
  readonly log: Log
}): (sessionId: string) => Promise<void> {
  const resting = new Map<string, number>()
  /** A bell that comes meanwhile would only ask the model the same once more; the sweep rings for what is left. */
  const underWay = new Set<string>()
  return async (sessionId) => {
    if (underWay.has(sessionId)) return
    underWay.add(sessionId)
    try {
      await careFor(sessionId)
    } finally {
      underWay.delete(sessionId)
    }
  }

  async function careFor(sessionId: string): Promise<void> {
    const now = parts.clock.monotonic()
    for (const [id, until] of resting) if (until <= now) resting.delete(id)
    if (resting.has(sessionId)) return
    try {
      for (const task of parts.tasks)
        if ((await task(sessionId)) === 'put off') resting.set(sessionId, now + rest)
    } catch (error) {
      resting.set(sessionId, now + rest)
      parts.log.warn(
        { session: sessionId, error: messageOf(error) },
        'The aftercare of a session failed; it is tried again later',
      )
    }
  }
}
