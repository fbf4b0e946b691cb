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
 * their results are still to come. Where the newest turns alone are too long, fewer of them stay. A pure function.
 */
export function planCompaction(
  messages: readonly TranscriptMessage[],
  facts: {
    readonly openTurns: ReadonlySet<string>
    /** What messages would take in a request. */
    readonly tokensOf: (messages: readonly TranscriptMessage[]) => number
    readonly inputLimit: number
  },
  rule: CompactionRule = compactionRule,
): CompactionPlan | undefined {
  const turns = [...new Set(messages.flatMap((message) => (message.turnId ? [message.turnId] : [])))]
  const limit = facts.inputLimit * rule.share
  const due = turns.length >= rule.everyTurns + rule.keepTurns || facts.tokensOf(messages) > limit
  if (!due) return undefined
  for (let keep = rule.keepTurns; keep >= 1; keep--) {
    if (turns.length <= keep) continue
    const kept = new Set(turns.slice(-keep))
    const firstKept = messages.findIndex(
      (message) =>
        message.turnId !== null && (kept.has(message.turnId) || facts.openTurns.has(message.turnId)),
    )
    if (keep > 1 && facts.tokensOf(messages.slice(firstKept)) > limit) continue
    if (firstKept <= 0) return undefined
    const summarised = messages.slice(0, firstKept)
    return { uptoSeq: summarised.at(-1)!.seq, messages: summarised }
  }
  return undefined
}

/**
 * The conversation as a text: for the model that summarises it, and as the original that can be read again.
 * @param resultLength the most characters of each call's result
 */
export function transcriptText(messages: readonly TranscriptMessage[], resultLength: number): string {
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
      const files = message.attachments.map(
        (file) => `[file ${file.name}${file.text === undefined ? '' : `: ${cut(file.text, resultLength)}`}]`,
      )
      const calls = message.calls.map((call) => {
        const outcome = call.resultText ?? call.told
        const result = outcome === null ? '' : `: ${cut(outcome, resultLength)}`
        return `[${call.tool} ${JSON.stringify(call.arguments)} → ${call.status}${result}]`
      })
      return [...said, ...files, ...calls]
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
      return `## ${heading}\n${lines.length > 0 ? bounded([...new Set(lines)]).join('\n') : '- none'}`
    })
    .join('\n')
}

/** Of many lines the first, which say what it was about, and the last. */
function bounded(lines: readonly string[]): readonly string[] {
  return lines.length <= 24 ? lines : [...lines.slice(0, 8), ...lines.slice(-16)]
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

const factsHeading = 'Key facts'
/** The most facts that a summary carries. */
const mostFacts = 60
/** The share of a summary that facts may take. */
const factShare = 0.6

/**
 * A summary as it is stored: what was written, then the facts that survive word for word whatever was written (those of
 * the summary before, what people named, what was done), then where the original is. Within so many tokens.
 */
export function finishedSummary(
  written: string,
  parts: {
    readonly before: string | null
    readonly entities: readonly KnownEntity[]
    readonly messages: readonly TranscriptMessage[]
    /** Of the original. */
    readonly ref: string
    readonly tokens: number
    readonly count: (text: string) => number
  },
): string {
  const { count } = parts
  const end = `The conversation itself is stored as ${parts.ref}: read_result shows it.`
  const facts = factsWithin(factsOf(parts), Math.floor(parts.tokens * factShare), count)
  const kept = facts.length > 0 ? [`## ${factsHeading}`, ...facts].join('\n') : ''
  const body = written.trim().replace(new RegExp(`\\n## ${factsHeading}[\\s\\S]*$`), '')
  const left = parts.tokens - count(kept) - count(end)
  return [linesWithin(body, left, count), kept, end].filter((part) => part !== '').join('\n')
}

/** Facts of the summary before and of what is summarised now, each once, the oldest first. */
function factsOf(parts: {
  readonly before: string | null
  readonly entities: readonly KnownEntity[]
  readonly messages: readonly TranscriptMessage[]
}): readonly string[] {
  const { before, entities } = parts
  const visible = parts.messages.filter((message) => !message.removed)
  const text = visible.map((message) => message.text).join('\n')
  const named = entities
    .filter((one) => (one.said || text.includes(one.id)) && isIn(text, one))
    .map((one) => `- ${one.type}: ${one.label === one.id ? one.id : `${one.label} (${one.id})`}`)
  const done = visible
    .flatMap((message) => message.calls)
    .filter((call) => call.effect === 'write' && call.status === 'succeeded')
    .map((call) => `- done: ${call.told ?? call.tool} ${short(JSON.stringify(call.arguments), 160)}`)
  const earlier = sections(before ?? '').get(factsHeading) ?? []
  return [...new Set([...earlier, ...named, ...done])]
}

function isIn(text: string, { id, label }: KnownEntity): boolean {
  return text.includes(id) || (label !== '' && text.includes(label))
}

/** As many facts as fit. A task begins with what it is about, so that of too many those in the middle go. */
function factsWithin(
  facts: readonly string[],
  tokens: number,
  count: (text: string) => number,
): readonly string[] {
  let kept = [...facts]
  const tooLong = () => kept.reduce((sum, line) => sum + count(line) + 1, 0) > tokens
  while (kept.length > 0 && (kept.length > mostFacts || tooLong()))
    kept = kept.toSpliced(Math.floor(kept.length / 2), 1)
  return kept
}

/** A text without the list items that go beyond a number of tokens; under each heading the first and the last stay. */
function linesWithin(text: string, tokens: number, count: (text: string) => number): string {
  let lines = text.split('\n')
  const items = () => lines.flatMap((line, at) => (/^## /.test(line) ? [] : [at]))
  while (count(lines.join('\n')) > tokens) {
    const left = items()
    if (left.length === 0) break
    lines = lines.toSpliced(left[Math.floor(left.length / 2)]!, 1)
  }
  return lines.join('\n')
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length).toWellFormed()}… (${text.length} characters)`
}

function short(text: string, length: number): string {
  const characters = [...text.replace(/\s+/g, ' ').trim()]
  return characters.length <= length ? characters.join('') : `${characters.slice(0, length - 1).join('')}…`
}
