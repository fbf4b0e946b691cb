import { HermesError, messageOf } from '../base/errors.ts'
import { pause } from '../base/wait.ts'
import type { Log } from '../observe/log.ts'
import { ChannelError, type ChannelFailure } from './failure.ts'
import type { OwnFile, Part, Surface } from './port.ts'
import { attachmentPart, type PriorPart, type ReplyJournal } from './reply-journal.ts'

interface Shown {
  readonly messageId: string
  /** `undefined` where another process wrote it. */
  readonly part: Part | undefined
  readonly journaled: boolean
}

interface Options {
  readonly surface: Surface
  readonly journal: ReplyJournal
  readonly log: Log
  readonly signal: AbortSignal
  readonly prior?: readonly PriorPart[]
  readonly backoff: number
}

const tries = 3

/**
 * Which messages of a reply stand on the platform, and what is in them. Calls come one at a time (the driver in
 * `reply.ts` sees to it); none starts after the signal fired.
 */
export class ReplyMessages {
  readonly #options: Options
  readonly #shown = new Map<number, Shown>()
  readonly #stopped = Promise.withResolvers<never>()
  /** Set where a create broke midway: the message may stand there, so it must not be sent again. */
  #lost: unknown

  constructor(options: Options) {
    this.#options = options
    for (const { part, messageId } of options.prior ?? []) {
      this.#shown.set(part, { messageId, part: undefined, journaled: true })
    }
    this.#stopped.promise.catch(() => {}) // Nobody may be waiting when it fires.
    options.signal.addEventListener('abort', this.#stop, { once: true })
  }

  close(): void {
    this.#options.signal.removeEventListener('abort', this.#stop)
  }

  readonly #stop = (): void => this.#stopped.reject(stopped(this.#options.signal))

  /** Is the fate of a message unknown? */
  get lost(): boolean {
    return this.#lost !== undefined
  }

  /** Waits for work, but not beyond the signal; the work itself goes on to its end and keeps what it learned. */
  async orStopped<T>(work: Promise<T>): Promise<T> {
    work.catch(() => {})
    this.#check()
    return await Promise.race([work, this.#stopped.promise])
  }

  /** Shows a part once, by an edit where it has a message, else by a new one. */
  async show(index: number, part: Part): Promise<void> {
    const shown = this.#shown.get(index)
    if (shown && samePart(shown.part, part)) return
    if (shown) await this.#edit(index, shown, part)
    else await this.#create(index, part)
  }

  /** Brings the messages in line with the final parts, and gives their ids in order. */
  async settle(
    parts: readonly Part[],
    file: { readonly name: string; readonly text: string } | undefined,
  ): Promise<string[]> {
    this.#check()
    if (this.#lost !== undefined) throw this.#lost
    for (const [index, part] of parts.entries()) await this.#orStoppedFirmly(index, part)
    if (file && !this.#shown.has(attachmentPart)) {
      await this.#firmly(['unavailable'], () => this.#attach(file))
    }
    const kept = (index: number) => index < parts.length || (index === attachmentPart && file !== undefined)
    const surplus = [...this.#shown].filter(([index]) => !kept(index))
    for (const [index, shown] of surplus) await this.#remove(index, shown)
    for (const [index, shown] of this.#shown) {
      if (!shown.journaled) await this.#options.journal.posted(index, shown.messageId)
    }
    return [...this.#shown].sort(([a], [b]) => a - b).map(([, shown]) => shown.messageId)
  }

  async #orStoppedFirmly(index: number, part: Part): Promise<void> {
    if (this.#shown.has(index)) {
      try {
        // An edit may be repeated: the second gives the same message as the first.
        await this.#firmly(['unavailable', 'unknown'], () => this.show(index, part))
        return
      } catch (error) {
        if (!(error instanceof ChannelError) || error.failure !== 'refused') throw error
        // Someone removed the draft: the answer gets a message of its own.
        this.#options.log.info({ part: index }, 'The draft of an answer was gone; it is sent anew.')
        this.#shown.delete(index)
      }
    }
    await this.#firmly(['unavailable'], () => this.show(index, part))
  }

  /** Repeats a call while the platform is unavailable, a bounded number of times. */
  async #firmly(worthwhile: readonly ChannelFailure[], call: () => Promise<void>): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      this.#check()
      try {
        return await this.orStopped(call())
      } catch (error) {
        const again = error instanceof ChannelError && worthwhile.includes(error.failure)
        if (!again || attempt === tries) throw error
        await pause(this.#options.backoff * 2 ** (attempt - 1), this.#options.signal)
      }
    }
  }

  async #create(index: number, part: Part): Promise<void> {
    if (this.#lost !== undefined) throw this.#lost
    const { nonce } = await this.#options.journal.reserve(index)
    this.#check()
    await this.#post(index, part, this.#options.surface.create(part, nonce))
  }

  async #attach(file: OwnFile): Promise<void> {
    const { nonce } = await this.#options.journal.reserve(attachmentPart)
    this.#check()
    await this.#post(attachmentPart, undefined, this.#options.surface.attach(file, nonce))
  }

  async #post(index: number, part: Part | undefined, sent: Promise<string>): Promise<void> {
    let messageId: string
    try {
      messageId = await sent
    } catch (error) {
      if (error instanceof ChannelError && error.failure === 'unknown') this.#lost = error
      throw error
    }
    this.#shown.set(index, { messageId, part, journaled: false })
    try {
      await this.#options.journal.posted(index, messageId)
      this.#shown.set(index, { messageId, part, journaled: true })
    } catch (error) {
      // The message stands, so this is no failure of the post; `settle` tells the journal again.
      this.#options.log.warn(
        { error: messageOf(error), messageId },
        'A sent message could not be journaled yet.',
      )
    }
  }

  async #edit(index: number, shown: Shown, part: Part): Promise<void> {
    this.#check()
    await this.#options.surface.edit(shown.messageId, part)
    this.#shown.set(index, { ...shown, part })
  }

  async #remove(index: number, shown: Shown): Promise<void> {
    try {
      await this.#firmly(['unavailable', 'unknown'], () => this.#options.surface.remove(shown.messageId))
    } catch (error) {
      const gone = error instanceof ChannelError && error.failure === 'refused'
      if (!(error instanceof ChannelError)) throw error
      // The answer itself stands; a left-over above or below it is not worth failing it.
      if (!gone) this.#options.log.error({ error: error.message }, 'A surplus message could not be removed.')
    }
    this.#shown.delete(index)
    await this.#options.journal.removed(index, shown.messageId)
  }

  #check(): void {
    if (this.#options.signal.aborted) throw stopped(this.#options.signal)
  }
}

function stopped(signal: AbortSignal): HermesError {
  return new HermesError('reply.stopped', 'The reply was stopped before it was finished.', {
    cause: signal.reason,
  })
}

function samePart(a: Part | undefined, b: Part): boolean {
  return a !== undefined && a.text === b.text && a.final === b.final && !a.actions && !b.actions
}
