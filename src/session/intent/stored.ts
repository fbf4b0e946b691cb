import { z } from 'zod'
import type { Intent } from './intent.ts'

/** The most messages whose intents a turn keeps. */
const mostKept = 6

const primary = z.enum([
  'query',
  'action',
  'modify',
  'cancel',
  'confirm',
  'correct',
  'remember',
  'forget',
  'chat',
])
const stored = z.array(
  z.object({
    primary,
    confidence: z.number(),
    modifiers: z.array(z.enum(['refresh', 'rerun', 'format'])),
    anchors: z.array(
      z.object({
        words: z.string(),
        index: z.number(),
        type: z.string(),
        ids: z.array(z.string()),
        range: z.object({ start: z.string(), end: z.string(), written: z.string() }).exactOptional(),
        ambiguous: z.boolean(),
      }),
    ),
    requests: z.array(
      z.object({
        text: z.string(),
        primary,
        condition: z
          .object({ text: z.string(), negated: z.boolean(), dependsOn: z.number().exactOptional() })
          .exactOptional(),
        after: z.number().exactOptional(),
      }),
    ),
  }),
)

/** Reads what a turn's row holds: the intents of its messages, in their order. */
export function readIntents(json: unknown): readonly Intent[] {
  const parsed = stored.safeParse(json)
  return parsed.success ? parsed.data : []
}

/** The intents of a turn after more of its person's messages have joined it. */
export function addIntents(json: unknown, more: readonly Intent[]): readonly Intent[] {
  return [...readIntents(json), ...more].slice(-mostKept)
}
