import type { ChatMessage, ChatRequest, ToolOffer } from './chat.ts'

/** Counts tokens of the o200k_base vocabulary; other vocabularies differ by some percent. */
export interface Tokens {
  /** True once the vocabulary is loaded; until then counts are estimates that lean high. */
  readonly exact: boolean
  /**
   * Loads the vocabulary (75 MB; it holds the thread twice for 0.15 s). The first count starts this too; a
   * server calls it at its start, so that no turn pays for it.
   */
  load(): Promise<void>
  countTokens(text: string): number
  countMessage(message: ChatMessage): number
  countTools(tools: readonly ToolOffer[]): number
  countRequest(request: Pick<ChatRequest, 'messages' | 'tools'>): number
  /** The longest beginning of a text, whole characters only, that takes no more tokens than this. */
  truncate(text: string, tokens: number): string
}

type Count = (text: string) => number

// The format of Chat Completions adds these around each message, each reply, each call and each tool.
const perMessage = 4
const perReply = 3
const perCall = 8
const perTool = 8
// A picture of common size at full detail; endpoints differ and none tells before.
const perImage = 1_105

// gpt-tokenizer takes quadratic time for a run without a border (100,000 Han characters: 69 s), so runs are
// cut. A token rarely crosses such a cut, and then it is counted as two.
const longestRun = 96
const longRun = new RegExp(
  `[\\p{L}\\p{M}]{${longestRun + 1},}|\\s{${longestRun + 1},}|[^\\s\\p{L}\\p{N}]{${longestRun + 1},}`,
  'gu',
)
const partOfRun = new RegExp(`.{1,${longestRun}}`, 'gsu')

// At most 16 MB of texts whose count is kept.
const mostKept = 2_000
const longestKept = 4_000

/** Makes a counter whose vocabulary is not loaded yet. */
export function createTokens(): Tokens {
  let exact: Count | undefined
  let loading: Promise<void> | undefined

  const load = (): Promise<void> => {
    loading ??= loadVocabulary().then((count) => {
      exact = count
    })
    return loading
  }
  // Rules, tools and earlier messages come again with every request.
  const known = new Map<string, number>()
  const remembered = (text: string, count: Count): number => {
    const before = known.get(text)
    if (before !== undefined) return before
    const tokens = countByRuns(text, count)
    if (text.length <= longestKept) {
      const [oldest] = known.size >= mostKept ? known.keys() : []
      if (oldest !== undefined) known.delete(oldest)
      known.set(text, tokens)
    }
    return tokens
  }
  const countTokens: Count = (text) => {
    if (text === '') return 0
    if (exact) return remembered(text, exact)
    // A vocabulary that can't be loaded leaves the estimate, which is safe.
    load().catch(() => {})
    return estimateTokens(text)
  }
  const countMessage = (message: ChatMessage): number => {
    switch (message.role) {
      case 'system':
        return perMessage + countTokens(message.content)
      case 'tool':
        return perMessage + countTokens(message.content) + countTokens(message.toolCallId)
      case 'user': {
        const name = message.name ? 1 + countTokens(message.name) : 0
        if (typeof message.content === 'string') return perMessage + name + countTokens(message.content)
        return message.content.reduce(
          (sum, part) => sum + (part.type === 'text' ? countTokens(part.text) : perImage),
          perMessage + name,
        )
      }
      case 'assistant':
        return (message.toolCalls ?? []).reduce(
          (sum, call) =>
            sum + perCall + countTokens(call.id) + countTokens(call.name) + countTokens(call.arguments),
          perMessage + countTokens(message.content),
        )
    }
  }
  const countTools = (tools: readonly ToolOffer[]): number =>
    tools.reduce((sum, tool) => sum + perTool + countTokens(JSON.stringify(tool)), 0)

  return {
    get exact() {
      return exact !== undefined
    },
    load,
    countTokens,
    countMessage,
    countTools,
    countRequest: ({ messages, tools }) =>
      messages.reduce((sum, message) => sum + countMessage(message), perReply) + countTools(tools),
    truncate: (text, tokens) => truncate(text, tokens, countTokens),
  }
}

async function loadVocabulary(): Promise<Count> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base')
  // Text that looks like a special token ("<|endoftext|>") is text here; by default it would throw.
  const options = { disallowedSpecial: new Set<string>() }
  return (text) => countTokens(text, options)
}

function countByRuns(text: string, count: Count): number {
  let sum = 0
  let from = 0
  for (const run of text.matchAll(longRun)) {
    if (run.index > from) sum += count(text.slice(from, run.index))
    for (const [part] of run[0].matchAll(partOfRun)) sum += count(part)
    from = run.index + run[0].length
  }
  return from === 0 ? count(text) : sum + (from < text.length ? count(text.slice(from)) : 0)
}

/** What a text takes at most, for text that people, programs and models write. */
export function estimateTokens(text: string): number {
  let sum = 0
  let letters = 0
  let digits = 0
  let numbers = 0
  let inNumber = false
  // Words take a token for 4 to 6 letters; long ones are keys, hashes and encoded data. Digits go by three,
  // and the space before them does not belong to them.
  const endWord = () => {
    if (letters + digits > 24) sum += (letters + digits) * 0.85
    else sum += (letters > 0 ? Math.max(1.25, letters / 3) : 0) + numbers + digits / 3
    letters = 0
    digits = 0
    numbers = 0
    inNumber = false
  }
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90)) {
      letters += 1
      inNumber = false
      continue
    }
    if (code >= 48 && code <= 57) {
      digits += 1
      if (!inNumber) numbers += 1
      inNumber = true
      continue
    }
    endWord()
    if (code === 32) sum += 0.05
    else if (code < 128) sum += 1
    else if (code < 0x2e80) sum += 0.8
    else if (code >= 0xd800 && code <= 0xdfff) sum += 1.75
    else sum += 1.3
  }
  endWord()
  return Math.ceil(sum)
}

// A piece ends before a space, so that the pieces' counts add up to the whole one's.
const pieces = /\s*[^\s]{1,96}/gsu
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })

function truncate(text: string, tokens: number, count: Count): string {
  if (tokens <= 0) return ''
  // One token is at least one character and at most some 130, so most texts are decided without a count.
  if (text.length <= tokens / 4 || count(text) <= tokens) return text
  let sum = 0
  let end = 0
  for (const piece of text.matchAll(pieces)) {
    const next = sum + count(piece[0])
    if (next > tokens) {
      end += longestPrefix(piece[0], tokens - sum, count)
      break
    }
    sum = next
    end = piece.index + piece[0].length
  }
  let result = text.slice(0, wholeCharacters(text, end))
  // Counts of pieces can fall short of the whole one's by a token.
  while (result !== '' && count(result) > tokens)
    result = result.slice(0, wholeCharacters(result, result.length - 1))
  return result
}

function longestPrefix(piece: string, tokens: number, count: Count): number {
  let low = 0
  let high = piece.length
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (count(piece.slice(0, middle)) <= tokens) low = middle
    else high = middle - 1
  }
  return low
}

/** The last border between characters, as people see them, at or before a place. */
function wholeCharacters(text: string, at: number): number {
  if (at >= text.length) return text.length
  // A border that needs no look at what is before it: after a space or a line's end.
  const from = Math.max(text.lastIndexOf(' ', at - 1), text.lastIndexOf('\n', at - 1), at - 200, 0)
  const segment = graphemes.segment(text.slice(from, at + 64)).containing(at - from)
  return segment ? from + segment.index : at
}
