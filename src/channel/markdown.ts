import { marked, type Token, type Tokens } from 'marked'
import { type Line, readLines } from './blocks.ts'

const emoji = /\p{RI}{2}|\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f/u
// East Asian Wide and Fullwidth, by block (Unicode 16, EastAsianWidth.txt).
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]/u
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })

/** How many columns a text takes in a font of fixed width: two for CJK and emoji, none for combining marks. */
export function columns(text: string): number {
  let count = 0
  for (const { segment } of graphemes.segment(text)) {
    if (/^\p{Mn}|^\p{Cf}|^\p{Cc}/u.test(segment)) continue
    count += wide.test(segment) || emoji.test(segment) ? 2 : 1
  }
  return count
}

/**
 * Replaces tables by text that reads on platforms without them: aligned columns in a fence, or, where those
 * would be wider than `width`, a list with an entry for each row. Everything else stays as it is.
 */
export function flattenTables(text: string, width = 76): string {
  const lines = readLines(text)
  const out: string[] = []
  for (let index = 0; index < lines.length; index += 1) {
    if (lines[index]!.kind !== 'table-head') {
      out.push(lines[index]!.text)
      continue
    }
    const rows: Line[] = []
    while (lines[index]?.kind.startsWith('table-')) {
      rows.push(lines[index]!)
      index += 1
    }
    index -= 1
    out.push(flatten(rows.map((row) => row.text).join('\n'), width))
  }
  return out.join('\n')
}

function flatten(source: string, width: number): string {
  const table = marked.lexer(source).find((token): token is Tokens.Table => token.type === 'table')
  if (!table) return source
  const texts = [table.header, ...table.rows].map((row) => row.map((cell) => inlineText(cell.tokens)))
  const aligned = align(texts, table.align)
  if (aligned.every((line) => columns(line) <= width)) return ['```', ...aligned, '```'].join('\n')
  return table.rows.map((row) => entry(table.header, row)).join('\n')
}

/** A row of a table as a list item, its Markdown kept. */
function entry(header: readonly Tokens.TableCell[], row: readonly Tokens.TableCell[]): string {
  const [first, ...others] = row
  const rest = others
    .map((cell, index) => ({ name: header[index + 1]?.text ?? '', value: cell.text }))
    .filter(({ value }) => value !== '')
    .map(({ name, value }) => (name === '' ? `  - ${value}` : `  - ${name}: ${value}`))
  return [`- **${first?.text || '–'}**`, ...rest].join('\n')
}

function align(rows: readonly (readonly string[])[], sides: Tokens.Table['align']): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => columns(row[column] ?? ''))))
  const line = (row: readonly string[]) =>
    widths
      .map((width, column) => pad(row[column] ?? '', width, sides[column] ?? 'left'))
      .join('  ')
      .trimEnd()
  const rule = widths.map((width) => '─'.repeat(Math.max(width, 1))).join('  ')
  return [line(rows[0]!), rule, ...rows.slice(1).map(line)]
}

function pad(text: string, width: number, side: 'left' | 'right' | 'center'): string {
  const space = width - columns(text)
  const before = side === 'right' ? space : side === 'center' ? Math.floor(space / 2) : 0
  return ' '.repeat(before) + text + ' '.repeat(space - before)
}

function inlineText(tokens: readonly Token[]): string {
  return tokens.map(oneInline).join('')
}

function oneInline(token: Token): string {
  switch (token.type) {
    case 'br':
      return '\n'
    case 'link': {
      const label = inlineText(token.tokens ?? [])
      return label === token.href || `mailto:${label}` === token.href ? label : `${label} (${token.href})`
    }
    case 'image':
      return token.text === '' ? token.href : `${token.text} (${token.href})`
    case 'html':
      return tagless(token.raw)
    case 'escape':
    case 'codespan':
      return token.text
    case 'checkbox':
      return ''
    default:
      return 'tokens' in token && token.tokens
        ? inlineText(token.tokens)
        : 'text' in token
          ? token.text
          : token.raw
  }
}

function tagless(html: string): string {
  return html.replace(/<!--[\s\S]*?-->/g, '').replace(/<\/?[a-z][^>]*>/gi, '')
}
