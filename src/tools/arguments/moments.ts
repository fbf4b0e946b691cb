import { DateTime, FixedOffsetZone } from 'luxon'
import type { Language } from '../../base/words.ts'

/** How people read a time: where they are, in their language. */
export interface Reader {
  readonly timeZone: string
  readonly language: Language
}

const exact = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.(\d+))?)?(?:Z|[+-]\d{2}:\d{2})$/i
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/**
 * An exact time as people read it: "4 Dec 2026, 17:00 (UTC+1)", 2026年12月4日 17:00（UTC+8）. The zone is named, since
 * whoever decides may be elsewhere. What can't be written so without becoming another time stays as it is.
 */
export function shownMoment(value: string, { timeZone, language }: Reader): string {
  const at = momentOf(value)?.setZone(timeZone)
  if (!at?.isValid || at.year < 1000) return value
  const seconds = at.millisecond > 0 ? ':ss.SSS' : at.second > 0 ? ':ss' : ''
  const time = at.toFormat(`HH:mm${seconds}`)
  const zone = `UTC${at.offset === 0 ? '' : at.toFormat('Z')}`
  const text =
    language === 'zh'
      ? `${at.year}年${at.month}月${at.day}日 ${time}（${zone}）`
      : `${at.day} ${months[at.month - 1]} ${at.year}, ${time} (${zone})`
  return readMoment(text, timeZone)?.toMillis() === at.toMillis() ? text : value
}

const time = '(?<hour>\\d{1,2})[:：](?<minute>\\d{2})(?::(?<second>\\d{2})(?:\\.(?<millisecond>\\d{3}))?)?'
const zone = '(?:\\s*[(（](?<zone>UTC(?:[+-]\\d{1,2}(?::\\d{2})?)?)[)）])?'
const forms = [
  new RegExp(`^(?<day>\\d{1,2}) (?<name>[a-z]{3})[a-z]*\\.? (?<year>\\d{4}),? ${time}${zone}$`, 'i'),
  new RegExp(`^(?<year>\\d{4})年(?<month>\\d{1,2})月(?<day>\\d{1,2})日\\s*${time}${zone}$`),
]

/** The time that was written as `shownMoment` does, as it was or changed; without a zone it is that of the person. */
export function readMoment(text: string, timeZone: string): DateTime | undefined {
  const parts = forms.map((form) => form.exec(text.trim())?.groups).find((groups) => groups !== undefined)
  if (!parts) return undefined
  const { name, month, zone: named } = parts
  const number = (part: string | undefined) => Number(part ?? 0)
  const at = DateTime.fromObject(
    {
      year: number(parts.year),
      month: name ? months.findIndex((one) => one.toLowerCase() === name.toLowerCase()) + 1 : number(month),
      day: number(parts.day),
      hour: number(parts.hour),
      minute: number(parts.minute),
      second: number(parts.second),
      millisecond: number(parts.millisecond),
    },
    { zone: named ? FixedOffsetZone.parseSpecifier(named) : timeZone },
  )
  return at.isValid ? at : undefined
}

/** The time that a value stands for, where it names one exactly, to the millisecond at most. */
export function momentOf(value: unknown): DateTime | undefined {
  const [, fraction = ''] = (typeof value === 'string' && exact.exec(value)) || []
  if (typeof value !== 'string' || !exact.test(value) || /[1-9]/.test(fraction.slice(3))) return undefined
  const at = DateTime.fromISO(value)
  return at.isValid ? at : undefined
}
