/** A stretch of a message, and where it starts in it. */
export interface Passage {
  readonly text: string
  readonly index: number
}

// A request stands at the beginning or at the end; what lies between in a long text is its matter.
const headLength = 2_000
const tailLength = 800
const mostSentences = 60

/**
 * The parts of a message that are read: its beginning and its end, so that a text of any length takes the same
 * time. Code blocks and quoted lines become blanks: they are data, and places stay the same.
 */
export function passagesOf(text: string): readonly Passage[] {
  const head = { text: blankOut(text.slice(0, headLength), false), index: 0 }
  if (text.length <= headLength) return [head]
  const from = Math.max(headLength, text.length - tailLength)
  return [head, { text: blankOut(text.slice(from), endsInCode(text, from)), index: from }]
}

const fence = '```'

function endsInCode(text: string, end: number): boolean {
  let inside = false
  for (let at = text.indexOf(fence); at !== -1 && at < end; at = text.indexOf(fence, at + fence.length))
    inside = !inside
  return inside
}

function blankOut(text: string, startsInCode: boolean): string {
  const blank = (part: string) => part.replace(/[^\n]/g, ' ')
  const pieces = text.split(fence)
  return pieces
    .map((piece, index) => ((index % 2 === 1) !== startsInCode ? blank(piece) : piece))
    .join('   ')
    .replace(/^[ \t]*>.*$/gm, blank)
    .replace(/[’‘]/g, "'")
}

/** The sentences and list items of a passage, with their places. */
export function sentencesOf(passage: Passage): readonly Passage[] {
  const isList = firstItem.test(passage.text) && secondItem.test(passage.text)
  const found: Passage[] = []
  let at = passage.index
  for (const piece of passage.text.split(isList ? itemStart : sentenceEnd)) {
    const start = piece.search(/\S/)
    const marker = start === -1 ? 0 : (itemMarker.exec(piece.slice(start))?.[0].length ?? 0)
    const text = piece.slice(start + marker).trimEnd()
    if (start !== -1 && text !== '') found.push({ text, index: at + start + marker })
    at += piece.length
    if (found.length >= mostSentences) break
  }
  return found
}

// Splits take nothing away, so that places can be counted. A stop ends a sentence only before a blank, so that
// "4.5", "report.pdf" and "T-1.2" stay whole.
const sentenceEnd =
  /(?<!\b(?:Mr|Mrs|Ms|Dr|Prof|No|vs|etc|e\.g|i\.e)\.)(?<=[.!?;]["')\]]?)(?=\s)|(?<=[。！？；\n])/
const itemStart = /(?<=[!?;])(?=\s)|(?<=[。！？；\n])|(?=\s\d{1,2}[.)]\s)|(?=\d{1,2}、)/
const firstItem = /(?:^|\s)1[.)、]/
const secondItem = /(?:^|\s)2[.)、]/
const itemMarker = /^(?:\d{1,2}(?:[.)]\s|、)|[-*•]\s)\s*/
