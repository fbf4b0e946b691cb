import { APIConnectionError, APIConnectionTimeoutError, APIError } from 'openai'
import { codeOf, messageOf } from '../../base/errors.ts'
import { redacted, redactText } from '../../observe/redact.ts'
import { ModelError, type ModelFailure } from '../chat.ts'

/** Why one request got no usable reply. */
export interface Trouble {
  readonly failure: ModelFailure
  /** For the operator, without secrets. */
  readonly detail: string
  /** May the same request work a moment later? */
  readonly retry: boolean
  /** May another model do better? */
  readonly fallback: boolean
  readonly status?: number
  readonly code?: string
  /** The parameter that was refused, where the endpoint names one. */
  readonly parameter?: string
  /** How long the endpoint asks to wait. */
  readonly retryAfterMs?: number
}

type Kind = Pick<Trouble, 'failure' | 'retry' | 'fallback'>

const kinds = {
  down: { failure: 'down', retry: true, fallback: true },
  timeout: { failure: 'timeout', retry: true, fallback: true },
  busy: { failure: 'rate_limited', retry: true, fallback: true },
  spent: { failure: 'rate_limited', retry: false, fallback: true },
  badKey: { failure: 'unauthorized', retry: false, fallback: false },
  forbidden: { failure: 'unauthorized', retry: false, fallback: true },
  tooLong: { failure: 'context_length', retry: false, fallback: false },
  refused: { failure: 'refused', retry: false, fallback: false },
  unknownModel: { failure: 'invalid_request', retry: false, fallback: true },
  invalid: { failure: 'invalid_request', retry: false, fallback: false },
} as const satisfies Record<string, Kind>

// One pattern a server: OpenAI and vLLM; Anthropic behind gateways; llama.cpp; LM Studio; Google; Mistral and
// others. "Request too large" is OpenAI's 429 for a single request above the minute's allowance.
const tooLong =
  /maximum context length|context[_ ](?:length|window|size)|prompt is too long|exceed(?:s|ed)? (?:the )?(?:model'?s? )?(?:available |maximum )?(?:context|number of tokens)|exceed context limit|too large for model|input (?:is )?too long|input token count|request too large|too many (?:input )?tokens|reduce the length of the (?:messages|prompt|input)|prompt \(.*\) is too long|tokens when context the overflows/i

/** Something that broke on the way rather than an answer. */
export function broken(detail: string): Trouble {
  return { ...kinds.down, detail }
}

/** A limit of ours that ran out. */
export function timedOut(detail: string): Trouble {
  return { ...kinds.timeout, detail }
}

/** The endpoint answers, but not as Chat Completions do. */
export function foreign(detail: string): Trouble {
  return { ...kinds.invalid, fallback: true, detail }
}

/** The model's own filter held back the whole answer. */
export function filtered(): Trouble {
  return { ...kinds.refused, detail: 'The content filter held the answer back.' }
}

/** What anything thrown by the SDK or the connection means; nothing for errors of other origin. */
export function readTrouble(error: unknown, secret: string | undefined): Trouble | undefined {
  const tell = (text: string) => withoutSecrets(text, secret)
  if (error instanceof APIConnectionTimeoutError) return timedOut('The connection timed out.')
  if (error instanceof APIConnectionError) return broken(`No connection: ${tell(rootOf(error))}`)
  if (error instanceof APIError) return readAnswer(error, tell)
  if (error instanceof SyntaxError) return broken('The answer broke off or is not readable.')
  // How undici tells of a connection that ended within a body.
  if (error instanceof TypeError || /^(?:UND_ERR|E[A-Z]{4,})/.test(codeOf(error)))
    return broken(`The connection broke off: ${tell(rootOf(error))}`)
  return undefined
}

/** What an error object inside an answer with status 200 means. */
export function readErrorObject(error: object, secret: string | undefined): Trouble {
  return readAnswer(new APIError(undefined, error, undefined, undefined), (text) =>
    withoutSecrets(text, secret),
  )
}

function readAnswer(error: APIError, tell: (text: string) => string): Trouble {
  // Gateways put the upstream's status into the error's code.
  const inner = Number(error.code)
  const status = error.status ?? (inner >= 400 && inner < 600 ? inner : undefined)
  const code = typeof error.code === 'string' ? error.code : undefined
  const words = `${code ?? ''} ${error.type ?? ''} ${error.message}`
  const kind = kindOf(status, code, words, error.headers?.get('x-should-retry') === 'false')
  const retryAfterMs = readRetryAfter(error.headers)
  return {
    ...kind,
    // The sentence about a wrong key quotes parts of it.
    detail: kind.failure === 'unauthorized' ? `It refused the key (${status}).` : tell(error.message),
    ...(status === undefined ? {} : { status }),
    ...(code === undefined ? {} : { code: tell(code) }),
    ...(typeof error.param === 'string' ? { parameter: error.param } : {}),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  }
}

function kindOf(status: number | undefined, code: string | undefined, words: string, final: boolean): Kind {
  if (code === 'context_length_exceeded' || code === 'exceed_context_size_error') return kinds.tooLong
  if (status !== 401 && status !== 403 && tooLong.test(words)) return kinds.tooLong
  if (
    /content[_ ]?(?:filter|policy)|moderation|flagged|responsible ?ai/i.test(words) &&
    !isServerFault(status)
  )
    return kinds.refused
  if (/insufficient[_ ](?:quota|balance|credits?)|billing|payment required/i.test(words)) return kinds.spent
  switch (status) {
    case 401:
      return kinds.badKey
    case 402:
      return kinds.spent
    case 403:
      return kinds.forbidden
    case 404:
      return kinds.unknownModel
    case 408:
      return final ? { ...kinds.timeout, retry: false } : kinds.timeout
    case 413:
      return kinds.tooLong
    case 409:
      return final ? { ...kinds.down, retry: false } : kinds.down
    case 429:
      return final ? kinds.spent : kinds.busy
    default:
      break
  }
  if (isServerFault(status)) return final ? { ...kinds.down, retry: false } : kinds.down
  if (status !== undefined)
    return /model[_ ]not[_ ]found|does not exist|unknown model/i.test(words)
      ? kinds.unknownModel
      : kinds.invalid
  // An error inside a stream has no status.
  if (/rate[_ ]?limit|too many requests/i.test(words)) return kinds.busy
  if (/invalid_request|invalid request/i.test(words)) return kinds.invalid
  return kinds.down
}

function isServerFault(status: number | undefined): boolean {
  return status !== undefined && status >= 500
}

function readRetryAfter(headers: Headers | undefined): number | undefined {
  const ms = Number.parseFloat(headers?.get('retry-after-ms') ?? '')
  if (Number.isFinite(ms)) return Math.max(0, ms)
  const text = headers?.get('retry-after')
  if (!text) return undefined
  const seconds = Number(text)
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1_000)
  // A date counts from the endpoint's own clock, which it tells beside.
  const wait = Date.parse(text) - Date.parse(headers?.get('date') ?? '')
  return Number.isNaN(wait) ? undefined : Math.max(0, wait)
}

/** The innermost cause says what happened: "fetch failed" alone does not. */
function rootOf(error: unknown): string {
  let root = error
  for (let depth = 0; depth < 5 && root instanceof Error && root.cause !== undefined; depth += 1)
    root = root.cause
  return messageOf(root)
}

function withoutSecrets(text: string, secret: string | undefined): string {
  // Local servers take any word as a key; a short one is no secret and may be part of a sentence.
  const hidden = secret && secret.length >= 8 ? text.replaceAll(secret, redacted) : text
  return redactText(hidden).slice(0, 300)
}

const sentences = {
  down: 'does not answer',
  timeout: 'did not answer in time',
  rate_limited: 'takes no more requests right now',
  unauthorized: 'refused the key',
  context_length: 'was given more text than it can take',
  empty: 'answered with nothing',
  refused: 'refused to answer',
  invalid_request: 'refused the request',
} as const satisfies Record<ModelFailure, string>

/** The error for a trouble that retries and fallbacks did not end. */
export function modelError(trouble: Trouble, model: string, attempts: number): ModelError {
  const { failure, detail, status, code, retryAfterMs } = trouble
  return new ModelError(failure, `The model ${model} ${sentences[failure]}. ${detail}`, {
    data: {
      model,
      attempts,
      ...(status === undefined ? {} : { status }),
      ...(code === undefined ? {} : { code }),
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    },
  })
}
