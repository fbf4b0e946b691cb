import { HermesError } from '../base/errors.ts'

/** Why a platform did not take a message. */
export type ChannelFailure =
  /** Gone, archived, no permission: trying again is useless. */
  | 'refused'
  /** The content is not acceptable as it is. */
  | 'invalid'
  /** 5xx, resets, rate limits beyond the patience of the client: may work later. */
  | 'unavailable'
  /** The connection broke after sending: it may have arrived. */
  | 'unknown'

/** A platform's refusal or silence. */
export class ChannelError extends HermesError {
  readonly failure: ChannelFailure

  constructor(
    failure: ChannelFailure,
    message: string,
    options: { data?: Record<string, unknown>; cause?: unknown } = {},
  ) {
    super(`channel.${failure}`, message, options)
    this.failure = failure
  }
}

/** Codes of errors after which nothing can have been sent, since the connection was never made. */
export const neverSent: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])
