import { DefaultRestOptions, REST, RESTJSONErrorCodes, type RESTOptions } from 'discord.js'
import { pause } from '../../src/base/wait.ts'

type MakeRequest = RESTOptions['makeRequest']

/** How Discord's HTTP interface is reached. */
export interface DiscordAddress {
  readonly token: string
  /** Ends in `/api`; Discord's own where not given. */
  readonly apiUrl?: string
}

/** The longest that a request waits for its turn under a rate limit, in ms; a longer wait is an error. */
const patience = 60_000
/** discord.js repeats a 5xx at once, three times; a pause before gives the platform a chance. */
const pauseAfterServerError = 250

/** The settings of every HTTP client of ours, the gateway's own included. */
export function restOptions(apiUrl: string | undefined): Partial<RESTOptions> {
  return {
    version: '10',
    ...(apiUrl === undefined ? {} : { api: apiUrl }),
    timeout: 10_000,
    rejectOnRateLimit: (limit) => Math.max(limit.timeToReset, limit.retryAfter) > patience,
    makeRequest: careful(DefaultRestOptions.makeRequest),
  }
}

/** The HTTP client of the outbound half; needs no connection to the gateway. */
export function createRest(address: DiscordAddress): REST {
  return new REST(restOptions(address.apiUrl)).setToken(address.token)
}

function careful(send: MakeRequest): MakeRequest {
  return async (url, init) => {
    const answer = await send(url, init).catch((error: unknown) => {
      throw asReset(error)
    })
    if (answer.status === 429) return tellEditCap(answer)
    if (answer.status >= 500) await pause(pauseAfterServerError)
    return answer
  }
}

/**
 * A connection that the other side closes is told in two ways by undici, and discord.js repeats only one of
 * them. Everything we send may be repeated: new messages carry an enforced nonce, the rest ends the same.
 */
function asReset(error: unknown): unknown {
  if (error instanceof Error && 'code' in error && error.code === 'UND_ERR_SOCKET') {
    return Object.assign(new Error('The connection was closed.', { cause: error }), { code: 'ECONNRESET' })
  }
  return error
}

const editCap = new RegExp(
  `"code":\\s*${RESTJSONErrorCodes.MaximumNumberOfEditsToMessagesOlderThanOneHourReached}\\b`,
)

/**
 * The cap on edits of messages older than an hour comes as a 429, for which discord.js would wait and try for
 * ever (discord-api-docs #4413). As a 400 it is an error at once.
 */
async function tellEditCap(answer: Awaited<ReturnType<MakeRequest>>): ReturnType<MakeRequest> {
  const text = await answer.text()
  const capped = editCap.test(text)
  return new Response(text, {
    status: capped ? 400 : 429,
    headers: Object.fromEntries(answer.headers),
  })
}
