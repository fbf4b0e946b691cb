import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DateTime } from 'luxon'

/** The founding request, in the languages that are shipped, and what its parts are about. */
export const requests = {
  en: {
    text: "Summarise last week's project meeting notes, send the conclusion to the owner, and remind me next week to add the follow-up plan",
    notes: /project-meeting-notes.*\.md$/,
    owner: 'Li Wei',
    /** Of the notes' conclusion. */
    conclusion: 'The new platform is fast enough',
    reminder: 'add the follow-up plan',
    nextWeek: 'next week',
  },
  zh: {
    text: '总结上周项目会议的纪要，把结论发给负责人，下周提醒我补充后续计划',
    notes: /项目会议纪要.*\.md$/,
    owner: '李伟',
    conclusion: '新搜索达到上线要求',
    reminder: '补充后续计划',
    nextWeek: '下周',
  },
} as const

export type Request = (typeof requests)[keyof typeof requests]

/** A Wednesday noon, this week's or the next one's: nowhere on earth is another week then. */
export function wednesday(): Date {
  const now = DateTime.utc()
  const noon = now.startOf('week').plus({ days: 2, hours: 12 })
  return (noon > now.plus({ minutes: 1 }) ? noon : noon.plus({ weeks: 1 })).toJSDate()
}

/** The morning of the Monday after, as a reminder for "next week" means it. */
export function nextMonday(now: Date, timeZone: string): Date {
  return DateTime.fromJSDate(now, { zone: timeZone }).startOf('week').plus({ weeks: 1, hours: 9 }).toJSDate()
}

/** The text of last week's notes, as the sample documents of that home hold them. */
export async function lastWeeksNotes(home: string, request: Request, now: Date): Promise<string> {
  const folder = join(home, 'documents', 'meetings')
  const name = pickLastWeeks(await readdir(folder), request, now)
  if (name === undefined) throw new Error('There are no notes of last week.')
  return readFile(join(folder, name), 'utf8')
}

/** Which of some files are last week's notes. */
export function pickLastWeeks(files: readonly string[], request: Request, now: Date): string | undefined {
  const monday = DateTime.fromJSDate(now, { zone: 'utc' }).startOf('week')
  return files.find((file) => {
    const day = /\d{4}-\d{2}-\d{2}/.exec(file)?.[0]
    const date = day === undefined ? undefined : DateTime.fromISO(day, { zone: 'utc' })
    return (
      request.notes.test(file) && date !== undefined && date >= monday.minus({ weeks: 1 }) && date < monday
    )
  })
}
