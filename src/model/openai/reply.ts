import { z } from 'zod'
import type { ChatReply, ModelToolCall, Usage } from '../chat.ts'
import { createCallAssembly } from './calls.ts'

/** One reply as it grows. */
export interface ReplyAssembly {
  /** Takes a chunk of a stream, or a whole completion. What it doesn't know is left out. */
  add(chunk: unknown): void
  /** What a person may see so far. */
  readonly text: string
  /** Did the server say why it ended? */
  readonly finished: boolean
  /** Did anything come that looks like Chat Completions? */
  readonly recognised: boolean
  end(taken: ReadonlySet<string>, newId: () => string): AssembledReply
}

/** A whole reply. */
export interface AssembledReply {
  readonly text: string
  readonly toolCalls: readonly ModelToolCall[]
  readonly finish: ChatReply['finish']
  /** Absent where the server does not count. */
  readonly usage?: Usage
}

// Every field may be missing or of another type: such a field counts as absent, never as an error.
const text = z.string().nullish().catch(undefined)
const count = z.number().int().nonnegative().nullish().catch(undefined)
const content = z
  .union([z.string(), z.array(z.looseObject({ type: text, text }))])
  .nullish()
  .catch(undefined)
const call = z.looseObject({
  index: count,
  id: text,
  function: z
    .looseObject({
      name: text,
      // Some servers send the arguments as an object.
      arguments: z
        .union([z.string(), z.record(z.string(), z.unknown())])
        .nullish()
        .catch(undefined),
    })
    .nullish()
    .catch(undefined),
})
const message = z
  .looseObject({ content, refusal: text, tool_calls: z.array(call).nullish().catch(undefined) })
  .nullish()
  .catch(undefined)
const chunkShape = z.looseObject({
  choices: z
    .array(z.looseObject({ index: count, delta: message, message, finish_reason: text }))
    .nullish()
    .catch(undefined),
  usage: z
    .looseObject({
      prompt_tokens: count,
      completion_tokens: count,
      prompt_tokens_details: z.looseObject({ cached_tokens: count }).nullish().catch(undefined),
    })
    .nullish()
    .catch(undefined),
})

/** Starts with an empty reply. */
export function createReplyAssembly(): ReplyAssembly {
  const calls = createCallAssembly()
  let written = ''
  let refusal = ''
  let finish: string | undefined
  let usage: Usage | undefined
  let recognised = false

  return {
    add(value) {
      const read = chunkShape.safeParse(value)
      if (!read.success) return
      const { choices, usage: counted } = read.data
      recognised ||= Array.isArray(choices)
      if (counted && (counted.prompt_tokens ?? counted.completion_tokens) != null)
        usage = {
          inputTokens: counted.prompt_tokens ?? 0,
          outputTokens: counted.completion_tokens ?? 0,
          cachedTokens: counted.prompt_tokens_details?.cached_tokens ?? 0,
        }
      const choice = choices?.[0]
      if (!choice || (choice.index ?? 0) !== 0) return
      const piece = choice.delta ?? choice.message
      written += textOf(piece?.content)
      refusal += piece?.refusal ?? ''
      for (const [place, toolCall] of (piece?.tool_calls ?? []).entries()) {
        const given = toolCall.function?.arguments
        calls.add({
          // A whole completion has no indexes, its calls are told apart by their places.
          index: toolCall.index ?? (choice.delta ? undefined : place),
          id: toolCall.id ?? undefined,
          name: toolCall.function?.name ?? undefined,
          arguments: typeof given === 'string' ? given : given ? JSON.stringify(given) : undefined,
        })
      }
      if (choice.finish_reason) finish = choice.finish_reason
    },
    get text() {
      return visible(written) || refusal
    },
    get finished() {
      return finish !== undefined
    },
    get recognised() {
      return recognised
    },
    end(taken, newId) {
      const toolCalls = calls.finish(taken, newId)
      return {
        // The model's own words of refusal are an answer.
        text: visible(written).trimEnd() || refusal,
        toolCalls,
        finish: finishOf(finish, toolCalls.length > 0),
        ...(usage ? { usage } : {}),
      }
    },
  }
}

function textOf(value: z.infer<typeof content>): string {
  if (typeof value === 'string') return value
  return (value ?? []).map((part) => (part.type === 'text' || !part.type ? (part.text ?? '') : '')).join('')
}

const thinkStart = '<think>'
const thinkEnd = '</think>'

/** Local servers leave the thoughts of reasoning models at the front of the text; they are no answer. */
function visible(written: string): string {
  const start = written.trimStart()
  if (start === '' || !thinkStart.startsWith(start.slice(0, thinkStart.length))) return written
  if (start.length < thinkStart.length) return ''
  const end = start.indexOf(thinkEnd)
  return end < 0 ? '' : start.slice(end + thinkEnd.length).trimStart()
}

function finishOf(reason: string | undefined, hasCalls: boolean): ChatReply['finish'] {
  switch (reason) {
    case 'length':
    case 'max_tokens':
      return 'length'
    case 'content_filter':
      return 'content_filter'
    default:
      // Servers disagree about "stop" and "tool_calls", and some have words of their own.
      return hasCalls ? 'tool_calls' : 'stop'
  }
}
