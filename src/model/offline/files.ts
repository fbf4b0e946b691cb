import { dayInName, type Period } from './period.ts'
import { termsOf } from './terms.ts'

/** A document that was found. */
export interface FoundFile {
  readonly path: string
  readonly name: string
  readonly day: number | undefined
  readonly score: number
}

const readable = /\.(?:md|markdown|txt|text|rst|adoc|html?|csv|org)$/i
const logs = /\.log$/i

// The same thing in the other language counts, but less.
const alike: readonly (readonly string[])[] = [
  ['meet', '会议', '例会', '周会'],
  ['note', 'minute', 'protocol', '纪要', '记录'],
  ['project', '项目'],
  ['handbook', 'manual', '手册'],
  ['faq', '常见', '见问', '问题'],
  ['report', '报告', '周报'],
  ['plan', '计划', '方案'],
  ['log', '日志'],
]

/** Paths in a listing of files, one a line, that hold text. */
export function readListing(listing: string, wantLogs: boolean): string[] {
  return listing
    .split('\n')
    .map((line) => line.replace(/^\[FILE\]\s*/, '').trim())
    .filter((path) => readable.test(path) || (wantLogs && logs.test(path)))
}

/** The files whose names fit a request, the best first and the newest before older ones. */
export function rankFiles(
  paths: readonly string[],
  request: string,
  period: Period | undefined,
): FoundFile[] {
  const wanted = termsOf(request)
  const base = commonFolder(paths)
  return paths
    .map((path): FoundFile => {
      const name = path.split(/[\\/]/).at(-1) ?? path
      const shown = path.slice(base.length)
      const held = termsOf(shown.replace(/[_.\\/-]+/g, ' ').replace(/\.\w+$/, ''))
      let score = 0
      for (const term of wanted)
        score += held.has(term) ? 1 : others(term).some((other) => held.has(other)) ? 0.6 : 0
      // A file that is called by its whole name is meant.
      if (request.toLowerCase().includes(name.toLowerCase())) score += 10
      return { path, name, day: dayInName(name), score }
    })
    .filter(({ day }) => !period || (day !== undefined && day >= period.from && day <= period.to))
    .sort((a, b) => b.score - a.score || (b.day ?? 0) - (a.day ?? 0) || a.path.localeCompare(b.path))
}

function others(term: string): readonly string[] {
  return alike.find((group) => group.includes(term)) ?? []
}

/** The folder that all paths share says nothing about any of them. */
function commonFolder(paths: readonly string[]): string {
  const first = paths[0]
  if (first === undefined) return ''
  let end = Math.max(first.lastIndexOf('/'), first.lastIndexOf('\\')) + 1
  while (end > 0 && !paths.every((path) => path.startsWith(first.slice(0, end))))
    end = Math.max(first.lastIndexOf('/', end - 2), first.lastIndexOf('\\', end - 2)) + 1
  return first.slice(0, end)
}
