/** A fence that is open: how to close it, and how to open it again in another message. */
export interface Fence {
  /** The quote's marks before it, for example `> `. */
  readonly quote: string
  /** Columns between the quote's marks and the fence, a list item's mark included. */
  readonly indent: number
  /** For example three backticks. */
  readonly marker: string
  /** What follows the marker: the language. */
  readonly info: string
}

/** What a line of Markdown is. */
export type LineKind =
  | 'blank'
  | 'heading'
  | 'item'
  | 'text'
  | 'fence-open'
  | 'code'
  | 'fence-close'
  | 'table-head'
  | 'table-rule'
  | 'table-row'

/** One line of Markdown with its place in the text. */
export interface Line {
  readonly kind: LineKind
  /** Offset of its first character. */
  readonly start: number
  /** Offset after its last character, the line break left out. */
  readonly end: number
  readonly text: string
  /** The fence that a message ending right after this line would leave open. */
  readonly fence?: Fence
}

// Bounds, so that opening and closing a fence always fits into a message. What goes beyond is decoration.
const deepest = 24
const longestMarker = 12
const longestInfo = 80

const quoteMarks = /^(?:[ \t]{0,3}>[ \t]?)+/
const fenceStart = /^([ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)(`{3,}|~{3,})(.*)$/
const fenceEnd = /^([ \t]*)(`{3,}|~{3,})[ \t]*$/
const heading = /^[ ]{0,3}#{1,6}(?:[ \t]|$)/
const item = /^[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/
const tableRule = /^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/

/** The fence that a line opens, if it does. */
export function fenceOpenedBy(text: string): Fence | undefined {
  const quote = quoteOf(text)
  const match = fenceStart.exec(text.slice(quote.length))
  if (!match) return undefined
  const [, before = '', marker = '', after = ''] = match
  const info = after.trim()
  if (quote.length + before.length > deepest || marker.length > longestMarker) return undefined
  if (after.length > longestInfo) return undefined
  // CommonMark 4.5: a backtick in the info string makes it a code span.
  if (marker.startsWith('`') && info.includes('`')) return undefined
  return { quote, indent: before.length, marker, info }
}

function closes(fence: Fence, text: string): boolean {
  const [, indent = '', marker = ''] = fenceEnd.exec(text.slice(quoteOf(text).length)) ?? []
  if (indent.length > deepest || marker.length > 2 * longestMarker) return false
  return marker.startsWith(fence.marker)
}

/** The marks of the quote that a line is in, or nothing. */
export function quoteOf(text: string): string {
  const marks = quoteMarks.exec(text)?.[0] ?? ''
  return marks.length > deepest ? '' : marks
}

/** Reads Markdown by lines: fences (also quoted, in lists, and with tildes), tables, headings and list items. */
export function readLines(text: string): Line[] {
  const lines: Line[] = []
  const rows = text.split('\n')
  let start = 0
  let fence: Fence | undefined
  let inTable = false
  for (const [index, row] of rows.entries()) {
    const end = start + row.length
    const place = { start, end, text: row }
    start = end + 1
    // A quote that ends takes its fence with it.
    if (fence && fence.quote !== '' && quoteOf(row) === '') fence = undefined
    if (fence) {
      if (closes(fence, row)) {
        fence = undefined
        lines.push({ ...place, kind: 'fence-close' })
      } else {
        lines.push({ ...place, kind: 'code', fence })
      }
      continue
    }
    const opened = fenceOpenedBy(row)
    if (opened) {
      fence = opened
      inTable = false
      lines.push({ ...place, kind: 'fence-open', fence })
      continue
    }
    const kind = plainKind(row, rows[index + 1], lines.at(-1)?.kind, inTable)
    inTable = kind === 'table-head' || kind === 'table-rule' || kind === 'table-row'
    lines.push({ ...place, kind })
  }
  return lines
}

function plainKind(
  row: string,
  next: string | undefined,
  previous: LineKind | undefined,
  inTable: boolean,
): LineKind {
  if (/^[ \t>]*$/.test(row)) return 'blank'
  if (previous === 'table-head') return 'table-rule'
  if (inTable && row.includes('|')) return 'table-row'
  if (row.includes('|') && next !== undefined && isTableRule(next)) return 'table-head'
  if (heading.test(row)) return 'heading'
  if (item.test(row)) return 'item'
  return 'text'
}

function isTableRule(row: string): boolean {
  return row.includes('|') && tableRule.test(row)
}
