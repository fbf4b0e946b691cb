import { z } from 'zod'
import { approvals } from './approvals.ts'
import { amount, share, whole } from './numbers.ts'
import { people, rooms } from './people.ts'
import { profile } from './profiles.ts'
import { tools } from './tools.ts'
import { workflowSchema } from './workflows.ts'

const timeZone = z
  .string()
  .refine(isTimeZone, { error: 'must be the name of a time zone, for example "Europe/Berlin"' })

const host = z
  .string()
  .regex(/^(?:\*\.)?(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:]+\])(?::\d{1,5})?$/i, {
    error: 'must be a host such as "api.example.com", "example.com:8443" or "*.example.com"',
  })

/** The product's settings, each with its default. */
export const schema = z.strictObject({
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
  people,
  rooms,
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
  tools,
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

/** What may stand at a place of the file, for the mistake that names what can't. */
export function keysAt(path: readonly PropertyKey[]): readonly string[] {
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

function isTimeZone(name: string): boolean {
  try {
    Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
