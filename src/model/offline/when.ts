import type { Language } from '../../base/words.ts'
import { type Day, weekdayOf } from './period.ts'

/** Words about a time, taken out of a sentence. */
export interface When {
  /** As `set_reminder` reads them. Absent where the sentence names no time, or where `repeat` says it all. */
  readonly when: string | undefined
  /** One of the plain ones, with its first day in `when`; else the words as they are, with their time. */
  readonly repeat: Plain | (string & {}) | undefined
  /** The sentence without them. */
  readonly rest: string
}

type Plain = 'daily' | 'weekdays' | 'weekly' | 'monthly'

const weekday = '(?:mon|tues|wednes|thurs|fri|satur|sun)day'
const month =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
const clock =
  "(?:\\d{1,2}(?::\\d{2})?\\s?[ap]\\.?m\\b\\.?|\\d{1,2}:\\d{2}|\\d{1,2} o'clock|noon|midday|midnight)"
const part = '(?:morning|afternoon|evening|night)'
const count = '(?:\\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|half an|a few|a couple of)'

/** What comes again in a way that "daily", "weekly" and the like don't say: passed on whole. */
const nth = '(?:first|second|third|fourth|fifth|last|1st|2nd|3rd|4th|5th)'
const days = `${weekday}s?(?:(?:, and | and |, ?)${weekday}s?)`
const nthDay = `${nth} (?:work(?:ing)?[ -]?day|business day|weekday|day|${weekday})`
const months = '(?:every|each)(?: (?:other|second|third|\\d{1,2}|two|three|four|six))? months?'
const unusualEnglish = [
  `(?:on )?(?:the )?${nthDay} (?:of|in) ${months}`,
  `${months} on the ${nthDay}`,
  `(?:every|each) (?:other|second|third|fourth|2nd|3rd|4th|\\d{1,2}|two|three|four|five|six) (?:${weekday}|(?:day|month|year)s?)`,
  `(?:every|each) (?:other|second|third|fourth|2nd|3rd|4th|\\d{1,2}|two|three|four|five|six) weeks?(?: on ${days}{0,6})?`,
  `(?:every|each) ${days}{1,6}`,
  'every year on (?:the )?\\d{1,2}(?:st|nd|rd|th)?(?: of)? MONTH|every year on MONTH (?:the )?\\d{1,2}(?:st|nd|rd|th)?'.replaceAll(
    'MONTH',
    month,
  ),
].join('|')

const english = [
  unusualEnglish,
  `every (?:day|weekday|workday|week|month|${part}|${weekday}s?)(?: ${part})?`,
  'daily|weekly|monthly',
  `in ${count} (?:minute|min|hour|day|week|month|year)s?`,
  `${count} (?:minute|hour|day|week|month)s? from now`,
  '(?:the )?day after tomorrow',
  `tomorrow(?: ${part}| noon)?`,
  'today|tonight',
  `(?:on )?this (?:${part}|week(?:end)?|month|${weekday})(?: ${part})?`,
  `(?:on )?(?:the )?(?:next|coming|following) (?:week(?:end)?|month|year|${weekday})(?: ${part})?`,
  `(?:on )?${weekday}s?(?: ${part})?`,
  `(?:on )?(?:the )?\\d{1,2}(?:st|nd|rd|th)?(?: of)? ${month}(?:,? \\d{4})?`,
  `(?:on )?${month} (?:the )?\\d{1,2}(?:st|nd|rd|th)?(?:,? \\d{4})?`,
  'on the \\d{1,2}(?:st|nd|rd|th)',
  '(?:on )?\\d{4}-\\d{2}-\\d{2}(?:[T ]\\d{2}:\\d{2}(?::\\d{2})?(?:Z|[+-]\\d{2}:?\\d{2})?)?',
  `(?:at |by |around )?${clock}`,
  'at \\d{1,2}(?![\\d:])',
  `in the ${part}`,
  '(?:at )?(?:the )?end of (?:the )?(?:day|week|month|year)',
].join('|')
const hanCount = '[0-9零一二三四五六七八九十两半]+'
const hanWeek = '(?:周|星期|礼拜)'
const unusualChinese = [
  `每个?(?:${hanCount}个)?月的?(?:最后一?|第${hanCount})[个天]?(?:工作日|${hanWeek}[一二三四五六日天]|天)?`,
  `每隔?${hanCount}个月(?:的?\\d{1,2}[日号])?`,
  `(?:每隔?${hanCount}个?|隔)${hanWeek}(?:的?${hanWeek}?[一二三四五六日天])?(?![一二三四五六日天])`,
  `每${hanWeek}[一二三四五六日天](?:[、和及]${hanWeek}?[一二三四五六日天]){1,6}`,
  `每隔${hanCount}[天日]|每[2-9二两三四五六七八九十]{1,2}[天日]|隔[天日]`,
  '每年的?\\d{1,2}月\\d{1,2}[日号]',
].join('|')
const chinese = [
  unusualChinese,
  '每(?:天|日|个?工作日|个?月(?:\\d{1,2}[日号])?|(?:周|星期|礼拜)[一二三四五六日天]?|早|晚)',
  '(?:大后天|后天|明天|今天|今晚|明晚|今早|明早)',
  '(?:这|本|下下|下)?个?(?:周|星期|礼拜)[一二三四五六日天末]',
  '(?:这|本|下下|下)个?(?:周|星期|礼拜|月|季度)(?:\\d{1,2}[日号])?',
  '(?:\\d{4}年)?\\d{1,2}月\\d{1,2}[日号]?',
  '\\d{4}-\\d{2}-\\d{2}(?:[T ]\\d{2}:\\d{2})?',
  `${hanCount}个?半?(?:分钟|小时|钟头|天|周|星期|礼拜|月)(?:之后|以后|后)`,
  '(?:凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上)',
  `${hanCount}点(?:半|整|钟|一刻|三刻|${hanCount}分?)?`,
  '\\d{1,2}[:：]\\d{2}',
  '\\d{1,2}[日号]',
  '月底|周末|年底',
].join('|')

const runs: Readonly<Record<Language, RegExp>> = {
  en: new RegExp(
    `(?<![\\w-])(?:${english})(?:(?:,? (?:and )?(?:at |on |in )?|, )(?:${english}))*(?![\\w-])`,
    'gi',
  ),
  zh: new RegExp(`(?:${chinese})(?:[的，, ]*(?:${chinese}))*`, 'g'),
}

const unusual: Readonly<Record<Language, RegExp>> = {
  en: new RegExp(`(?<![\\w-])(?:${unusualEnglish})(?![\\w-])`, 'i'),
  zh: new RegExp(unusualChinese),
}

/**
 * Takes the time out of a sentence: the words at its beginning, else those at its end, else the first ones.
 * `now` completes times that would lie in the past.
 */
export function takeWhen(
  sentence: string,
  language: Language,
  now: { readonly today: Day | undefined; readonly minutes: number | undefined },
): When {
  const text = sentence.trim()
  const found = [...text.matchAll(runs[language])]
  const chosen =
    found.find((run) => /^[\s,，]*$/.test(text.slice(0, run.index))) ??
    found.find((run) => /^[\s.。!！,，]*$/.test(text.slice(run.index + run[0].length))) ??
    found[0]
  if (!chosen) return { when: undefined, repeat: undefined, rest: text }
  const before = text.slice(0, chosen.index).trimEnd()
  const after = text.slice(chosen.index + chosen[0].length).trimStart()
  const rest = `${before}${before && after ? (language === 'zh' ? '' : ' ') : ''}${after}`.trim()
  return { ...settle(chosen[0].trim(), language, now), rest }
}

function settle(
  words: string,
  language: Language,
  now: { readonly today: Day | undefined; readonly minutes: number | undefined },
): Pick<When, 'when' | 'repeat'> {
  if (unusual[language].test(words)) return { when: undefined, repeat: words }
  const repeat = repeatOf(words)
  const tomorrow = language === 'zh' ? '明天' : 'tomorrow'
  if (!repeat) {
    // A time of day alone means the next such time.
    const minutes = timeAlone(words)
    const passed = minutes !== undefined && now.minutes !== undefined && minutes <= now.minutes
    return { when: passed ? `${tomorrow} ${words}` : words, repeat }
  }
  const rest = words
    .replace(/\bevery (?:day|weekday|workday|week|month)\b|\b(?:daily|weekly|monthly)\b/i, '')
    .replace(/\bevery\b/i, '')
    .replace(/每(?:天|日|个?工作日)/, '')
    .replace(
      /每(?=个?月\d)|每个?月|每(?=早|晚)|每(?=(?:周|星期|礼拜)[一二三四五六日天])|每(?:周|星期|礼拜)/,
      '',
    )
    .replace(/^[\s,，的]+/, '')
    .trim()
  switch (repeat) {
    case 'daily':
      return { when: `${tomorrow} ${rest.replace(/^早$/, '早上').replace(/^晚$/, '晚上')}`.trim(), repeat }
    case 'weekdays': {
      const next = now.today === undefined || weekdayOf(now.today) % 7 < 5
      return {
        when: `${next ? tomorrow : language === 'zh' ? '下周一' : 'next Monday'} ${rest}`.trim(),
        repeat,
      }
    }
    case 'weekly':
      return { when: rest === '' ? (language === 'zh' ? '7天后' : 'in 7 days') : rest, repeat }
    case 'monthly':
      return { when: rest === '' ? (language === 'zh' ? '下个月' : 'in 1 month') : rest, repeat }
  }
}

function repeatOf(words: string): Plain | undefined {
  if (/\bevery (?:weekday|workday)\b|每个?工作日/i.test(words)) return 'weekdays'
  if (/\bevery day\b|\bdaily\b|\bevery (?:morning|afternoon|evening|night)\b|每[天日早晚]/i.test(words))
    return 'daily'
  if (/\bevery month\b|\bmonthly\b|每个?月/i.test(words)) return 'monthly'
  if (/\bevery\b|\bweekly\b|每(?:周|星期|礼拜)/i.test(words)) return 'weekly'
  return undefined
}

/** Minutes since midnight, where the words name a time of day and nothing else. */
function timeAlone(words: string): number | undefined {
  const english = /^(?:at |by |around )?(\d{1,2})(?::(\d{2}))?\s?(?:(a|p)\.?m\.?|o'clock)?$/i.exec(words)
  if (english) {
    const hour = (Number(english[1]) % 12) + (english[3] ? 0 : Number(english[1]) >= 12 ? 12 : 0)
    return (hour + (english[3]?.toLowerCase() === 'p' ? 12 : 0)) * 60 + Number(english[2] ?? 0)
  }
  const digits = /^(上午|早上|下午|晚上)?(\d{1,2})[点:：](半|\d{1,2})?分?$/.exec(words)
  if (!digits) return undefined
  const hour = Number(digits[2]) + (/下午|晚上/.test(digits[1] ?? '') && Number(digits[2]) < 12 ? 12 : 0)
  return hour * 60 + (digits[3] === '半' ? 30 : Number(digits[3] ?? 0))
}
