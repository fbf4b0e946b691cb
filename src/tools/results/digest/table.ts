import { numbersOf } from './numbers.ts'

/** A table found in a text. */
export interface Table {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** As many lines must agree on their columns before a text counts as a table. */
const fewestRows = 4
/** Lines that are looked at to tell a table from prose. */
const sample = 20

/** The table that a text is, as CSV, TSV or Markdown; nothing where it is something else. */
export function tableOf(text: string): Table | undefined {
  const trimmed = text.trim()
  const lines = trimmed.split(/\r?\n/, sample)
  if (lines.length < fewestRows) return undefined
  if (/^\s*\|.*\|\s*$/.test(lines[0]!) && /^\s*\|?[\s:|-]+\|?\s*$/.test(lines[1]!))
    return markdownTable(trimmed)
  for (const sign of ['\t', ',', ';']) {
    const counts = records(lines.join('\n'), sign).map((cells) => cells.length)
    const wide = counts[0] ?? 0
    // The last line of the sample may end inside a quoted cell.
    const agreeing = counts.slice(0, -1).filter((count) => count === wide).length
    if (wide >= 2 && agreeing >= Math.max(fewestRows - 1, (counts.length - 1) * 0.9)) {
      const [columns = [], ...rows] = records(trimmed, sign)
      return { columns, rows }
    }
  }
  return undefined
}

/** Columns, number of rows, a summary of numeric columns, the first rows and the last ones. */
export function tableDigest({ columns, rows }: Table, characters: number): string {
  const numbers = columns.flatMap((column, index) => {
    const values = /^(?:id|.*_id)$/i.test(column) ? undefined : numbersIn(rows, index)
    if (values === undefined || values.length < 2) return []
    const { min, max, sum, mean } = numbersOf(values)
    return [`${column}: min ${min}, max ${max}, sum ${sum}, mean ${mean}`]
  })
  const head = [
    `Table of ${rows.length} rows. Columns: ${columns.join(' | ')}`,
    ...(numbers.length > 0 ? [`Numbers: ${numbers.slice(0, 12).join('; ')}`] : []),
  ].join('\n')
  const line = (row: readonly string[]) =>
    row.map((cell) => cell.trim().slice(0, 120).toWellFormed()).join(' | ')
  const last = rows.slice(-2).map(line)
  const room = characters - head.length - last.join('\n').length - 40
  const first: string[] = []
  let used = 0
  for (const row of rows.slice(0, -2)) {
    const next = line(row)
    if (used + next.length > room && first.length > 0) break
    first.push(next)
    used += next.length + 1
  }
  const left = rows.length - first.length - last.length
  return [head, ...first, ...(left > 0 ? [`… ${left} rows left out …`] : []), ...last]
    .join('\n')
    .slice(0, Math.max(characters * 2, 400))
}

/** The numbers of a column; nothing where one of its cells is none. */
function numbersIn(rows: readonly (readonly string[])[], index: number): number[] | undefined {
  const values: number[] = []
  for (const row of rows) {
    const cell = row[index]?.trim() ?? ''
    if (cell === '') continue
    const value = numberIn(cell)
    if (value === undefined) return undefined
    values.push(value)
  }
  return values
}

function numberIn(cell: string): number | undefined {
  const number = Number(cell)
  if (Number.isFinite(number)) return number
  const plain = cell.replace(/^[€$£¥]\s?|\s?[€%]$/g, '').replace(/(?<=\d),(?=\d{3}\b)/g, '')
  return plain !== '' && Number.isFinite(Number(plain)) ? Number(plain) : undefined
}

function markdownTable(text: string): Table {
  const cells = (line: string) =>
    line
      .trim()
      .replace(/^\||\|$/g, '')
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim())
  const [header = '', , ...body] = text.split(/\r?\n/)
  return { columns: cells(header), rows: body.filter((line) => line.includes('|')).map(cells) }
}

/** The records of separated values; quotes may hold the sign and line ends (RFC 4180). */
function records(text: string, sign: string): string[][] {
  if (!text.includes('"')) {
    const lines = text.split('\n').filter((line) => line !== '' && line !== '\r')
    return lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line).split(sign))
  }
  const all: string[][] = []
  let row: string[] = []
  let at = 0
  while (at <= text.length) {
    let cell: string
    if (text[at] === '"') {
      let end = at + 1
      while (end < text.length && (text[end] !== '"' || text[end + 1] === '"'))
        end += text[end] === '"' ? 2 : 1
      cell = text.slice(at + 1, end).replaceAll('""', '"')
      at = end + 1
    } else {
      let end = at
      while (end < text.length && text[end] !== sign && text[end] !== '\n') end += 1
      cell = text.slice(at, end).replace(/\r$/, '')
      at = end
    }
    row.push(cell)
    // What stands between a closing quote and the next sign belongs to nothing.
    while (at < text.length && text[at] !== sign && text[at] !== '\n') at += 1
    if (at >= text.length || text[at] === '\n') {
      if (row.length > 1 || row[0] !== '') all.push(row)
      row = []
      if (at >= text.length) break
    }
    at += 1
  }
  return all
}
