import { z } from 'zod'

// An `error` here is the end of a sentence that starts with the variable's name. Values are repeated only
// where they can't be secret.
const text = z.string()
// A short value helps to find the line; a long one may be a secret that slipped into the wrong one.
const butNot = (value: unknown) =>
  typeof value === 'string' && value.length <= 16 ? `, not ${JSON.stringify(value)}` : ''

const port = z
  .string()
  .refine((value) => /^\d{1,5}$/.test(value) && Number(value) <= 65_535, {
    error: ({ input }) => `must be a whole number from 0 to 65535${butNot(input)}; for example PORT=3210`,
  })
  .transform(Number)

const host = z.string().refine((value) => /^[A-Za-z0-9.:[\]_-]+$/.test(value), {
  error: ({ input }) => `must be a host name or an address without scheme or port${butNot(input)}`,
})

const contextWindow = z
  .string()
  .refine((value) => /^\d{4,9}$/.test(value), {
    error: ({ input }) => `must be a number of tokens of at least 1000${butNot(input)}; for example 128000`,
  })
  .transform(Number)

function address(protocols: readonly string[], example: string) {
  const schemes = protocols.map((protocol) => `${protocol}://`).join(' or ')
  return z.string().refine((value) => schemeOf(value, protocols), {
    error: `must be a full address that begins with ${schemes}, for example ${example}`,
    abort: true,
  })
}

function schemeOf(value: string, protocols: readonly string[]): boolean {
  const url = URL.parse(value)
  return url !== null && url.host !== '' && protocols.includes(url.protocol.slice(0, -1))
}

// Slack's WebClient appends the method's name to its address, discord.js appends `/v10`.
const slackApi = address(['http', 'https'], 'https://slack.com/api/')
  .refine((value) => /\/api\/?$/.test(value), { error: 'must end in /api/' })
  .transform((value) => value.replace(/\/?$/, '/'))
const discordApi = address(['http', 'https'], 'https://discord.com/api')
  .refine((value) => /\/api\/?$/.test(value), { error: 'must end in /api' })
  .transform((value) => value.replace(/\/$/, ''))

const prefixed = (prefix: string, where: string) =>
  z.string().refine((value) => value.startsWith(prefix) && /^\S+$/.test(value), {
    error: `must be one word that begins with ${prefix}; copy it from ${where} in your app's settings`,
  })

const word = (what: string) =>
  z.string().refine((value) => /^\S+$/.test(value), { error: `must be ${what}, without spaces` })

const discordToken = z.string().refine((value) => /^\S+$/.test(value), {
  error:
    'must be the bot\'s token alone, without "Bot" before it or spaces; copy it from the app\'s Bot page',
})
const snowflake = z.string().refine((value) => /^\d{15,21}$/.test(value), {
  error: "must be the application's id, 15 to 21 digits; copy it from the app's General Information page",
})
const secretKey = z.string().refine((value) => value.length >= 32, {
  error: 'must have at least 32 characters; make one with: openssl rand -base64 32',
})
const names = z.string().transform((value) =>
  value
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== ''),
)

/** Every variable that Hermes reads, with its shape and default. */
export const variables = z.object({
  HERMES_HOME: text.default('.hermes'),
  HOST: host.default('127.0.0.1'),
  PORT: port.default(3210),
  DATABASE_URL: address(['postgres', 'postgresql'], 'postgres://hermes@db.example/hermes').optional(),
  REDIS_URL: address(['redis', 'rediss'], 'redis://cache.example:6379').optional(),
  OPENAI_API_KEY: word('the key').optional(),
  OPENAI_BASE_URL: address(['http', 'https'], 'https://api.openai.com/v1').optional(),
  HERMES_MODEL: text.optional(),
  HERMES_FALLBACK_MODELS: names.default([]),
  HERMES_CONTEXT_WINDOW: contextWindow.optional(),
  HERMES_EMBEDDING_MODEL: text.optional(),
  HERMES_EMBEDDING_BASE_URL: address(['http', 'https'], 'http://127.0.0.1:11434/v1').optional(),
  SLACK_BOT_TOKEN: prefixed('xoxb-', '"OAuth & Permissions"').optional(),
  SLACK_APP_TOKEN: prefixed('xapp-', '"Basic Information", "App-Level Tokens"').optional(),
  SLACK_SIGNING_SECRET: word('the signing secret').optional(),
  SLACK_CLIENT_ID: word('the client id').optional(),
  SLACK_CLIENT_SECRET: word('the client secret').optional(),
  SLACK_API_URL: slackApi.optional(),
  DISCORD_TOKEN: discordToken.optional(),
  DISCORD_APPLICATION_ID: snowflake.optional(),
  DISCORD_API_URL: discordApi.optional(),
  HERMES_CONFIG: text.optional(),
  HERMES_MCP_CONFIG: text.optional(),
  HERMES_SECRET_KEY: secretKey.optional(),
  HERMES_CONSOLE_TOKEN: word('one word').optional(),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
  OTEL_EXPORTER_OTLP_ENDPOINT: address(['http', 'https'], 'http://127.0.0.1:4318').optional(),
})

/** The variables' values after parsing. */
export type Variables = Readonly<z.infer<typeof variables>>
