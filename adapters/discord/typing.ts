import { type REST, Routes } from 'discord.js'
import type { Clock } from '../../src/base/clock.ts'
import { messageOf } from '../../src/base/errors.ts'
import type { ThreadRef } from '../../src/channel/events.ts'
import type { Log } from '../../src/observe/log.ts'
import type { Places } from './places.ts'

/** Discord shows the sign for 10 s. */
const renewal = 8_000
/** A turn that runs longer than this no longer looks alive by typing alone. */
const longest = 15 * 60_000
/** A second sign this soon would change nothing on the screen, and cost a request of the fifty per second. */
const enough = 5_000
const remembered = 1_000

/** The typing sign of threads: shown at once, renewed while something runs, never a reason to fail. */
export class Typing {
  readonly #rest: REST
  readonly #places: Places
  readonly #log: Log
  readonly #clock: Clock
  /** When the sign was shown last in a thread. */
  readonly #shown = new Map<string, number>()
  readonly #running = new Map<string, { timer: NodeJS.Timeout; left: number }>()

  constructor(parts: {
    readonly rest: REST
    readonly places: Places
    readonly clock: Clock
    readonly log: Log
  }) {
    this.#rest = parts.rest
    this.#clock = parts.clock
    this.#places = parts.places
    this.#log = parts.log
  }

  /** Shows the sign once, where it does not show already. */
  async once(thread: ThreadRef): Promise<void> {
    const last = this.#shown.get(thread.thread) ?? Number.NEGATIVE_INFINITY
    if (this.#running.has(thread.thread) || this.#clock.monotonic() - last < enough) return
    await this.#show(thread)
  }

  async #show(thread: ThreadRef): Promise<void> {
    this.#shown.delete(thread.thread)
    this.#shown.set(thread.thread, this.#clock.monotonic())
    if (this.#shown.size > remembered) this.#shown.delete(this.#shown.keys().next().value ?? '')
    await this.#places
      .act(thread, 'the typing sign', ({ channelId }) => this.#rest.post(Routes.channelTyping(channelId)))
      .catch((error: unknown) => {
        this.#log.debug({ error: messageOf(error) }, 'The typing sign was not shown.')
      })
  }

  /** Shows the sign until `stop`. */
  async start(thread: ThreadRef): Promise<void> {
    if (this.#running.has(thread.thread)) return
    const age = this.#clock.monotonic() - (this.#shown.get(thread.thread) ?? Number.NEGATIVE_INFINITY)
    // What the receipt showed a moment ago is renewed in its time.
    const shows = age < enough
    const renew = () => {
      run.left -= 1
      if (run.left <= 0) {
        this.stop(thread)
        return
      }
      run.timer = setTimeout(renew, renewal)
      void this.#show(thread)
    }
    const run = { left: longest / renewal, timer: setTimeout(renew, shows ? renewal - age : renewal) }
    this.#running.set(thread.thread, run)
    if (!shows) await this.#show(thread)
  }

  /** Renews it no more; it fades within 10 s, or with the next message. */
  stop(thread: ThreadRef): void {
    clearTimeout(this.#running.get(thread.thread)?.timer)
    this.#running.delete(thread.thread)
  }

  /** A message of ours took the sign away: the next one is shown again, however soon it comes. */
  answered(thread: ThreadRef): void {
    this.#shown.delete(thread.thread)
  }

  stopAll(): void {
    for (const { timer } of this.#running.values()) clearTimeout(timer)
    this.#running.clear()
  }
}
