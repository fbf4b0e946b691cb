import { z } from 'zod'
import { valuesAt } from '../base/json-path.ts'

const pattern = z.string().refine(isPattern, { error: 'must be a regular expression' })

const rule = z.strictObject({
  min: z.number().optional(),
  max: z.number().optional(),
  enum: z
    .array(z.union([z.string(), z.number(), z.boolean()]))
    .min(1)
    .optional(),
  /** Of the whole text. */
  pattern: pattern.optional(),
})

const condition = z.strictObject({
  path: z.string().refine(isPath, { error: 'must be a JSONPath such as "$.orders[*].id"' }),
  equals: z.unknown().optional(),
  matches: pattern.optional(),
})

/** What the configuration says about one tool. */
export const toolOverride = z.strictObject({
  /** Where the model gives none. */
  defaults: z.record(z.string(), z.unknown()).default({}),
  rules: z.record(z.string(), rule).default({}),
  /** Of a read: how long it holds. */
  cacheSeconds: z.int().min(0).max(86_400).optional(),
  /** Of a write: where it takes the key by which it does a repeated call only once. */
  idempotencyKey: z
    .strictObject({ argument: z.string().min(1).optional(), meta: z.string().min(1).optional() })
    .refine(({ argument, meta }) => argument !== undefined || meta !== undefined, {
      error: 'needs `argument` or `meta`',
    })
    .optional(),
  /** Of a write: the read that shows whether it was done. */
  check: z
    .strictObject({
      tool: z.string().min(1),
      arguments: z.record(z.string(), z.unknown()).default({}),
      done: condition,
      notDone: condition.optional(),
    })
    .optional(),
})

function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u')
    return true
  } catch {
    return false
  }
}

/** Is it a JSONPath? */
export function isPath(text: string): boolean {
  return 'values' in valuesAt(text, {}, 1)
}
