// The patterns of the rules take quadratic time for long runs of spaces and signs, and nothing is said by them.
const mostText = 100_000

/** What a person wrote, with runs cut short; `longest` in characters. */
export function boundedWords(text: string, longest: number): string {
  return text
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n(?: ?\n)+/g, '\n\n')
    .replace(/[^\p{L}\p{N}]{9,}/gu, (run) => run.slice(0, 8).toWellFormed())
    .slice(0, longest)
    .toWellFormed()
    .trim()
}

/** A document's text with runs cut short; indents and lines stay. */
export function boundedDocument(text: string): string {
  return text
    .slice(0, mostText)
    .toWellFormed()
    .replace(/[^\S\n]{5,}/g, '    ')
    .replace(/[^\S\n]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/[^\p{L}\p{N}\n]{33,}/gu, (run) => run.slice(0, 32).toWellFormed())
}
