import { ChannelError, type ChannelFailure } from '../../src/channel/failure.ts'
import type { OwnFile, Part, Surface } from '../../src/channel/port.ts'
import type { ReplyJournal } from '../../src/channel/reply-journal.ts'

/** One call that a surface got. */
export interface SurfaceCall {
  readonly kind: 'create' | 'edit' | 'remove' | 'attach' | 'close'
  readonly messageId?: string
  readonly part?: Part
  readonly nonce?: string
  readonly file?: OwnFile
  readonly at: number
}

/** A platform in memory that enforces its limits, fails when told, and remembers every call. */
export class RecordingSurface implements Surface {
  readonly characters: number
  readonly interval: number
  readonly calls: SurfaceCall[] = []
  /** What a reader sees, in order. */
  readonly visible = new Map<string, Part | { readonly file: string }>()
  readonly #failures: { kind: SurfaceCall['kind']; failure: ChannelFailure; arrived: boolean }[] = []
  readonly #gates: Promise<void>[] = []
  #running = 0
  #count = 0

  constructor(options: { readonly characters?: number; readonly interval?: number } = {}) {
    this.characters = options.characters ?? 300
    this.interval = options.interval ?? 20
  }

  /** The next call of that kind fails; `arrived` says that the platform took it all the same. */
  failNext(kind: SurfaceCall['kind'], failure: ChannelFailure, arrived = false): void {
    this.#failures.push({ kind, failure, arrived })
  }

  /** Holds the next call until the returned function is called. */
  holdNext(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#gates.push(promise)
    return resolve
  }

  texts(): string[] {
    return [...this.visible.values()].map((each) => ('file' in each ? each.file : each.text))
  }

  count(kind: SurfaceCall['kind']): number {
    return this.calls.filter((call) => call.kind === kind).length
  }

  create(part: Part, nonce: string): Promise<string> {
    const messageId = this.#nextId()
    return this.#call({ kind: 'create', part, nonce, messageId }, () => {
      this.visible.set(messageId, part)
      return messageId
    })
  }

  edit(messageId: string, part: Part): Promise<void> {
    return this.#call({ kind: 'edit', messageId, part }, () => {
      if (!this.visible.has(messageId)) throw new ChannelError('refused', 'Unknown message.')
      this.visible.set(messageId, part)
    })
  }

  remove(messageId: string): Promise<void> {
    return this.#call({ kind: 'remove', messageId }, () => {
      if (!this.visible.delete(messageId)) throw new ChannelError('refused', 'Unknown message.')
    })
  }

  attach(file: OwnFile, nonce: string): Promise<string> {
    const messageId = this.#nextId()
    return this.#call({ kind: 'attach', file, nonce, messageId }, () => {
      this.visible.set(messageId, { file: 'text' in file ? file.text : Buffer.from(file.bytes).toString() })
      return messageId
    })
  }

  #nextId(): string {
    this.#count += 1
    return `m${this.#count}`
  }

  async close(): Promise<void> {
    this.calls.push({ kind: 'close', at: performance.now() })
  }

  async #call<T>(call: Omit<SurfaceCall, 'at'>, effect: () => T): Promise<T> {
    this.calls.push({ ...call, at: performance.now() })
    this.#running += 1
    try {
      if (this.#running > 1) throw new Error('Two calls to one surface at a time.')
      if (call.part && (call.part.text === '' || call.part.text.length > this.characters)) {
        throw new ChannelError('invalid', `A message of ${call.part.text.length} characters.`)
      }
      await this.#gates.shift()
      await Promise.resolve()
      const index = this.#failures.findIndex((each) => each.kind === call.kind)
      const failing = index < 0 ? undefined : this.#failures.splice(index, 1)[0]
      if (failing) {
        if (failing.arrived) effect()
        throw new ChannelError(failing.failure, `The platform says ${failing.failure}.`)
      }
      return effect()
    } finally {
      this.#running -= 1
    }
  }
}

/** A journal in memory. */
export class RecordingJournal implements ReplyJournal {
  readonly rows = new Map<number, { nonce: string; messageId?: string }>()
  readonly steps: string[] = []
  #count = 0

  async reserve(part: number): Promise<{ nonce: string }> {
    this.steps.push(`reserve ${part}`)
    const open = this.rows.get(part)
    if (open && open.messageId === undefined) return { nonce: open.nonce }
    this.#count += 1
    const nonce = `n${this.#count}`
    this.rows.set(part, { nonce })
    return { nonce }
  }

  async posted(part: number, messageId: string): Promise<void> {
    this.steps.push(`posted ${part}`)
    this.rows.set(part, { ...this.rows.get(part)!, messageId })
  }

  async removed(part: number): Promise<void> {
    this.steps.push(`removed ${part}`)
    this.rows.delete(part)
  }
}
