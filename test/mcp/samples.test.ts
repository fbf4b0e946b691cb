import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DateTime } from 'luxon'
import { expect, test } from 'vitest'
import { readMcpConfig } from '../../src/mcp/config/config.ts'
import { createMcp } from '../../src/mcp/mcp.ts'
import { prepareSampleDocuments, withDates } from '../../src/mcp/samples.ts'
import { silentLog } from '../../src/observe/log.ts'
import { folder, listed, memoryPins } from './support/harness.ts'

const samples = resolve('samples')
const sunday = new Date('2027-01-03T12:00:00Z')

function filesOf(path: string): string[] {
  return readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(path, name)).isFile(),
  )
}

test('dates are written relative to today, as files and as people write them', () => {
  const today = DateTime.fromISO('2026-11-30T09:00', { zone: 'Asia/Shanghai' })
  const text =
    '{{today}} {{yesterday}} {{last-week-tue}} {{next-week-sun}} {{this-week-fri}} {{two-weeks-ago-mon}} {{in-9-days}} {{3-days-ago}}'
  expect(withDates(text, today)).toBe(
    '2026-11-30 2026-11-29 2026-11-24 2026-12-13 2026-12-04 2026-11-16 2026-12-09 2026-11-27',
  )
  expect(withDates('{{last-week-tue|long}}, {{last-week-tue|zh}}', today)).toBe(
    'Tuesday 24 November 2026, 2026年11月24日（星期二）',
  )
  expect(() => withDates('{{last-year}}', today)).toThrow('last-year')
})

test('on any day of the week there is one set of notes of last week in each language, with owner and conclusion', async () => {
  for (let day = 0; day < 7; day++) {
    const today = DateTime.fromJSDate(sunday, { zone: 'utc' }).plus({ days: day })
    const target = join(folder(), 'documents')
    expect(await prepareSampleDocuments(samples, target, today.toJSDate(), 'utc')).toBe(true)
    const monday = today.startOf('week').minus({ weeks: 1 })
    const notes = readdirSync(join(target, 'meetings')).filter((name) => {
      const date = DateTime.fromISO(name.slice(0, 10), { zone: 'utc' })
      return date >= monday && date < monday.plus({ weeks: 1 })
    })
    expect(notes).toHaveLength(2)
    const [english, chinese] = notes.map((name) => readFileSync(join(target, 'meetings', name), 'utf8'))
    expect(english).toMatch(/^- Owner: Li Wei$/m)
    expect(english).toContain('## Conclusion')
    expect(chinese).toMatch(/^- 负责人：李伟（Li Wei）$/m)
    expect(chinese).toContain('## 结论')
  }
})

test('no placeholder is left in any name or text', async () => {
  const target = join(folder(), 'documents')
  await prepareSampleDocuments(samples, target, sunday)
  const files = filesOf(target)
  expect(files).toHaveLength(filesOf(samples).length)
  expect(files.some((name) => name.startsWith('logs/'))).toBe(true)
  for (const name of files) expect(name + readFileSync(join(target, name), 'utf8')).not.toMatch(/\{\{|\}\}/)
})

test('documents that are there are left alone, and half a copy is never taken for the whole', async () => {
  const home = folder()
  const target = join(home, 'documents')
  mkdirSync(target)
  writeFileSync(join(target, 'mine.md'), 'mine')
  expect(await prepareSampleDocuments(samples, target, sunday)).toBe(false)
  expect(readdirSync(target)).toEqual(['mine.md'])

  const broken = join(home, 'broken')
  mkdirSync(broken)
  writeFileSync(join(broken, 'a.md'), '{{no-such-date}}')
  await expect(prepareSampleDocuments(broken, join(home, 'other'), sunday)).rejects.toThrow('no-such-date')
  expect(readdirSync(home).sort()).toEqual(['broken', 'documents'])
})

test('several processes that start at once make one whole folder', async () => {
  const home = folder()
  const target = join(home, 'documents')
  const made = await Promise.all(
    Array.from({ length: 4 }, () => prepareSampleDocuments(samples, target, sunday)),
  )
  expect(made.filter(Boolean)).toHaveLength(1)
  expect(filesOf(target)).toHaveLength(filesOf(samples).length)
  expect(readdirSync(home)).toEqual(['documents'])
})

test("with the example file as it is, last week's notes are found and read", async () => {
  const home = folder()
  await prepareSampleDocuments(samples, join(home, 'documents'), new Date())
  const config = await readMcpConfig(resolve('mcp.example.json'), { HERMES_HOME: home })
  const mcp = createMcp({ config, home, pins: memoryPins(), log: silentLog })
  try {
    mcp.start()
    await listed(mcp, 'documents')
    const found = await mcp.call('mcp__documents__search_files', { path: '.', pattern: '**/*meeting-notes*' })
    const lastTuesday = DateTime.now().startOf('week').minus({ days: 6 }).toISODate()
    const path = found.text.split('\n').find((line) => line.includes(String(lastTuesday)))
    expect(path).toBeDefined()
    const notes = await mcp.call('mcp__documents__read_text_file', { path })
    expect(notes.text).toContain('Owner: Li Wei')
    const chinese = await mcp.call('mcp__documents__search_files', {
      path: '.',
      pattern: '**/*项目会议纪要*',
    })
    expect(chinese.text.split('\n')).toHaveLength(2)
    expect(mcp.tools().find(({ tool }) => tool === 'write_file')?.effect).toBe('write')
  } finally {
    await mcp.stop()
  }
  expect(existsSync(join(home, 'mcp-children')) ? readdirSync(join(home, 'mcp-children')) : []).toEqual([])
})
