import { type Fence, fenceOpenedBy, type Line, quoteOf, readLines } from './blocks.ts'
import { breakInLine } from './line-break.ts'

/** How to split. */
export interface SplitOptions {
  /**
   * `false` leaves a fence that the text itself has not closed open in the last part (room to close it is kept):
   * for a draft whose text only grows. `closeFence` closes it where a platform wants that.
   */
  readonly closeLast?: boolean
}

/** The least limit that `splitMarkdown` takes. */
const leastLimit = 200

/**
 * Splits Markdown into parts of at most `limit` UTF-16 units: at a paragraph, list item, line, sentence or word,
 * at last between two graphemes. Fences are closed and opened again with their language, tables that must be
 * torn get their header again. Only white space at the breaks is left out. Blank text gives no part. The parts
 * of a growing text stay as they were, but for the last one or two.
 */
export function splitMarkdown(text: string, limit: number, options: SplitOptions = {}): string[] {
  if (limit < leastLimit) throw new RangeError(`A limit of ${limit} characters is under ${leastLimit}.`)
  const source = text
    .replaceAll('\r\n', '\n')
    .replace(/(`{3,}|~{3,})[ \t]+$/gm, '$1')
    .trimEnd()
  const lines = readLines(source)
  const parts: string[] = []
  let place = skipBlank(lines, { line: 0, offset: 0, prefix: '', dedent: 0 })
  while (place.line < lines.length) {
    const rest = render(source.slice(startOf(lines, place)), place)
    const closed = closeFence(rest)
    if (closed.length <= limit) {
      parts.push(options.closeLast === false ? rest : closed)
      return parts
    }
    const { part, next } = nextPart(source, lines, place, limit)
    parts.push(part)
    place = skipBlank(lines, next)
  }
  return parts
}

/** Markdown with its last fence closed, if that is open. */
export function closeFence(text: string): string {
  const fence = readLines(text).at(-1)?.fence
  return fence ? text + closing(fence) : text
}

/** The part that begins there, where the rest is too long, and where the next one begins. */
function nextPart(source: string, lines: readonly Line[], place: Place, limit: number) {
  for (let room = limit; ; ) {
    const cut = findBreak(source, lines, place, room)
    const part = closeFence(render(source.slice(startOf(lines, place), cut.end), place))
    if (part.length <= limit) return { part, next: cut.next }
    // The first half of a torn line happens to look like a fence, whose closing needs room too.
    room -= part.length - limit
  }
}

/** Where a part begins: a line, an offset into it, and what the part needs before its text. */
interface Place {
  readonly line: number
  readonly offset: number
  readonly prefix: string
  /** Columns to take from the lines, where the list item or fence that they belong to began in another part. */
  readonly dedent: number
}

interface Cut {
  /** Offset in the source where the part ends. */
  readonly end: number
  readonly next: Place
}

function startOf(lines: readonly Line[], place: Place): number {
  return lines[place.line]!.start + place.offset
}

function closing(fence: Fence): string {
  return `\n${fence.quote}${' '.repeat(fence.indent)}${fence.marker}`
}

function render(body: string, place: Place): string {
  const text = place.dedent > 0 ? dedent(place, body) : place.prefix + body
  return readLines(text).at(-1)?.fence ? text : text.trimEnd()
}

/**
 * Takes the indentation of the list item that a part goes on with from its lines, up to the first line outside
 * of it: without its item the text would read as indented code.
 */
function dedent(place: Place, body: string): string {
  const lines = readLines(place.prefix + body)
  const rows = lines.map((line) => line.text)
  const first = place.prefix === '' ? 0 : 1
  for (let index = first; index < rows.length; index += 1) {
    const row = rows[index]!
    const { kind } = lines[index]!
    const indent = indentOf(row)
    const inside = kind === 'code' || kind === 'fence-close' || kind === 'blank'
    if (index === first && place.offset > 0) continue
    if (indent < place.dedent && !inside && index > first) break
    rows[index] = row.slice(Math.min(indent, place.dedent))
  }
  return rows.join('\n')
}

function indentOf(row: string): number {
  return /^[ \t]*/.exec(row)![0].length
}

/** Blank lines at the beginning of a part are left out, but in code. */
function skipBlank(lines: readonly Line[], place: Place): Place {
  if (place.prefix !== '' || place.offset > 0) return place
  let line = place.line
  while (lines[line]?.kind === 'blank') line += 1
  const indent = indentOf(lines[line]?.text ?? '')
  return { line, offset: 0, prefix: '', dedent: indent > 0 && belongsToItem(lines, line) ? indent : 0 }
}

function belongsToItem(lines: readonly Line[], line: number): boolean {
  const indent = indentOf(lines[line]!.text)
  const owner = lines.slice(0, line).findLast((each) => each.kind !== 'blank' && indentOf(each.text) < indent)
  return owner?.kind === 'item' || (owner !== undefined && indentOf(owner.text) > 0)
}

/** How good a break after a line is; less is better. */
type Rank = 'paragraph' | 'item' | 'line' | 'nested' | 'code-gap' | 'code' | 'row' | 'poor'

interface Boundary {
  readonly line: number
  readonly rank: Rank
  /** How much of the part would be filled, 0 to 1. */
  readonly fill: number
}

// Each step takes the last boundary of these ranks that fills at least that much. What comes after the steps
// is a break inside a line, and at last any boundary at all.
const steps: readonly { readonly ranks: readonly Rank[]; readonly fill: number }[] = [
  { ranks: ['paragraph'], fill: 0.5 },
  { ranks: ['item'], fill: 0.5 },
  { ranks: ['line', 'nested'], fill: 0.5 },
  { ranks: ['paragraph', 'item', 'line', 'nested'], fill: 0.25 },
  { ranks: ['code-gap'], fill: 0.5 },
  { ranks: ['code', 'code-gap', 'row'], fill: 0.25 },
]

function findBreak(source: string, lines: readonly Line[], place: Place, limit: number): Cut {
  const start = startOf(lines, place)
  const room = limit - place.prefix.length
  const boundaries: Boundary[] = []
  let line = place.line
  for (; line < lines.length - 1; line += 1) {
    const { end, fence } = lines[line]!
    if (end - start + (fence ? closing(fence).length : 0) > room) break
    const rank = rankAfter(lines, line)
    if (rank) boundaries.push({ line, rank, fill: (end - start) / limit })
  }
  // `line` is now the first that does not fit, or the last of all.
  const table = wholeTableAt(lines, line, limit)
  if (table !== undefined && table > place.line) {
    const before = boundaries.findLast((each) => each.line < table && each.rank !== 'poor')
    if (before) return cutAfter(lines, before.line, limit)
  }
  for (const step of steps) {
    const found = boundaries.findLast((each) => step.ranks.includes(each.rank) && each.fill >= step.fill)
    if (found) return cutAfter(lines, found.line, limit)
  }
  const last = boundaries.at(-1)
  const prose = ['text', 'item', 'heading'].includes(lines[line]!.kind)
  const inside = last && !prose ? undefined : cutInside(source, lines, line, place, room, last === undefined)
  if (inside) return inside
  if (last) return cutAfter(lines, last.line, limit)
  // The bounds of `readLines` and `leastLimit` leave room for some characters beside every prefix and closing.
  throw new RangeError(`No break was found in a line of ${lines[line]!.text.length} characters.`)
}

/** The first line of the table that a line is in, where that table fits into one part. */
function wholeTableAt(lines: readonly Line[], line: number, limit: number): number | undefined {
  if (!lines[line]!.kind.startsWith('table-')) return undefined
  const first = tableStart(lines, line)
  let last = line
  while (lines[last + 1]?.kind === 'table-row' || lines[last + 1]?.kind === 'table-rule') last += 1
  return lines[last]!.end - lines[first]!.start <= limit ? first : undefined
}

function tableStart(lines: readonly Line[], line: number): number {
  let first = line
  while (first > 0 && lines[first]!.kind !== 'table-head') first -= 1
  return first
}

function rankAfter(lines: readonly Line[], index: number): Rank | undefined {
  const line = lines[index]!
  const next = lines[index + 1]!
  switch (line.kind) {
    case 'fence-open':
    case 'table-head':
      return undefined
    case 'code':
      if (next.kind === 'fence-close') return 'poor'
      if (next.kind !== 'code') return 'paragraph'
      return line.text.trim() === '' || next.text.trim() === '' ? 'code-gap' : 'code'
    case 'table-rule':
      return next.kind === 'table-row' ? undefined : 'paragraph'
    case 'table-row':
      return next.kind === 'table-row' ? 'row' : 'paragraph'
    case 'heading':
      return 'poor'
    case 'fence-close':
    case 'item':
    case 'text':
    case 'blank':
      return leadsOn(lines, index) ? 'poor' : plainRank(lines, index)
    default:
      return line.kind satisfies never
  }
}

/** Does what stands before this boundary announce what comes after it (a heading, "as follows:")? */
function leadsOn(lines: readonly Line[], index: number): boolean {
  let last = index
  while (last >= 0 && lines[last]!.kind === 'blank') last -= 1
  const line = lines[last]
  if (!line) return true
  return line.kind === 'heading' || (line.kind === 'text' && /[:：]\**[ \t]*$/.test(line.text))
}

function plainRank(lines: readonly Line[], index: number): Rank {
  const line = lines[index]!
  let after = index + 1
  while (lines[after]?.kind === 'blank') after += 1
  const next = lines[after]
  const nested = next !== undefined && /^[ \t]/.test(next.text)
  if (nested) return 'nested'
  if (line.kind === 'blank' || after > index + 1 || next?.kind === 'heading') return 'paragraph'
  if (line.kind === 'fence-close') return 'paragraph'
  return next?.kind === 'item' ? 'item' : 'line'
}

function cutAfter(lines: readonly Line[], index: number, limit: number): Cut {
  const { end, fence, kind } = lines[index]!
  const next = lines[index + 1]!
  const at = { line: index + 1, offset: 0, prefix: '', dedent: 0 }
  // The part closes the fence itself, so the closing line is spent.
  if (fence && next.kind === 'fence-close') return { end, next: { ...at, line: index + 2 } }
  if (fence && next.kind === 'code') return { end, next: { ...at, ...reopened(fence) } }
  if (kind === 'table-row' && next.kind === 'table-row') {
    const head = tableStart(lines, index)
    const header = `${lines[head]!.text}\n${lines[head + 1]!.text}\n`
    if (header.length <= limit / 3) return { end, next: { ...at, prefix: header } }
  }
  return { end, next: at }
}

function reopened(fence: Fence): Pick<Place, 'prefix' | 'dedent'> {
  const language = (fence.info.split(/\s/)[0] ?? '').slice(0, 40)
  return {
    prefix: `${fence.quote}${fence.marker}${language}\n`,
    dedent: fence.quote === '' ? fence.indent : 0,
  }
}

/** A break inside the line that does not fit. */
function cutInside(
  source: string,
  lines: readonly Line[],
  index: number,
  place: Place,
  room: number,
  anywhere: boolean,
): Cut | undefined {
  const line = lines[index]!
  if (line.kind === 'fence-open' || line.kind === 'fence-close') return undefined
  const start = startOf(lines, place)
  const from = Math.max(start, line.start)
  const spare = room - (from - start) - (line.fence ? closing(line.fence).length : 0)
  const code = line.fence !== undefined
  const found = breakInLine(source.slice(from, line.end), spare, {
    code,
    anywhere,
    startsBlock: (rest) => !code && fenceOpenedBy(rest) !== undefined,
  })
  if (!found) return undefined
  const offset = from - line.start + found.next
  const quote = quoteOf(line.text)
  const again = line.fence ? reopened(line.fence) : { prefix: '', dedent: 0 }
  return {
    end: from + found.end,
    next: { line: index, offset, prefix: again.prefix + quote, dedent: again.dedent },
  }
}
