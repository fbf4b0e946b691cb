import type { Clock } from '../../base/clock.ts'
import { pause } from '../../base/wait.ts'
import type { Trouble } from './trouble.ts'

/** When and how often the same request is sent again. */
export interface RetryPolicy {
  /** How many times beyond the first. */
  readonly retries: number
  /** The first wait; each further one is twice as long. */
  readonly baseMs: number
  readonly mostMs: number
  /** A longer wait that an endpoint asks for is not waited out. */
  readonly mostRetryAfterMs: number
}

/** Twice, within some seconds: a person is waiting. */
export const defaultRetry: RetryPolicy = { retries: 2, baseMs: 500, mostMs: 8_000, mostRetryAfterMs: 20_000 }

/** What came of asking. */
export type Outcome<T> =
  | { readonly ok: true; readonly reply: T }
  | { readonly ok: false; readonly trouble: Trouble }

/** The frame within which something is asked again. */
export interface Patience {
  readonly signal: AbortSignal
  readonly clock: Clock
  readonly policy: RetryPolicy
  /** For all tries together. */
  readonly wholeMs: number
  /** 0 to 1. */
  readonly random: () => number
  readonly onRetry: (trouble: Trouble, retry: number, waitMs: number) => void
}

/**
 * Asks until there is a reply, or a trouble that asking again does not end. `ask` gets the milliseconds left.
 * Rejects with the signal's reason.
 */
export async function askPatiently<T>(
  ask: (remainingMs: number) => Promise<Outcome<T>>,
  patience: Patience,
): Promise<Outcome<T>> {
  const { signal, clock, policy } = patience
  const deadline = clock.monotonic() + patience.wholeMs
  for (let retry = 0; ; retry += 1) {
    const outcome = await ask(Math.max(1, deadline - clock.monotonic()))
    signal.throwIfAborted()
    if (outcome.ok || !outcome.trouble.retry || retry >= policy.retries) return outcome
    const waitMs = waitBefore(retry, outcome.trouble.retryAfterMs, policy, patience.random)
    if (waitMs === undefined || clock.monotonic() + waitMs >= deadline) return outcome
    patience.onRetry(outcome.trouble, retry + 1, Math.round(waitMs))
    await pause(waitMs, signal)
    signal.throwIfAborted()
  }
}

/**
 * How long to wait before a retry, counted from 0, or nothing where the endpoint asks for more patience than
 * there is.
 */
function waitBefore(
  retry: number,
  retryAfterMs: number | undefined,
  policy: RetryPolicy,
  random: () => number,
): number | undefined {
  if (retryAfterMs !== undefined && retryAfterMs > policy.mostRetryAfterMs) return undefined
  const backOff = Math.min(policy.baseMs * 2 ** retry, policy.mostMs)
  // Half of it is chance, so that many turns that failed together do not come back together.
  return retryAfterMs === undefined
    ? backOff * (0.5 + random() / 2)
    : retryAfterMs + (random() * policy.baseMs) / 2
}
