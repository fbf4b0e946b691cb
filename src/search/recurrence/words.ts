import { DateTime } from 'luxon'
import { readChinese } from './chinese.ts'
import { readEnglish } from './english.ts'
import { type Recurrence, workdays } from './rule.ts'

/** The hour where nothing names one. */
const morning = 9

/**
 * The recurrence that words name, in English or Chinese: "every weekday at 9", 每月最后一个工作日. Nothing where they
 * name none.
 * @param start gives the time and the day where the words leave them open; else it is that day at nine
 */
export function readRecurrence(
  words: string,
  start: { readonly at: Date; readonly timeZone: string; readonly hasTime: boolean },
): Recurrence | undefined {
  const pattern = readChinese(words) ?? readEnglish(words)
  if (!pattern) return undefined
  const first = DateTime.fromJSDate(start.at, { zone: start.timeZone })
  const { hour, minute } =
    pattern.time ??
    (start.hasTime ? { hour: first.hour, minute: first.minute } : { hour: morning, minute: 0 })
  const { time: _, ...rest } = pattern
  return {
    ...rest,
    ...(rest.unit === 'week' && !rest.weekdays ? { weekdays: [first.weekday] } : {}),
    ...((rest.unit === 'month' || rest.unit === 'year') && !rest.on ? { on: { day: first.day } } : {}),
    ...(rest.unit === 'year' && rest.month === undefined ? { month: first.month } : {}),
    hour,
    minute,
    from: first.toISODate() ?? '1970-01-01',
  }
}

const days = {
  en: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
  zh: ['一', '二', '三', '四', '五', '六', '日'],
} as const
const months = 'January February March April May June July August September October November December'.split(
  ' ',
)

/** A recurrence in words: "every Monday and Thursday at 09:00", 每周一、四 09:00. */
export function recurrenceWords(rule: Recurrence, language: 'en' | 'zh'): string {
  const time = `${String(rule.hour).padStart(2, '0')}:${String(rule.minute).padStart(2, '0')}`
  return language === 'zh' ? `${inChinese(rule)} ${time}` : `${inEnglish(rule)} at ${time}`
}

function inEnglish(rule: Recurrence): string {
  const every = rule.interval === 1 ? `every ${rule.unit}` : `every ${rule.interval} ${rule.unit}s`
  const named = (weekdays: readonly number[]) => list(weekdays.map((day) => days.en[day - 1]!))
  switch (rule.unit) {
    case 'day':
      return every
    case 'week': {
      const weekdays = rule.weekdays ?? []
      const what = isWorkdays(weekdays) ? 'weekday' : named(weekdays)
      return rule.interval === 1 ? `every ${what}` : `every ${rule.interval} weeks on ${what}`
    }
    case 'month':
      return `on the ${dayEnglish(rule)} of ${every}`
    case 'year':
      return `on the ${dayEnglish(rule)} of ${months[(rule.month ?? 1) - 1]} ${every}`
    default:
      return rule.unit satisfies never
  }
}

function dayEnglish({ on = { day: 1 } }: Recurrence): string {
  if ('day' in on) return on.day === -1 ? 'last day' : ordinal(on.day)
  const which = on.nth === -1 ? 'last' : ordinal(on.nth)
  return `${which} ${isWorkdays(on.weekdays) ? 'working day' : list(on.weekdays.map((day) => days.en[day - 1]!))}`
}

function inChinese(rule: Recurrence): string {
  const every = (unit: string) =>
    rule.interval === 1 ? `每${unit}` : `每${rule.interval}${unit === '月' ? '个月' : unit}`
  const named = (weekdays: readonly number[]) => weekdays.map((day) => days.zh[day - 1]!).join('、')
  switch (rule.unit) {
    case 'day':
      return every('天')
    case 'week': {
      const weekdays = rule.weekdays ?? []
      if (isWorkdays(weekdays)) return rule.interval === 1 ? '每个工作日' : `${every('周')}的工作日`
      return rule.interval === 1 ? `每周${named(weekdays)}` : `${every('周')}的周${named(weekdays)}`
    }
    case 'month':
      return `${every('月')}${dayChinese(rule)}`
    case 'year':
      return `${every('年')}${rule.month ?? 1}月${dayChinese(rule)}`
    default:
      return rule.unit satisfies never
  }
}

function dayChinese({ on = { day: 1 } }: Recurrence): string {
  if ('day' in on) return on.day === -1 ? '最后一天' : `${on.day}日`
  const which = on.nth === -1 ? '最后一个' : `第${on.nth}个`
  return `${which}${isWorkdays(on.weekdays) ? '工作日' : `周${on.weekdays.map((day) => days.zh[day - 1]!).join('、')}`}`
}

function isWorkdays(weekdays: readonly number[]): boolean {
  return weekdays.length === workdays.length && workdays.every((day) => weekdays.includes(day))
}

function list(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

function ordinal(number: number): string {
  const ending =
    number % 100 >= 11 && number % 100 <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th')
  return `${number}${ending}`
}
