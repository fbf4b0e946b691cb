import { z } from 'zod'
import { fraction, whole } from './numbers.ts'
import { isPath, toolOverride } from './tool-overrides.ts'

/** How tools are offered and run. */
export const tools = z
  .strictObject({
    /** Of tools of MCP servers that don't name their own: silence after which a call is given up. */
    timeoutSeconds: whole.max(600).default(30),
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
    /** How the names of things are found in the systems that have them, by reads of their servers. */
    lookups: z
      .array(
        z.strictObject({
          /** As `x-entity` names it. */
          type: z.string().min(1),
          tool: z.string().regex(/^mcp__\S+$/, { error: 'must be a tool of an MCP server, "mcp__…"' }),
          argument: z.string().min(1).default('query'),
          items: z
            .string()
            .refine(isPath, { error: 'must be a JSONPath such as "$.orders[*]"' })
            .default('$[*]'),
          id: z.string().min(1).default('id'),
          label: z.string().min(1).default('name'),
        }),
      )
      .default([]),
    /** By a tool's name: values where the model gives none, rules about arguments, how long a read holds, and so on. */
    overrides: z.record(z.string(), toolOverride).default({}),
    /** Which tools a request offers the model. */
    selection: z
      .strictObject({
        usual: z.int().min(3).max(20).default(10),
        most: z.int().min(5).max(20).default(20),
        /** From this score (0 to 1) on a tool is offered, and from this share of the best one's. */
        offer: fraction.default(0.12),
        share: fraction.default(0.45),
        /** From this confidence on a call is made. */
        call: fraction.default(0.7),
        /** The weights of domain fit, of arguments at hand, and of success in 30 days. */
        fit: fraction.default(0.6),
        readiness: fraction.default(0.2),
        success: fraction.default(0.2),
        /** How much of what words leave open meanings may fill; with more tools, a request is encoded for that. */
        vectors: fraction.default(0.3),
        vectorsFrom: z.int().min(0).default(50),
      })
      .prefault({}),
  })
  .prefault({})
