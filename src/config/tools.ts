import { z } from 'zod'
import { fraction, whole } from './numbers.ts'

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

/** How tools are offered and run. */
export const tools = z
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
  .prefault({})

function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u')
    return true
  } catch {
    return false
  }
}
