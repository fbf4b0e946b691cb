import type { Clock } from '../base/clock.ts'
import { HermesError, messageOf } from '../base/errors.ts'
import { within } from '../base/wait.ts'
import type { Log } from '../observe/log.ts'
import type { CardAction } from './card.ts'
import { ChannelError } from './failure.ts'
import type { Part, Surface } from './port.ts'
import type { PriorPart, ReplyJournal } from './reply-journal.ts'
import { ReplyMessages } from './reply-messages.ts'
import { splitMarkdown } from './split.ts'

export type { PriorPart, ReplyJournal } from './reply-journal.ts'

/** What a reply is made of. */
export interface ReplyOptions {
  readonly surface: Surface
  readonly journal: ReplyJournal
  readonly clock: Clock
  readonly log: Log
  /** Fires when the turn has to let go. No platform call starts after it. */
  readonly signal: AbortSignal
  /** Says under the beginning of an answer too long for `maxParts` messages that all of it is attached. */
  readonly attachedSentence: string
  /** These are edited instead of sending new messages. */
  readonly prior?: readonly PriorPart[]
  /** The most messages of text; default 4. */
  readonly maxParts?: number
  /** Wait before the first repeat of a final call, in ms; doubled each time. Default 500. */
  readonly backoff?: number
  /** How long the first text waits for more before it is shown as a draft, in ms. Default 80. */
  readonly gathering?: number
}

/** The messages of one leg: a draft that grows, then the final text in its place. */
export interface Reply {
  /** Shows the text so far, as soon as the platform allows. Never blocks, never throws. */
  write(textSoFar: string): void
  /** What is visible is void: what is written next replaces it, in the same messages. */
  restart(): void
  /**
   * Shows the final text with its actions below and ends the reply. Blank text takes the draft away. Rejects
   * with the platform's `ChannelError` where it does not get through: after `unknown` the caller must look for
   * the message (`Speaker.ownMessages`) before it opens another reply with what it found as `prior`.
   */
  finish(
    text: string,
    options?: { readonly actions?: readonly CardAction[] },
  ): Promise<{ readonly messageIds: readonly string[] }>
  /** Ends the reply and leaves what is visible. Has to be called where `finish` is not. */
  abandon(): Promise<void>
}

const longestPause = 30_000
const patience = 10_000
// An answer that is whole by then is sent once, without a draft; nobody sees the difference. A draft's first words
// are a few, then, and not half of one.
const gathering = 80

/** Opens a reply on a surface; nothing is sent until the first text. */
export function openReply(options: ReplyOptions): Reply {
  return new ReplyDriver(options)
}

class ReplyDriver implements Reply {
  readonly #surface: Surface
  readonly #clock: Clock
  readonly #log: Log
  readonly #signal: AbortSignal
  readonly #maxParts: number
  readonly #attachedSentence: string
  readonly #messages: ReplyMessages
  /** The latest text that is not shown yet. */
  #wanted: string | undefined
  #timer: NodeJS.Timeout | undefined
  #drawing: Promise<void> | undefined
  /** Grows when what is being drawn is void. */
  #generation = 0
  #lastDraw = Number.NEGATIVE_INFINITY
  readonly #gathering: number
  #firstWrite: number | undefined
  #failures = 0
  #state: 'drafting' | 'mute' | 'ended' = 'drafting'

  constructor(options: ReplyOptions) {
    this.#surface = options.surface
    this.#clock = options.clock
    this.#log = options.log
    this.#signal = options.signal
    this.#maxParts = options.maxParts ?? 4
    this.#gathering = options.gathering ?? gathering
    this.#attachedSentence = options.attachedSentence
    this.#messages = new ReplyMessages({ ...options, backoff: options.backoff ?? 500 })
    options.signal.addEventListener('abort', this.#letGo, { once: true })
  }

  write(textSoFar: string): void {
    if (this.#state !== 'drafting' || this.#signal.aborted || textSoFar.trim() === '') return
    this.#wanted = textSoFar
    this.#firstWrite ??= this.#clock.monotonic()
    this.#schedule()
  }

  restart(): void {
    this.#generation += 1
    this.#wanted = undefined
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  async finish(
    text: string,
    options: { readonly actions?: readonly CardAction[] } = {},
  ): Promise<{ readonly messageIds: readonly string[] }> {
    if (this.#state === 'ended') {
      throw new HermesError('reply.ended', 'This reply has ended already.')
    }
    this.#end()
    try {
      await this.#messages.orStopped(this.#drawing ?? Promise.resolve())
      const { parts, file } = this.#layout(text, options.actions)
      return { messageIds: await this.#messages.settle(parts, file) }
    } finally {
      await this.#close()
    }
  }

  async abandon(): Promise<void> {
    if (this.#state === 'ended') return
    this.#end()
    const drawing = this.#drawing ?? Promise.resolve()
    await within(patience, 'The last change of a draft', this.#messages.orStopped(drawing)).catch(
      (error: unknown) => this.#log.debug({ error: messageOf(error) }, 'A draft was left behind.'),
    )
    await this.#close()
  }

  async #close(): Promise<void> {
    this.#signal.removeEventListener('abort', this.#letGo)
    this.#messages.close()
    await this.#surface.close()
  }

  /** No more drafts. */
  #end(): void {
    this.#state = 'ended'
    this.restart()
  }

  readonly #letGo = (): void => this.restart()

  #schedule(): void {
    if (this.#drawing || this.#timer) return
    const pause = Math.min(this.#surface.interval * 2 ** this.#failures, longestPause)
    const gathered = (this.#firstWrite ?? Number.NEGATIVE_INFINITY) + this.#gathering
    const wait = Math.max(this.#lastDraw + pause, gathered) - this.#clock.monotonic()
    if (wait <= 0) {
      this.#start()
      return
    }
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#start()
    }, wait)
  }

  #start(): void {
    this.#drawing = this.#draw().finally(() => {
      this.#drawing = undefined
      this.#lastDraw = this.#clock.monotonic()
      if (this.#wanted !== undefined && this.#state === 'drafting' && !this.#signal.aborted) this.#schedule()
    })
  }

  /** Shows the latest text once. Never rejects. */
  async #draw(): Promise<void> {
    const text = this.#wanted
    this.#wanted = undefined
    if (text === undefined) return
    const generation = this.#generation
    const texts = splitMarkdown(text, this.#surface.characters, { closeLast: false })
    const parts = texts.map((each, index) => ({ text: each, final: index < texts.length - 1 }))
    try {
      for (const [index, part] of parts.slice(0, this.#maxParts).entries()) {
        if (generation !== this.#generation || this.#signal.aborted) return
        await this.#messages.show(index, part)
      }
      this.#failures = 0
    } catch (error) {
      this.#failures += 1
      this.#log.warn(
        { code: error instanceof HermesError ? error.code : 'unknown', error: messageOf(error) },
        'A draft could not be shown; the final text will be tried on its own.',
      )
      const hopeless = error instanceof ChannelError && error.failure === 'refused'
      if (hopeless || this.#messages.lost) this.#state = this.#state === 'ended' ? 'ended' : 'mute'
    }
  }

  #layout(text: string, actions: readonly CardAction[] | undefined) {
    const limit = this.#surface.characters
    let texts = splitMarkdown(text, limit)
    const tooMany = texts.length > this.#maxParts
    if (tooMany) {
      const sentence = `\n\n${this.#attachedSentence}`
      const last = splitMarkdown(texts[this.#maxParts - 1]!, limit - sentence.length)[0] ?? ''
      texts = [...texts.slice(0, this.#maxParts - 1), last + sentence]
    }
    const parts: Part[] = texts.map((each, index) => ({
      text: each,
      final: true,
      ...(actions && actions.length > 0 && index === texts.length - 1 ? { actions } : {}),
    }))
    return { parts, file: tooMany ? { name: 'answer.md', text } : undefined }
  }
}
