import type { Clock } from '../base/clock.ts'

/** So many calls in any stretch of so many seconds. */
export class RateLimit {
  readonly #calls: number
  readonly #stretchMs: number
  readonly #clock: Clock
  #taken: number[] = []

  constructor(limit: { readonly calls: number; readonly perSeconds: number }, clock: Clock) {
    this.#calls = limit.calls
    this.#stretchMs = limit.perSeconds * 1000
    this.#clock = clock
  }

  /** Takes a place and returns 0, or returns the milliseconds until there is one. */
  take(): number {
    const now = this.#clock.monotonic()
    this.#taken = this.#taken.filter((at) => now - at < this.#stretchMs)
    const oldest = this.#taken[0]
    if (this.#taken.length >= this.#calls && oldest !== undefined)
      return Math.max(1, Math.ceil(this.#stretchMs - (now - oldest)))
    this.#taken.push(now)
    return 0
  }
}
