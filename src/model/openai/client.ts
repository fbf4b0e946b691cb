import OpenAI from 'openai'

/** Where a model or an embedding model is asked. */
export interface OpenAiEndpoint {
  /** Absent for servers that ask for none. */
  readonly apiKey?: string
  /** With its version, for example `https://api.openai.com/v1` (the default) or `http://localhost:11434/v1`. */
  readonly baseUrl?: string
}

const openAiUrl = 'https://api.openai.com/v1'

/** The SDK's client, which neither retries nor logs: both are decided here, where turns are known. */
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
    logLevel: 'off',
  })
}

/** Is it OpenAI itself, rather than a server that speaks its dialect? */
export function isOpenAi(endpoint: OpenAiEndpoint): boolean {
  return !endpoint.baseUrl || /^https:\/\/([\w-]+\.)?api\.openai\.com(?:[:/]|$)/i.test(endpoint.baseUrl)
}
