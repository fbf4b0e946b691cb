import { jsonrepair } from 'jsonrepair'
import { z } from 'zod'
import type { MemoryCategory } from './record.ts'
import { classify } from './rules.ts'
import { asksToForget, sentencesOf, statementOf } from './statement.ts'

/** One line of the conversation that a turn added. */
export interface LearnLine {
  readonly role: 'person' | 'assistant'
  /** Who said it; lines of other people than the asker are context only. */
  readonly personId?: string
  readonly name?: string
  readonly text: string
  readonly at: Date
}

/** Something that may be worth remembering. */
export interface Candidate {
  readonly text: string
  /** The words it rests on. */
  readonly quote: string
  /** Which line of the slice they are from. */
  readonly line: number
  readonly category: MemoryCategory
  readonly subject?: string
  readonly shared?: boolean
  readonly importance: number
  readonly confidence: number
  readonly replaces: readonly string[]
}

const categories = [
  'preference',
  'instruction',
  'fact',
  'decision',
  'task',
  'goal',
  'correction',
  'event',
] as const satisfies readonly MemoryCategory[]
const share = z.coerce.number().min(0).max(1)
const candidate = z.object({
  text: z.string().trim().min(3).max(500),
  quote: z.string().trim().min(2),
  speaker: z.coerce.number().int(),
  category: z.enum(categories),
  subject: z.string().trim().max(120).nullish(),
  shared: z.boolean().nullish(),
  importance: share.catch(0.5),
  confidence: share.catch(0.7),
  replaces: z.array(z.string()).nullish().catch([]),
})
const mostCandidates = 10
// What takes longer to say is a story, not a fact.
const longestSentence = 400

/**
 * Reads a model's answer. What isn't well formed is left out, and so is every item whose quote is not in a
 * person's own line: that keeps out what the assistant said, recalled or read from a tool.
 */
export function readCandidates(answer: string, lines: readonly LearnLine[]): Candidate[] {
  const items = parseArray(answer)
  const candidates: Candidate[] = []
  for (const item of items.slice(0, mostCandidates)) {
    const parsed = candidate.safeParse(item)
    if (!parsed.success) continue
    const { speaker, subject, shared, replaces, ...rest } = parsed.data
    const line = lines[speaker]
    if (line?.role !== 'person' || !holds(line.text, rest.quote)) continue
    candidates.push({
      ...rest,
      line: speaker,
      replaces: replaces ?? [],
      ...(subject ? { subject } : {}),
      ...(typeof shared === 'boolean' ? { shared } : {}),
    })
  }
  return candidates
}

/** What rules alone find clear enough, in English and Chinese, where no model is configured. */
export function findCandidates(lines: readonly LearnLine[]): Candidate[] {
  const candidates: Candidate[] = []
  for (const [index, line] of lines.entries()) {
    if (line.role !== 'person') continue
    // Quoted and pasted text is somebody else's.
    const own = line.text.replace(/```[\s\S]*?(?:```|$)/g, ' ').replace(/^>.*$/gm, ' ')
    for (const sentence of sentencesOf(own)) {
      if (sentence.length > longestSentence) continue
      // Explicit wishes are dealt with in the turn itself.
      if (statementOf(sentence) !== undefined || asksToForget(sentence)) continue
      const quote = sentence.replace(/[\s.。;；!！]+$/, '')
      const { category, importance, clear } = classify(sentence)
      const text = category === 'correction' ? quote.replace(leadIn, '') : quote
      if (clear)
        candidates.push({ text, quote, line: index, category, importance, confidence: 0.8, replaces: [] })
    }
  }
  return candidates.slice(0, mostCandidates)
}

// What a correction begins with belongs to the conversation, not to the fact.
const leadIn =
  /^(?:(?:no|nope|actually|wrong|correction|that['’]s (?:wrong|not right|not true|incorrect))[,.:;\s]+)+|^(?:(?:不对|不是的|错了|更正|纠正一下|你(?:记|说|弄)错了)[，,。:：\s]*)+/i

function parseArray(answer: string): unknown[] {
  const from = answer.indexOf('[')
  if (from < 0) return []
  try {
    const value: unknown = JSON.parse(
      jsonrepair(answer.slice(from, Math.max(from, answer.lastIndexOf(']')) + 1)),
    )
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}

function holds(text: string, quote: string): boolean {
  const plain = (words: string) =>
    words
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, '')
  const wanted = plain(quote)
  return wanted.length > 0 && plain(text).includes(wanted)
}
