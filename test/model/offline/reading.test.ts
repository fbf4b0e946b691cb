import { describe, expect, it } from 'vitest'
import { readNotes } from '../../../src/model/offline/notes.ts'
import { readOutcome } from '../../../src/model/offline/outcome.ts'
import { dayInName, readDay, readPeriod, writeDay } from '../../../src/model/offline/period.ts'
import { extractSummary } from '../../../src/model/offline/summary.ts'
import { takeWhen } from '../../../src/model/offline/when.ts'
import { readRecurrence, recurrenceWords } from '../../../src/search/recurrence/words.ts'

const monday = readDay('2026-11-30')!

describe('days in the past', () => {
  it.each([
    ["last week's notes", '2026-11-23', '2026-11-29'],
    ['上周的纪要', '2026-11-23', '2026-11-29'],
    ['上个星期的会议', '2026-11-23', '2026-11-29'],
    ['the week before last', '2026-11-16', '2026-11-22'],
    ['上上周', '2026-11-16', '2026-11-22'],
    ['this week', '2026-11-30', '2026-12-06'],
    ['yesterday', '2026-11-29', '2026-11-29'],
    ['昨天的日志', '2026-11-29', '2026-11-29'],
    ['last Tuesday', '2026-11-24', '2026-11-24'],
    ['last Monday', '2026-11-23', '2026-11-23'],
    ['上周三', '2026-11-25', '2026-11-25'],
    ['last month', '2026-10-01', '2026-10-31'],
    ['上个月', '2026-10-01', '2026-10-31'],
    ['of 2026-11-17', '2026-11-17', '2026-11-17'],
    ['2026年11月7日', '2026-11-07', '2026-11-07'],
  ])('are read from "%s"', (words, from, to) => {
    const period = readPeriod(words, monday)
    expect(period && [writeDay(period.from), writeDay(period.to)]).toEqual([from, to])
  })

  it('are not read where none are named', () => {
    expect(readPeriod('the meeting notes', monday)).toBeUndefined()
  })

  it.each([
    ['2026-11-24-notes.md', '2026-11-24'],
    ['notes_20261124.md', '2026-11-24'],
    ['会议纪要2026年11月4日.md', '2026-11-04'],
    ['notes-1234.md', undefined],
  ])('are read from the name %s', (name, day) => {
    const read = dayInName(name)
    expect(read === undefined ? undefined : writeDay(read)).toBe(day)
  })
})

it('results are data, also below what Hermes says of them', () => {
  for (const line of [
    '[Changed in the arguments: due: "tomorrow" was taken as "2026-12-01".]',
    '[Looked up 3 s ago …]',
  ])
    expect(readOutcome(`${line}\n{"ticket":"T-1"}`)).toMatchObject({ kind: 'done', data: { ticket: 'T-1' } })
  expect(readOutcome('[Looked for nothing]\n{"ticket":"T-1"}')).toMatchObject({ data: undefined })
})

describe('words about a time', () => {
  const now = { today: monday, minutes: 600 }

  it.each([
    ['tomorrow at 9 to call Ann', 'tomorrow at 9', 'to call Ann'],
    ['to call Ann on Friday at 3 pm', 'on Friday at 3 pm', 'to call Ann'],
    ['to prepare the Monday meeting in 2 hours', 'in 2 hours', 'to prepare the Monday meeting'],
    ['on 3 December to pay', 'on 3 December', 'to pay'],
    ['2026-12-03 14:00 to pay', '2026-12-03 14:00', 'to pay'],
    ['to pay at the end of the month', 'at the end of the month', 'to pay'],
    ['the day after tomorrow to rest', 'the day after tomorrow', 'to rest'],
    ['to buy seventeen may flowers', undefined, 'to buy seventeen may flowers'],
  ])('are taken out of "%s"', (text, when, rest) => {
    expect(takeWhen(text, 'en', now)).toMatchObject({ when, rest })
  })

  it.each([
    ['明天上午9点开会', '明天上午9点', '开会'],
    ['下周三下午三点半交报告', '下周三下午三点半', '交报告'],
    ['半小时后喝水', '半小时后', '喝水'],
    ['12月3日付款', '12月3日', '付款'],
    ['补充后续计划', undefined, '补充后续计划'],
  ])('are taken out of "%s"', (text, when, rest) => {
    expect(takeWhen(text, 'zh', now)).toMatchObject({ when, rest })
  })

  it.each([
    ['every day at 9 to stretch', 'tomorrow at 9', 'daily'],
    ['every weekday at 8:30 to check mail', 'tomorrow at 8:30', 'weekdays'],
    ['every Friday at 4 pm to write the report', 'Friday at 4 pm', 'weekly'],
    ['every week to water the plants', 'in 7 days', 'weekly'],
    ['monthly to pay', 'in 1 month', 'monthly'],
  ])('that come again are read from "%s"', (text, when, repeat) => {
    expect(takeWhen(text, 'en', now)).toMatchObject({ when, repeat })
  })

  it.each([
    ['每天18点写日报', '明天 18点', 'daily'],
    ['每周五下午四点写周报', '周五下午四点', 'weekly'],
    ['每个工作日9点看邮件', '明天 9点', 'weekdays'],
  ])('that come again are read from "%s"', (text, when, repeat) => {
    expect(takeWhen(text, 'zh', now)).toMatchObject({ when, repeat })
  })
})

describe('times that come again in another way are passed on whole, as the tool reads them', () => {
  const now = { today: monday, minutes: 600 }
  const start = { at: new Date('2026-11-30T09:00:00Z'), timeZone: 'UTC', hasTime: false }

  it.each([
    [
      'en',
      'to write the report on the last working day of every month at 5 pm',
      'to write the report',
      'on the last working day of every month at 17:00',
    ],
    [
      'en',
      'every second Monday at 14:00 to clean the desk',
      'to clean the desk',
      'every 2 weeks on Monday at 14:00',
    ],
    [
      'en',
      'every Monday and Thursday at 8:30 to check mail',
      'to check mail',
      'every Monday and Thursday at 08:30',
    ],
    ['en', 'to pay every year on 5 March at noon', 'to pay', 'on the 5th of March every year at 12:00'],
    ['en', 'to rest every other day at 9', 'to rest', 'every 2 days at 09:00'],
    ['zh', '每月最后一个工作日下午5点写月报', '写月报', '每月最后一个工作日 17:00'],
    ['zh', '每月第二个周一上午10点开例会', '开例会', '每月第2个周一 10:00'],
    ['zh', '每两周周五下午四点写总结', '写总结', '每2周的周五 16:00'],
    ['zh', '每周一、四8点半看邮件', '看邮件', '每周一、四 08:30'],
    ['zh', '隔天9点浇花', '浇花', '每2天 09:00'],
  ] as const)('%s: %s', (language, text, rest, words) => {
    const taken = takeWhen(text, language, now)
    expect(taken).toMatchObject({ when: undefined, rest })
    const rule = readRecurrence(taken.repeat!, start)!
    expect(recurrenceWords(rule, language)).toBe(words)
  })
})

describe('notes of a meeting', () => {
  it.each([
    ['- Owner: Li Wei', ['Li Wei']],
    ['**Owner:** Li Wei (operations)', ['Li Wei']],
    ['Project owner: @bob, Ann', ['bob']],
    ['| Owner | Maria Santos |', ['Maria Santos']],
    ['负责人：李伟（Li Wei）', ['李伟', 'Li Wei']],
    ['- **负责人**：王芳', ['王芳']],
    ['Owned things are many.', []],
  ])('name their owner in "%s"', (line, owners) => {
    expect(readNotes('a/x.md', `# Notes\n\n${line}\n\nText.`).owners).toEqual(owners)
  })

  it('keep lists, and join lines that were wrapped', () => {
    const notes = readNotes(
      '/d/2026-11-24-notes.md',
      '# Weekly\n\n## Decisions\n\n- One thing that\n  goes on.\n- [ ] Another.\n\n## 结论\n\n第一行，\n第二行。\n',
    )
    expect(notes).toMatchObject({
      title: 'Weekly',
      day: '2026-11-24',
      decisions: ['One thing that goes on.', 'Another.'],
      conclusion: '第一行，第二行。',
    })
  })

  it('without headings give their weightiest sentences', () => {
    const sentences = extractSummary(
      'It rained. The team decided to move the launch to May. Somebody laughed. The launch needs a budget. Lunch was late.',
      2,
    )
    expect(sentences).toContain('The team decided to move the launch to May.')
  })
})
