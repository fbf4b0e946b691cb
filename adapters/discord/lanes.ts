import { messageOf } from '../../src/base/errors.ts'
import { pause } from '../../src/base/wait.ts'
import type { Log } from '../../src/observe/log.ts'

/** Waits between tries of handing an event over, in ms; the last one goes on. */
const waits = [250, 500, 1_000, 2_000, 5_000] as const
/** About half an hour; what can't be taken for so long would hold back its channel for ever. */
const tries = 360
/** More than this many events held back are no longer kept one by one: they are read from the history later. */
const most = 5_000

/**
 * Hands events over one after another within a channel and beside each other across channels. What could not
 * be taken (the database is away) is tried again, in order: Discord does not deliver a second time.
 */
export class Lanes {
  readonly #log: Log
  readonly #signal: AbortSignal
  readonly #tails = new Map<string, Promise<void>>()
  readonly #overflow: () => void
  #held = 0

  constructor(parts: {
    readonly log: Log
    readonly signal: AbortSignal
    /** Told when events had to be let go. */
    readonly overflow: () => void
  }) {
    this.#log = parts.log
    this.#signal = parts.signal
    this.#overflow = parts.overflow
  }

  /** Runs the work after what runs already in that lane. */
  add(lane: string, work: () => Promise<void>): void {
    if (this.#held >= most) {
      this.#overflow()
      return
    }
    this.#held += 1
    const tail = (this.#tails.get(lane) ?? Promise.resolve())
      .then(() => this.#run(work))
      .finally(() => {
        this.#held -= 1
        if (this.#tails.get(lane) === tail) this.#tails.delete(lane)
      })
    this.#tails.set(lane, tail)
  }

  /** Waits until nothing is under way. */
  async idle(): Promise<void> {
    while (this.#tails.size > 0) await Promise.all(this.#tails.values())
  }

  async #run(work: () => Promise<void>): Promise<void> {
    for (let attempt = 0; !this.#signal.aborted; attempt += 1) {
      try {
        await work()
        return
      } catch (error) {
        const facts = { error: messageOf(error), attempt }
        if (attempt === 0) this.#log.warn(facts, 'An event could not be taken; it is tried again.')
        if (attempt >= tries) {
          this.#log.error(facts, 'An event could not be taken and is given up.')
          return
        }
        await pause(waits[Math.min(attempt, waits.length - 1)]!, this.#signal)
      }
    }
  }
}
