/**
 * The one family of errors. An expected outcome (not found, refused, expired) is a return value; a
 * HermesError is what a caller can't go on from, told in a sentence that a person can act on.
 */
export class HermesError extends Error {
  /** Stable, machine-readable, `area.what`, for example `store.locked`. */
  readonly code: string
  /** Structured facts about the case. Never a secret. */
  readonly data: Readonly<Record<string, unknown>>

  constructor(
    code: string,
    message: string,
    options: { data?: Record<string, unknown>; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'HermesError'
    this.code = code
    this.data = options.data ?? {}
  }
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return messageOf(error.errors[0])
  if (error instanceof Error) return error.message || error.name
  return String(error)
}

/** The code of anything that was thrown: a HermesError's, a Node or driver error's, else `unknown`. */
export function codeOf(error: unknown): string {
  if (error && typeof error === 'object' && 'code' in error && typeof error.code === 'string')
    return error.code
  return 'unknown'
}
