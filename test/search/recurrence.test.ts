import { DateTime } from 'luxon'
import { describe, expect, it } from 'vitest'
import { nextOccurrence } from '../../src/search/recurrence/rule.ts'
import { readRecurrence, recurrenceWords } from '../../src/search/recurrence/words.ts'

const zone = 'Europe/Berlin'
/** A Monday. */
const now = DateTime.fromISO('2026-11-30T10:00', { zone }).toJSDate()

function ruleOf(words: string, at: { when?: string; zone?: string } = {}) {
  const timeZone = at.zone ?? zone
  const start = at.when ? DateTime.fromISO(at.when, { zone: timeZone }).toJSDate() : now
  return readRecurrence(words, { at: start, timeZone, hasTime: at.when?.includes('T') ?? false })
}

/** The next times by the wall clock. */
function times(
  words: string,
  count: number,
  at: { when?: string; zone?: string; after?: string } = {},
): string[] {
  const timeZone = at.zone ?? zone
  const rule = ruleOf(words, at)
  if (!rule) throw new Error(`"${words}" was not read.`)
  const found: string[] = []
  let after = at.after ? DateTime.fromISO(at.after, { zone: timeZone }).toJSDate() : now
  for (let index = 0; index < count; index += 1) {
    const next = nextOccurrence(rule, after, timeZone)
    if (!next) break
    found.push(DateTime.fromJSDate(next, { zone: timeZone }).toFormat('yyyy-MM-dd HH:mm'))
    after = next
  }
  return found
}

describe('words that say that something comes again', () => {
  it.each([
    ['every day at 9', '2026-12-01 09:00', '2026-12-02 09:00'],
    ['daily at 18:30', '2026-11-30 18:30', '2026-12-01 18:30'],
    ['every morning', '2026-12-01 09:00', '2026-12-02 09:00'],
    ['every weekday at 9', '2026-12-01 09:00', '2026-12-02 09:00'],
    ['on weekdays at 5 pm', '2026-11-30 17:00', '2026-12-01 17:00'],
    ['every Monday at 9', '2026-12-07 09:00', '2026-12-14 09:00'],
    ['Mondays and Thursdays at 8:15, on Mondays and Thursdays', '2026-12-03 08:15', '2026-12-07 08:15'],
    ['every Tue, Thu at noon', '2026-12-01 12:00', '2026-12-03 12:00'],
    ['every second Monday at 14:00', '2026-11-30 14:00', '2026-12-14 14:00'],
    ['every other Friday', '2026-12-04 09:00', '2026-12-18 09:00'],
    ['every 2 weeks on Wednesday at 7 in the evening', '2026-12-02 19:00', '2026-12-16 19:00'],
    ['every 3 days at 9am', '2026-12-03 09:00', '2026-12-06 09:00'],
    ['every month on the 15th at 10', '2026-12-15 10:00', '2027-01-15 10:00'],
    ['on the last day of every month', '2026-12-31 09:00', '2027-01-31 09:00'],
    ['on the last working day of the month at 5pm', '2026-11-30 17:00', '2026-12-31 17:00'],
    ['the first Monday of every month at 9:30', '2026-12-07 09:30', '2027-01-04 09:30'],
    ['every month on the second Tuesday', '2026-12-08 09:00', '2027-01-12 09:00'],
    ['every year on December 24th at 16:00', '2026-12-24 16:00', '2027-12-24 16:00'],
    ['every weekend at 11', '2026-12-05 11:00', '2026-12-06 11:00'],
    ['quarterly at 17:00', '2026-11-30 17:00', '2027-02-28 17:00'],
    ['每天早上八点半', '2026-12-01 08:30', '2026-12-02 08:30'],
    ['每晚9点', '2026-11-30 21:00', '2026-12-01 21:00'],
    ['每个工作日上午9点', '2026-12-01 09:00', '2026-12-02 09:00'],
    ['每周一早上9点', '2026-12-07 09:00', '2026-12-14 09:00'],
    ['每周二十点', '2026-12-01 10:00', '2026-12-08 10:00'],
    ['每周一、三、五下午3点一刻', '2026-11-30 15:15', '2026-12-02 15:15'],
    ['每两周的周三14:00', '2026-12-02 14:00', '2026-12-16 14:00'],
    ['隔周周一下午两点', '2026-11-30 14:00', '2026-12-14 14:00'],
    ['每隔一天', '2026-12-02 09:00', '2026-12-04 09:00'],
    ['每月15号上午10点', '2026-12-15 10:00', '2027-01-15 10:00'],
    ['每月最后一个工作日下午5点', '2026-11-30 17:00', '2026-12-31 17:00'],
    ['每个月第一个周一', '2026-12-07 09:00', '2027-01-04 09:00'],
    ['每月最后一天', '2026-12-31 09:00', '2027-01-31 09:00'],
    ['每年10月1日', '2027-10-01 09:00', '2028-10-01 09:00'],
    ['每个周末上午十一点', '2026-12-05 11:00', '2026-12-06 11:00'],
  ])('%s', (words, first, second) => {
    expect(times(words, 2)).toEqual([first, second])
    // What is shown for it means the same, in both languages.
    const rule = ruleOf(words)!
    for (const language of ['en', 'zh'] as const) {
      const shown = recurrenceWords(rule, language)
      expect([shown, times(shown, 2)]).toEqual([shown, [first, second]])
    }
  })

  it.each(['tomorrow at 9', '明天上午9点', 'next Monday', '下周一', 'now and then', '有时候', ''])(
    'are not found in "%s"',
    (words) => {
      expect(ruleOf(words)).toBeUndefined()
    },
  )

  it('leave the day and the time to the first one, where they name neither', () => {
    expect(times('weekly', 2, { when: '2026-12-03T08:20' })).toEqual(['2026-12-03 08:20', '2026-12-10 08:20'])
    expect(times('monthly', 3, { when: '2026-12-31T08:20', after: '2026-12-31T09:00' })).toEqual([
      '2027-01-31 08:20',
      '2027-02-28 08:20',
      '2027-03-31 08:20',
    ])
    expect(times('每年', 2, { when: '2028-02-29T12:00' })).toEqual(['2028-02-29 12:00', '2029-02-28 12:00'])
  })
})

describe('a recurrence across a change of the clock', () => {
  it.each([
    ['Europe/Berlin', '2027-03-27T12:00', ['2027-03-28 09:00', '2027-03-29 09:00'], 24],
    ['America/New_York', '2027-03-13T08:00', ['2027-03-13 09:00', '2027-03-14 09:00'], 23],
    ['America/New_York', '2027-11-06T08:00', ['2027-11-06 09:00', '2027-11-07 09:00'], 25],
    ['Asia/Shanghai', '2027-03-27T12:00', ['2027-03-28 09:00', '2027-03-29 09:00'], 24],
  ])('in %s stays at its time by the wall clock', (timeZone, after, wanted, hours) => {
    expect(times('every day at 9', 2, { zone: timeZone, after })).toEqual(wanted)
    const [first, second] = wanted.map((time) =>
      DateTime.fromFormat(time, 'yyyy-MM-dd HH:mm', { zone: timeZone }),
    )
    expect(second!.diff(first!, 'hours').hours).toBe(hours)
  })

  it('comes an hour later on the day that has no such hour, and once on the day that has it twice', () => {
    expect(times('every day at 2:30', 3, { after: '2027-03-27T02:00' })).toEqual([
      '2027-03-27 02:30',
      '2027-03-28 03:30',
      '2027-03-29 02:30',
    ])
    expect(times('every day at 2:30', 3, { after: '2027-10-30T02:00' })).toEqual([
      '2027-10-30 02:30',
      '2027-10-31 02:30',
      '2027-11-01 02:30',
    ])
  })
})
