import { DateTime } from 'luxon'
import { readDates } from '../../search/dates.ts'

/** When and where words about time are said. */
export interface Moment {
  readonly now: Date
  readonly timeZone: string
}

const zoned = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/
const written = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?\s?(?:Z|[+-]\d{2}:?\d{2})?)?$/
const midnight = /^(\d{4}-\d{2}-\d{2})[T ]00:00(?::00(?:\.0+)?)?$/
// Written like 5/6/2026, which is a day in May here and one in June there.
const twofold = /^0?([1-9]|1[0-2])([/.-])0?([1-9]|1[0-2])\2(?:\d{2}|\d{4})$/
// What may stand around the words of a time without changing which time it is.
const around = /^(?:at|on|by|due|for|till|until|the|在|于|到|截止到?|[\s,.，。])*$/i

/**
 * A value for a field of the format `date` or `date-time` as those are written: words that name exactly one time become
 * it where the person is, and a time without a zone gets theirs. What names a stretch, several times or more than a
 * time stays as it is, since which one is meant would be made up; so does a day that may be one in two months.
 */
export function writtenTime(value: unknown, format: unknown, at: Moment): unknown {
  if ((format !== 'date' && format !== 'date-time') || typeof value !== 'string') return value
  const text = value.trim()
  if (written.test(text))
    return format === 'date' ? (midnight.exec(text)?.[1] ?? value) : withZone(value, text, at)
  const [, month, , day] = twofold.exec(text) ?? []
  if (month !== day) return value
  const [range, ...others] = readDates(text, at)
  if (!range || others.length > 0) return value
  const rest = [text.slice(0, range.index), text.slice(range.index + range.text.length)]
  if (!rest.every((part) => around.test(part))) return value
  const start = DateTime.fromJSDate(range.start, { zone: at.timeZone })
  if (format === 'date')
    return range.hasDay && ['day', 'minute', 'part'].includes(range.grain) ? start.toISODate() : value
  return range.grain === 'minute' ? start.toISO({ suppressMilliseconds: true }) : value
}

function withZone(value: string, text: string, { timeZone }: Moment): string {
  // A day alone names no time of it.
  if (zoned.test(text) || text.length === 10) return value
  const time = DateTime.fromISO(text.replace(' ', 'T').replaceAll(' ', ''), { zone: timeZone, setZone: true })
  return (time.isValid && time.toISO({ suppressMilliseconds: true })) || value
}
