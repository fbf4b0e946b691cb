import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { DateTime } from 'luxon'
import { codeOf, HermesError } from '../base/errors.ts'

const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const weeks: Readonly<Record<string, number>> = {
  'two-weeks-ago': -2,
  'last-week': -1,
  'this-week': 0,
  'next-week': 1,
}

/**
 * Fills in the dates of a sample document, so that last week's notes are last week's on any day. A date is written
 * `{{last-week-tue}}`, `{{yesterday}}` or `{{in-9-days}}`, with `|long` or `|zh` for the way people write it.
 */
export function withDates(text: string, today: DateTime): string {
  return text.replace(
    /\{\{([a-z0-9-]+)(?:\|([a-z]+))?\}\}/g,
    (whole, name: string, form: string | undefined) => {
      const date = dateOf(name, today)
      const written = date && forms[form ?? 'iso']?.(date)
      if (!written)
        throw new HermesError('samples.date', `A sample document names a date that is not known: ${whole}.`)
      return written
    },
  )
}

const forms: Readonly<Record<string, (date: DateTime) => string>> = {
  iso: (date) => date.toFormat('yyyy-MM-dd'),
  long: (date) => date.setLocale('en-GB').toFormat('cccc d MMMM yyyy'),
  zh: (date) => date.setLocale('zh-CN').toFormat('yyyy年M月d日（cccc）'),
}

function dateOf(name: string, today: DateTime): DateTime | undefined {
  if (name === 'today') return today
  if (name === 'yesterday') return today.minus({ days: 1 })
  const counted = /^(?:in-(\d+)-days|(\d+)-days-ago)$/.exec(name)
  if (counted) return today.plus({ days: Number(counted[1] ?? -Number(counted[2])) })
  const dash = name.lastIndexOf('-')
  const week = weeks[name.slice(0, dash)]
  const day = days.indexOf(name.slice(dash + 1))
  if (week === undefined || day === -1) return undefined
  return today.startOf('week').plus({ weeks: week, days: day })
}

/**
 * Copies the sample documents for the tour, with their dates filled in for `today`. A folder that exists is left
 * alone: the documents are the person's then. Returns whether the folder was made.
 */
export async function prepareSampleDocuments(
  source: string,
  target: string,
  today: Date,
  zone = 'system',
): Promise<boolean> {
  if (await exists(target)) return false
  await mkdir(dirname(target), { recursive: true })
  // Made beside the target and renamed, so that a copy which was broken off is never taken for the whole.
  const draft = await mkdtemp(join(dirname(target), `.${basename(target)}-`))
  try {
    await copyFolder(source, draft, DateTime.fromJSDate(today, { zone }))
    await chmod(draft, 0o755)
    await rename(draft, target)
    return true
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    // Another process was faster.
    if (codeOf(error) === 'ENOTEMPTY' || codeOf(error) === 'EEXIST') return false
    throw error
  }
}

async function copyFolder(source: string, target: string, today: DateTime): Promise<void> {
  await mkdir(target, { recursive: true })
  for (const entry of await readdir(source, { withFileTypes: true })) {
    const name = withDates(entry.name, today)
    const [from, to] = [join(source, entry.name), join(target, name)]
    if (entry.isDirectory()) await copyFolder(from, to, today)
    else {
      await writeFile(to, withDates(await readFile(from, 'utf8'), today))
      const day = /\d{4}-\d{2}-\d{2}/.exec(name)
      // A document of a day looks as if it was last changed on that day.
      const at = day && DateTime.fromISO(`${day[0]}T17:30`, { zone: today.zone })
      if (at?.isValid && at < today) await utimes(to, at.toJSDate(), at.toJSDate())
    }
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await readdir(path)
    return true
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false
    throw error
  }
}
