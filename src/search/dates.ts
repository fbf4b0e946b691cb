import { DateTime } from 'luxon'
import { readChineseDates } from './chinese-dates.ts'
import { readEnglishDates } from './english-dates.ts'
import type { Grain } from './stretch.ts'

/** A stretch of time that words in a text name. */
export interface DateRange {
  /** The words, and where they start in the text. */
  readonly text: string
  readonly index: number
  readonly start: Date
  /** Exclusive. */
  readonly end: Date
  readonly grain: Grain
  /** False where the words name only a time of day ("at 3 pm"), which is then today's. */
  readonly hasDay: boolean
  /** Can't be understood later without knowing when it was said. */
  readonly relative: boolean
}

/** What words about time are understood by. */
export interface DateReference {
  readonly now: Date
  /** IANA name, for example `Asia/Shanghai`. An unknown one counts as UTC. */
  readonly timeZone: string
  /** Which Friday "on Friday" means. Default `future`. */
  readonly lean?: 'past' | 'future'
}

/**
 * The dates that a text names, in English and Chinese, in their order. Weeks begin on Monday. Repetitions
 * ("every Monday", 每周一) are not dates and left out.
 */
export function readDates(text: string, reference: DateReference): DateRange[] {
  const now = inZone(reference.now, reference.timeZone)
  const lean = reference.lean ?? 'future'
  const chinese = readChineseDates(text, now, lean)
  // What Chinese rules have read must not be read again ("明天15:00"), and places must stay the same.
  let rest = text
  for (const { index, text: words } of chinese)
    rest = rest.slice(0, index) + '.'.repeat(words.length) + rest.slice(index + words.length)
  return [...chinese, ...readEnglishDates(rest, now, lean)]
    .sort((a, b) => a.index - b.index)
    .map((named) => ({ ...named, start: named.start.toJSDate(), end: named.end.toJSDate() }))
}

/** The range as a date that stands by itself: 2026-12-04, 2026-12-04 15:00, 2026-11-30 to 2026-12-06. */
export function writeDate(range: DateRange, timeZone: string, language: 'en' | 'zh' = 'en'): string {
  const start = inZone(range.start, timeZone)
  const last = inZone(range.end, timeZone).minus(1)
  const to = language === 'zh' ? '至' : ' to '
  switch (range.grain) {
    case 'minute':
      return start.toFormat('yyyy-MM-dd HH:mm')
    case 'part':
      return `${start.toFormat('yyyy-MM-dd HH:mm')}–${last.toFormat('HH:mm') === '23:59' ? '24:00' : last.plus(1).toFormat('HH:mm')}`
    case 'day':
      return start.toFormat('yyyy-MM-dd')
    case 'month':
      return start.toFormat(language === 'zh' ? 'yyyy年M月' : 'yyyy-MM')
    case 'year':
      return start.toFormat(language === 'zh' ? 'yyyy年' : 'yyyy')
    case 'week':
    case 'span':
      return `${start.toFormat('yyyy-MM-dd')}${to}${last.toFormat('yyyy-MM-dd')}`
    default:
      return range.grain satisfies never
  }
}

/**
 * Words under which a time is found in full-text search: its day, ISO week, month and year. A question
 * about a week asks for the week's word, one about a day for the day's.
 */
export function dateKeys(date: Date, timeZone: string): string[] {
  const local = inZone(date, timeZone)
  return ['yyyy-MM-dd', "kkkk-'w'WW", 'yyyy-MM', "'year'-yyyy"].map((format) => local.toFormat(format))
}

/** The words to ask for when a question names this range: at most a fortnight's days, or months. */
export function rangeKeys(range: DateRange, timeZone: string): string[] {
  const [, week, month, year] = dateKeys(range.start, timeZone)
  if (range.grain === 'week') return [week!]
  if (range.grain === 'month') return [month!]
  if (range.grain === 'year') return [year!]
  const days = Math.ceil((range.end.getTime() - range.start.getTime()) / 86_400_000)
  const unit = days <= 14 ? 'days' : 'months'
  const format = unit === 'days' ? 'yyyy-MM-dd' : 'yyyy-MM'
  const keys: string[] = []
  const end = inZone(range.end, timeZone)
  for (let at = inZone(range.start, timeZone); at < end && keys.length < 14; at = at.plus({ [unit]: 1 }))
    keys.push(at.toFormat(format))
  return keys
}

/** A text whose relative times have become dates, and the dates that were found. */
export interface DatedText {
  readonly text: string
  readonly dates: readonly DateRange[]
}

/** Rewrites "next Friday" and 下周五 as dates; other times, and days that come every year, stay as they are. */
export function writeDates(text: string, reference: DateReference): DatedText {
  const dates = readDates(text, { lean: tellsOfThePast(text) ? 'past' : 'future', ...reference })
  let result = ''
  let from = 0
  for (const range of dates) {
    if (!range.relative || !range.hasDay || (comesEveryYear.test(text) && namesMonth.test(range.text)))
      continue
    result += text.slice(from, range.index)
    const date = writeDate(range, reference.timeZone, /\p{Script=Han}/u.test(range.text) ? 'zh' : 'en')
    result += preposition(range, result) + date
    from = range.index + range.text.length
  }
  return { text: result + text.slice(from), dates }
}

const comesEveryYear = /birthday|anniversary|\bborn\b|holiday|every year|生日|纪念日|每年|节日/i
const namesMonth = /月|^(?:on |in )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i
const ownPreposition = /^(?:on|by|until|till|from|since|before|after|at)\s+(?:the\s+(?=\d))?/i
const leads = /(?:^|\W)(?:on|in|at|during|by|until|till|from|since|before|after|for|of|to|is|the|was)\s+$/i

/** Does a sentence speak of what has been? Then "on Friday" means the last one. */
function tellsOfThePast(text: string): boolean {
  return (
    /\b(?:was|were|had|did|met|went|said|told|came|got|made|took|gave|saw|left|sent|[a-z]{3,}ed)\b/i.test(
      text,
    ) || /[了过]|曾|已经/.test(text)
  )
}

// "tomorrow" can stand alone where a date needs a word before it: "The demo starts on 2026-12-04".
function preposition(range: DateRange, before: string): string {
  if (/\p{Script=Han}/u.test(range.text)) return ''
  const own = ownPreposition.exec(range.text)
  if (own) return own[0].replace(/\bthe\s+$/i, '')
  if (leads.test(before)) return ''
  if (range.grain === 'minute') return 'at '
  return range.grain === 'month' || range.grain === 'year' ? 'in ' : 'on '
}

function inZone(date: Date, timeZone: string): DateTime {
  const local = DateTime.fromJSDate(date, { zone: timeZone })
  return local.isValid ? local : DateTime.fromJSDate(date, { zone: 'utc' })
}
