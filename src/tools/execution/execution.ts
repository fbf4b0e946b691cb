import { codeOf, HermesError, messageOf } from '../../base/errors.ts'
import { orAborted, pause } from '../../base/wait.ts'
import { redactText } from '../../observe/redact.ts'
import { type CallContext, type FailureClass, type Tool, ToolFailure, type ToolResult } from '../tool.ts'
import { boundOf, type Timeouts } from './timeouts.ts'

/** How an attempt to run a tool ended. */
export type Outcome =
  | { readonly kind: 'succeeded'; readonly result: ToolResult; readonly attempts: number }
  | {
      readonly kind: 'failed'
      readonly failure: FailureClass
      readonly sentence: string
      readonly attempts: number
      /** ms after which another try makes sense, where the service said so. */
      readonly retryAfterMs?: number
    }
  /** The call died midway; what it did is not known. */
  | { readonly kind: 'unknown'; readonly sentence: string; readonly attempts: number }

/** Retries of transient failures: how many, and the first pause in ms (doubled each time, with jitter). */
export interface RetryRule {
  readonly retries: number
  readonly baseMs: number
  /** A longer wait than this, asked for by the service, is not waited for. */
  readonly longestMs: number
  /** 0 to 1, for the jitter. */
  readonly random: () => number
}

const retryRule: RetryRule = { retries: 2, baseMs: 500, longestMs: 10_000, random: Math.random }

/**
 * Runs a checked call: within the tool's time, with retries where they are safe. A read whose time was up is not cut
 * off at once: if its answer comes while it is tried again, it is taken. Rejects only where the signal fired (the
 * lease is going): the call then stays `executing` for whoever takes over.
 */
export async function runTool(
  tool: Tool,
  args: Readonly<Record<string, unknown>>,
  context: CallContext,
  parts: { readonly timeouts?: Timeouts; readonly rule?: RetryRule } = {},
): Promise<Outcome> {
  const rule = parts.rule ?? retryRule
  const timeoutMs = (await parts.timeouts?.of(tool)) ?? tool.timeoutMs
  const over = new AbortController()
  const late = Promise.withResolvers<Succeeded>()
  const attempt: AttemptParts = {
    timeoutMs,
    over: over.signal,
    async answeredLate(result) {
      late.resolve({ kind: 'succeeded', result })
      await parts.timeouts?.late(tool)
    },
  }
  try {
    for (let attempts = 1; ; attempts++) {
      const outcome = await Promise.race([attemptOnce(tool, args, context, attempt), late.promise])
      if (outcome.kind === 'succeeded') {
        if (attempts === 1) parts.timeouts?.inTime(tool)
        return { ...outcome, attempts }
      }
      context.signal.throwIfAborted()
      const { failure, sentence, retryAfterMs } = outcome
      if (failure === 'unknown' && !tool.idempotent) return { kind: 'unknown', sentence, attempts }
      const worthAnother = failure === 'transient' || failure === 'rate_limit' || failure === 'unknown'
      const wait = retryAfterMs ?? rule.baseMs * 2 ** (attempts - 1) * (0.75 + rule.random() / 2)
      if (!worthAnother || !tool.idempotent || attempts > rule.retries || wait > rule.longestMs) {
        // Repeating it was safe, and still nobody knows: that is no failure of which nothing is left.
        if (failure === 'unknown' && tool.effect === 'write') return { kind: 'unknown', sentence, attempts }
        const after = retryAfterMs === undefined ? {} : { retryAfterMs }
        return { kind: 'failed', failure, sentence, attempts, ...after }
      }
      const waiting = AbortSignal.any([context.signal, over.signal])
      const answer = await Promise.race([late.promise, pause(wait, waiting).then(() => undefined)])
      context.signal.throwIfAborted()
      if (answer) return { ...answer, attempts }
    }
  } finally {
    // Whatever still runs is of no use to anybody.
    over.abort()
  }
}

type Succeeded = { readonly kind: 'succeeded'; readonly result: ToolResult }

type Attempt =
  | Succeeded
  | {
      readonly kind: 'failed'
      readonly failure: FailureClass
      readonly sentence: string
      readonly retryAfterMs?: number
    }

interface AttemptParts {
  readonly timeoutMs: number
  /** Fires when the call has its outcome. */
  readonly over: AbortSignal
  /** The answer came after the time was up. */
  readonly answeredLate: (result: ToolResult) => Promise<void>
}

async function attemptOnce(
  tool: Tool,
  args: Readonly<Record<string, unknown>>,
  context: CallContext,
  { timeoutMs, over, answeredLate }: AttemptParts,
): Promise<Attempt> {
  const limit = new AbortController()
  const cutOff = new AbortController()
  const seconds = Math.max(1, Math.round(timeoutMs / 1000))
  const signal = AbortSignal.any([context.signal, over, cutOff.signal])
  let bound: NodeJS.Timeout | undefined
  let timer: NodeJS.Timeout | undefined
  const isUp = () => {
    limit.abort(
      new ToolFailure(
        tool.effect === 'write' ? 'unknown' : 'transient',
        `It did not answer within ${seconds} s.`,
      ),
    )
    if (tool.effect !== 'read') {
      cutOff.abort(limit.signal.reason)
      return
    }
    bound = setTimeout(() => cutOff.abort(limit.signal.reason), Math.max(0, boundOf(tool) - timeoutMs))
    running.then(answeredLate).catch(() => {})
  }
  const begin = (ms: number) => {
    clearTimeout(timer)
    timer = setTimeout(isUp, ms)
  }
  let isOver = false
  const alive = () => {
    if (!isOver && !limit.signal.aborted) begin(timeoutMs)
  }
  begin((tool.readyMs ?? 0) + timeoutMs)
  const running = (async () => tool.run(args, { ...context, signal, alive }))()
  running.catch(() => {}).finally(() => clearTimeout(bound))
  // A tool that does not listen to its signal is left behind when its time is up.
  const up = AbortSignal.any([context.signal, over, limit.signal])
  try {
    const result = await orAborted(up, running)
    return { kind: 'succeeded', result }
  } catch (thrown) {
    const error = limit.signal.aborted ? limit.signal.reason : thrown
    if (error instanceof ToolFailure) {
      return {
        kind: 'failed',
        failure: error.failure,
        sentence: redactText(error.message),
        ...(error.retryAfterMs === undefined ? {} : { retryAfterMs: error.retryAfterMs }),
      }
    }
    // A write that threw something unforeseen may have got through.
    const failure: FailureClass = tool.effect === 'write' && !isRefusal(error) ? 'unknown' : 'permanent'
    return { kind: 'failed', failure, sentence: redactText(messageOf(error)) }
  } finally {
    isOver = true
    clearTimeout(timer)
  }
}

/** Errors that say that nothing was begun. */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof HermesError || ['ECONNREFUSED', 'ENOTFOUND', 'ENOENT', 'EACCES'].includes(codeOf(error))
  )
}
