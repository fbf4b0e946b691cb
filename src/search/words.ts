import { createRequire } from 'node:module'
import { stem } from './stem.ts'
import { stopWords } from './stopwords.ts'

/** Cuts text of any language into the words that full-text search compares. */
export interface Words {
  /** The words of a text in their order, repeats included. */
  of(text: string): string[]
  /**
   * The words as a literal for a `tsvector` column: bind it as a string and cast with `::tsvector`.
   * @param keys more words, taken as they are
   */
  vector(text: string, keys?: readonly string[]): string
  /** The distinct words to look for; identifiers count as a whole. Empty when nothing is worth looking for. */
  query(text: string): string[]
  /** The text cut at the borders of its Chinese words: nothing of it is left out. */
  pieces(text: string): string[]
}

// A run of Han; a run of another script written without spaces between words; an identifier joined by
// signs (ORD-2024-0017, mem_01…, v1.2.3, a@b.example); or a plain word or number.
const token =
  /(?<han>\p{Script=Han}+)|(?<dense>[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}ー]+)|(?<joined>[a-z0-9]+(?:[-_.@/:][a-z0-9]+)+)|(?<plain>(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}])[\p{L}\p{N}\p{M}])+(?:['’][a-z]{1,2}(?![a-z]))?)/gu

// PostgreSQL refuses lexemes of 2 KB and positions above 16383, and a memory never needs either.
const longestWord = 64
const mostPositions = 16_000
const mostQueryWords = 48

interface Segmenter {
  cut(sentence: string, hmm?: boolean): string[]
  cutForSearch(sentence: string, hmm?: boolean): string[]
}

/** Words with their own copy of the Chinese dictionary, which is loaded (once) at the first Chinese text. */
export function createWords(): Words {
  let chinese: Segmenter | undefined
  const segmenter = (): Segmenter => {
    chinese ??= loadSegmenter()
    return chinese
  }
  return {
    of: (text) => cut(text, segmenter, true),
    vector: (text, keys = []) => vectorOf([...cut(text, segmenter, true), ...keys]),
    query: (text) => {
      const distinct = [...new Set(cut(text, segmenter, false))]
      return distinct.slice(0, mostQueryWords)
    },
    pieces: (text) => segmenter().cut(text, true),
  }
}

/** A literal for `::tsquery` that matches rows with any of the words; undefined without words. */
export function anyOf(words: readonly string[]): string | undefined {
  return words.length === 0 ? undefined : words.map(lexeme).join(' | ')
}

function loadSegmenter(): Segmenter {
  // The dictionary's own loader reads 5 MB and parses them, about a quarter of a second here: only on demand.
  const load = createRequire(import.meta.url)
  const { Jieba } = load('@node-rs/jieba') as typeof import('@node-rs/jieba')
  const { dict } = load('@node-rs/jieba/dict') as { dict: Uint8Array }
  return Jieba.withDict(dict)
}

function cut(text: string, segmenter: () => Segmenter, withParts: boolean): string[] {
  const found: string[] = []
  const add = (word: string) => {
    if (word.length > 0 && word.length <= longestWord && !stopWords.has(word)) found.push(word)
  }
  for (const { groups } of normalise(text).matchAll(token)) {
    if (groups?.han) addHan(groups.han, segmenter(), add)
    else if (groups?.dense) for (const pair of pairs(groups.dense)) add(pair)
    else if (groups?.joined) addJoined(groups.joined, withParts, add)
    else if (groups?.plain) add(stem(groups.plain.replace(/(?:n['’]t|['’][a-z]{1,2})$/, '')))
  }
  return found
}

function normalise(text: string): string {
  // Full-width forms become plain ones, accents of Latin letters go (café, cafe), all lower case.
  return text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(/(?<=[a-z])\p{M}+/gu, '')
    .normalize('NFC')
}

// Words of the dictionary and also every pair of neighbours: the pairs find what the dictionary cuts
// differently in the question and in the text, the words weigh more because they come on top.
function addHan(run: string, segmenter: Segmenter, add: (word: string) => void): void {
  const cutWords = segmenter.cutForSearch(run, true)
  const known = new Set(cutWords)
  for (const word of cutWords) add(word)
  if (run.length > 2)
    for (const pair of pairs(run)) if (!known.has(pair) && !/[的了吗呢吧啊]/.test(pair)) add(pair)
}

function addJoined(word: string, withParts: boolean, add: (word: string) => void): void {
  const isIdentifier = /\d|[@_]/.test(word)
  if (isIdentifier) add(word)
  if (isIdentifier && !withParts) return
  for (const part of word.split(/[^a-z0-9]+/)) add(stem(part))
}

function pairs(run: string): string[] {
  const letters = [...run]
  if (letters.length < 2) return letters
  return letters.slice(1).map((letter, index) => letters[index]! + letter)
}

function vectorOf(words: readonly string[]): string {
  const positions = new Map<string, number[]>()
  for (const [index, word] of words.slice(0, mostPositions).entries()) {
    const at = positions.get(word)
    // PostgreSQL keeps at most 255 positions of one word.
    if (!at) positions.set(word, [index + 1])
    else if (at.length < 255) at.push(index + 1)
  }
  return [...positions].map(([word, at]) => `${lexeme(word)}:${at.join(',')}`).join(' ')
}

function lexeme(word: string): string {
  return `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}
