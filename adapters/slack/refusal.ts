import { webApi } from '@slack/bolt'
import { codeOf, messageOf } from '../../src/base/errors.ts'
import { ChannelError, type ChannelFailure, neverSent } from '../../src/channel/failure.ts'

/** What went wrong with a call, and what that means for trying again. */
export interface Refusal {
  readonly error: ChannelError
  /** Slack's own code, for example `channel_not_found`. */
  readonly code: string
  /** Can the call have had its effect all the same? */
  readonly mayHaveHappened: boolean
  /** May a later try succeed? */
  readonly transient: boolean
  /** Slack's own wish. */
  readonly retryAfterMs?: number
}

/** The token does not work: nothing will until someone changes it. */
export const tokenErrors: ReadonlySet<string> = new Set([
  'invalid_auth',
  'not_authed',
  'account_inactive',
  'token_revoked',
  'token_expired',
  'user_removed_from_team',
  'team_disabled',
  'team_access_not_granted',
])

const contentErrors = new Set([
  'msg_too_long',
  'msg_blocks_too_long',
  'no_text',
  'invalid_blocks',
  'invalid_blocks_format',
  'invalid_chunks',
  'invalid_arguments',
  'invalid_attachments',
  'too_many_attachments',
  'markdown_text_conflict',
  'block_mismatch',
  'invalid_metadata_format',
  'invalid_metadata_schema',
  'metadata_too_large',
])

// "Some aspect of the operation may have succeeded" (docs.slack.dev, errors of every method).
const serverErrors = new Set(['internal_error', 'fatal_error', 'service_unavailable', 'request_timeout'])

/** Reads what the SDK throws. */
export function refusalOf(method: string, thrown: unknown): Refusal {
  if (thrown instanceof webApi.WebAPIRateLimitedError) return rateLimited(method, thrown.retryAfter, thrown)
  if (thrown instanceof webApi.WebAPIPlatformError) return platform(method, thrown)
  if (thrown instanceof webApi.WebAPIHTTPError) {
    const { statusCode } = thrown
    if (statusCode === 429) return rateLimited(method, 1, thrown)
    const server = statusCode >= 500
    return refusal(server ? 'unavailable' : 'refused', method, `HTTP ${statusCode}`, {
      thrown,
      mayHaveHappened: server,
      transient: server,
    })
  }
  if (thrown instanceof webApi.WebAPIRequestError) {
    const reason = rootCause(thrown.original)
    const sent = !neverSent.has(codeOf(reason))
    return refusal('unavailable', method, messageOf(reason), {
      thrown,
      mayHaveHappened: sent,
      transient: true,
    })
  }
  return refusal('unavailable', method, messageOf(thrown), {
    thrown,
    mayHaveHappened: true,
    transient: false,
  })
}

/** The same failure, where it can't be known whether the call had its effect. */
export function asUnknown({ error, code }: Refusal, method: string): ChannelError {
  return new ChannelError('unknown', `Slack did not confirm ${method}: ${code}.`, {
    data: { method, code },
    cause: error,
  })
}

function platform(method: string, thrown: webApi.WebAPIPlatformError): Refusal {
  const { error: code, response_metadata: metadata } = thrown.data as {
    error: string
    response_metadata?: { retryAfter?: number; messages?: string[] }
  }
  if (code === 'ratelimited' || code === 'rate_limited') {
    return rateLimited(method, metadata?.retryAfter ?? 1, thrown)
  }
  const failure = serverErrors.has(code) ? 'unavailable' : contentErrors.has(code) ? 'invalid' : 'refused'
  const server = failure === 'unavailable'
  return refusal(failure, method, code, {
    thrown,
    mayHaveHappened: server,
    transient: server,
    ...(metadata?.messages ? { messages: metadata.messages } : {}),
  })
}

function rateLimited(method: string, seconds: number, thrown: unknown): Refusal {
  return refusal('unavailable', method, 'ratelimited', {
    thrown,
    mayHaveHappened: false,
    transient: true,
    retryAfterMs: Math.max(1, seconds) * 1000,
  })
}

function refusal(
  failure: ChannelFailure,
  method: string,
  code: string,
  about: {
    readonly thrown: unknown
    readonly mayHaveHappened: boolean
    readonly transient: boolean
    readonly retryAfterMs?: number
    readonly messages?: readonly string[]
  },
): Refusal {
  const { thrown, messages, ...rest } = about
  const verb = failure === 'unavailable' ? 'did not do' : 'refused'
  const error = new ChannelError(failure, `Slack ${verb} ${method}: ${code}.`, {
    data: { method, code, ...(messages ? { messages } : {}) },
    cause: thrown,
  })
  return { error, code, ...rest }
}

function rootCause(error: unknown): unknown {
  let cause = error
  for (let depth = 0; depth < 5 && cause instanceof Error && cause.cause !== undefined; depth += 1) {
    cause = cause.cause
  }
  return cause
}

/** Slack's code in an error of ours. */
export function codeIn(error: unknown): string | undefined {
  if (!(error instanceof ChannelError)) return undefined
  const { code } = error.data
  return typeof code === 'string' ? code : undefined
}
