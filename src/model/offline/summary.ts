import { boundedDocument } from './bounds.ts'
import type { Notes } from './notes.ts'
import { shorten } from './passages.ts'
import { termsOf } from './terms.ts'
import type { Words } from './words.ts'

const cues =
  /\b(?:decided|decision|agreed|conclusion|therefore|must|will|deadline|important|because|result|plan)\b|决定|结论|同意|必须|将|截止|重要|因此|计划|结果/i

/** Some sentences of a text that say most of it, in their order: none of the words is new. */
export function extractSummary(text: string, sentences: number): string[] {
  const all = sentencesOf(boundedDocument(text))
  if (all.length <= sentences) return all
  const counts = new Map<string, number>()
  for (const sentence of all)
    for (const term of termsOf(sentence)) counts.set(term, (counts.get(term) ?? 0) + 1)
  const scored = all.map((sentence, place) => {
    const terms = [...termsOf(sentence)]
    const weight =
      terms.reduce((sum, term) => sum + (counts.get(term) ?? 0) - 1, 0) / Math.sqrt(terms.length + 1)
    return { sentence, place, score: weight + (cues.test(sentence) ? 2 : 0) + (place === 0 ? 1 : 0) }
  })
  return scored
    .sort((a, b) => b.score - a.score)
    .slice(0, sentences)
    .sort((a, b) => a.place - b.place)
    .map(({ sentence }) => sentence)
}

/** A summary of notes: their conclusion, decisions and open points, else their weightiest sentences. */
export function summarise(notes: Notes, words: Words): string {
  const labels = words.documents
  const head = [
    `**${notes.title}**`,
    [notes.day, notes.owners[0] ? `${labels.owner}: ${notes.owners[0]}` : '']
      .filter((part) => part !== '')
      .join(' · '),
  ].filter((part) => part !== '')
  const list = (label: string, items: readonly string[]) =>
    items.length > 0 ? [`**${label}**\n${items.map((item) => `- ${item}`).join('\n')}`] : []
  const parts = [
    ...(notes.conclusion === '' ? [] : [`**${labels.conclusion}**\n${notes.conclusion}`]),
    ...list(labels.decisions, notes.decisions),
    ...list(labels.open, notes.open),
  ]
  const body =
    parts.length > 0
      ? parts
      : extractSummary(notes.text, 5)
          .map((sentence) => `- ${shorten(sentence, 400)}`)
          .join('\n')
  return [head.join('\n'), ...(typeof body === 'string' ? [body] : body)].join('\n\n')
}

/** What may be passed on as the conclusion of notes. */
export function conclusionOf(notes: Notes, words: Words): string {
  const text =
    notes.conclusion !== ''
      ? notes.conclusion
      : notes.decisions.length > 0
        ? notes.decisions.map((item) => `- ${item}`).join('\n')
        : extractSummary(notes.text, 3).join('\n')
  return `${words.documents.conclusionOf(notes.title, notes.day)}\n${text}`
}

function sentencesOf(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => !/^\s*(?:#{1,6}\s|```|\|?\s*-{3})/.test(line))
    .join('\n')
    .replace(/\n(?!\s*(?:\n|[-*•]\s|\d+[.)]\s))/g, ' ')
    .split(/\n+|(?<=[.!?])\s+(?=[\p{Lu}\d"“])|(?<=[。！？；])/u)
    .map((sentence) => sentence.replace(/^\s*(?:[-*•]|\d+[.)])\s+/, '').trim())
    .filter((sentence) => sentence.length > 3)
}
