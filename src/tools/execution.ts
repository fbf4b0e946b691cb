import { codeOf, HermesError, messageOf } from '../base/errors.ts'
import { pause } from '../base/wait.ts'
import { redactText } from '../observe/redact.ts'
import { type CallContext, type FailureClass, type Tool, ToolFailure, type ToolResult } from './definition.ts'

/** How an attempt to run a tool ended. */
export type Outcome =
  | { readonly kind: 'succeeded'; readonly result: ToolResult; readonly attempts: number }
  | {
      readonly kind: 'failed'
      readonly failure: FailureClass
      readonly sentence: string
      readonly attempts: number
    }
  /** The call died midway; what it did is not known. */
  | { readonly kind: 'unknown'; readonly sentence: string; readonly attempts: number }

/** Retries of transient failures: how many, and the first pause in ms (doubled each time, with jitter). */
export interface RetryRule {
  readonly retries: number
  readonly baseMs: number
  /** A longer wait than this, asked for by the service, is not waited for. */
  readonly longestMs: number
}

const retryRule: RetryRule = { retries: 2, baseMs: 500, longestMs: 10_000 }

/**
 * Runs a checked call: within the tool's time, with retries where they are safe. Rejects only where the signal
 * fired (the lease is going): the call then stays `executing` for whoever takes over.
 */
export async function runTool(
  tool: Tool,
  args: Readonly<Record<string, unknown>>,
  context: CallContext,
  rule: RetryRule = retryRule,
): Promise<Outcome> {
  for (let attempt = 1; ; attempt++) {
    const outcome = await attemptOnce(tool, args, context)
    if (outcome.kind === 'succeeded') return { ...outcome, attempts: attempt }
    context.signal.throwIfAborted()
    const { failure, sentence, retryAfterMs } = outcome
    if (failure === 'unknown' && !tool.idempotent) return { kind: 'unknown', sentence, attempts: attempt }
    const worthAnother = failure === 'transient' || failure === 'rate_limit' || failure === 'unknown'
    const wait = retryAfterMs ?? rule.baseMs * 2 ** (attempt - 1) * (0.75 + Math.random() / 2)
    if (!worthAnother || !tool.idempotent || attempt > rule.retries || wait > rule.longestMs) {
      return { kind: 'failed', failure, sentence, attempts: attempt }
    }
    await pause(wait, context.signal)
    context.signal.throwIfAborted()
  }
}

type Attempt =
  | { readonly kind: 'succeeded'; readonly result: ToolResult }
  | {
      readonly kind: 'failed'
      readonly failure: FailureClass
      readonly sentence: string
      readonly retryAfterMs?: number
    }

async function attemptOnce(
  tool: Tool,
  args: Readonly<Record<string, unknown>>,
  context: CallContext,
): Promise<Attempt> {
  const limit = new AbortController()
  const seconds = Math.round(tool.timeoutMs / 1000)
  const timer = setTimeout(
    () =>
      limit.abort(
        new ToolFailure(
          tool.effect === 'write' ? 'unknown' : 'transient',
          `It did not answer within ${seconds} s.`,
        ),
      ),
    tool.timeoutMs,
  )
  const signal = AbortSignal.any([context.signal, limit.signal])
  // A tool that does not listen to its signal is left behind when its time is up.
  const cut = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  cut.catch(() => {})
  try {
    const result = await Promise.race([tool.run(args, { ...context, signal }), cut])
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
    clearTimeout(timer)
  }
}

/** Errors that say that nothing was begun. */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof HermesError || ['ECONNREFUSED', 'ENOTFOUND', 'ENOENT', 'EACCES'].includes(codeOf(error))
  )
}
