/** A calendar day, as the number of days since 1970-01-01. */
export type Day = number

/** Whole days, both ends included. */
export interface Period {
  readonly from: Day
  readonly to: Day
}

const perDay = 86_400_000

/** Reads `2026-11-30`. */
export function readDay(text: string): Day | undefined {
  const ms = Date.parse(`${text}T00:00:00Z`)
  return Number.isNaN(ms) ? undefined : ms / perDay
}

/** Writes `2026-11-30`. */
export function writeDay(day: Day): string {
  return new Date(day * perDay).toISOString().slice(0, 10)
}

/** 1 is Monday. */
export function weekdayOf(day: Day): number {
  return new Date(day * perDay).getUTCDay() || 7
}

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
const han = '一二三四五六日'

/** The days in the past that words name, or nothing where they name none. Weeks begin on Monday. */
export function readPeriod(text: string, today: Day): Period | undefined {
  const exact = /\b(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})/.exec(text)
  if (exact) {
    const day = readDay(`${exact[1]}-${exact[2]!.padStart(2, '0')}-${exact[3]!.padStart(2, '0')}`)
    if (day !== undefined) return { from: day, to: day }
  }
  const monday = today - weekdayOf(today) + 1
  const one = (day: Day): Period => ({ from: day, to: day })
  const week = (weeks: number): Period => ({ from: monday + weeks * 7, to: monday + weeks * 7 + 6 })

  const lastWeekday =
    /\blast (monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b/i.exec(text)?.[1] ?? ''
  if (lastWeekday) {
    const wanted = weekdays.indexOf(lastWeekday.toLowerCase()) + 1
    return one(today - ((weekdayOf(today) - wanted + 7) % 7 || 7))
  }
  const named = /(上上|上|这|本)?个?(?:周|星期|礼拜)([一二三四五六日天])/.exec(text)
  if (named) {
    const weeks = named[1] === '上上' ? -2 : named[1] === '上' ? -1 : 0
    return one(monday + weeks * 7 + han.indexOf(named[2] === '天' ? '日' : named[2]!))
  }
  if (/\b(?:the )?(?:week before last|two weeks ago)\b|上上个?(?:周|星期|礼拜)|两周前/i.test(text))
    return week(-2)
  if (/\b(?:last|previous|past) week\b|上个?(?:周|星期|礼拜)/i.test(text)) return week(-1)
  if (/\bthis week\b|[这本]个?(?:周|星期|礼拜)/i.test(text)) return week(0)
  if (/\byesterday\b|昨[天日晚]/i.test(text)) return one(today - 1)
  if (/\btoday\b|今[天日]/i.test(text)) return one(today)
  if (/\blast month\b|上个?月/i.test(text)) return month(today, -1)
  if (/\bthis month\b|[这本]个?月/i.test(text)) return month(today, 0)
  return undefined
}

function month(today: Day, months: number): Period {
  const date = new Date(today * perDay)
  const from = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1) / perDay
  const to = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months + 1, 1) / perDay - 1
  return { from, to }
}

/** The day in a file's name: 2026-11-24, 20261124 or 2026年11月24日. */
export function dayInName(name: string): Day | undefined {
  const found = /(?<!\d)(\d{4})[-_.年]?(\d{2}|(?<=[-_.年])\d)[-_.月]?(\d{2}|(?<=[-_.月])\d)(?!\d)/.exec(name)
  return found
    ? readDay(`${found[1]}-${found[2]!.padStart(2, '0')}-${found[3]!.padStart(2, '0')}`)
    : undefined
}
