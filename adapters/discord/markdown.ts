import { type Line, readLines } from '../../src/channel/blocks.ts'
import { flattenTables } from '../../src/channel/markdown.ts'
import { closeFence } from '../../src/channel/split.ts'

/** What a reply may write into one message, in UTF-16 units. Discord takes 2,000; the rest is room for a note. */
export const surfaceLimit = 1900

/** Columns of a fence that a window of middling size shows without breaking lines. */
const tableWidth = 60

/**
 * Markdown as Discord draws it: tables as aligned text in a fence, headings below the third level in bold,
 * pictures as links. Where that would not fit into a message, tables stay as they are.
 */
export function discordMarkdown(text: string): string {
  const source = closeFence(text)
  const drawn = redraw(flattenTables(source, tableWidth))
  if (drawn.length <= surfaceLimit) return drawn
  const untouched = redraw(source)
  return untouched.length <= surfaceLimit ? untouched : source
}

function redraw(text: string): string {
  return readLines(text).map(redrawLine).join('\n')
}

function redrawLine(line: Line): string {
  if (line.kind === 'code' || line.kind === 'fence-open' || line.kind === 'fence-close') return line.text
  const deep = line.kind === 'heading' ? /^ {0,3}#{4,6}[ \t]+(.*?)[ \t]*#*$/.exec(line.text)?.[1] : undefined
  const row = deep === undefined || deep === '' ? line.text : `**${deep.replaceAll('**', '')}**`
  // Discord has no pictures within a text. Code keeps its characters.
  return row
    .split(/(`[^`]*`)/)
    .map((piece, index) => (index % 2 === 1 ? piece : piece.replaceAll(/!\[([^\]]*)\]\(/g, pictureAsLink)))
    .join('')
}

function pictureAsLink(_: string, alt: string): string {
  return `[${alt === '' ? 'picture' : alt}](`
}
