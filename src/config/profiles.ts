import { z } from 'zod'
import { whole } from './numbers.ts'

/** One value or several. */
const oneOrMore = <T extends z.ZodType>(value: T) =>
  z.union([value.transform((one) => [one]), z.array(value).min(1)])

const scope = z.enum(['private', 'team', 'public'])

/** How Hermes is set up for the sessions of some places. */
export const profile = z.strictObject({
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
