import type { Clock } from '../../src/base/clock.ts'

/** A clock that runs, and can be put forward. */
export interface MovingClock extends Clock {
  /** Puts it forward to that moment. */
  moveTo(moment: Date): void
}

/**
 * Starts at that moment, which must not lie before the machine's own time: what the database dates by itself would
 * be of the future.
 */
export function movingClock(start: Date): MovingClock {
  let ahead = start.getTime() - Date.now()
  if (ahead < -1_000) throw new Error('The clock would be behind the database.')
  return {
    now: () => new Date(Date.now() + ahead),
    monotonic: () => performance.now(),
    moveTo(moment) {
      const next = moment.getTime() - Date.now()
      if (next < ahead) throw new Error('The clock can only be put forward.')
      ahead = next
    },
  }
}
