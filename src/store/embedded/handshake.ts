import { createHash, timingSafeEqual } from 'node:crypto'
import { ProtocolViolation, startupCode, stringAt } from './frames.ts'

/** What a start-up message asks for. */
export type Startup =
  | { readonly kind: 'encryption' }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'session'; readonly user: string; readonly settings: ReadonlyMap<string, string> }

/** Reads a start-up message (without its length). */
export function readStartup(body: Buffer): Startup {
  const code = body.readInt32BE(0)
  if (code === startupCode.ssl || code === startupCode.gssEncryption) return { kind: 'encryption' }
  if (code === startupCode.cancel) return { kind: 'cancel' }
  // Minor versions above 3.0 differ only in things that this server doesn't use.
  if (code >>> 16 !== 3) throw new ProtocolViolation('unsupported frontend protocol')
  const settings = new Map<string, string>()
  let user = ''
  for (let offset = 4; offset < body.length && body[offset] !== 0; ) {
    const name = stringAt(body, offset)
    const value = stringAt(body, name.end)
    offset = value.end
    if (name.text === 'user') user = value.text
    else if (name.text === 'options')
      for (const [key, text] of readOptions(value.text)) settings.set(key, text)
    else if (isSetting(name.text)) settings.set(name.text, value.text)
  }
  return { kind: 'session', user, settings }
}

// These are no settings, or say nothing where all connections are one backend in UTF-8.
const noSettings = new Set(['database', 'replication', 'client_encoding', 'application_name'])
const isSetting = (name: string) => !noSettings.has(name) && /^[a-z_][a-z0-9_.]*$/i.test(name)

/** Reads `-c name=value` and `--name=value`; a backslash escapes the next character. */
function* readOptions(options: string): Generator<[string, string]> {
  const words = (options.match(/(?:\\.|[^\s\\])+/g) ?? []).map((word) => word.replace(/\\(.)/g, '$1'))
  for (let index = 0; index < words.length; index += 1) {
    let word = words[index]!
    if (word === '-c') word = words[++index] ?? ''
    else if (word.startsWith('-c')) word = word.slice(2)
    else if (word.startsWith('--')) word = word.slice(2)
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(word) ?? []
    const setting = name?.replaceAll('-', '_')
    if (!setting || !isSetting(setting)) throw new ProtocolViolation(`invalid command-line argument: ${word}`)
    yield [setting, value ?? '']
  }
}

/** Compares passwords in a time that says nothing about where they differ. */
export function samePassword(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}
