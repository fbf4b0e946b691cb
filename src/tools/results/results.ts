import { redactText } from '../../observe/redact.ts'
import { storable } from '../../session/storable.ts'
import type { ResultFile } from '../tool.ts'
import { htmlText, isHtml } from './digest/html.ts'
import { jsonDigest } from './digest/json.ts'
import { isLog, logDigest } from './digest/log.ts'
import { tableDigest, tableOf } from './digest/table.ts'
import { textDigest } from './digest/text.ts'
import { fileMark, fileName } from './files.ts'

/** Sizes that decide how a result is told to the model, in tokens. */
export interface ResultSizes {
  /** Up to here as it is. */
  readonly inline: number
  /** Up to here as a digest, with the original stored; above it a brief and a reference. */
  readonly digest: number
}

/** What is kept of a result under a reference. */
export interface Original {
  readonly ref: string
  /** Text; of a file its bytes in base64. */
  readonly text: string
  readonly tokens: number
  readonly mediaType: string
  /** Of a file. */
  readonly name?: string
}

/** A result as the model gets it, and the originals where those are more. */
export interface ShapedResult {
  readonly text: string
  /** To be stored under the reference that `text` names. */
  readonly original?: Original
  /** Files that came with it, each under a reference that `text` names, too. */
  readonly files: readonly Original[]
}

/** The most characters of a result that are kept. What comes after is told as lost. */
const mostKept = 12_000_000
/** The largest file that is kept, in bytes, and the most of them. */
const largestFile = 8_000_000
const mostFiles = 10

/**
 * Shapes a tool's result for the model: small ones as they are, middle ones as a digest that keeps ids, counts
 * and keys, large ones as a brief with a reference that `read_result` pages through. HTML is told as its words,
 * files by name and reference.
 */
export function shapeResult(
  result: { readonly content: unknown; readonly files?: readonly ResultFile[] | undefined },
  parts: {
    readonly sizes: ResultSizes
    readonly count: (text: string) => number
    readonly ref: () => string
    /** Where people can fetch a kept file, where they can. */
    readonly address: (ref: string) => string | undefined
  },
): ShapedResult {
  const { content } = result
  const files = (result.files ?? []).slice(0, mostFiles).map((file) => keptFile(file, parts))
  const told = toldText(content)
  const whole = redactText(storable(told.slice(0, mostKept)))
  const lost = told.length > mostKept ? ` Everything after ${mostKept} characters is lost.` : ''
  const lines = files.map(({ line }) => line)
  const originals = files.flatMap(({ original }) => original ?? [])
  // A token is at least a third of a character in any script, so a long text needs no exact count.
  const tokens = whole.length > 200_000 ? Math.ceil(whole.length / 3.5) : parts.count(whole)
  if (tokens <= parts.sizes.inline) {
    const text = [whole, ...lines].filter((part) => part !== '').join('\n')
    return { text: text === '' ? '(empty)' : text, files: originals }
  }
  const ref = parts.ref()
  const data = parsedJson(whole)
  const original = {
    ref,
    text: whole,
    tokens,
    mediaType: data === undefined ? 'text/plain' : 'application/json',
  }
  const budget = (tokens <= parts.sizes.digest ? parts.sizes.inline * 2 : parts.sizes.inline) * 3
  const ways = data === undefined ? 'page or search' : 'page, path or search'
  return {
    original,
    files: originals,
    text: [
      digestOf(whole, data, budget),
      '',
      `[Shortened from ${tokens} tokens. The whole is stored as ${ref}: read it with read_result by ${ways}.${lost}]`,
      ...lines,
    ].join('\n'),
  }
}

/** The shortened form of a text, by what it is. */
function digestOf(text: string, data: unknown, characters: number): string {
  if (data !== undefined) return textDigest(jsonDigest(data, characters), characters * 1.5)
  const table = tableOf(text)
  if (table) return tableDigest(table, characters)
  return isLog(text)
    ? textDigest(logDigest(text, characters), characters * 1.5)
    : textDigest(text, characters)
}

function toldText(content: unknown): string {
  if (typeof content !== 'string') return plainJson(content)
  return isHtml(content) ? htmlText(content.slice(0, mostKept)) : content
}

function keptFile(
  file: ResultFile,
  parts: Pick<Parameters<typeof shapeResult>[1], 'ref' | 'address'>,
): { line: string; original?: Original } {
  const name = fileName(file)
  const about = `${name}, ${file.mimeType}, ${file.bytes.byteLength} bytes`
  if (file.bytes.byteLength > largestFile) return { line: `${fileMark}${about}; too large to be kept]` }
  const id = parts.ref()
  const address = parts.address(id)
  const text = Buffer.from(file.bytes).toString('base64')
  return {
    line: `${fileMark}${about}, stored as ${id}${address ? `, for people to fetch at ${address}` : ''}. People get it with your answer.]`,
    original: { ref: id, text, tokens: 0, mediaType: file.mimeType, name },
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
  try {
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
  } catch {
    // A stack that overflowed on thousands of levels, or a getter that throws.
    return '[a value that can not be written as JSON]'
  }
}

/** One page of a stored result. */
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
