import { parse } from 'chrono-node/en'
import { DateTime } from 'luxon'
import {
  between,
  day,
  minute,
  type NamedStretch,
  nearest,
  partOfDay,
  type Stretch,
  whole,
} from './stretch.ts'

// chrono reads "next week" as a point seven days ahead and knows no quarters or weekends: these come first.
const wholeUnit =
  /\b(?:(?<end>the end|the beginning|the start|end|start|beginning) of (?:the |this )?)?(?<which>this|last|past|previous|next|the coming|coming|the current|current|the)\s+(?<unit>week|month|quarter|year|weekend)\b(?<after> after next| before last)?/gi
const span =
  /\b(?:(?:in|over|during|within|for) )?(?:the )?(?<which>last|past|previous|next|coming)\s+(?<count>\d{1,3}|a few|few|two|three|four|five|six|seven|ten)\s+(?<unit>day|week|month|year)s\b/gi
const shift = /\bthe day (?<which>after tomorrow|before yesterday)\b/gi
const counts: Readonly<Record<string, number>> = {
  'a few': 3,
  few: 3,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  ten: 10,
}
const parts: Readonly<Record<string, readonly [from: number, to: number]>> = {
  morning: [6, 12],
  noon: [12, 13],
  afternoon: [12, 18],
  evening: [18, 22],
  tonight: [18, 24],
  night: [18, 24],
}
// chrono takes "he sat", "the sun" and "may" for dates: a name that is also a word needs a capital letter and
// a word before it that goes with dates. "Now" says nothing that lasts.
const alsoWords = /^(?:sat|sun|mon|wed|mar|may|jan|dec|march)\W*$/i
const goesWithDates =
  /\b(?:in|on|by|since|until|till|before|after|from|to|of|for|this|next|last|early|mid|late|is)\s+$/i
const saysNow = /^(?:(?:right )?now|the (?:week|month|year|day|quarter|weekend))\W*$/i
const dayOfMonth =
  /\b(?:on|by|until|till|before|after|from|since) the (?<day>\d{1,2})(?:st|nd|rd|th)\b(?=\s*(?:$|[.,;!?)]|(?:and|at|to|of (?:this|the) month)\b))/gi

type Unit = 'day' | 'week' | 'month' | 'quarter' | 'year'

/** The dates that English words in a text name. */
export function readEnglishDates(text: string, now: DateTime, lean: 'past' | 'future'): NamedStretch[] {
  const found: NamedStretch[] = []
  let rest = text
  const take = (match: RegExpExecArray, range: Stretch) => {
    found.push({ ...range, text: match[0], index: match.index, hasDay: true, relative: true })
    rest =
      rest.slice(0, match.index) + '.'.repeat(match[0].length) + rest.slice(match.index + match[0].length)
  }
  for (const match of text.matchAll(shift))
    take(match, day(now.plus({ days: match.groups?.which?.startsWith('after') ? 2 : -2 })))
  for (const match of rest.matchAll(span)) take(match, readSpan(match, now))
  for (const match of rest.matchAll(wholeUnit)) {
    const range = readWhole(match, now)
    if (range) take(match, range)
  }
  for (const match of rest.matchAll(dayOfMonth)) {
    const number = Number(match.groups?.day)
    const months = (month: number) => now.startOf('month').plus({ months: month })
    if (number < 1 || number > (months(0).daysInMonth ?? 31)) continue
    take(match, day(months(nearest(day(months(0).set({ day: number })), now, lean)).set({ day: number })))
  }
  return [...found, ...readRest(rest, now, lean)].sort((a, b) => a.index - b.index)
}

function readWhole(match: RegExpExecArray, now: DateTime): Stretch | undefined {
  const which = match.groups?.which?.toLowerCase() ?? ''
  const edge = match.groups?.end?.toLowerCase()
  const name = match.groups?.unit?.toLowerCase() ?? ''
  const after = match.groups?.after
  // "the week" is a date only in "the end of the week" and "the week after next".
  if (which === 'the' && !edge && !after) return undefined
  const unit: Unit = name === 'weekend' ? 'week' : (name as Unit)
  const ahead = /next|coming/.test(which) ? 1 : /last|past|previous/.test(which) ? -1 : 0
  const steps = after === ' after next' ? 2 : after === ' before last' ? -2 : ahead
  // The coming weekend is this week's, unless it has begun.
  const isComing = name === 'weekend' && /coming/.test(which) && now.weekday < 6
  const start = now.startOf(unit).plus({ [unit]: isComing ? 0 : steps })
  const end = start.plus({ [unit]: 1 })
  if (edge?.includes('end'))
    return unit === 'week' ? between(end.minus({ days: 3 }), end, 'span') : day(end.minus({ days: 1 }))
  if (edge) return day(start)
  if (name === 'weekend') return between(start.plus({ days: 5 }), end, 'span')
  return between(start, end, unit === 'quarter' ? 'span' : unit)
}

function readSpan(match: RegExpExecArray, now: DateTime): Stretch {
  const words = match.groups?.count?.toLowerCase() ?? '1'
  const count = counts[words] ?? Number(words)
  const unit = match.groups?.unit?.toLowerCase() ?? 'day'
  const today = now.startOf('day')
  return /next|coming/i.test(match.groups?.which ?? '')
    ? between(today, today.plus({ [unit]: count, days: 1 }), 'span')
    : between(today.minus({ [unit]: count }), today.plus({ days: 1 }), 'span')
}

function readRest(text: string, now: DateTime, lean: 'past' | 'future'): NamedStretch[] {
  const found: NamedStretch[] = []
  const reference = { instant: now.toJSDate(), timezone: now.offset }
  for (const result of parse(text, reference, { forwardDate: lean === 'future' })) {
    const before = text.slice(0, result.index)
    if (saysNow.test(result.text)) continue
    if (alsoWords.test(result.text) && !(/^[A-Z]/.test(result.text) && goesWithDates.test(before))) continue
    if (/\b(?:every|each|per)\s+(?:other\s+)?$/i.test(before)) continue
    const { start } = result
    const hasDay =
      start.isCertain('day') ||
      start.isCertain('weekday') ||
      start.isCertain('month') ||
      start.isCertain('year')
    const part = Object.entries(parts).find(([name]) =>
      new RegExp(`\\b${name}\\b`, 'i').test(result.text),
    )?.[1]
    let range = readComponents(start, now, start.isCertain('hour') ? undefined : part)
    if (!hasDay && range.grain === 'day') continue
    const isBareWeekday = start.isCertain('weekday') && !start.isCertain('day')
    // chrono takes the weekday nearest to now; the words before and after it say otherwise.
    if (isBareWeekday && !/\b(?:next|this|coming|last|past)\b/i.test(result.text)) {
      const weeks = nearest(range, now, lean)
      range = { ...range, start: range.start.plus({ weeks }), end: range.end.plus({ weeks }) }
    }
    const until = result.end ? readComponents(result.end, now, undefined) : undefined
    if (until && until.end > range.start)
      range = { start: range.start, end: until.end, grain: until.grain === 'minute' ? 'part' : 'span' }
    const names = /\d{4}/.test(result.text) && start.isCertain('year')
    const isNow = start.tags().has('result/relativeDateAndTime')
    found.push({
      ...range,
      text: result.text,
      index: result.index,
      hasDay: hasDay || isNow,
      relative: !names,
    })
  }
  return found
}

type Components = ReturnType<typeof parse>[number]['start']

function readComponents(
  components: Components,
  now: DateTime,
  part: readonly [number, number] | undefined,
): Stretch {
  // "in two hours" counts from the instant itself, whatever the clocks do in between.
  if (
    components.tags().has('result/relativeDateAndTime') ||
    (components.isCertain('timezoneOffset') && components.isCertain('hour'))
  ) {
    return minute(DateTime.fromJSDate(components.date(), { zone: now.zone }))
  }
  const at = now.set({
    year: components.get('year') ?? now.year,
    month: components.get('month') ?? now.month,
    day: components.get('day') ?? now.day,
    hour: components.get('hour') ?? 0,
    minute: components.get('minute') ?? 0,
    second: 0,
    millisecond: 0,
  })
  if (components.isCertain('hour')) return minute(at)
  if (part) return partOfDay(at, part)
  if (components.isCertain('day') || components.isCertain('weekday')) return day(at)
  if (components.isCertain('month')) return whole(at, 'month')
  if (components.isCertain('year')) return whole(at, 'year')
  return day(at)
}
