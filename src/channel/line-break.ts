/** A break inside one line: where the first half ends and the second begins (white space between is left out). */
export interface LineBreak {
  readonly end: number
  readonly next: number
}

const sentenceEnd = /[.!?…]["'’”)\]*_]*(?=\s)|[。！？；…][”’」』）*_]*/gu
const clauseEnd = /[,;:](?=\s)|[，、：]/gu
const word = /\S(?=\s)/gu
const gap = /\s+/gu
// A link or a piece of code that is torn in two is neither.
const whole = /!?\[[^\]\n]*\]\([^)\s]*\)|`[^`\n]+`|<https?:[^>\s]+>/g
// What would become a heading, a list item, a quote or a table row at the beginning of a message.
const blockStart = /^\s*(?:#{1,6}\s|[-*+]\s|\d{1,9}[.)]\s|>|\||={3,}\s*$|-{3,}\s*$)/

/**
 * The best break of a line within `room` UTF-16 units: after a sentence, a clause or a word, at last between two
 * graphemes, or within a single one (between code points) that is larger than the room. `undefined` where the
 * line should rather begin the next part. In code only the breaks after white space count, and nothing is lost.
 */
export function breakInLine(
  line: string,
  room: number,
  options: {
    readonly code: boolean
    /** Is there no better place? Then there is always a break. */
    readonly anywhere: boolean
    readonly startsBlock: (rest: string) => boolean
  },
): LineBreak | undefined {
  if (room < 1) return undefined
  // One more than the room, so that a word that just fits is seen to end.
  const window = line.slice(0, room + 1)
  const spans = options.code ? [] : [...line.slice(0, room * 2).matchAll(whole)]
  const torn = (end: number) =>
    spans.some((span) => end > span.index && end < span.index + span[0].length && span[0].length <= room)
  const fits = (found: LineBreak) => {
    const rest = line.slice(found.next)
    return (
      found.end > 0 &&
      found.end <= room &&
      rest.trim() !== '' &&
      !torn(found.end) &&
      !options.startsBlock(rest) &&
      (options.code || !blockStart.test(rest))
    )
  }
  const last = (pattern: RegExp, least: number): LineBreak | undefined => {
    const ends = [...window.matchAll(pattern)].map((match) => match.index + match[0].length)
    return ends
      .filter((end) => end >= least * room)
      .map((end) => ({ end, next: end + spaceAt(line, end) }))
      .findLast(fits)
  }
  if (options.code) {
    const end = [...window.matchAll(gap)]
      .map((match) => match.index + match[0].length)
      .findLast((each) => each <= room && each >= room / 2 && line.slice(0, each).trim() !== '')
    if (end !== undefined) return { end, next: end }
  } else {
    const found = last(sentenceEnd, 0.4) ?? last(clauseEnd, 0.6) ?? last(word, 0.3)
    if (found) return found
  }
  if (!options.anywhere) return undefined
  return graphemeBreak(line, room, (next) => fits({ end: next, next })) ?? codePointBreak(line, room)
}

function spaceAt(line: string, offset: number): number {
  return /^\s*/.exec(line.slice(offset))![0].length
}

function graphemeBreak(line: string, room: number, fits: (offset: number) => boolean): LineBreak | undefined {
  // Some more than the room: the segmenter must see where the last cluster ends.
  const segments = new Intl.Segmenter('und', { granularity: 'grapheme' }).segment(line.slice(0, room + 200))
  const offsets = [...segments]
    .map((segment) => segment.index)
    .filter((offset) => offset > 0 && offset <= room)
  const offset = offsets.findLast(fits) ?? offsets.at(-1)
  return offset === undefined ? undefined : { end: offset, next: offset }
}

function codePointBreak(line: string, room: number): LineBreak | undefined {
  const code = line.charCodeAt(room - 1)
  const high = code >= 0xd800 && code <= 0xdbff
  const offset = high ? room - 1 : room
  return offset > 0 ? { end: offset, next: offset } : undefined
}
