import { DiscordAPIError, HTTPError, RateLimitError, RESTJSONErrorCodes } from 'discord.js'
import { codeOf, messageOf } from '../../src/base/errors.ts'
import { ChannelError, neverSent } from '../../src/channel/failure.ts'

/** Discord's own code of an error, where it has one. */
export function discordCode(error: unknown): number | undefined {
  return error instanceof DiscordAPIError ? Number(error.code) : undefined
}

/** What a thrown error of discord.js means for trying again. */
export function channelError(what: string, thrown: unknown): ChannelError {
  if (thrown instanceof ChannelError) return thrown
  if (thrown instanceof DiscordAPIError) {
    const code = Number(thrown.code)
    const data = { what, code, status: thrown.status }
    // The error itself is no cause: it holds the request's body, and through its address interaction tokens.
    const sentence = `Discord refused ${what}: ${thrown.message}`
    if (thrown.status === 429) return new ChannelError('unavailable', sentence, { data })
    const content =
      (thrown.status === 400 || thrown.status === 413) &&
      code !== RESTJSONErrorCodes.MaximumNumberOfEditsToMessagesOlderThanOneHourReached &&
      !places.has(code)
    return new ChannelError(content ? 'invalid' : 'refused', sentence, { data })
  }
  if (thrown instanceof RateLimitError) {
    return new ChannelError('unavailable', `Discord asks to wait before ${what}.`, {
      data: { what, retryAfter: thrown.retryAfter },
    })
  }
  if (thrown instanceof HTTPError) {
    return new ChannelError('unavailable', `Discord did not do ${what}: HTTP ${thrown.status}.`, {
      data: { what, status: thrown.status },
    })
  }
  const code = codeOf(thrown)
  const data = { what, code }
  if (neverSent.has(code)) {
    return new ChannelError('unavailable', `Discord could not be reached for ${what}: ${code}.`, { data })
  }
  if (thrown instanceof Error && (thrown.name === 'AbortError' || code === 'ECONNRESET')) {
    return new ChannelError('unknown', `Discord did not confirm ${what}.`, { data })
  }
  // discord.js forgets a token that Discord refused once.
  if (/token/i.test(messageOf(thrown))) {
    return new ChannelError('refused', 'Discord does not accept the bot token.', { data })
  }
  return new ChannelError('unavailable', `Discord did not do ${what}: ${messageOf(thrown)}`, { data })
}

/** Errors about the place and not about what was sent, though they come as a 400. */
const places: ReadonlySet<number> = new Set([
  RESTJSONErrorCodes.CannotExecuteActionOnThisChannelType,
  RESTJSONErrorCodes.InvalidActionOnArchivedThread,
  RESTJSONErrorCodes.ThreadLocked,
  RESTJSONErrorCodes.MaximumActiveThreads,
])
