import { readNumber } from '../chinese-numbers.ts'
import { type Pattern, workdays } from './rule.ts'

const number = '(?:\\d{1,2}|[零一二两三四五六七八九十]{1,3})'
const week = '(?:周|星期|礼拜)'
const dayList = `[一二三四五六日天](?:[、和及,，]?(?:${week})?[一二三四五六日天])*`

/** What Chinese words say about a recurrence. */
export function readChinese(words: string): Pattern | undefined {
  const text = words.replace(/\s+/g, '')
  // The days' own numbers are no part of the time: 每周二十点 is ten o'clock on Tuesdays.
  const after = (days: RegExpExecArray | undefined) => {
    const time = timeIn(days ? text.replace(days[0], ' ') : text)
    return time ? { time } : {}
  }

  const nth = new RegExp(
    `每(?:个)?(?:(${number})个)?月(?:的)?(?:(最后)一?|第(${number}))(?:个|天)?(工作日|${week}[一二三四五六日天]|天)?`,
  ).exec(text)
  if (nth) {
    const interval = nth[1] ? readNumber(nth[1]) : 1
    const which = nth[2] ? -1 : readNumber(nth[3]!)
    const what = nth[4] ?? '天'
    if (what === '天') return { unit: 'month', interval, on: { day: which }, ...after(nth) }
    const weekdays = what === '工作日' ? workdays : daysIn(what)
    return { unit: 'month', interval, on: { nth: which, weekdays }, ...after(nth) }
  }
  const date = new RegExp(`每年(?:的)?(${number})月(${number})[日号]`).exec(text)
  if (date) {
    return {
      unit: 'year',
      interval: 1,
      month: readNumber(date[1]!),
      on: { day: readNumber(date[2]!) },
      ...after(date),
    }
  }
  const ofMonth = new RegExp(`每(?:隔)?(?:(${number})个|个)?月(?:的)?(?:(${number})[日号])?`).exec(text)
  if (ofMonth) {
    const interval = ofMonth[1] ? readNumber(ofMonth[1]) : 1
    return {
      unit: 'month',
      interval,
      ...(ofMonth[2] ? { on: { day: Math.min(31, Math.max(1, readNumber(ofMonth[2]))) } } : {}),
      ...after(ofMonth),
    }
  }
  if (/(?:每个?|逢|每逢)(?:工作日|平日|上班日)|工作日每天/.test(text))
    return { unit: 'week', interval: 1, weekdays: workdays, ...after(undefined) }
  if (/每(?:个|逢)?周末/.test(text))
    return { unit: 'week', interval: 1, weekdays: [6, 7], ...after(undefined) }

  const weeks = new RegExp(
    `(?:(隔)|每(隔)?(${number})个?|每个?)${week}(?:的)?(?:${week})?(${dayList})?`,
  ).exec(text)
  if (weeks) {
    // 隔周 and 每隔一周 leave one out; 每两周 and 每隔两周 both mean every second week to most.
    const given = weeks[3] ? readNumber(weeks[3]) : 1
    const interval = weeks[1] || (weeks[2] && given === 1) ? 2 : given
    return { unit: 'week', interval, ...(weeks[4] ? { weekdays: daysIn(weeks[4]) } : {}), ...after(weeks) }
  }
  const days = new RegExp(`每(隔)?(${number})[天日]`).exec(text)
  if (days) {
    const given = readNumber(days[2]!)
    return { unit: 'day', interval: Math.max(1, days[1] && given === 1 ? 2 : given), ...after(days) }
  }
  if (/隔天|隔日/.test(text)) return { unit: 'day', interval: 2, ...after(undefined) }
  if (/每[天日]|天天|每(?:个)?(?:早上|早晨|上午|中午|下午|傍晚|晚上|晚|早)/.test(text))
    return { unit: 'day', interval: 1, ...after(undefined) }
  if (/每年/.test(text)) return { unit: 'year', interval: 1, ...after(undefined) }
  return undefined
}

function daysIn(text: string): readonly number[] {
  const found = [...text.replace(/周|星期|礼拜/g, '')].flatMap((sign) => {
    const at = '一二三四五六日天'.indexOf(sign)
    return at < 0 ? [] : [Math.min(at + 1, 7)]
  })
  return [...new Set(found)].sort((a, b) => a - b)
}

function timeIn(text: string): { hour: number; minute: number } | undefined {
  const part = /凌晨|早上|早晨|清晨|上午|中午|下午|傍晚|晚上|夜里|每晚|每早/.exec(text)?.[0]
  const named =
    /(\d{1,2})[:：](\d{2})/.exec(text) ??
    /(\d{1,2}|[零一二两三四五六七八九十]{1,3})[点时](?!间)(?:(半)|(一刻)|([0-9]{1,2}|[零一二三四五六七八九十]{1,3})分?)?/.exec(
      text,
    )
  if (!named) {
    const usual: Readonly<Record<string, number>> = {
      ...{
        凌晨: 5,
        早上: 9,
        早晨: 8,
        清晨: 7,
        上午: 9,
        中午: 12,
        下午: 15,
        傍晚: 18,
        晚上: 19,
        夜里: 21,
        每晚: 19,
        每早: 9,
      },
    }
    return part ? { hour: usual[part]!, minute: 0 } : undefined
  }
  const given = readNumber(named[1]!)
  const digits = /^\d+$/.test(named[2] ?? '') ? named[2]! : named[4]
  const minute = named[2] === '半' ? 30 : named[3] ? 15 : digits ? readNumber(digits) : 0
  const late = part !== undefined && /下午|傍晚|晚|夜/.test(part) && given < 12
  const noon = part === '中午' && given < 3
  const hour = late || noon ? given + 12 : given
  return hour < 24 && minute < 60 ? { hour, minute } : undefined
}
