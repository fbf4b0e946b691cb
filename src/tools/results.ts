import { redactText } from '../observe/redact.ts'
import { storable } from '../session/inbox.ts'

/** Sizes that decide how a result is told to the model, in tokens. */
export interface ResultSizes {
  /** Up to here as it is. */
  readonly inline: number
  /** Up to here as a digest, with the original stored; above it a brief and a reference. */
  readonly digest: number
}

/** A result as the model gets it, and the original where that is more. */
export interface ShapedResult {
  readonly text: string
  /** To be stored under the reference that `text` names. */
  readonly original?: {
    readonly ref: string
    readonly text: string
    readonly tokens: number
    readonly mediaType: string
  }
}

/**
 * Shapes a tool's result for the model: small ones as they are, middle ones as a digest that keeps ids, counts
 * and keys, large ones as a brief with a reference that `read_result` pages through.
 */
export function shapeResult(
  content: unknown,
  parts: {
    readonly sizes: ResultSizes
    readonly count: (text: string) => number
    readonly ref: () => string
  },
): ShapedResult {
  const data = typeof content === 'string' ? parsedJson(content) : content
  const text = redactText(storable(typeof content === 'string' ? content : plainJson(content)))
  const tokens = parts.count(text)
  if (tokens <= parts.sizes.inline) return { text: text === '' ? '(empty)' : text }
  const ref = parts.ref()
  const original = { ref, text, tokens, mediaType: data === undefined ? 'text/plain' : 'application/json' }
  const budget = tokens <= parts.sizes.digest ? parts.sizes.inline * 2 : parts.sizes.inline
  const body = data === undefined ? textDigest(text, budget) : jsonDigest(data, budget)
  return {
    original,
    text: `${body}\n\n[Shortened from ${tokens} tokens. The whole is stored as ${ref}: read it with read_result.]`,
  }
}

function parsedJson(text: string): unknown {
  const first = text.trimStart()[0]
  if (first !== '{' && first !== '[') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** JSON of anything: cycles and values that JSON has no words for become words. */
function plainJson(value: unknown): string {
  const open: object[] = []
  return (
    JSON.stringify(value, function (this: unknown, _key, item: unknown) {
      if (typeof item === 'bigint') return item.toString()
      if (typeof item === 'function' || typeof item === 'symbol') return String(item)
      if (item instanceof Uint8Array) return `[${item.byteLength} bytes]`
      if (item && typeof item === 'object') {
        // `this` is the holder: everything above it in the path stays open.
        while (open.length > 0 && open.at(-1) !== this) open.pop()
        if (open.includes(item)) return '[circular]'
        open.push(item)
      }
      return item
    }) ?? 'null'
  )
}

/** The beginning and the end of a text, at line ends, with a count of what is left out. */
function textDigest(text: string, tokens: number): string {
  const characters = tokens * 3
  if (text.length <= characters) return text
  const head = cutAtLine(text.slice(0, Math.floor(characters * 0.7)), 'end')
  const tail = cutAtLine(text.slice(-Math.floor(characters * 0.25)), 'start')
  const left = text.length - head.length - tail.length
  return `${head.toWellFormed()}\n[… ${left} characters left out …]\n${tail.toWellFormed()}`
}

function cutAtLine(text: string, side: 'start' | 'end'): string {
  if (side === 'end') {
    const at = text.lastIndexOf('\n')
    return at > text.length / 2 ? text.slice(0, at) : text
  }
  const at = text.indexOf('\n')
  return at >= 0 && at < text.length / 2 ? text.slice(at + 1) : text
}

/** A JSON value with long lists and texts shortened, their counts and every id and key kept, until it fits. */
function jsonDigest(value: unknown, tokens: number): string {
  const characters = tokens * 3
  for (const [items, length] of [
    [20, 400],
    [10, 200],
    [5, 120],
    [3, 60],
    [1, 40],
  ] as const) {
    const text = JSON.stringify(shortened(value, items, length, 0))
    if (text.length <= characters) return text
  }
  return textDigest(JSON.stringify(shortened(value, 1, 40, 0)), tokens)
}

function shortened(value: unknown, items: number, length: number, depth: number): unknown {
  if (typeof value === 'string') {
    return value.length <= length
      ? value
      : `${value.slice(0, length).toWellFormed()}… (${value.length} characters)`
  }
  if (Array.isArray(value)) {
    const shown = value.slice(0, items).map((item) => shortened(item, items, length, depth + 1))
    if (value.length <= items) return shown
    const ids = value.slice(items).flatMap((item) => idOf(item))
    return {
      count: value.length,
      first: shown,
      last: shortened(value.at(-1), items, length, depth + 1),
      ...(ids.length > 0 && ids.length <= 100 ? { otherIds: ids } : {}),
    }
  }
  if (value && typeof value === 'object') {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, shortened(item, items, length, depth + 1)]),
    )
  }
  return value
}

function idOf(item: unknown): readonly string[] {
  if (!item || typeof item !== 'object') return []
  const id = (item as Record<string, unknown>).id ?? (item as Record<string, unknown>).key
  return typeof id === 'string' || typeof id === 'number' ? [String(id)] : []
}

/** One page of a stored result, cut at a line's end where there is one. */
export function pageOf(
  text: string,
  page: number,
  tokens: number,
): { text: string; page: number; pages: number } {
  const size = tokens * 3
  const pages = Math.max(1, Math.ceil(text.length / size))
  const wanted = Math.min(Math.max(1, page), pages)
  return { text: text.slice((wanted - 1) * size, wanted * size).toWellFormed(), page: wanted, pages }
}
