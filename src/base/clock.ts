/** Time as a parameter, so that tests state it. */
export interface Clock {
  /** Wall-clock time. */
  now(): Date
  /** Milliseconds that never run backwards; only differences mean anything. */
  monotonic(): number
}

export const systemClock: Clock = {
  now: () => new Date(),
  monotonic: () => performance.now(),
}
