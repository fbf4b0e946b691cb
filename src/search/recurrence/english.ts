import { type Pattern, workdays } from './rule.ts'

const dayNames =
  '(?:mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:r(?:s(?:day)?)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?)s?'
const dayOrder = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const workingDay = '(?:work(?:ing|ing-)?[ -]?day|business day|weekday)'
const numbers: Readonly<Record<string, number>> = {
  ...{ one: 1, two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8, nine: 9, ten: 10, twelve: 12 },
  ...{ other: 2, second: 2, third: 3, fourth: 4 },
}
const ordinals: Readonly<Record<string, number>> = {
  ...{ first: 1, second: 2, third: 3, fourth: 4, fifth: 5, last: -1 },
  ...{ '1st': 1, '2nd': 2, '3rd': 3, '4th': 4, '5th': 5 },
}
const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const monthName = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*'

const nthOfMonth = new RegExp(
  `\\b(${Object.keys(ordinals).join('|')}) (${dayNames}|${workingDay}|day)\\b(?=.*\\bmonth)|\\bmonth.*?\\b(${Object.keys(ordinals).join('|')}) (${dayNames}|${workingDay}|day)\\b`,
)
const everyDays = new RegExp(
  `\\b(?:every|each)(?: (other|second|third|fourth|2nd|3rd|4th|\\d{1,2}|${Object.keys(numbers).join('|')}))? ((?:${dayNames})(?:(?:,? and |, ?| & )(?:${dayNames}))*)\\b`,
)
const onDays = new RegExp(`\\bon ((?:${dayNames})(?:(?:,? and |, ?| & )(?:${dayNames}))*)\\b`)
const everyUnit =
  /\b(?:every|each)(?: (other|second|third|fourth|2nd|3rd|4th|\d{1,2}|two|three|four|five|six|seven|eight|nine|ten|twelve))? (day|morning|afternoon|evening|night|week|month|year)s?\b/

/** What English words say about a recurrence. */
export function readEnglish(words: string): Pattern | undefined {
  const text = words.toLowerCase().replace(/\s+/g, ' ')
  const time = timeIn(text)
  const at = time ? { time } : {}

  const nth = nthOfMonth.exec(text)
  if (nth) {
    const interval = intervalOf(/\bevery (\w+) months\b/.exec(text)?.[1])
    const which = ordinals[(nth[1] ?? nth[3])!]!
    const what = (nth[2] ?? nth[4])!
    if (what === 'day') return { unit: 'month', interval, on: { day: which }, ...at }
    return { unit: 'month', interval, on: { nth: which, weekdays: daysIn(what) }, ...at }
  }
  if (
    new RegExp(`\\b(?:every|each|on) ${workingDay}s?\\b|\\b(?:${workingDay})s\\b|\\bweekdays\\b`).test(text)
  )
    return { unit: 'week', interval: 1, weekdays: workdays, ...at }
  if (/\b(?:every|each|on) weekends?\b|\bweekends\b/.test(text))
    return { unit: 'week', interval: 1, weekdays: [6, 7], ...at }

  const named = everyDays.exec(text)
  if (named) return { unit: 'week', interval: intervalOf(named[1]), weekdays: daysIn(named[2]!), ...at }

  const unit = everyUnit.exec(text)
  const adverb = /\b(daily|weekly|bi-?weekly|fortnightly|monthly|quarterly|yearly|annually)\b/.exec(text)?.[1]
  const found = unit
    ? { unit: unitOf(unit[2]!), interval: intervalOf(unit[1]) }
    : adverb
      ? adverbs[adverb.replace('-', '')]
      : undefined
  if (!found) return pluralDays(text, at)
  if (found.unit === 'week') {
    const days = onDays.exec(text)?.[1]
    return { ...found, ...(days ? { weekdays: daysIn(days) } : {}), ...at }
  }
  if (found.unit === 'month') {
    const day = /\b(\d{1,2})(?:st|nd|rd|th)\b/.exec(text)?.[1] ?? /\bday (\d{1,2})\b/.exec(text)?.[1]
    return { ...found, ...(day ? { on: { day: Math.min(31, Math.max(1, Number(day))) } } : {}), ...at }
  }
  if (found.unit === 'year') return { ...found, ...dateIn(text), ...at }
  return { ...found, ...at }
}

const adverbs: Readonly<Record<string, { unit: Pattern['unit']; interval: number }>> = {
  daily: { unit: 'day', interval: 1 },
  weekly: { unit: 'week', interval: 1 },
  biweekly: { unit: 'week', interval: 2 },
  fortnightly: { unit: 'week', interval: 2 },
  monthly: { unit: 'month', interval: 1 },
  quarterly: { unit: 'month', interval: 3 },
  yearly: { unit: 'year', interval: 1 },
  annually: { unit: 'year', interval: 1 },
}

/** "on Mondays and Thursdays at 9": the plural alone says that it comes again. */
function pluralDays(text: string, at: Pick<Pattern, 'time'>): Pattern | undefined {
  const days = onDays.exec(text)?.[1]
  return days && /s\b/.test(days.replace(/\b(?:tues|thurs)\b/g, ''))
    ? { unit: 'week', interval: 1, weekdays: daysIn(days), ...at }
    : undefined
}

function unitOf(word: string): Pattern['unit'] {
  return word === 'week' || word === 'month' || word === 'year' ? word : 'day'
}

function intervalOf(word: string | undefined): number {
  if (word === undefined) return 1
  return Math.max(1, numbers[word] ?? (Number.parseInt(word, 10) || 1))
}

function daysIn(text: string): readonly number[] {
  if (new RegExp(`^${workingDay}$`).test(text)) return workdays
  const found = [...text.matchAll(/\b(mon|tue|wed|thu|fri|sat|sun)/g)].map(
    (match) => dayOrder.indexOf(match[1]!) + 1,
  )
  return [...new Set(found)].sort((a, b) => a - b)
}

function dateIn(text: string): Pick<Pattern, 'month' | 'on'> {
  const found =
    new RegExp(`\\b(?<month>${monthName}) (?<day>\\d{1,2})(?:st|nd|rd|th)?\\b`).exec(text) ??
    new RegExp(`\\b(?<day>\\d{1,2})(?:st|nd|rd|th)?(?: of)? (?<month>${monthName})\\b`).exec(text)
  if (!found?.groups) return {}
  return {
    month: monthNames.indexOf(found.groups.month!.slice(0, 3)) + 1,
    on: { day: Number(found.groups.day) },
  }
}

/** The time of day that a text names. */
function timeIn(text: string): { hour: number; minute: number } | undefined {
  if (/\bnoon\b|\bmidday\b/.test(text)) return { hour: 12, minute: 0 }
  if (/\bmidnight\b/.test(text)) return { hour: 0, minute: 0 }
  const part = /\b(morning|afternoon|evening|night)s?\b/.exec(text)?.[1]
  const named =
    /\b(\d{1,2}):(\d{2})(?:\s?([ap])\.?m\b\.?)?/.exec(text) ??
    /\b(\d{1,2})()\s?([ap])\.?m\b\.?/.exec(text) ??
    /\b(?:at|by|@)\s?(\d{1,2})()(?!\d|st|nd|rd|th)(?:\s?o'clock)?/.exec(text)
  if (!named) {
    const usual = { morning: 9, afternoon: 15, evening: 19, night: 21 }
    return part ? { hour: usual[part as keyof typeof usual], minute: 0 } : undefined
  }
  const given = Number(named[1])
  const minute = Number(named[2] || 0)
  const late = named[3] === 'p' || (named[3] === undefined && part !== undefined && part !== 'morning')
  const hour = late && given < 12 ? given + 12 : named[3] === 'a' && given === 12 ? 0 : given
  return hour < 24 && minute < 60 ? { hour, minute } : undefined
}
