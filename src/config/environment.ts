import { resolve } from 'node:path'
import { type DiscordSettings, discordSettings, type SlackSettings, slackSettings } from './channels.ts'
import { mistakesOf } from './mistakes.ts'
import { nearest } from './nearest.ts'
import { type Variables, variables } from './variables.ts'

/** Which part of the work a process does. */
export type Role = 'all' | 'gateway' | 'worker'

/** What the environment says, by part. Paths are absolute. */
export interface Settings {
  readonly role: Role
  /** Where the embedded database and everything else that is kept locally lives. */
  readonly home: string
  readonly http: {
    readonly host: string
    readonly port: number
    /** Is the address reachable from this machine only? */
    readonly loopback: boolean
    /** Asked of every request where set; always set where the address is not loopback. */
    readonly token?: string
  }
  /** Embedded where there is no URL. */
  readonly database: { readonly url?: string }
  /** On the database where there is no URL. */
  readonly redis: { readonly url?: string }
  readonly model: ModelSettings
  readonly embedding: EmbeddingSettings
  readonly slack: SlackSettings
  readonly discord: DiscordSettings
  readonly files: Files
  /** At least 32 characters. */
  readonly secretKey?: string
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  readonly otlpEndpoint?: string
}

/** The files that settings are read from. */
export interface Files {
  readonly config: NamedFile
  readonly mcp: NamedFile
}

/** A file by its absolute path, and the variable that names it where one does: then it has to exist. */
export interface NamedFile {
  readonly path: string
  readonly namedBy?: string
}

/** The model that answers. */
export type ModelSettings =
  | { readonly state: 'offline' }
  | {
      readonly state: 'endpoint'
      /** Absent for servers of one's own that ask for none. */
      readonly apiKey?: string
      /** Absent for OpenAI's own. */
      readonly baseUrl?: string
      readonly name: string
      readonly fallbacks: readonly string[]
      /** Tokens, where the name does not tell. */
      readonly contextWindow?: number
    }

/** What makes vectors of texts. */
export type EmbeddingSettings =
  | { readonly state: 'shipped' }
  | { readonly state: 'folder'; readonly path: string }
  | {
      readonly state: 'endpoint'
      readonly model: string
      readonly apiKey?: string
      readonly baseUrl?: string
    }

/** Variables by name, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>

const defaultModel = 'gpt-5.4-mini'

/**
 * Reads the environment's variables. Mistakes are sentences that name the variable and the mend; warnings
 * say what will be off or ignored. Neither ever holds a value that could be secret.
 * @param options.role what `--role` was given, if anything
 * @param options.folder what relative paths start from
 */
export function readEnvironment(
  environment: Environment,
  options: { readonly role?: string; readonly folder: string },
):
  | { readonly settings: Settings; readonly warnings: readonly string[] }
  | { readonly mistakes: readonly string[] } {
  const given = withoutEmpty(environment)
  const parsed = variables.safeParse(given, { reportInput: true })
  const role = roleOf(options.role)
  const mistakes = [
    ...(parsed.success ? [] : mistakesOf(parsed.error, { place: (path) => path.join('.'), known: () => [] })),
    ...(role ? [] : [`--role must be all, gateway or worker, not ${JSON.stringify(options.role)}.`]),
    ...contradictions(given, role ?? 'all'),
  ]
  if (!parsed.success || !role || mistakes.length > 0) return { mistakes }
  const settings = settingsOf(parsed.data, role, options.folder)
  return { settings, warnings: [...warningsOf(settings, parsed.data), ...strangers(given)] }
}

/** Which files the environment names, also where the rest of it is mistaken. */
export function filesOf(environment: Environment, folder: string): Files {
  const named = (variable: string, usual: string): NamedFile => {
    const name = environment[variable]?.trim()
    return name ? { path: resolve(folder, name), namedBy: variable } : { path: resolve(folder, usual) }
  }
  return {
    config: named('HERMES_CONFIG', 'hermes.config.json'),
    mcp: named('HERMES_MCP_CONFIG', 'mcp.json'),
  }
}

/** Does the name or address reach this machine only? */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host)
}

function roleOf(role = 'all'): Role | undefined {
  return role === 'all' || role === 'gateway' || role === 'worker' ? role : undefined
}

// `NAME=` in an .env file means the same as no line at all.
function withoutEmpty(environment: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value?.trim() ? [[name, value.trim()]] : [])),
  )
}

function contradictions(given: Record<string, string>, role: Role): string[] {
  const mistakes: string[] = []
  const host = given.HOST ?? '127.0.0.1'
  if (variables.shape.HOST.safeParse(host).success && !isLoopback(host) && !given.HERMES_CONSOLE_TOKEN)
    mistakes.push(
      `HOST is ${JSON.stringify(host)}, which others can reach, so HERMES_CONSOLE_TOKEN must be set; make one with: openssl rand -hex 32. Or leave HOST at 127.0.0.1.`,
    )
  if (role !== 'all' && !given.DATABASE_URL)
    mistakes.push(
      `DATABASE_URL must be set for --role ${role}, since processes share their work through one PostgreSQL; without a role one process does everything on the embedded database.`,
    )
  const embedding = given.HERMES_EMBEDDING_MODEL
  if (!embedding && given.HERMES_EMBEDDING_BASE_URL)
    mistakes.push(
      'HERMES_EMBEDDING_MODEL must be set to the name of a model at HERMES_EMBEDDING_BASE_URL; or remove HERMES_EMBEDDING_BASE_URL.',
    )
  if (embedding && !isFolder(embedding) && !endpointOf(given))
    mistakes.push(
      'HERMES_EMBEDDING_MODEL is the name of a model of an endpoint, but none is set: set HERMES_EMBEDDING_BASE_URL, OPENAI_BASE_URL or OPENAI_API_KEY. A folder begins with / or ./',
    )
  return mistakes
}

function endpointOf(given: Record<string, string>): boolean {
  return Boolean(given.HERMES_EMBEDDING_BASE_URL ?? given.OPENAI_BASE_URL ?? given.OPENAI_API_KEY)
}

// Names of models may hold a slash (`BAAI/bge-m3`), so a folder has to look like a path.
function isFolder(model: string): boolean {
  return /^(\.{0,2}[/\\]|\.{1,2}$|[A-Za-z]:[/\\])/.test(model)
}

function settingsOf(given: Variables, role: Role, folder: string): Settings {
  return {
    role,
    home: resolve(folder, given.HERMES_HOME),
    http: {
      host: given.HOST,
      port: given.PORT,
      loopback: isLoopback(given.HOST),
      token: given.HERMES_CONSOLE_TOKEN,
    },
    database: { url: given.DATABASE_URL },
    redis: { url: given.REDIS_URL },
    model: modelOf(given),
    embedding: embeddingOf(given, folder),
    slack: slackSettings(given),
    discord: discordSettings(given),
    files: filesOf(
      { HERMES_CONFIG: given.HERMES_CONFIG, HERMES_MCP_CONFIG: given.HERMES_MCP_CONFIG },
      folder,
    ),
    secretKey: given.HERMES_SECRET_KEY,
    logLevel: given.LOG_LEVEL,
    otlpEndpoint: given.OTEL_EXPORTER_OTLP_ENDPOINT,
  }
}

function modelOf(given: Variables): ModelSettings {
  if (!given.OPENAI_API_KEY && !given.OPENAI_BASE_URL) return { state: 'offline' }
  return {
    state: 'endpoint',
    apiKey: given.OPENAI_API_KEY,
    baseUrl: given.OPENAI_BASE_URL,
    name: given.HERMES_MODEL ?? defaultModel,
    fallbacks: given.HERMES_FALLBACK_MODELS,
    contextWindow: given.HERMES_CONTEXT_WINDOW,
  }
}

function embeddingOf(given: Variables, folder: string): EmbeddingSettings {
  const model = given.HERMES_EMBEDDING_MODEL
  if (!model) return { state: 'shipped' }
  if (isFolder(model)) return { state: 'folder', path: resolve(folder, model) }
  return {
    state: 'endpoint',
    model,
    apiKey: given.OPENAI_API_KEY,
    baseUrl: given.HERMES_EMBEDDING_BASE_URL ?? given.OPENAI_BASE_URL,
  }
}

function warningsOf(settings: Settings, given: Variables): string[] {
  const warnings: string[] = []
  if (settings.slack.state === 'half') warnings.push(settings.slack.sentence)
  if (settings.discord.state === 'half') warnings.push(settings.discord.sentence)
  if (settings.model.state === 'offline' && (given.HERMES_MODEL || given.HERMES_FALLBACK_MODELS.length > 0))
    warnings.push(
      'HERMES_MODEL is not used, because neither OPENAI_API_KEY nor OPENAI_BASE_URL is set: the offline model answers.',
    )
  if (settings.model.state === 'endpoint' && given.OPENAI_BASE_URL && !given.HERMES_MODEL)
    warnings.push(
      `OPENAI_BASE_URL is set without HERMES_MODEL, so it is asked for ${defaultModel}: set HERMES_MODEL to a model that it has.`,
    )
  return warnings
}

function strangers(given: Record<string, string>): string[] {
  const known = Object.keys(variables.shape)
  return Object.keys(given)
    .filter((name) => /^(HERMES|SLACK|DISCORD)_/.test(name) && !known.includes(name))
    .flatMap((name) => {
      const meant = nearest(name, known)
      // Other programs have Slack and Discord variables of their own; ours alone begin with HERMES_.
      if (!meant && !name.startsWith('HERMES_')) return []
      return [`${name} is not a setting and is ignored.${meant ? ` Did you mean ${meant}?` : ''}`]
    })
}
