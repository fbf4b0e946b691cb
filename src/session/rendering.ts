import type { ChatMessage, ContentPart } from '../model/chat.ts'
import { cutTo } from './cutting.ts'
import type { LedgerCall, TranscriptMessage } from './transcript.ts'

type Count = (text: string) => number

/** How notes of Hermes itself are marked among the messages of people. */
export const notePrefix = '[Hermes note]'

// What the format of Chat Completions takes around each message and each call; our ids take 26 at most.
const perMessage = 4
const perCall = 8
const perId = 26
// What a picture of 1,024 pixels costs at OpenAI; others are near.
const perImage = 1_105
/** A result that would be cut to less than this is cut to its first words. */
const leastOfResult = 60

/** What one message of the transcript becomes: a message and its results stay together. */
export interface Unit {
  readonly messages: readonly ChatMessage[]
  /** Tokens of all of it. */
  readonly tokens: number
  /** Of these, the tokens of results of tools. */
  readonly results: number
}

/** The tokens of messages, as counted here: at least what the request will take. */
export function tokensOf(messages: readonly ChatMessage[], count: Count): number {
  return messages.reduce((sum, message) => {
    switch (message.role) {
      case 'system':
        return sum + perMessage + count(message.content)
      case 'tool':
        return sum + perMessage + perId + count(message.content)
      case 'user':
        return sum + perMessage + contentTokens(message.content, count)
      case 'assistant':
        return (message.toolCalls ?? []).reduce(
          (calls, call) => calls + perCall + perId + count(call.name) + count(call.arguments),
          sum + perMessage + count(message.content),
        )
      default:
        return message satisfies never
    }
  }, 0)
}

function contentTokens(content: string | readonly ContentPart[], count: Count): number {
  if (typeof content === 'string') return count(content)
  return content.reduce((sum, part) => sum + (part.type === 'text' ? count(part.text) : perImage), 0)
}

/** A message of the transcript as the model gets it, with one tool message for each of its calls. */
export function renderMessage(
  message: TranscriptMessage,
  shared: boolean,
  /** Tokens that results may take. */
  resultRoom: number,
  count: Count,
): Unit {
  switch (message.role) {
    case 'user':
      return unitOf([{ role: 'user', content: userContent(message, shared) }], 0, count)
    case 'note':
      return unitOf([{ role: 'user', content: `${notePrefix} ${message.text}` }], 0, count)
    case 'assistant': {
      const calls = message.calls.map((call) => ({
        id: call.id,
        name: call.tool,
        arguments: JSON.stringify(call.arguments),
      }))
      let results = 0
      const tools: ChatMessage[] = message.calls.map((call) => {
        const content = resultWithin(call, resultRoom - results, count)
        results += count(content)
        return { role: 'tool', toolCallId: call.id, content }
      })
      const said: ChatMessage = {
        role: 'assistant',
        content: message.text,
        ...(calls.length > 0 ? { toolCalls: calls } : {}),
      }
      return unitOf([said, ...tools], results, count)
    }
    default:
      return message.role satisfies never
  }
}

function unitOf(messages: readonly ChatMessage[], results: number, count: Count): Unit {
  return { messages, results, tokens: tokensOf(messages, count) }
}

function resultWithin(call: LedgerCall, room: number, count: Count): string {
  const whole = callOutcome(call)
  if (count(whole) <= room) return whole
  const where = call.resultRef ? ` Read it again with read_result (${call.resultRef}).` : ''
  const mark = `[The rest of this earlier result is left out.${where}]`
  const left = room - count(mark)
  if (left >= leastOfResult) return `${cutTo(whole, left, count)}\n${mark}`
  return `${[...whole.slice(0, 200)].slice(0, 160).join('').toWellFormed()}… ${mark}`
}

function userContent(message: TranscriptMessage, shared: boolean): string | readonly ContentPart[] {
  const said = shared && message.author ? `${message.author}: ${message.text}` : message.text
  const files = message.attachments.map((file) =>
    file.text !== undefined
      ? `<file name="${file.name.replaceAll('"', "'")}">\n${file.text}\n</file>`
      : file.image !== undefined
        ? `[Picture: ${file.name}]`
        : `[File: ${file.name}, ${file.mediaType}, ${file.size} bytes. ${file.problem ?? 'Its content was not read.'}]`,
  )
  const text = [said, ...files].filter((part) => part !== '').join('\n\n')
  const images = message.attachments.flatMap((file) =>
    file.image === undefined ? [] : [{ type: 'image' as const, url: file.image }],
  )
  return images.length > 0 ? [{ type: 'text', text }, ...images] : text
}

/** What the model is to do after a failure, by its class. */
const afterFailure: Readonly<Record<string, string>> = {
  validation: 'Call it again with other arguments, or ask the person for what is missing.',
  permission: 'Nobody here may do this by asking again; say who could.',
  not_found: 'Look for the right id or name, or ask the person.',
  rate_limit: 'The service asks for a pause: do not call it again now.',
  transient: 'It was tried as often as makes sense: do not call it again now.',
  permanent: 'The same call would fail again: use another tool, or say what can be done without it.',
}

/** What the model is told of a call, by where it stands in the ledger. */
export function callOutcome(call: LedgerCall): string {
  switch (call.status) {
    case 'proposed':
      return 'Waiting for the person who asked to confirm. It has not been done.'
    case 'approved':
    case 'executing':
      return 'Running. There is no result yet.'
    case 'succeeded':
      return call.resultText ?? 'Done.'
    case 'failed':
      return [
        `Failed: ${call.resultText ?? call.failureCode ?? 'no reason was given'}`,
        afterFailure[call.failureCode ?? ''],
      ]
        .filter(Boolean)
        .join(' ')
    case 'refused':
      return `Not run: ${call.resultText ?? 'it was refused'}`
    case 'cancelled':
      return 'Cancelled by the person. It was not done. Do not propose it again unless they ask.'
    case 'expired':
      return 'Expired: nobody confirmed it in time. It was not done.'
    case 'withdrawn':
      return 'Withdrawn. It was not done.'
    case 'unknown':
      return `Outcome unknown: ${call.resultText ?? 'the connection broke'} The person has been asked what became of it. Do not repeat it.`
    default:
      return call.status satisfies never
  }
}
