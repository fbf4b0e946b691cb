import type { DateTime } from 'luxon'
import { readNumber } from './chinese-numbers.ts'
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

const number = '(?:\\d{1,3}|[零一二两三四五六七八九十百]{1,4})'
const weekday = '[一二三四五六日天末]'

// One alternative for each way to name a day; the time of day may follow any of them.
const dayWords = [
  '(?<named>大前天|前天|前日|昨天|昨日|今天|今日|明天|明日|大后天|后天|今早|今晚|明早|明晚|昨晚|昨夜|今夜)',
  `(?<![晚早])(?<week>上上|下下|上|下|本|这)(?:一?个)?(?:周|星期|礼拜)(?<weekDay>${weekday})?(?!报(?!销|告))`,
  `(?<![每\\d一二两三四五六七八九十几单双])(?:周|星期|礼拜)(?<plainDay>${weekday})(?!次)`,
  `(?<month>上上|下下|上|下|本|这)(?:一?个)?月(?:(?<monthDay>${number})[日号]|(?<monthEdge>底|末|初))?`,
  `(?<year>前年|去年|今年|明年|后年)(?:(?<yearMonth>${number})月(?:份|(?<yearDay>${number})[日号])?|(?<yearEdge>底|末|初))?`,
  `(?:(?<onYear>\\d{4})年)?(?<onMonth>${number})月(?:份|(?<onDay>${number})[日号])?`,
  '(?<wholeYear>\\d{4})年',
  `(?<![第\\d一二三四五六七八九十])(?<onlyDay>\\d{1,2})[日号](?=[，。,.!?！？之前后的上下早晚开交到\\s]|$)`,
  '(?<edge>月底|月初|年底|年初)',
].join('|')
const parts: Readonly<Record<string, readonly [from: number, to: number]>> = {
  凌晨: [0, 6],
  清晨: [5, 8],
  早上: [6, 12],
  早晨: [6, 12],
  上午: [8, 12],
  中午: [11, 14],
  下午: [12, 18],
  傍晚: [17, 20],
  晚上: [18, 24],
  夜里: [20, 24],
  半夜: [0, 5],
}
const clock = (prefix: string, hour: string) =>
  `(?<${prefix}Hour>${hour})(?:点钟?|[:：])(?:(?<${prefix}Minute>半|[一三]刻|${number})分?)?`
const partNames = Object.keys(parts).join('|')
const dated = new RegExp(`(?:${dayWords})(?:的?(?<part>${partNames}))?(?:的?${clock('day', number)})?`, 'g')
const timeOnly = new RegExp(
  `(?:(?<part>${partNames})的?${clock('part', number)})|(?:${clock('bare', '\\d{1,2}')})|(?<aloneHour>[一二两三四五六七八九十]{1,2})点(?:(?<aloneMinute>半|[一三]刻)|整|钟)`,
  'g',
)
const shifted = new RegExp(
  `(?<count>${number}|半)(?:个)?(?<half>半)?(?<unit>小时|钟头|分钟|天|日|周|星期|礼拜|月|年)(?<extra>半)?(?<direction>以前|之前|前|以后|之后|后)(?![天日年])`,
  'g',
)
const spans = new RegExp(
  `(?<past>最近|过去|近)?(?<ahead>未来|接下来|今后)?(?:的|这)?(?<count>${number}|几)(?:个)?(?<unit>天|周|星期|礼拜|月|年)(?<within>以?内|之内)?`,
  'g',
)
const namedDays: Readonly<Record<string, number>> = {
  大前天: -3,
  前天: -2,
  前日: -2,
  昨天: -1,
  昨日: -1,
  昨晚: -1,
  昨夜: -1,
  明天: 1,
  明日: 1,
  明早: 1,
  明晚: 1,
  后天: 2,
  大后天: 3,
}
const years: Readonly<Record<string, number>> = { 前年: -2, 去年: -1, 今年: 0, 明年: 1, 后年: 2 }
const steps: Readonly<Record<string, number>> = { 上上: -2, 上: -1, 本: 0, 这: 0, 下: 1, 下下: 2 }
const units: Readonly<Record<string, 'minutes' | 'hours' | 'days' | 'weeks' | 'months' | 'years'>> = {
  分钟: 'minutes',
  小时: 'hours',
  钟头: 'hours',
  天: 'days',
  日: 'days',
  周: 'weeks',
  星期: 'weeks',
  礼拜: 'weeks',
  月: 'months',
  年: 'years',
}

type Groups = Readonly<Record<string, string | undefined>>

/** The dates that Chinese words in a text name. */
export function readChineseDates(text: string, now: DateTime, lean: 'past' | 'future'): NamedStretch[] {
  if (!/\p{Script=Han}/u.test(text)) return []
  const found: NamedStretch[] = []
  const readAll = (
    pattern: RegExp,
    hasDay: boolean,
    read: (groups: Groups) => (Stretch & { relative?: boolean }) | undefined,
  ) => {
    for (const match of text.matchAll(pattern)) {
      const from = match.index
      const to = from + match[0].length
      if (found.some((range) => from < range.index + range.text.length && range.index < to)) continue
      if (/每个?$/.test(text.slice(0, from))) continue
      const stretch = read(match.groups ?? {})
      if (stretch) found.push({ relative: true, ...stretch, text: match[0], index: from, hasDay })
    }
  }
  readAll(shifted, true, (groups) => readShift(groups, now))
  readAll(spans, true, (groups) => readSpan(groups, now))
  readAll(dated, true, (groups) => readDay(groups, now, lean))
  readAll(timeOnly, false, (groups) => atTime(day(now), groups))
  return found.sort((a, b) => a.index - b.index)
}

function readDay(
  groups: Groups,
  now: DateTime,
  lean: 'past' | 'future',
): (Stretch & { relative: boolean }) | undefined {
  const stretch = nameDay(groups, now, lean)
  if (!stretch) return undefined
  const isFixed = Boolean(groups.onYear ?? groups.wholeYear)
  return { ...atTime(stretch, groups), relative: !isFixed }
}

function nameDay(groups: Groups, now: DateTime, lean: 'past' | 'future'): Stretch | undefined {
  const today = now.startOf('day')
  if (groups.named) {
    const at = today.plus({ days: namedDays[groups.named] ?? 0 })
    if (groups.named.endsWith('早')) return partOfDay(at, [6, 12])
    return /[晚夜]$/.test(groups.named) ? partOfDay(at, [18, 24]) : day(at)
  }
  if (groups.week) {
    const week = today.startOf('week').plus({ weeks: steps[groups.week] ?? 0 })
    return groups.weekDay ? weekDay(week, groups.weekDay) : whole(week, 'week')
  }
  if (groups.plainDay) {
    const stretch = weekDay(today.startOf('week'), groups.plainDay)
    return weekDay(today.startOf('week').plus({ weeks: nearest(stretch, now, lean) }), groups.plainDay)
  }
  if (groups.month) {
    const month = today.startOf('month').plus({ months: steps[groups.month] ?? 0 })
    if (groups.monthDay) return dayOf(month, readNumber(groups.monthDay))
    return groups.monthEdge ? edgeOf(month, 'month', groups.monthEdge) : whole(month, 'month')
  }
  if (groups.year) {
    const year = today.startOf('year').plus({ years: years[groups.year] ?? 0 })
    if (groups.yearMonth) return monthOf(year, groups.yearMonth, groups.yearDay)
    return groups.yearEdge ? edgeOf(year, 'year', groups.yearEdge) : whole(year, 'year')
  }
  if (groups.onMonth) {
    if (groups.onYear)
      return monthOf(today.set({ year: Number(groups.onYear) }).startOf('year'), groups.onMonth, groups.onDay)
    const stretch = monthOf(today.startOf('year'), groups.onMonth, groups.onDay)
    if (!stretch) return undefined
    return monthOf(
      today.startOf('year').plus({ years: nearest(stretch, now, lean) }),
      groups.onMonth,
      groups.onDay,
    )
  }
  if (groups.wholeYear) {
    const year = today.set({ year: Number(groups.wholeYear) }).startOf('year')
    return whole(year, 'year')
  }
  if (groups.onlyDay) {
    const stretch = dayOf(today.startOf('month'), Number(groups.onlyDay))
    if (!stretch) return undefined
    return dayOf(today.startOf('month').plus({ months: nearest(stretch, now, lean) }), Number(groups.onlyDay))
  }
  if (groups.edge) {
    const unit = groups.edge.startsWith('月') ? 'month' : 'year'
    return edgeOf(today.startOf(unit), unit, groups.edge.slice(1))
  }
  return undefined
}

// "3个月前" is a month as coarse as the words; days and weeks count to the day, hours to the minute.
function readShift(groups: Groups, now: DateTime): Stretch | undefined {
  const unit = units[groups.unit ?? '']
  if (!unit || !groups.count) return undefined
  const count =
    (groups.count === '半' ? 0.5 : readNumber(groups.count)) + (groups.half || groups.extra ? 0.5 : 0)
  const sign = groups.direction?.includes('前') ? -1 : 1
  if (unit === 'minutes' || unit === 'hours') {
    const at = now.plus({ [unit]: sign * count })
    return minute(at)
  }
  const at = count % 1 === 0 ? now.plus({ [unit]: sign * count }) : halfAway(now, unit, sign * count)
  if (unit === 'days' || unit === 'weeks') return day(at)
  const coarse = unit === 'months' ? 'month' : 'year'
  return count % 1 === 0 ? whole(at, coarse) : day(at)
}

function halfAway(now: DateTime, unit: 'days' | 'weeks' | 'months' | 'years', count: number): DateTime {
  const whole = Math.trunc(count)
  const half = count - whole
  const days = { days: 1, weeks: 7, months: 30, years: 365 }[unit]
  return now.plus({ [unit]: whole }).plus({ hours: Math.round(half * days * 24) })
}

function readSpan(groups: Groups, now: DateTime): Stretch | undefined {
  const ahead = groups.ahead ?? groups.within
  if (!groups.past && !ahead) return undefined
  const unit = units[groups.unit ?? '']
  if (!unit || !groups.count) return undefined
  const count = groups.count === '几' ? 3 : readNumber(groups.count)
  const today = now.startOf('day')
  const tomorrow = today.plus({ days: 1 })
  return groups.past
    ? between(today.minus({ [unit]: count }), tomorrow, 'span')
    : between(today, tomorrow.plus({ [unit]: count }), 'span')
}

function atTime(stretch: Stretch & { relative?: boolean }, groups: Groups): Stretch & { relative?: boolean } {
  const words = groups.dayHour ?? groups.partHour ?? groups.bareHour ?? groups.aloneHour
  const part = groups.part ? parts[groups.part] : undefined
  const base = stretch.start
  const isDay = stretch.grain === 'day' || stretch.grain === 'part'
  if (!isDay) return stretch
  if (!words) return part ? { ...stretch, ...partOfDay(base, part) } : stretch
  let hour = readNumber(words)
  const isLate = part ? part[1] > 12 && part[0] >= 11 : stretch.grain === 'part' && base.hour >= 12
  if (isLate && hour < 12 && !(groups.part === '中午' && hour === 11)) hour += 12
  if (hour > 24) return stretch
  const minutes = groups.dayMinute ?? groups.partMinute ?? groups.bareMinute ?? groups.aloneMinute
  const at = base
    .startOf('day')
    .plus({ days: hour === 24 ? 1 : 0 })
    .set({ hour: hour % 24, minute: readMinutes(minutes) })
  return { ...stretch, ...minute(at) }
}

function readMinutes(words: string | undefined): number {
  if (!words) return 0
  if (words === '半') return 30
  if (words === '一刻') return 15
  return words === '三刻' ? 45 : readNumber(words)
}

function weekDay(week: DateTime, name: string): Stretch {
  if (name === '末') return between(week.plus({ days: 5 }), week.plus({ weeks: 1 }), 'span')
  return day(week.plus({ days: '一二三四五六日'.indexOf(name === '天' ? '日' : name) }))
}

function monthOf(year: DateTime, monthWords: string, dayWords: string | undefined): Stretch | undefined {
  const number = readNumber(monthWords)
  if (number < 1 || number > 12) return undefined
  const month = year.set({ month: number })
  return dayWords ? dayOf(month, readNumber(dayWords)) : whole(month, 'month')
}

function dayOf(month: DateTime, number: number): Stretch | undefined {
  return number >= 1 && number <= (month.daysInMonth ?? 31) ? day(month.set({ day: number })) : undefined
}

function edgeOf(start: DateTime, unit: 'month' | 'year', edge: string): Stretch {
  const last = start.plus({ [unit]: 1 }).minus({ days: 1 })
  const length = unit === 'month' ? 5 : 31
  return edge === '初'
    ? between(start, start.plus({ days: length }), 'span')
    : between(last.minus({ days: length - 1 }), last.plus({ days: 1 }), 'span')
}
