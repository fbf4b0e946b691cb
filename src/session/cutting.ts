import type { ChatMessage } from '../model/chat.ts'

type Count = (text: string) => number

/** What a text that had to give way still gets. */
const leastTokens = 40
/** More rounds than any unit needs: each takes the excess off the longest part. */
const mostRounds = 64

/**
 * A text within so many tokens: its beginning and its end, since a request stands at either, and how much is left
 * out between them. Of a very small room the mark may take all.
 */
export function cutTo(text: string, tokens: number, count: Count): string {
  if (count(text) <= tokens) return text
  // A token is rarely more than six characters.
  let length = Math.min(text.length - 1, Math.max(0, tokens) * 6)
  for (;;) {
    const head = text.slice(0, Math.ceil(length * 0.7))
    const tail = length > 80 ? text.slice(text.length - Math.floor(length * 0.3)) : ''
    const left = text.length - head.length - tail.length
    const cut = `${head.toWellFormed()}\n[… ${left} characters left out]\n${tail.toWellFormed()}`.trim()
    const taken = count(cut)
    if (taken <= tokens || length === 0) return cut
    length = Math.min(length - 1, Math.floor(((length * tokens) / taken) * 0.95))
    if (length < 0) length = 0
  }
}

/**
 * A unit that is too long, cut until it fits: what is longest gives way first, pictures last. It stays a valid one:
 * every call keeps its message, and arguments stay JSON.
 */
export function cutUnit(
  messages: readonly ChatMessage[],
  room: number,
  count: Count,
  tokensOf: (messages: readonly ChatMessage[], count: Count) => number,
): readonly ChatMessage[] {
  let cut = messages
  for (let round = 0; round < mostRounds; round++) {
    const excess = tokensOf(cut, count) - room
    if (excess <= 0) return cut
    const texts = cut.flatMap((message, index) => piecesOf(message, index, count))
    const longest = texts.reduce<Piece | undefined>(
      (most, one) => (most === undefined || one.tokens > most.tokens ? one : most),
      undefined,
    )
    if (!longest || longest.tokens <= leastTokens) return withoutImages(cut)
    const wanted = Math.max(leastTokens, longest.tokens - excess)
    const next = cut.map((message, index) =>
      index === longest.index ? longest.replace(cutPiece(longest, wanted, count)) : message,
    )
    cut = next
  }
  return withoutImages(cut)
}

/** A text within a message that can be cut. */
interface Piece {
  readonly index: number
  readonly text: string
  readonly tokens: number
  readonly isJson: boolean
  readonly replace: (text: string) => ChatMessage
}

function piecesOf(message: ChatMessage, index: number, count: Count): readonly Piece[] {
  const piece = (text: string, replace: Piece['replace'], isJson = false): Piece => ({
    index,
    text,
    tokens: count(text),
    isJson,
    replace,
  })
  if (message.role === 'user' && typeof message.content !== 'string') {
    return message.content.flatMap((part, at) =>
      part.type === 'text'
        ? [
            piece(part.text, (text) => ({
              ...message,
              content: (message.content as readonly (typeof part)[]).with(at, { type: 'text', text }),
            })),
          ]
        : [],
    )
  }
  const own = piece(message.content as string, (text) => ({ ...message, content: text }) as ChatMessage)
  if (message.role !== 'assistant') return [own]
  const { toolCalls = [] } = message
  return [
    own,
    ...toolCalls.map((call, at) =>
      piece(
        call.arguments,
        (text) => ({ ...message, toolCalls: toolCalls.with(at, { ...call, arguments: text }) }),
        true,
      ),
    ),
  ]
}

function cutPiece(piece: Piece, tokens: number, count: Count): string {
  if (!piece.isJson) return cutTo(piece.text, tokens, count)
  const value: unknown = JSON.parse(piece.text)
  for (const length of [400, 120, 40]) {
    const text = JSON.stringify(shortStrings(value, length))
    if (count(text) <= tokens) return text
  }
  return '{}'
}

function shortStrings(value: unknown, length: number): unknown {
  if (typeof value === 'string')
    return value.length <= length
      ? value
      : `${value.slice(0, length).toWellFormed()}[… ${value.length - length} characters left out]`
  if (Array.isArray(value)) return value.slice(0, length).map((one) => shortStrings(one, length))
  if (value && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shortStrings(one, length)]))
  return value
}

function withoutImages(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  return messages.map((message) => {
    if (message.role !== 'user' || typeof message.content === 'string') return message
    const images = message.content.filter((part) => part.type === 'image').length
    const texts = message.content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
    return { role: 'user', content: [...texts, `[${images} pictures are left out here.]`].join('\n\n') }
  })
}
