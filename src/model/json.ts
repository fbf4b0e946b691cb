import { jsonrepair } from 'jsonrepair'

/** A model's arguments as an object, or why they can't be read, in a sentence for the model. */
export type ArgumentsReading =
  | {
      readonly ok: true
      readonly value: Record<string, unknown>
      /** The text was not valid JSON as it stood. */
      readonly repaired: boolean
    }
  | { readonly ok: false; readonly sentence: string }

// Longer arguments are a runaway model; reading them would hold the thread.
const longest = 1_000_000
const deepestEncoding = 3
// No tool means more; what comes after walks through arguments level by level.
const deepest = 64

const refuse = (sentence: string): ArgumentsReading => ({ ok: false, sentence })
const notAnObject = refuse('The arguments must be one JSON object, such as {"title": "…"}.')
const unreadable = refuse('The arguments are not readable as JSON. Call again with one valid JSON object.')
const cutOff = refuse('The arguments break off in the middle. Call again with the whole JSON object.')
const tooDeep = refuse('The arguments are nested too deeply. Make them flatter.')
const severalObjects = refuse('The arguments hold more than one JSON object. Make one call for each.')

/** Reads a call's arguments tolerantly: what a model meant where that is certain, a refusal where it is not. */
export function readArguments(text: string): ArgumentsReading {
  if (text.length > longest)
    return refuse(
      `The arguments are longer than ${longest.toLocaleString('en')} characters. Make them shorter.`,
    )
  const reading = read(text, false, 0)
  return reading.ok && isDeeper(reading.value, deepest) ? tooDeep : reading
}

function read(text: string, repaired: boolean, depth: number): ArgumentsReading {
  const trimmed = text.replace(/^[\s\uFEFF]+|[\s\uFEFF]+$/g, '')
  // A tool without arguments is called with nothing by some models and with null by others.
  if (trimmed === '') return { ok: true, value: {}, repaired }
  const strict = parse(trimmed)
  if (strict.ok) return accept(strict.value, repaired, depth)

  const unfenced = withoutFence(trimmed)
  const start = unfenced.indexOf('{')
  if (start < 0) return readBare(unfenced)
  const before = unfenced.slice(0, start)
  // `[{…}]` and `["a", {…}]` are lists, not an object with a preface.
  if (/[[\]]\s*$/.test(before) || /^\s*\[/.test(before)) return notAnObject
  if (/^["']?[\w-]+["']?\s*:/.test(before)) return readBare(unfenced)

  const end = endOfObject(unfenced, start)
  if (end === undefined) {
    const rest = unfenced.slice(start)
    return endsInsideString(rest) ? cutOff : mend(rest)
  }
  if (/^[\s,;]*\{/.test(unfenced.slice(end))) return severalObjects
  const object = unfenced.slice(start, end)
  const inner = parse(object)
  if (inner.ok) return accept(inner.value, true, depth)
  const mended = mend(object)
  // Quotes inside a text that were not escaped can make the object seem to end early.
  return mended.ok ? mended : mend(unfenced.slice(start))
}

/** Accepts an object; a text may hold the object encoded once more. */
function accept(value: unknown, repaired: boolean, depth: number): ArgumentsReading {
  if (value === null) return { ok: true, value: {}, repaired: true }
  if (typeof value === 'string' && depth < deepestEncoding) {
    const inner = value.trim()
    return inner.startsWith('{') || inner.startsWith('"') || inner.startsWith('`') || inner === ''
      ? read(inner, true, depth + 1)
      : notAnObject
  }
  return isObject(value) ? { ok: true, value, repaired } : notAnObject
}

/** Members without the braces around them: `"title": "Printer", "priority": "high"`. */
function readBare(text: string): ArgumentsReading {
  if (/^["']?[\w-]+["']?\s*[:=]/.test(text) && !text.includes('\n\n')) {
    if (endsInsideString(text)) return cutOff
    return mend(`{${text.replace(/^(["']?[\w-]+["']?)\s*=/, '$1:')}}`)
  }
  return /^[[{"'\d]|^(?:true|false|null|None|undefined)$/i.test(text)
    ? /^(?:null|None|undefined)$/.test(text)
      ? { ok: true, value: {}, repaired: true }
      : notAnObject
    : unreadable
}

function mend(text: string): ArgumentsReading {
  try {
    const value = exactly(jsonrepair(text))
    return isObject(value) ? { ok: true, value, repaired: true } : notAnObject
  } catch {
    // Also a stack that overflowed on thousands of nested brackets.
    return unreadable
  }
}

function parse(text: string): { ok: true; value: unknown } | { ok: false } {
  try {
    return { ok: true, value: exactly(text) }
  } catch {
    return { ok: false }
  }
}

/** Parses JSON. A whole number of more digits than a number can hold is kept as text, since it is somebody's id. */
function exactly(text: string): unknown {
  const value: unknown = JSON.parse(text)
  if (!/\d{16}/.test(text) || isDeeper(value, deepest)) return value
  const keep = (_: string, item: unknown, context?: { readonly source?: string }) =>
    typeof item === 'number' && /^-?\d{16,}$/.test(context?.source ?? '') && String(item) !== context!.source
      ? context!.source
      : item
  return JSON.parse(text, keep) as unknown
}

/** Without recursion, which thousands of nested brackets would overflow. */
function isDeeper(value: unknown, than: number): boolean {
  let level: readonly unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > than) return true
    level = level.flatMap((item) => (item && typeof item === 'object' ? Object.values(item) : []))
  }
  return false
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function withoutFence(text: string): string {
  const fence = /(?:^|\n)\s*```[\w-]*[^\S\n]*\n?([\s\S]*?)(?:\n?\s*```|$)/.exec(text)
  return fence?.[1] === undefined || !fence[1].includes('{') ? text : fence[1].trim()
}

/** Where the object that starts here ends, or nothing where it doesn't. */
function endOfObject(text: string, start: number): number | undefined {
  let depth = 0
  let quote = ''
  for (let at = start; at < text.length; at += 1) {
    const sign = text[at]
    if (quote !== '') {
      if (sign === '\\') at += 1
      else if (sign === quote) quote = ''
    } else if (sign === '"' || (sign === "'" && opensSingleQuote(text, at))) quote = sign
    else if (sign === '{' || sign === '[') depth += 1
    else if (sign === '}' || sign === ']') {
      depth -= 1
      if (depth === 0) return at + 1
    }
  }
  return undefined
}

/** An apostrophe inside a word opens nothing. */
function opensSingleQuote(text: string, at: number): boolean {
  return /[{[,:\s]/.test(text[at - 1] ?? ' ')
}

/** A text that stops within a string lost its end: mending would make up where it ended. */
function endsInsideString(text: string): boolean {
  let quote = ''
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at]
    if (quote !== '') {
      if (sign === '\\') at += 1
      else if (sign === quote) quote = ''
    } else if (sign === '"' || (sign === "'" && opensSingleQuote(text, at))) quote = sign
  }
  return quote !== '' && !/[}\]]\s*$/.test(text)
}
