import { type REST, Routes } from 'discord.js'
import { messageOf } from '../../src/base/errors.ts'
import type { ThreadRef } from '../../src/channel/events.ts'
import type { Log } from '../../src/observe/log.ts'
import type { Places } from './places.ts'

/** Discord shows the sign for 10 s. */
const renewal = 8_000
/** A turn that runs longer than this no longer looks alive by typing alone. */
const longest = 15 * 60_000

/** The typing sign of threads: shown at once, renewed while something runs, never a reason to fail. */
export class Typing {
  readonly #rest: REST
  readonly #places: Places
  readonly #log: Log
  readonly #running = new Map<string, { readonly timer: NodeJS.Timeout; left: number }>()

  constructor(parts: { readonly rest: REST; readonly places: Places; readonly log: Log }) {
    this.#rest = parts.rest
    this.#places = parts.places
    this.#log = parts.log
  }

  /** Shows the sign once. */
  async once(thread: ThreadRef): Promise<void> {
    await this.#places
      .act(thread, 'the typing sign', ({ channelId }) => this.#rest.post(Routes.channelTyping(channelId)))
      .catch((error: unknown) => {
        this.#log.debug({ error: messageOf(error) }, 'The typing sign was not shown.')
      })
  }

  /** Shows the sign until `stop`. */
  async start(thread: ThreadRef): Promise<void> {
    if (this.#running.has(thread.thread)) return
    const run = {
      left: longest / renewal,
      timer: setInterval(() => {
        run.left -= 1
        if (run.left <= 0) this.stop(thread)
        else void this.once(thread)
      }, renewal),
    }
    this.#running.set(thread.thread, run)
    await this.once(thread)
  }

  /** Renews it no more; it fades within 10 s, or with the next message. */
  stop(thread: ThreadRef): void {
    clearInterval(this.#running.get(thread.thread)?.timer)
    this.#running.delete(thread.thread)
  }

  stopAll(): void {
    for (const { timer } of this.#running.values()) clearInterval(timer)
    this.#running.clear()
  }
}
