import type { DateTime } from 'luxon'

/** How fine words about time are: `part` is a part of a day, such as the morning; `span` several days. */
export type Grain = 'minute' | 'part' | 'day' | 'week' | 'month' | 'year' | 'span'

/** A stretch of local time; the end is exclusive. */
export interface Stretch {
  readonly start: DateTime
  readonly end: DateTime
  readonly grain: Grain
}

/** A stretch and the words that name it. */
export interface NamedStretch extends Stretch {
  readonly text: string
  readonly index: number
  readonly hasDay: boolean
  readonly relative: boolean
}

export function between(start: DateTime, end: DateTime, grain: Grain): Stretch {
  return { start, end, grain }
}

export function minute(at: DateTime): Stretch {
  return between(at, at.plus({ minutes: 1 }), 'minute')
}

export function day(at: DateTime): Stretch {
  const start = at.startOf('day')
  return between(start, start.plus({ days: 1 }), 'day')
}

/** From one hour of a day to another; 24 is the next midnight. */
export function partOfDay(at: DateTime, [from, to]: readonly [from: number, to: number]): Stretch {
  const start = at.startOf('day')
  const hour = (number: number) => (number === 24 ? start.plus({ days: 1 }) : start.set({ hour: number }))
  return between(hour(from), hour(to), 'part')
}

/** The whole calendar unit in which the moment lies. */
export function whole(at: DateTime, unit: 'week' | 'month' | 'year'): Stretch {
  const start = at.startOf(unit)
  return between(start, start.plus({ [unit]: 1 }), unit)
}

/**
 * Words without a year or a week mean the nearest such time in the direction that a sentence leans to:
 * 0 for this period's, 1 for the next, -1 for the last.
 */
export function nearest(stretch: Stretch, now: DateTime, lean: 'past' | 'future'): -1 | 0 | 1 {
  if (lean === 'future') return stretch.end <= now.startOf('day') ? 1 : 0
  return stretch.start > now ? -1 : 0
}
