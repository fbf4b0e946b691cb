import { DateTime } from 'luxon'

/** How something comes again and again: days by a pattern, each at one time of day by the wall clock. */
export interface Recurrence {
  readonly unit: 'day' | 'week' | 'month' | 'year'
  /** Every so many of them, counted from `from`. */
  readonly interval: number
  /** Of weeks: ISO weekdays, Monday is 1. */
  readonly weekdays?: readonly number[]
  /** Of months and years: the day of the month (31 means the last where there are fewer), or the nth of some weekdays. */
  readonly on?: { readonly day: number } | { readonly nth: number; readonly weekdays: readonly number[] }
  /** Of years: the month, 1 to 12. */
  readonly month?: number
  readonly hour: number
  readonly minute: number
  /** The day that intervals are counted from, as 2026-11-30. */
  readonly from: string
}

/** What words say about a recurrence; the time and the days may be left to something else. */
export interface Pattern extends Omit<Recurrence, 'hour' | 'minute' | 'from'> {
  readonly time?: { readonly hour: number; readonly minute: number }
}

export const workdays: readonly number[] = [1, 2, 3, 4, 5]

/** No pattern leaves out more days than this: the 29th of February of every eighth year, and some. */
const mostDays = 366 * 17

/**
 * The first moment after another one at which it comes, in a time zone: always the same time by the wall clock, also
 * across a change to or from summer time. A time that the change skips comes as much later as is skipped.
 */
export function nextOccurrence(rule: Recurrence, after: Date, timeZone: string): Date | undefined {
  const zone = DateTime.fromJSDate(after, { zone: timeZone }).isValid ? timeZone : 'utc'
  const from = DateTime.fromISO(rule.from, { zone: 'utc' })
  const now = DateTime.fromJSDate(after, { zone })
  // Days are counted in UTC, where each has 24 hours.
  let day = DateTime.utc(now.year, now.month, now.day)
  if (day < from) day = from
  for (let count = 0; count < mostDays; count += 1, day = day.plus({ days: 1 })) {
    if (!falls(rule, day, from)) continue
    const { year, month, day: date } = day
    const at = DateTime.fromObject({ year, month, day: date, hour: rule.hour, minute: rule.minute }, { zone })
    if (at.toMillis() > after.getTime()) return at.toJSDate()
  }
  return undefined
}

function falls(rule: Recurrence, day: DateTime, from: DateTime): boolean {
  switch (rule.unit) {
    case 'day':
      return Math.round(day.diff(from, 'days').days) % rule.interval === 0
    case 'week': {
      const weeks = Math.round(day.startOf('week').diff(from.startOf('week'), 'weeks').weeks)
      return (rule.weekdays ?? []).includes(day.weekday) && weeks % rule.interval === 0
    }
    case 'month': {
      const months = (day.year - from.year) * 12 + day.month - from.month
      return months % rule.interval === 0 && isDayOfMonth(rule, day)
    }
    case 'year':
      return (
        day.month === rule.month && (day.year - from.year) % rule.interval === 0 && isDayOfMonth(rule, day)
      )
    default:
      return rule.unit satisfies never
  }
}

function isDayOfMonth({ on }: Recurrence, day: DateTime): boolean {
  if (!on) return false
  const days = day.daysInMonth ?? 31
  if ('day' in on) return day.day === (on.day < 0 ? days + 1 + on.day : Math.min(on.day, days))
  if (!on.weekdays.includes(day.weekday)) return false
  const isOne = (date: number) => on.weekdays.includes(day.set({ day: date }).weekday)
  const count = (first: number, last: number) =>
    Array.from({ length: last - first + 1 }, (_, index) => first + index).filter(isOne).length
  return on.nth > 0 ? count(1, day.day) === on.nth : count(day.day, days) === -on.nth
}

/** Reads a rule as it was stored; nothing where it is none. */
export function parseRecurrence(text: string): Recurrence | undefined {
  if (!text.startsWith('{')) return undefined
  const rule = JSON.parse(text) as Recurrence
  return typeof rule.unit === 'string' && typeof rule.from === 'string' ? rule : undefined
}
