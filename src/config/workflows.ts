import { z } from 'zod'

/** Words for people: the same in every language, or one text for each. */
const words = z.union(
  [
    z.string().min(1).max(2_000),
    z.strictObject({ en: z.string().min(1).max(2_000), zh: z.string().min(1).max(2_000) }),
  ],
  { error: 'must be a text, or an object with "en" and "zh"' },
)

/** What is kept of an input, by the name that templates use. */
const field = z.strictObject({
  label: words.optional(),
  type: z.enum(['text', 'number', 'date', 'person', 'file']).default('text'),
  /** Keys, column names or words before a colon that it is found by in a file. */
  find: z.array(z.string().min(1).max(60)).max(20).default([]),
  /** What may be chosen. */
  options: z.array(z.string().min(1).max(60)).max(20).default([]),
  required: z.boolean().default(true),
})

/** A tool call that the workflow makes itself. Texts may hold `{field}`. */
const call = z.strictObject({
  tool: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/, { error: 'must be the name of a tool' }),
  arguments: z.record(z.string(), z.unknown()).default({}),
  /** The field with the person who decides; whoever asked where not set. */
  approver: z.string().optional(),
  /** Fields that are taken from the result, by the key that each stands under there. */
  save: z.record(z.string(), z.string()).default({}),
})

/** What happens when a person leaves midway: the call or the words come first, then the workflow is over. */
const leaving = z.strictObject({
  to: z.string(),
  say: words.optional(),
  call: call.omit({ approver: true, save: true }).optional(),
})

/** What can lead from one state to another: an input, what became of a card or a call, a time that is over. */
export const happenings = [
  'text',
  'file',
  'choice',
  'confirmed',
  'cancelled',
  'expired',
  'succeeded',
  'failed',
  'timeout',
] as const

const state = z.strictObject({
  /** Told to the person when the state begins: a question, or how it ended. */
  say: words.optional(),
  /** For the model, while the workflow is in this state. */
  instructions: z.string().max(2_000).default(''),
  accepts: z.array(z.enum(['text', 'file', 'choice'])).default([]),
  collect: z.record(z.string(), field).default({}),
  /** A card with these fields that the person confirms, corrects or cancels. */
  confirm: z
    .strictObject({ title: words, fields: z.array(z.string()).min(1).max(15), risk: words.optional() })
    .optional(),
  call: call.optional(),
  /** Tools of this workflow that the model may call here, and those that must have succeeded before it goes on. */
  tools: z
    .strictObject({ allowed: z.array(z.string()).default([]), required: z.array(z.string()).default([]) })
    .prefault({}),
  on: z.record(z.string(), z.string()).default({}),
  /** States that must never follow directly, with the reason that people are told. */
  forbidden: z.record(z.string(), words).default({}),
  timeoutMinutes: z.number().positive().max(525_600).optional(),
  /** Instead of the workflow's own. */
  cancel: leaving.optional(),
  end: z.boolean().default(false),
})

/** A workflow as it is declared. */
export const workflowSchema = z.strictObject({
  title: words,
  /** When to begin it, for the model. */
  description: z.string().min(10).max(600),
  /** Words in a message that begin it, without asking the model. */
  start: z.array(z.string().min(2).max(60)).max(40).default([]),
  /** For the model, once it has begun. */
  instructions: z.string().max(4_000).default(''),
  initial: z.string(),
  states: z.record(z.string(), state),
  cancel: leaving,
})

type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T

/** A declared workflow, complete with defaults. */
export type Workflow = DeepReadonly<z.infer<typeof workflowSchema>>
export type WorkflowState = Workflow['states'][string]
export type WorkflowField = WorkflowState['collect'][string]
export type WorkflowCall = DeepReadonly<z.infer<typeof call>>
export type WorkflowWords = DeepReadonly<z.infer<typeof words>>
export type Happening = (typeof happenings)[number]
export type InputKind = 'text' | 'file' | 'choice'
