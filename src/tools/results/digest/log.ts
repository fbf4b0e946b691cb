const levels = /\b(TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERR(?:OR)?|FATAL|CRITICAL|PANIC)\b/i
const moment = /\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2})?|\b\d{2}:\d{2}:\d{2}\b/
const bad = /^(?:ERR|ERROR|FATAL|CRITICAL|PANIC)$/

/** Lines that are looked at to tell a log from prose. */
const sample = 60

/** Is a text the lines of a log? */
export function isLog(text: string): boolean {
  const lines = text.split('\n', sample).filter((line) => line.trim() !== '')
  const marked = lines.filter(
    (line) => levels.test(line.slice(0, 200)) && (moment.test(line) || /^\W*[A-Z]+\b/.test(line)),
  )
  return lines.length >= 8 && marked.length >= lines.length * 0.4
}

/** How many lines of each level, the time they span, the first and the last errors, and the log's two ends. */
export function logDigest(text: string, characters: number): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const counts = new Map<string, number>()
  const errors: number[] = []
  for (const [index, line] of lines.entries()) {
    const level = levels.exec(line.slice(0, 200))?.[1]?.toUpperCase()
    if (!level) continue
    const name = level === 'WARNING' ? 'WARN' : level === 'ERR' ? 'ERROR' : level
    counts.set(name, (counts.get(name) ?? 0) + 1)
    if (bad.test(level)) errors.push(index)
  }
  const from = lines.map((line) => moment.exec(line)?.[0]).find((found) => found !== undefined)
  const until = lines.findLast((line) => moment.test(line))
  const short = (line: string) => line.slice(0, Math.max(80, Math.min(400, characters / 10))).toWellFormed()
  const shown = (indexes: readonly number[]) =>
    indexes.map((index) => `${index + 1}: ${short(lines[index]!)}`)
  const firstErrors = errors.slice(0, 3)
  const lastErrors = errors.slice(3).slice(-3)
  const head = [
    `Log of ${lines.length} lines${from ? `, ${from} to ${moment.exec(until ?? '')?.[0] ?? from}` : ''}. Levels: ${[...counts].map(([level, count]) => `${level} ${count}`).join(', ')}`,
    ...(firstErrors.length > 0 ? ['First errors, by line:', ...shown(firstErrors)] : ['No errors.']),
    ...(lastErrors.length > 0 ? ['Last errors:', ...shown(lastErrors)] : []),
  ]
  const ends = Math.max(1, Math.min(10, Math.floor((characters - head.join('\n').length) / 2 / 120)))
  return [
    ...head,
    'Begins with:',
    ...lines.slice(0, ends).map(short),
    'Ends with:',
    ...lines.slice(-ends).map(short),
  ].join('\n')
}
