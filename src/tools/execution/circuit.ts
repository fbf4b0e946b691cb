import type { SessionFailure } from '../../session/transcript.ts'
import type { FailureClass } from '../tool.ts'

/** A tool that is not asked for now. */
export interface Outage {
  /** Its first failure without a pause after it. */
  readonly since: Date
  readonly until: Date
}

/** What a tool that was down is tried again after. Longer ago than this, it is another trouble. */
const pauseMs = 300_000

/** Is the tool not to be asked now, by what happened in this session? */
export function outageOf(failures: readonly SessionFailure[], tool: string, now: Date): Outage | undefined {
  const own = failures.filter((failure) => failure.tool === tool && failure.downUntil !== null)
  const until = own.at(-1)?.downUntil
  if (!until || until <= now) return undefined
  let first = own.at(-1)!
  for (const earlier of own.toReversed()) {
    if (first.at.getTime() - earlier.downUntil!.getTime() > pauseMs) break
    first = earlier
  }
  return { since: first.at, until }
}

/** Is it the service that failed, and not the request that it was given? */
export function isServiceFailure(code: string): boolean {
  return !['validation', 'not_found', 'permission', 'refused', 'invalid'].includes(code)
}

/** For how long a tool that failed so is not asked again, in ms; 0 where asking something else may work at once. */
export function coolDownAfter(
  failure: FailureClass,
  rule: { readonly coolDownMs: number; readonly longestMs: number },
  retryAfterMs = 0,
): number {
  if (failure !== 'transient' && failure !== 'rate_limit' && failure !== 'unknown') return 0
  return Math.min(Math.max(rule.coolDownMs, retryAfterMs), rule.longestMs)
}

/** In how many steps of the window, the one at hand included, the tool was of no use to the person. */
export function failedSteps(
  failures: readonly SessionFailure[],
  tool: string,
  now: Date,
  windowMs: number,
): number {
  const earlier = failures.filter(
    (failure) =>
      failure.tool === tool &&
      !failure.degraded &&
      isServiceFailure(failure.code) &&
      now.getTime() - failure.at.getTime() < windowMs,
  )
  return new Set(earlier.map((failure) => failure.at.getTime())).size + 1
}
