import { type Logger, LogLevel, webApi } from '@slack/bolt'
import type { Clock } from '../../src/base/clock.ts'
import { pause } from '../../src/base/wait.ts'
import type { ThreadRef } from '../../src/channel/events.ts'
import { ChannelError } from '../../src/channel/failure.ts'
import type { Log } from '../../src/observe/log.ts'
import { asUnknown, type Refusal, refusalOf, tokenErrors } from './refusal.ts'

/** How patient the client is. */
export interface ClientTiming {
  /** For one request, ms. */
  readonly requestMs: number
  /** For one call with its retries, ms. */
  readonly patienceMs: number
  /** The pause before the first retry, ms; doubled each time. */
  readonly backoffMs: number
}

const clientTiming: ClientTiming = { requestMs: 10_000, patienceMs: 45_000, backoffMs: 250 }

/** Whether a call may be made again when nobody knows if it had its effect. */
export type Repeatable = 'repeatable' | 'once'

/** Slack's Web API with retries that never double a message. Errors are `ChannelError`s. */
export interface SlackClient {
  readonly web: webApi.WebClient
  readonly apiUrl: string
  readonly token: string
  /** Makes a call, waiting as Slack asks and trying again as far as that is safe; no try starts after the signal. */
  call<T>(
    method: string,
    how: Repeatable,
    run: (web: webApi.WebClient) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T>
  /** One try, with a short limit and no patience: for signs of life. */
  tryOnce<T>(method: string, run: (web: webApi.WebClient) => Promise<T>): Promise<T>
  /** Runs work on a thread after the work on it that was given before. */
  inOrder<T>(thread: ThreadRef, work: () => Promise<T>): Promise<T>
  /** Ends every wait. */
  stop(): void
}

export function createClient(options: {
  readonly token: string
  readonly apiUrl?: string
  readonly clock: Clock
  readonly log: Log
  readonly timing?: Partial<ClientTiming>
  /** Hears of calls that failed because the token does not work. */
  readonly onTokenRefused?: (code: string) => void
}): SlackClient {
  const timing = { ...clientTiming, ...options.timing }
  const { clock, log } = options
  const stopping = new AbortController()
  const apiUrl = options.apiUrl ?? 'https://slack.com/api/'
  const web = new webApi.WebClient(options.token, {
    slackApiUrl: apiUrl,
    logger: boltLogger(log),
    // All retries are made here: the SDK's own would repeat a post whose answer got lost.
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: timing.requestMs,
  })
  const tails = new Map<string, Promise<unknown>>()

  async function once<T>(
    method: string,
    run: (web: webApi.WebClient) => Promise<T>,
  ): Promise<{ readonly value: T } | Refusal> {
    if (stopping.signal.aborted) throw stopped(method)
    try {
      return { value: await run(web) }
    } catch (thrown) {
      const refusal = refusalOf(method, thrown)
      if (tokenErrors.has(refusal.code)) options.onTokenRefused?.(refusal.code)
      return refusal
    }
  }

  return {
    web,
    apiUrl,
    token: options.token,
    async call(method, how, run, signal) {
      const end = clock.monotonic() + timing.patienceMs
      const ended = signal ? AbortSignal.any([signal, stopping.signal]) : stopping.signal
      for (let backoff = timing.backoffMs; ; backoff *= 2) {
        if (ended.aborted) throw stopped(method)
        const result = await once(method, run)
        if ('value' in result) return result.value
        const unclear = result.mayHaveHappened && how === 'once'
        if (unclear) throw asUnknown(result, method)
        const wait = result.retryAfterMs ?? backoff
        if (!result.transient || clock.monotonic() + wait > end) throw result.error
        log.warn({ method, code: result.code, waitMs: wait }, 'Slack did not take a call; it is made again')
        await pause(wait, ended)
      }
    },
    async tryOnce(method, run) {
      const result = await once(method, run)
      if ('value' in result) return result.value
      throw result.error
    },
    inOrder(thread, work) {
      const key = `${thread.room}/${thread.thread}`
      const before = tails.get(key) ?? Promise.resolve()
      const mine = before.then(work, work)
      const tail = mine.catch(() => {})
      tails.set(key, tail)
      void tail.then(() => {
        if (tails.get(key) === tail) tails.delete(key)
      })
      return mine
    },
    stop: () => stopping.abort(),
  }
}

function stopped(method: string): ChannelError {
  return new ChannelError('unavailable', `Slack's ${method} was not called any more: its work has ended.`, {
    data: { method },
  })
}

/** Slack's libraries write through our log; their debug lines hold whole requests and are left out. */
export function boltLogger(log: Log): Logger {
  const sentence = (parts: unknown[]) => parts.map(String).join(' ')
  return {
    debug: () => {},
    info: () => {},
    warn: (...parts) => log.debug({ from: 'slack' }, sentence(parts)),
    error: (...parts) => log.debug({ from: 'slack' }, sentence(parts)),
    setLevel: () => {},
    getLevel: () => LogLevel.WARN,
    setName: () => {},
  }
}
