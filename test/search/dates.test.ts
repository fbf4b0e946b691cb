import { describe, expect, test } from 'vitest'
import { readDates, writeDate, writeDates } from '../../src/search/dates.ts'
import fc from '../support/properties.ts'

// Wednesday, 2 December 2026, 11:30 in Shanghai.
const reference = { now: new Date('2026-12-02T03:30:00Z'), timeZone: 'Asia/Shanghai' }
const read = (text: string) => readDates(text, reference).map((range) => writeDate(range, reference.timeZone))

describe('a text names its dates', () => {
  test.each([
    ['the demo is tomorrow', ['2026-12-03']],
    ['the day after tomorrow', ['2026-12-04']],
    ['two days ago', ['2026-11-30']],
    ['last week', ['2026-11-23 to 2026-11-29']],
    ['remind me next week to add the plan', ['2026-12-07 to 2026-12-13']],
    ['the week after next', ['2026-12-14 to 2026-12-20']],
    ['this weekend', ['2026-12-05 to 2026-12-06']],
    ['the last 3 days', ['2026-11-29 to 2026-12-02']],
    ['next month', ['2027-01']],
    ['3 months ago', ['2026-09']],
    ['the end of the month', ['2026-12-31']],
    ['on the 15th', ['2026-12-15']],
    ['in 2 hours', ['2026-12-02 13:30']],
    ['tomorrow at 15:00', ['2026-12-03 15:00']],
    ['tomorrow morning', ['2026-12-03 06:00–12:00']],
    ['tonight', ['2026-12-02 18:00–24:00']],
    ['from Monday to Wednesday', ['2026-12-07 to 2026-12-09']],
    ['March 5, 2027', ['2027-03-05']],
    ['2026-12-24', ['2026-12-24']],
    ['last week and next week', ['2026-11-23 to 2026-11-29', '2026-12-07 to 2026-12-13']],
    ['今天下午三点开会', ['2026-12-02 15:00']],
    ['明天15:00', ['2026-12-03 15:00']],
    ['大后天', ['2026-12-05']],
    ['下周三交报告', ['2026-12-09']],
    ['上周五', ['2026-11-27']],
    ['上上周', ['2026-11-16 to 2026-11-22']],
    ['周末去爬山', ['2026-12-05 to 2026-12-06']],
    ['三天后提醒我', ['2026-12-05']],
    ['一个半小时后', ['2026-12-02 13:00']],
    ['半小时后', ['2026-12-02 12:00']],
    ['3个月前', ['2026-09']],
    ['下个月5号', ['2027-01-05']],
    ['月底之前', ['2026-12-27 to 2026-12-31']],
    ['去年三月', ['2025-03']],
    ['十二月二十五号晚上7点', ['2026-12-25 19:00']],
    ['1月2号', ['2027-01-02']],
    ['2027年3月5日', ['2027-03-05']],
    ['今晚八点半', ['2026-12-02 20:30']],
    ['最近三天', ['2026-11-29 to 2026-12-02']],
    ['两周内完成', ['2026-12-02 to 2026-12-16']],
    ['总结上周的会议记录，下周提醒我', ['2026-11-23 to 2026-11-29', '2026-12-07 to 2026-12-13']],
  ])('%s', (text, expected) => {
    expect(read(text)).toEqual(expected)
  })
})

test.each([
  'he sat in the sun, I may go now',
  'every Monday at 9',
  'version 1.2.3 of ORD-2024-0017 at 10.0.0.1',
  '快一点',
  '一周一次',
  '3号楼',
  'the week was long',
])('there is no date in: %s', (text) => {
  expect(read(text)).toEqual([])
})

test('a time of day alone is told apart from a day', () => {
  expect(readDates('at 3pm', reference).map((range) => range.hasDay)).toEqual([false])
  expect(readDates('每周三下午3点', reference).map((range) => range.hasDay)).toEqual([false])
})

test.each([
  ['The demo is next Friday', 'The demo is 2026-12-11'],
  ['I will be away tomorrow', 'I will be away on 2026-12-03'],
  ['call me by tomorrow', 'call me by 2026-12-03'],
  ['on leave until Friday', 'on leave until 2026-12-04'],
  ['I met Ann on Friday', 'I met Ann on 2026-11-27'],
  ['we start in 2 hours', 'we start at 2026-12-02 13:30'],
  ['last week we met Bob', 'on 2026-11-23 to 2026-11-29 we met Bob'],
  ['我上周五见了李工', '我2026-11-27见了李工'],
  ['周三开了会，决定推迟', '2026-12-02开了会，决定推迟'],
  ['周一发布了', '2026-11-30发布了'],
  // What holds every year, every week or at a time of day, and what is a date already, stays.
  ['My birthday is May 3rd', 'My birthday is May 3rd'],
  ['我的生日是5月3日', '我的生日是5月3日'],
  ['I swim every Monday', 'I swim every Monday'],
  ['lunch is at 12:30', 'lunch is at 12:30'],
  ['on March 5, 2027', 'on March 5, 2027'],
])('%s → %s', (text, expected) => {
  expect(writeDates(text, reference).text).toBe(expected)
})

test('the same words mean other days in other time zones', () => {
  const day = (timeZone: string) =>
    readDates('tomorrow', { ...reference, timeZone }).map((range) => [
      range.start.toISOString(),
      range.end.toISOString(),
    ])
  expect(day('Asia/Shanghai')).toEqual([['2026-12-02T16:00:00.000Z', '2026-12-03T16:00:00.000Z']])
  expect(day('America/Los_Angeles')).toEqual([['2026-12-02T08:00:00.000Z', '2026-12-03T08:00:00.000Z']])
  expect(day('No/Such_Place')).toEqual([['2026-12-03T00:00:00.000Z', '2026-12-04T00:00:00.000Z']])
})

test('a day on which the clocks change keeps its times', () => {
  // In Berlin, 29 March 2026 has 23 hours.
  const berlin = { now: new Date('2026-03-28T11:00:00Z'), timeZone: 'Europe/Berlin' }
  const at = (text: string) => readDates(text, berlin)[0]?.start.toISOString()
  expect(at('tomorrow at 9:00')).toBe('2026-03-29T07:00:00.000Z')
  expect(at('明天上午9点')).toBe('2026-03-29T07:00:00.000Z')
  expect(at('in 24 hours')).toBe('2026-03-29T11:00:00.000Z')
  expect(at('24小时后')).toBe('2026-03-29T11:00:00.000Z')
})

test('any text is read without failing, and ranges lie in it, in order and apart', () => {
  const piece = fc.constantFrom(
    ...[
      'next',
      'last',
      'week',
      'Friday',
      'at',
      '3pm',
      'in',
      '2',
      'days',
      'the 31st',
      '上',
      '下周',
      '三',
      '点',
      '半',
      '月',
      '31号',
      '今年',
      '2月30日',
      '99',
      '年',
      ' ',
      '，',
      '到',
      'until',
    ],
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(piece, { maxLength: 12 }).map((all) => all.join(' ')),
        fc.array(piece, { maxLength: 12 }).map((all) => all.join('')),
        fc.string({ unit: 'binary' }),
      ),
      (text) => {
        let from = 0
        for (const range of readDates(text, reference)) {
          expect(text.slice(range.index, range.index + range.text.length)).toBe(range.text)
          expect(range.index).toBeGreaterThanOrEqual(from)
          expect(range.end.getTime()).toBeGreaterThan(range.start.getTime())
          from = range.index + range.text.length
        }
      },
    ),
    { numRuns: 300 },
  )
})
