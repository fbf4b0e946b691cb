import OpenAI from 'openai'

/** Where a model or an embedding model is asked. */
export interface OpenAiEndpoint {
  /** Absent for servers that ask for none. */
  readonly apiKey?: string
  /** With its version, for example `https://api.openai.com/v1` (the default) or `http://localhost:11434/v1`. */
  readonly baseUrl?: string
}

const openAiUrl = 'https://api.openai.com/v1'

// The longest that a timer can wait.
const noLimit = 2 ** 31 - 1

/** The SDK's client without its own retries, limits and log: all three are decided here. */
export function createClient(endpoint: OpenAiEndpoint): OpenAI {
  return new OpenAI({
    // The SDK insists on a key; without one no Authorization header is sent.
    apiKey: endpoint.apiKey || 'none',
    ...(endpoint.apiKey ? {} : { defaultHeaders: { Authorization: null } }),
    baseURL: endpoint.baseUrl || openAiUrl,
    adminAPIKey: null,
    // Read from the environment by default, which is meant for OpenAI alone.
    ...(isOpenAi(endpoint) ? {} : { organization: null, project: null }),
    maxRetries: 0,
    timeout: noLimit,
    logLevel: 'off',
  })
}

/** Is it OpenAI itself, rather than a server that speaks its dialect? */
export function isOpenAi(endpoint: OpenAiEndpoint): boolean {
  return !endpoint.baseUrl || /^https:\/\/([\w-]+\.)?api\.openai\.com(?:[:/]|$)/i.test(endpoint.baseUrl)
}
