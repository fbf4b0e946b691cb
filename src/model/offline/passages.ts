import { coverage, termsOf } from './terms.ts'

/** A part of a document that bears on a question. */
export interface Passage {
  readonly document: string
  readonly text: string
  readonly score: number
}

const leastCoverage = 0.4
const mostPassages = 3
const longest = 700

/** The passages of some documents that bear on a question, the best first; none where nothing does. */
export function findPassages(
  documents: readonly { readonly name: string; readonly text: string }[],
  question: string,
): Passage[] {
  const wanted = termsOf(question)
  const passages = documents.flatMap(({ name, text }) => {
    const title = termsOf(name)
    return blocksOf(text).map((block): Passage => {
      const held = new Set([...termsOf(block.text), ...termsOf(block.heading), ...title])
      const own = coverage(wanted, termsOf(block.text))
      // A title that fits says that the document is the right one, not that this part is.
      return {
        document: name,
        text: block.text,
        score: own === 0 ? 0 : (own * 2 + coverage(wanted, held)) / 3,
      }
    })
  })
  const best = Math.max(0, ...passages.map(({ score }) => score))
  return passages
    .filter(({ score }) => score >= leastCoverage && score >= best * 0.75)
    .sort((a, b) => b.score - a.score)
    .slice(0, mostPassages)
    .map((passage) => ({ ...passage, text: shorten(passage.text, longest) }))
}

/** Cuts a text at the end of a sentence or a line. */
export function shorten(text: string, characters: number): string {
  if (text.length <= characters) return text
  const cut = text.slice(0, characters).toWellFormed()
  const end = Math.max(cut.lastIndexOf('. '), cut.lastIndexOf('。'), cut.lastIndexOf('\n'))
  return `${(end > characters / 2 ? cut.slice(0, end + 1) : cut).trimEnd()} …`
}

/** Paragraphs with the heading above them; a question in bold stays with its answer, list items stand alone. */
function blocksOf(text: string): { heading: string; text: string }[] {
  let heading = ''
  const blocks: { heading: string; text: string }[] = []
  for (const block of text.split(/\n\s*\n/)) {
    const lines = block.split('\n').filter((line) => line.trim() !== '')
    const headings = lines.filter((line) => /^#{1,6}\s/.test(line))
    if (headings.length > 0) heading = headings.at(-1)!.replace(/^#+\s*/, '')
    const body = lines.filter((line) => !/^#{1,6}\s/.test(line))
    if (body.length === 0) continue
    const isList = body.every((line) => /^\s*(?:[-*•]|\d+[.)])\s|^\s{2,}\S/.test(line))
    const parts = isList ? itemsOf(body) : [body.join('\n')]
    blocks.push(...parts.map((part) => ({ heading, text: part.trim() })))
  }
  return blocks
}

function itemsOf(lines: readonly string[]): string[] {
  const items: string[] = []
  for (const line of lines) {
    if (/^\s{0,1}(?:[-*•]|\d+[.)])\s/.test(line) || items.length === 0) items.push(line)
    else items.push(`${items.pop() ?? ''}\n${line}`)
  }
  return items
}
