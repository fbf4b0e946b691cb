import { type Language, languageOf } from '../../base/words.ts'
import type { ChatMessage, ChatRequest, ModelToolCall } from '../chat.ts'
import { readArguments } from '../json.ts'
import { boundedDocument, boundedWords } from './bounds.ts'
import { type Outcome, readOutcome } from './outcome.ts'
import { type Day, readDay } from './period.ts'

/** A call that the conversation holds. */
export interface PastCall {
  readonly id: string
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
  readonly outcome: Outcome
}

/** What a person asked in a row, and what was done and said about it. */
export interface Exchange {
  readonly asks: readonly string[]
  /** The texts of files that came with the words. */
  readonly files: readonly string[]
  readonly calls: readonly PastCall[]
  readonly texts: readonly string[]
}

/** A request as the rules see it: everything that they know stands here. */
export interface Conversation {
  readonly language: Language
  /** What is to be answered. */
  readonly current: Exchange
  /** Earlier exchanges, oldest first. */
  readonly earlier: readonly Exchange[]
  /** News of Hermes itself that nobody has answered yet, where there is nothing else to answer. */
  readonly news: readonly string[]
  /** Has nothing been said in this thread yet? */
  readonly first: boolean
  /** Was what the person said too long to be read whole? */
  readonly cut: boolean
  /** Lines of recalled memories. */
  readonly memories: readonly string[]
  /** Today, where the person is. */
  readonly today: Day | undefined
  /** Minutes since midnight, where the person is. */
  readonly minutes: number | undefined
  readonly speaker: string | undefined
  /** What a declared workflow has to be told about: before anything else, or after the answer. */
  readonly workflow: { readonly tell: string | undefined; readonly offer: string | undefined }
  /** The name under which a tool is offered, found by the end of the name. */
  offered(tool: string): string | undefined
}

const files = /<file name="[^"\n]*">\n?([\s\S]*?)\n?<\/file>/g
const note = /^\[Hermes note\]\s*/
/** Tools that wait for a person: after one was proposed, what comes is a new request. */
const writes = /^(?:create_ticket|update_ticket|comment_ticket|send_message)$/

/** Reads what the request says. */
export function readConversation(request: ChatRequest): Conversation {
  const system = request.messages
    .filter((message) => message.role === 'system')
    .map((message) => message.content)
    .join('\n')
  const shared = /in a thread that others read too/.test(system)
  const outcomes = new Map(
    request.messages.flatMap((message) =>
      message.role === 'tool' ? [[message.toolCallId, readOutcome(message.content)] as const] : [],
    ),
  )
  const exchanges: { asks: string[]; files: string[]; calls: PastCall[]; texts: string[] }[] = []
  let news: string[] = []
  let closed = true
  for (const message of request.messages) {
    if (message.role === 'user') {
      const text = textOf(message)
      if (note.test(text)) {
        news.push(text.replace(note, ''))
        continue
      }
      if (closed) exchanges.push({ asks: [], files: [], calls: [], texts: [] })
      closed = false
      news = []
      const exchange = exchanges.at(-1)!
      exchange.files.push(...[...text.matchAll(files)].map((file) => boundedDocument(file[1] ?? '')))
      exchange.asks.push(cleaned(text.replace(files, ''), shared))
    } else if (message.role === 'assistant') {
      if (exchanges.length === 0) exchanges.push({ asks: [], files: [], calls: [], texts: [] })
      const exchange = exchanges.at(-1)!
      const calls = (message.toolCalls ?? []).map((call) => pastCall(call, outcomes))
      exchange.calls.push(...calls)
      if (message.content.trim() !== '') exchange.texts.push(message.content.trim())
      closed = message.content.trim() !== '' || calls.some((call) => writes.test(call.tool))
      news = []
    }
  }
  const current = exchanges.at(-1) ?? { asks: [], files: [], calls: [], texts: [] }
  const last = request.messages.findLast((message) => message.role === 'assistant')
  const going =
    closed === false ||
    ((last?.toolCalls?.length ?? 0) > 0 && !current.calls.some((call) => call.outcome.kind === 'waiting'))
  const now = /^Now: (\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2})/m.exec(system)
  const names = request.tools.map((tool) => tool.name)
  return {
    language: languageOf(current.asks.join('\n')),
    current,
    earlier: exchanges.slice(0, -1),
    news: going ? [] : news,
    cut: current.asks.some((ask) => ask.length >= longest - 100),
    first:
      !/^Summary of what was said before:/m.test(system) &&
      !request.messages.some((message) => message.role === 'assistant' && message.content.trim() !== ''),
    memories: memoryLines(system),
    today: now ? readDay(now[1]!) : undefined,
    minutes: now ? Number(now[2]) * 60 + Number(now[3]) : undefined,
    speaker: /^Speaking: (.+?), in a /m.exec(system)?.[1],
    workflow: {
      tell: quoted(/^Workflow, tell the person now: (".*")$/m.exec(system)?.[1]),
      offer: quoted(/^Workflow: this message is no step of it\..*?: (".*")$/m.exec(system)?.[1]),
    },
    offered: (tool) =>
      names.find((name) => name === tool) ?? names.find((name) => name.endsWith(`__${tool}`)),
  }
}

/** All exchanges, the newest last. */
export function allExchanges(conversation: Conversation): readonly Exchange[] {
  return [...conversation.earlier, conversation.current]
}

/** Proposals that waited for the person when they spoke, also those that the answer has withdrawn meanwhile. */
export function openProposals(conversation: Conversation): readonly PastCall[] {
  const withdrawn = new Set(
    conversation.current.calls.filter((call) => call.tool === 'withdraw').map((call) => call.arguments.call),
  )
  return conversation.earlier
    .flatMap((exchange) => exchange.calls)
    .filter((call) => call.outcome.kind === 'waiting' || withdrawn.has(call.id))
}

function pastCall(call: ModelToolCall, outcomes: ReadonlyMap<string, Outcome>): PastCall {
  const read = readArguments(call.arguments)
  return {
    id: call.id,
    tool: call.name,
    arguments: read.ok ? read.value : {},
    outcome: outcomes.get(call.id) ?? { kind: 'running' },
  }
}

/** A text that a line holds as JSON. */
function quoted(json: string | undefined): string | undefined {
  try {
    return json === undefined ? undefined : String(JSON.parse(json))
  } catch {
    return undefined
  }
}

function textOf(message: Extract<ChatMessage, { role: 'user' }>): string {
  return typeof message.content === 'string'
    ? message.content
    : message.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
}

// The patterns take more than linear time; nobody asks a stand-in for more than this.
const longest = 3_000

/** A person's words without their name before them and without the call to Hermes, within bounds. */
function cleaned(text: string, shared: boolean): string {
  const plain = boundedWords(text, longest)
  const words = shared ? plain.replace(/^[^\n:：]{1,60}: /, '') : plain
  return words.replace(/^@?hermes\b[,:，：!]? ?/i, '').trim()
}

function memoryLines(system: string): string[] {
  const section = /^What you remember[^\n]*\n([\s\S]*?)(?:\n\n|$(?![\s\S]))/m.exec(system)?.[1] ?? ''
  return section
    .split('\n')
    .map((line) => line.replace(/^[-*•]\s*/, '').trim())
    .filter((line) => line !== '')
}
