/** How long one model may take, in milliseconds. */
export interface ModelTimeouts {
  /** From the request to the first byte of the answer. */
  readonly firstByteMs: number
  /** Between two pieces of the answer. */
  readonly betweenMs: number
  /** From the first request to the end of the answer, retries included. */
  readonly wholeMs: number
}

/** Patient enough for models that think before they write. */
export const defaultTimeouts: ModelTimeouts = { firstByteMs: 60_000, betweenMs: 60_000, wholeMs: 300_000 }

/** The limits of one running request. */
export interface Watch {
  /** Fires when a limit runs out or the caller gives up. */
  readonly controller: AbortController
  /** The limit that ran out, in words. */
  readonly expired: string | undefined
  /** Something arrived. */
  beat(): void
  stop(): void
}

/** Starts the limits; `wholeMs` is what is left of it. */
export function watch(caller: AbortSignal, timeouts: ModelTimeouts): Watch {
  const controller = new AbortController()
  let expired: string | undefined
  const expire = (words: string) => () => {
    expired ??= words
    controller.abort()
  }
  const follow = () => controller.abort(caller.reason)
  if (caller.aborted) follow()
  else caller.addEventListener('abort', follow, { once: true })

  const whole = setTimeout(expire('The answer took too long as a whole.'), timeouts.wholeMs)
  let silence = setTimeout(expire(`Nothing came within ${timeouts.firstByteMs} ms.`), timeouts.firstByteMs)
  let lastBeat = 0
  return {
    controller,
    get expired() {
      return expired
    },
    beat() {
      // A timer for each piece would cost more than the pieces: its end is moved by twentieths at most.
      const now = performance.now()
      if (lastBeat !== 0 && now - lastBeat < timeouts.betweenMs / 20) return
      lastBeat = now
      clearTimeout(silence)
      silence = setTimeout(expire(`The answer stopped for ${timeouts.betweenMs} ms.`), timeouts.betweenMs)
    },
    stop() {
      clearTimeout(whole)
      clearTimeout(silence)
      caller.removeEventListener('abort', follow)
    },
  }
}
