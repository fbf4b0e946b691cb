import { closeStatement, type Frame, reframed, stringAt } from './frames.ts'

/** Messages that belong together; after `ends` the client waits for an answer. */
export interface Batch {
  readonly frames: readonly Frame[]
  readonly bytes: number
  /** Whether the last message brings a ReadyForQuery (Query or Sync), not only a Flush. */
  readonly ends: boolean
}

/** How the messages of a batch go to the one backend. */
export interface Prepared {
  readonly messages: Buffer
  /** The unnamed statement has to be parsed again first: another connection has parsed its own since. */
  readonly reparse: Buffer | undefined
  /** The batch leaves this connection's unnamed statement in the backend. */
  readonly ownsUnnamed: boolean
}

/**
 * What a PostgreSQL session keeps for its client and the one shared backend can't: prepared statements
 * under the client's names, and the unnamed statement between two batches.
 */
export class Session {
  readonly #prefix: string
  readonly #names = new Map<string, string>()
  #made = 0
  #unnamed: Buffer | undefined
  #copies = false
  #settingsChanged = false

  constructor(id: number) {
    this.#prefix = `c${id}_`
  }

  /** Rewrites a batch for the backend; `ownsUnnamed` says whether its unnamed statement is this session's. */
  prepare(batch: Batch, ownsUnnamed: boolean): Prepared {
    const out: Buffer[] = []
    let owns = ownsUnnamed
    let reparse: Buffer | undefined
    for (const { type, frame } of batch.frames) {
      if (type === 'Q' || type === 'P') {
        const text = frame.toString('latin1', 5)
        this.#copies ||= mayCopy(text)
        this.#settingsChanged ||= maySet(text)
      }
      if (type === 'Q') this.#unnamed = undefined
      if (type === 'P') {
        const { text } = stringAt(frame, 5)
        if (text === '') {
          this.#unnamed = frame
          owns = true
        }
      }
      if (referencesUnnamed(type, frame) && !owns && this.#unnamed) {
        reparse = this.#unnamed
        owns = true
      }
      out.push(this.#renamed(type, frame))
      if (this.#copies && (type === 'Q' || type === 'E')) out.push(refuseCopy)
    }
    return { messages: Buffer.concat(out), reparse, ownsUnnamed: owns }
  }

  /** Whether a statement since the last call may have changed the session's settings. */
  takeSettingsChanged(): boolean {
    const changed = this.#settingsChanged
    this.#settingsChanged = false
    return changed
  }

  /** The messages that free what the session holds in the backend. */
  farewell(): Buffer {
    return Buffer.concat([...this.#names.values()].map((name) => closeStatement(name)))
  }

  #renamed(type: string, frame: Buffer): Buffer {
    switch (type) {
      case 'P': {
        const { text, end } = stringAt(frame, 5)
        return text === '' ? frame : reframed('P', this.#nameFor(text), frame.subarray(end))
      }
      case 'B': {
        const portal = stringAt(frame, 5)
        const { text, end } = stringAt(frame, portal.end)
        return text === '' ? frame : reframed('B', portal.text, this.#nameFor(text), frame.subarray(end))
      }
      case 'D':
      case 'C': {
        const { text } = stringAt(frame, 6)
        if (frame[5] !== statementKind || text === '') return frame
        const name = this.#nameFor(text)
        if (type === 'C') this.#names.delete(text)
        return reframed(type, frame.subarray(5, 6), name)
      }
      default:
        return frame
    }
  }

  // Short names of our own, since PostgreSQL cuts names at 63 bytes and a prefix could make two the same.
  #nameFor(name: string): string {
    const known = this.#names.get(name)
    if (known) return known
    this.#made += 1
    const made = `${this.#prefix}${this.#made}`
    this.#names.set(name, made)
    return made
  }
}

const statementKind = 'S'.charCodeAt(0)

function referencesUnnamed(type: string, frame: Buffer): boolean {
  if (type === 'B') return stringAt(frame, stringAt(frame, 5).end).text === ''
  return type === 'D' && frame[5] === statementKind && frame[6] === 0
}

// The backend reads COPY data while it runs, on the thread that would have to receive them: it would find
// none and exit. A CopyFail right behind the statement ends the COPY with an error; where there is none,
// PostgreSQL ignores the message, so this may match too much.
const refuseCopy = reframed('f', 'COPY FROM STDIN is not supported by the embedded database')
const mayCopy = (text: string) => /\bcopy\b/i.test(text) && /\bstdin\b/i.test(text)

// The start of a statement in a Query (from its first byte) or a Parse (behind the name of the statement).
const maySet = (text: string) =>
  /(?:^|[;\0])\s*(?:SET\s+(?!LOCAL\b|TRANSACTION\b|CONSTRAINTS\b)|RESET\s|DISCARD\s+ALL)/i.test(text)
