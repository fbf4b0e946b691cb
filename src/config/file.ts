import { z } from 'zod'
import { messageOf } from '../base/errors.ts'
import { approvals } from './approvals.ts'
import { mistakesOf } from './mistakes.ts'
import { workflowMistakes } from './workflow-check.ts'
import { workflowSchema } from './workflows.ts'

const whole = z.int().min(1)
const amount = z.number().min(0)
const fraction = z.number().min(0).max(1)
const share = z.number().min(0.01).max(1)

const timeZone = z
  .string()
  .refine(isTimeZone, { error: 'must be the name of a time zone, for example "Europe/Berlin"' })

const host = z
  .string()
  .regex(/^(?:\*\.)?(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:]+\])(?::\d{1,5})?$/i, {
    error: 'must be a host such as "api.example.com", "example.com:8443" or "*.example.com"',
  })

const rule = z.strictObject({
  min: z.number().optional(),
  max: z.number().optional(),
  enum: z
    .array(z.union([z.string(), z.number(), z.boolean()]))
    .min(1)
    .optional(),
  /** Of the whole text. */
  pattern: z.string().refine(isPattern, { error: 'must be a regular expression' }).optional(),
})

const override = z.strictObject({
  defaults: z.record(z.string(), z.unknown()).default({}),
  rules: z.record(z.string(), rule).default({}),
  cacheSeconds: z.int().min(0).max(86_400).optional(),
})

/** One value or several. */
const oneOrMore = <T extends z.ZodType>(value: T) =>
  z.union([value.transform((one) => [one]), z.array(value).min(1)])

const scope = z.enum(['private', 'team', 'public'])

/** How Hermes is set up for the sessions of some places. */
const profile = z.strictObject({
  name: z.string().regex(/^[a-zA-Z0-9][\w-]{0,39}$/, {
    error: 'must be a word of up to 40 letters, digits, _ and -',
  }),
  /** The places that it is for; each that is named has to fit. */
  match: z
    .strictObject({
      channel: oneOrMore(z.enum(['slack', 'discord', 'web'])).optional(),
      /** Slack team, Discord server (`@me`: direct messages). */
      workspace: oneOrMore(z.string().min(1)).optional(),
      /** Id of the Slack or Discord channel. */
      room: oneOrMore(z.string().min(1)).optional(),
      /** Who can read: the person alone, or others too. */
      kind: oneOrMore(z.enum(['direct', 'shared'])).optional(),
    })
    .prefault({}),
  /** Another model of the same endpoint. */
  model: z.strictObject({ name: z.string().min(1), window: whole.optional() }).optional(),
  instructions: z.string().max(8_000).default(''),
  /** Patterns of tools' names, in which `*` stands for anything. */
  tools: z
    .strictObject({
      allow: z.array(z.string().min(1)).default(['*']),
      deny: z.array(z.string().min(1)).default([]),
    })
    .prefault({}),
  /** All where not given. */
  mcpServers: z.array(z.string().min(1)).optional(),
  memory: z
    .strictObject({
      recall: z.array(scope).default(['private', 'team', 'public']),
      learn: z.array(z.enum(['private', 'team'])).default(['private', 'team']),
    })
    .prefault({}),
  limits: z
    .strictObject({
      steps: whole.optional(),
      turnSeconds: whole.optional(),
      turnTokens: whole.optional(),
    })
    .prefault({}),
})

/** The product's settings, each with its default. */
const schema = z.strictObject({
  /** Added to the system text of every session, in words. */
  instructions: z.string().max(8_000).default(''),
  /** The language of fixed sentences where a person's own is not known. */
  language: z.enum(['en', 'zh']).default('en'),
  /** For people whose own is not known. The machine's where not set. */
  timeZone: timeZone.default(() => Intl.DateTimeFormat().resolvedOptions().timeZone),
  /** Where people reach this server, for links to tickets and files. Without it only the web chat of this machine has them. */
  address: z
    .union([z.literal(''), z.url({ protocol: /^https?$/ })], {
      error: 'must be an address such as "https://hermes.example.com"',
    })
    .default(''),
  /** Are other bots answered? Hermes never answers itself. */
  allowBots: z.boolean().default(false),
  limits: z
    .strictObject({
      /** Requests to the model in one turn. */
      steps: whole.default(12),
      /** The same call with the same arguments in one turn. */
      identicalCalls: whole.default(3),
      turnSeconds: whole.default(300),
      /** Input and output of all requests of one turn. */
      turnTokens: whole.default(400_000),
      /** By `model.prices`, as are the other costs; 0 means no limit, here and below. */
      turnCost: amount.default(0),
      /** Of one person, from midnight to midnight in `timeZone`. */
      personDayTokens: amount.default(0),
      personDayCost: amount.default(0),
      /** Of all people together. */
      dayTokens: amount.default(0),
      dayCost: amount.default(0),
    })
    .prefault({}),
  approvals,
  context: z
    .strictObject({
      /** Of the model's window, for everything that is sent. */
      inputShare: share.default(0.5),
      /** Above this a warning is logged. */
      systemTokens: whole.default(4_000),
      /** Of the window, as are the next two. */
      toolResultShare: share.default(0.2),
      memoryShare: share.default(0.1),
      outputShare: share.default(0.1),
    })
    .prefault({}),
  results: z
    .strictObject({
      /** Up to here a tool's result enters as it is. */
      inlineTokens: whole.default(500),
      /** Up to here as a digest, above as a reference. */
      digestTokens: whole.default(2_000),
      /** How long the originals are kept. */
      keepDays: whole.default(30),
    })
    .prefault({}),
  memory: z
    .strictObject({
      /** Memories in one context. */
      recallLimit: whole.default(8),
      /** Below this score (0 to 1) a memory is not recalled. */
      threshold: z.number().min(0).max(1).default(0.3),
      /** Learned in one session before they are merged. */
      perSession: whole.default(20),
    })
    .prefault({}),
  sessions: z
    .strictObject({
      /** Without a word, until a conversation is archived. */
      archiveDays: whole.default(7),
      /** In the archive, until what was said is erased; 0 keeps it for ever. Memories are kept. */
      retentionDays: z.int().min(0).default(365),
      /** Posts that are read of a thread that Hermes is asked into. */
      earlierPosts: whole.default(50),
      /** And their tokens. */
      earlierTokens: whole.default(3_000),
    })
    .prefault({}),
  tools: z
    .strictObject({
      /** For tools that don't name their own. */
      timeoutSeconds: whole.default(30),
      /** Patterns of tools that are there only where a profile allows them by more than `*`. */
      highRisk: z.array(z.string().min(1)).default([]),
      /** How long a tool that does not answer is left alone in a thread. */
      coolDownSeconds: whole.default(60),
      /** What is asked instead of a tool that does not answer, by the tool's name. */
      fallbacks: z
        .record(
          z.string(),
          z.strictObject({
            tool: z.string().min(1),
            /** By the other tool's argument: the argument whose value it gets, where the names differ. */
            arguments: z.record(z.string(), z.string()).optional(),
          }),
        )
        .default({}),
      /** By a tool's name: values where the model gives none, rules about arguments, and how long a read holds. */
      overrides: z.record(z.string(), override).default({}),
      /** Which tools a request offers the model. */
      selection: z
        .strictObject({
          usual: z.int().min(3).max(20).default(10),
          most: z.int().min(5).max(20).default(20),
          /** From this score (0 to 1) on a tool is offered, and from this share of the best one's. */
          offer: fraction.default(0.12),
          share: fraction.default(0.3),
          /** From this confidence on a call is made. */
          call: fraction.default(0.7),
          /** The weights of domain fit, of arguments at hand, and of success in 30 days. */
          fit: fraction.default(0.6),
          readiness: fraction.default(0.2),
          success: fraction.default(0.2),
        })
        .prefault({}),
    })
    .prefault({}),
  http: z
    .strictObject({
      /** Hosts that may be looked at: `host`, `host:port` or `*.domain`. None: the tool is not there. */
      allow: z.array(host).default([]),
      /** Hosts, exactly, that may be in the own network. */
      internal: z
        .array(host.refine((name) => !name.includes('*'), { error: 'must be one host, without *' }))
        .default([]),
      timeoutSeconds: whole.max(60).default(10),
      /** Of one answer. */
      kilobytes: whole.max(20_000).default(2_000),
    })
    .prefault({}),
  /** The most fitting one is chosen when a session begins. */
  profiles: z.array(profile).default([]),
  model: z
    .strictObject({
      /** From a request to the reply's first piece. */
      firstPieceSeconds: whole.default(60),
      /** Between two pieces of a reply. */
      silenceSeconds: whole.default(30),
      /** A whole reply. */
      replySeconds: whole.default(180),
      /** Further requests after a failed one, before a fallback is asked. */
      retries: z.int().min(0).default(2),
      currency: z.string().min(1).max(8).default('USD'),
      /** By the model's name. */
      prices: z
        .record(
          z.string(),
          z.strictObject({
            inputPerMillion: amount,
            outputPerMillion: amount,
            /** For input that the endpoint had cached. */
            cachedPerMillion: amount.optional(),
          }),
        )
        .default({}),
    })
    .prefault({}),
  /** Where people take over from Hermes. */
  desk: z
    .strictObject({
      channel: z.enum(['slack', 'discord', 'web']),
      /** The Slack team's or the Discord server's id; the web chat has none. */
      workspace: z.string().min(1).optional(),
      /** A channel by name or id; on the web a thread. */
      room: z.string().regex(/^#?[^\s#]{1,100}$/, { error: 'must be the name or id of a channel' }),
      /** So many failures of a tool in one thread hand the case over. */
      failures: whole.default(3),
      /** Within so many minutes. */
      withinMinutes: whole.default(5),
      /** A case that nobody has claimed for so many minutes goes back to Hermes when the person writes again. */
      waitMinutes: whole.default(30),
    })
    .refine((desk) => desk.channel === 'web' || desk.workspace !== undefined, {
      error: "needs `workspace`: the Slack team's id (T…) or the Discord server's id",
    })
    .refine((desk) => desk.channel !== 'web' || /^[A-Za-z0-9._-]{1,40}$/.test(desk.room), {
      error: 'needs a `room` of at most 40 letters, digits, dots, hyphens or underscores on the web',
    })
    .optional(),
  /** Declared workflows by their names. In the file also the name of a file that holds one. */
  workflows: z.record(z.string(), workflowSchema).default({}),
})

type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T

/** The settings of `hermes.config.json`, complete with defaults. */
export type Config = DeepReadonly<z.infer<typeof schema>>

/**
 * Reads the file's text; without one everything is at its default. Mistakes are sentences that begin with
 * the file's name and the path in it.
 * @param beside reads a file that the text names: `undefined` where there is none
 */
export function readConfig(
  text: string | undefined,
  name: string,
  beside: (path: string) => string | undefined = () => undefined,
): { readonly config: Config } | { readonly mistakes: readonly string[] } {
  const own = parsedJson(text ?? '{}', name)
  if ('mistake' in own) return { mistakes: [own.mistake] }
  const { given, homes, mistakes } = withNamedWorkflows(own.json, name, beside)
  // A workflow of a file of its own is named by that file.
  const place = (path: readonly PropertyKey[]) => {
    const home = path[0] === 'workflows' ? homes.get(String(path[1])) : undefined
    const rest = home === undefined ? path : path.slice(2)
    return rest.length === 0 ? (home ?? name) : `${home ?? name}: ${rest.join('.')}`
  }
  const parsed = schema.safeParse(given, { reportInput: true })
  const wrong = parsed.success
    ? Object.entries(parsed.data.workflows).flatMap(([each, workflow]) =>
        workflowMistakes(each, workflow).map(
          ({ path, sentence }) => `${place(['workflows', each, ...path])} ${sentence}`,
        ),
      )
    : mistakesOf(parsed.error, { place, known: keysAt })
  if (parsed.success && wrong.length === 0 && mistakes.length === 0) return { config: parsed.data }
  return { mistakes: [...mistakes, ...wrong] }
}

function parsedJson(text: string, name: string): { json: unknown } | { mistake: string } {
  try {
    return { json: JSON.parse(text.replace(/^\uFEFF/, '')) }
  } catch (error) {
    return { mistake: `${name} is not valid JSON: ${syntax(error)}.` }
  }
}

/** Puts what files hold in the place of their names. */
function withNamedWorkflows(
  json: unknown,
  name: string,
  beside: (path: string) => string | undefined,
): { given: unknown; homes: ReadonlyMap<string, string>; mistakes: readonly string[] } {
  const homes = new Map<string, string>()
  const mistakes: string[] = []
  const workflows = json !== null && typeof json === 'object' && 'workflows' in json ? json.workflows : null
  if (workflows === null || typeof workflows !== 'object') return { given: json, homes, mistakes }
  const inlined = Object.entries(workflows).flatMap(([each, value]: [string, unknown]) => {
    if (typeof value !== 'string') return [[each, value] as const]
    const text = beside(value)
    if (text === undefined) {
      mistakes.push(`${name}: workflows.${each} names ${value}, which can't be read.`)
      return []
    }
    const file = parsedJson(text, value)
    if ('mistake' in file) {
      mistakes.push(file.mistake)
      return []
    }
    homes.set(each, value)
    return [[each, file.json] as const]
  })
  return { given: { ...(json as object), workflows: Object.fromEntries(inlined) }, homes, mistakes }
}

// V8 quotes the text around a syntax error, which may be anything: only the place or the one character is told.
function syntax(error: unknown): string {
  const message = messageOf(error)
  const place = /line (\d+) column (\d+)/.exec(message)
  if (place) return `look at line ${place[1]}, column ${place[2]}`
  const token = /^Unexpected token '(.)'/u.exec(message)
  return token ? `a ${JSON.stringify(token[1])} stands where it can't` : 'it ends too early'
}

function keysAt(path: readonly PropertyKey[]): readonly string[] {
  let at: z.core.$ZodType | undefined = schema
  for (const key of path) {
    if (at instanceof z.ZodObject) at = inner(at.shape[String(key)])
    else at = at instanceof z.ZodRecord ? inner(at.valueType as z.core.$ZodType) : undefined
  }
  return at instanceof z.ZodObject ? Object.keys(at.shape) : []
}

function inner(type: z.core.$ZodType | undefined): z.core.$ZodType | undefined {
  if (type instanceof z.ZodOptional) return inner(type.def.innerType)
  return type instanceof z.ZodPrefault || type instanceof z.ZodDefault ? inner(type.def.innerType) : type
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u')
    return true
  } catch {
    return false
  }
}

function isTimeZone(name: string): boolean {
  try {
    Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
