import { stopWords } from '../../search/stopwords.ts'
import type { Words } from '../../search/words.ts'
import { chineseSayings, englishSayings } from './lexicon/lexicon.ts'
import { contentWords, englishWords } from './stems.ts'

/** Words that tools for a request may be described with, in their simplest form, and how much each counts, to 1. */
export type RequestWords = ReadonlyMap<string, number>

/** Reads the words of requests in either language. */
export type ReadRequest = (text: string) => RequestWords

// How much a word counts: one that was said itself counts 1.
const ofSaying = 1
const ofOneWord = 0.6
const ofOneCharacter = 0.7
/** The further words of what was said in one word, and in several. */
const also = 0.5
const alsoOfMany = 0.8
/** The most words that a gap in a saying stands for. */
const widestGap = 4
/** What is asked is said by then; pasted texts behind it are not read. */
const longest = 2_000
/** Texts whose words are kept. */
const mostLately = 100

// What ids and addresses name without a word for it.
const shapes: readonly (readonly [shape: RegExp, word: string])[] = [
  [/\bT-\d+|#\d+/i, 'ticket'],
  [/\b(?:ORD|PO)-?\d+/i, 'order'],
  [/\bINV-?\d+/i, 'invoic'],
  [/\bPR\b/, 'pull'],
  [/\bPR\b/, 'request'],
  [/\bhttps?:\/\//i, 'addres'],
  [/[\w.+-]+@[\w-]+\.\w+/, 'mail'],
  [/(?<![\w&])#[a-z][\w-]+/, 'channel'],
  [/(?<![\w:/])\/[\w-]+\/[\w/-]*/, 'directory'],
  [/(?<![\w:/])\/[\w-]+\/[\w/-]*|\b[\w-]+\.(?:md|txt|pdf|docx?|csv|xlsx?)\b/i, 'file'],
]
const ofShape = 0.7

const han = /^\p{Script=Han}+$/u
// Too common to say what a request is about.
const common = new Set([...'咱想好看做找一两三四五六七八九十点天号', '咱们', '今天', '明天', '昨天', '时候'])

/** Reads requests by what they say, and by the ways of saying things. */
export function createReadRequest(words: Words): ReadRequest {
  const chineseWords = (text: string): readonly string[] =>
    words.pieces(text).filter((piece) => han.test(piece) && !stopWords.has(piece) && !common.has(piece))

  const read = (said: string): RequestWords => {
    const found = new Map<string, number>()
    const add = (word: string, weight: number) => found.set(word, Math.max(weight, found.get(word) ?? 0))
    // "Get" begins the names of tools for anything.
    for (const word of contentWords(said)) if (word !== 'get') add(word, 1)
    addEnglish(englishWords(said), add)
    if (/\p{Script=Han}/u.test(said)) {
      // Where a tool is described in Chinese, its words are these.
      for (const word of chineseWords(said)) add(word, 1)
      addChinese(said, words, add)
    }
    for (const [shape, word] of shapes) if (shape.test(said)) add(word, ofShape)
    return found
  }

  // Each step of a turn reads the same texts again.
  const lately = new Map<string, RequestWords>()
  return (text) => {
    const said = text.slice(0, longest)
    const before = lately.get(said)
    if (before) return before
    const found = read(said)
    lately.set(said, found)
    const [oldest] = lately.size > mostLately ? lately.keys() : []
    if (oldest !== undefined) lately.delete(oldest)
    return found
  }
}

/** What was said now counts whole, what was said before it in the same task half as much. */
export function requestWords(
  read: ReadRequest,
  said: { readonly now: string; readonly before: readonly string[] },
): RequestWords {
  const words = new Map(read(said.now))
  for (const text of said.before)
    for (const [word, weight] of read(text)) words.set(word, Math.max(weight / 2, words.get(word) ?? 0))
  return words
}

type Add = (word: string, weight: number) => void

function addEnglish(words: readonly string[], add: Add): void {
  for (const [at, word] of words.entries()) {
    for (const saying of englishSayings.get(word) ?? []) {
      if (!stands(saying.words, words, at)) continue
      const many = saying.words.length > 1
      addMeans(saying.means, many ? ofSaying : ofOneWord, many ? alsoOfMany : also, add)
    }
  }
}

/** Does a saying stand at this place? */
function stands(saying: readonly string[], words: readonly string[], at: number): boolean {
  let place = at
  for (const [index, word] of saying.entries()) {
    if (word === '~') {
      const next = words.indexOf(saying[index + 1]!, place)
      if (next < 0 || next > place + widestGap) return false
      place = next
    } else {
      if (words[place] !== word) return false
      place += 1
    }
  }
  return true
}

function addChinese(text: string, words: Words, add: Add): void {
  const borders = bordersOf(words.pieces(text))
  const taken: (string | undefined)[] = []
  for (const { means, word, shape } of chineseSayings) {
    if (shape) {
      if (shape.test(text)) addMeans(means, ofSaying, alsoOfMany, add)
      continue
    }
    for (let from = text.indexOf(word); from >= 0; from = text.indexOf(word, from + 1)) {
      const places = Array.from(word, (_, index) => from + index)
      // Several rows may have the same word, but no part of a longer one counts.
      if (places.some((place) => taken[place] !== undefined && taken[place] !== word)) continue
      if (word.length === 1 && !(borders.has(from) && borders.has(from + 1))) continue
      for (const place of places) taken[place] = word
      addMeans(means, word.length === 1 ? ofOneCharacter : ofSaying, word.length > 2 ? alsoOfMany : also, add)
    }
  }
}

function addMeans(means: readonly string[], weight: number, further: number, add: Add): void {
  for (const [place, word] of means.entries()) add(word, place === 0 ? weight : weight * further)
}

function bordersOf(pieces: readonly string[]): ReadonlySet<number> {
  let at = 0
  return new Set([0, ...pieces.map((piece) => (at += piece.length))])
}
