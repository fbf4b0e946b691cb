import type { KnownEntity } from './entities.ts'
import type { TranscriptMessage } from './transcript.ts'

/** When a session is compacted, and how much of it stays as it was said. */
export interface CompactionRule {
  /** Turns since the last summary. */
  readonly everyTurns: number
  /** Or tokens of history, as a share of what a request may take. */
  readonly share: number
  /** The newest turns that are never summarised. */
  readonly keepTurns: number
}

const compactionRule: CompactionRule = { everyTurns: 8, share: 0.6, keepTurns: 4 }

/** The headings of a summary, always these and in this order. */
const summaryHeadings = ['Confirmed parameters', 'Decisions', 'To-dos', 'Already answered'] as const

/** What is to be summarised: everything up to a message of which nothing is open any more. */
export interface CompactionPlan {
  /** The number of the last message that goes into the summary. */
  readonly uptoSeq: number
  readonly messages: readonly TranscriptMessage[]
}

/**
 * Decides whether a session is due, and for which messages. Turns with open calls and everything after them stay, since
 * their results are still to come. A pure function.
 */
export function planCompaction(
  messages: readonly TranscriptMessage[],
  facts: {
    readonly openTurns: ReadonlySet<string>
    readonly historyTokens: number
    readonly inputLimit: number
  },
  rule: CompactionRule = compactionRule,
): CompactionPlan | undefined {
  const turns = [...new Set(messages.flatMap((message) => (message.turnId ? [message.turnId] : [])))]
  const due =
    turns.length >= rule.everyTurns + rule.keepTurns || facts.historyTokens > facts.inputLimit * rule.share
  if (!due || turns.length <= rule.keepTurns) return undefined
  const kept = new Set(turns.slice(-rule.keepTurns))
  const firstKept = messages.findIndex(
    (message) => message.turnId !== null && (kept.has(message.turnId) || facts.openTurns.has(message.turnId)),
  )
  if (firstKept <= 0) return undefined
  const summarised = messages.slice(0, firstKept)
  return { uptoSeq: summarised.at(-1)!.seq, messages: summarised }
}

/** The conversation as a text: for the model that summarises it, and as the original that can be read again. */
export function transcriptText(messages: readonly TranscriptMessage[]): string {
  return messages
    .filter((message) => !message.removed)
    .flatMap((message) => {
      const who =
        message.role === 'user'
          ? (message.author ?? 'someone')
          : message.role === 'assistant'
            ? 'Hermes'
            : 'note'
      const said = message.text.trim() === '' ? [] : [`${who}: ${message.text}`]
      const calls = message.calls.map(
        (call) =>
          `[${call.tool} ${JSON.stringify(call.arguments)} → ${call.status}${call.told ? `: ${call.told}` : ''}]`,
      )
      return [...said, ...calls]
    })
    .join('\n')
}

/**
 * A summary by rules, where no model can be asked or its answer is not of the form: what people said that holds ids,
 * dates or numbers, what was done, and what was answered.
 */
export function summaryByRules(before: string | null, messages: readonly TranscriptMessage[]): string {
  const visible = messages.filter((message) => !message.removed)
  const said = visible.filter((message) => message.role === 'user')
  const parameters = said
    .filter((message) => /\d|"|“|「/.test(message.text))
    .map((message) => `${message.author ?? 'someone'}: ${short(message.text, 240)}`)
  const done = visible
    .flatMap((message) => message.calls)
    .filter((call) => call.effect !== 'read' && call.status === 'succeeded')
    .map((call) => call.told ?? call.tool)
  const answered = visible
    .filter((message) => message.role === 'assistant' && message.final && message.text.trim() !== '')
    .map((message) => short(message.text, 120))
  const earlier = sections(before ?? '')
  const lists = [parameters, done, [], answered]
  return summaryHeadings
    .map((heading, index) => {
      const lines = [...(earlier.get(heading) ?? []), ...lists[index]!.map((line) => `- ${line}`)]
      return `## ${heading}\n${lines.length > 0 ? [...new Set(lines)].slice(-24).join('\n') : '- none'}`
    })
    .join('\n')
}

function sections(summary: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  let current: string[] | undefined
  for (const line of summary.split('\n')) {
    const heading = /^## (.+)$/.exec(line)?.[1]
    if (heading) {
      current = []
      found.set(heading, current)
    } else if (line.startsWith('- ') && line !== '- none') current?.push(line)
  }
  return found
}

/** Has a model's summary the form that was asked for? */
export function isSummary(text: string): boolean {
  return summaryHeadings.every((heading) => text.includes(`## ${heading}`))
}

/**
 * The summary as it is stored: what was written, and below it, added by code, the key facts of the summarised part word
 * by word, and where the original is.
 */
export function finishedSummary(
  written: string,
  anchors: readonly KnownEntity[],
  messages: readonly TranscriptMessage[],
  ref: string,
): string {
  const text = messages.map((message) => message.text).join('\n')
  const kept = anchors.filter((one) => text.includes(one.id) || text.includes(one.label)).slice(-40)
  const facts = kept.map(
    (one) => `- ${one.type}: ${one.label === one.id ? one.id : `${one.label} (${one.id})`}`,
  )
  return [
    written.trim().replace(/\n## Key facts[\s\S]*$/, ''),
    ...(facts.length > 0 ? ['## Key facts', ...facts] : []),
    `The conversation itself is stored as ${ref}: read_result shows it.`,
  ].join('\n')
}

function short(text: string, length: number): string {
  const characters = [...text.replace(/\s+/g, ' ').trim()]
  return characters.length <= length ? characters.join('') : `${characters.slice(0, length - 1).join('')}…`
}
