import { clockTime, type Language } from '../../base/words.ts'
import type { FailureClass } from '../tool.ts'
import type { Outage } from './circuit.ts'

/** What may be done next after a failure, as it is recorded. */
export function adviceFor(failure: FailureClass, attempts: number): string {
  switch (failure) {
    case 'transient':
    case 'rate_limit':
      return attempts > 1 ? `Tried ${attempts} times. It may work later.` : 'It may work later.'
    case 'unknown':
      return 'It may have happened; a person has to look.'
    case 'validation':
      return 'Other arguments may work.'
    case 'not_found':
      return 'Look for the right id or name first.'
    case 'permission':
      return 'Somebody with more rights has to do it.'
    case 'permanent':
      return 'Trying the same again will not help.'
    default:
      return failure satisfies never
  }
}

/** When and for whom something is told. */
interface Telling {
  readonly now: Date
  readonly timeZone: string
  readonly language: Language
}

/** That a tool does not answer, since when: the same words as long as the same trouble lasts. */
export function outageSentence(title: string, since: Date, at: Telling): string {
  const from = clockTime(since, at.now, at.timeZone, at.language)
  return at.language === 'zh'
    ? `“${title}”自 ${from} 起没有响应。`
    : `"${title}" does not answer since ${from}.`
}

/** Where a result came from instead. */
export function insteadSentence(
  instead: { readonly title: string } | { readonly copyOf: Date },
  at: Telling,
): string {
  if ('title' in instead)
    return at.language === 'zh'
      ? `以上内容改由“${instead.title}”提供。`
      : `What you read here comes from "${instead.title}" instead.`
  const when = clockTime(instead.copyOf, at.now, at.timeZone, at.language)
  return at.language === 'zh'
    ? `以上内容是我在 ${when} 得到的副本。`
    : `What you read here is my copy of ${when}.`
}

/** For the model, of a call that was not made since its tool is down. */
export function refusedWhileDown(outage: Outage, at: Telling, told: boolean): string {
  const inEnglish = { ...at, language: 'en' } as const
  const time = (date: Date) => clockTime(date, inEnglish.now, at.timeZone, 'en')
  return [
    `It does not answer since ${time(outage.since)} and is not asked again before ${time(outage.until)}.`,
    told
      ? 'The person knows that already: do not tell it again unless they ask.'
      : 'Tell the person so in one sentence, with the time from which it can be tried again.',
    'Use another tool where one fits, or say what can be done without it.',
  ].join(' ')
}

/**
 * What is added below an answer: notes that are not in the thread yet. The first line of each is the trouble, told
 * once for as long as it lasts; the others belong to this very answer.
 */
export function notesBelow(notes: readonly string[], said: readonly string[]): string {
  const lines: string[] = []
  for (const note of notes) {
    const [trouble = '', ...rest] = note.split('\n')
    if (!said.some((text) => text.includes(trouble)) && !lines.includes(trouble)) lines.push(trouble)
    for (const line of rest) if (!lines.includes(line)) lines.push(line)
  }
  return lines.join(' ')
}
