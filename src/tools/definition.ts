import { z } from 'zod'
import { HermesError } from '../base/errors.ts'
import type { Language } from '../base/words.ts'
import { hashOf } from './hash.ts'
import type {
  ArgumentProblem,
  CallCard,
  CallContext,
  CheckContext,
  Checked,
  Fallback,
  FoundOutcome,
  Tool,
  ToolEffect,
  ToolResult,
} from './tool.ts'

/** A text in the languages that Hermes speaks. */
export interface Words {
  readonly en: string
  readonly zh: string
}

/** How a tool is defined; everything that the model, the card and the executor need is here. */
export interface ToolDefinition<Shape extends z.ZodRawShape> {
  readonly name: string
  readonly title: Words
  readonly useWhen: string
  readonly notWhen: string
  readonly returns: string
  readonly failsWith: string
  readonly effect: ToolEffect
  readonly idempotent: boolean
  /** ms, 10 s by default. */
  readonly timeoutMs?: number
  /** What `timeoutMs` may be raised to where it proves too short, in ms; twice that by default. */
  readonly longestMs?: number
  /** What is asked where this does not answer. Reads only. */
  readonly fallback?: Fallback
  /** Of a read whose answer holds for a while; 0 by default. */
  readonly cacheSeconds?: number
  /** No person is asked for its arguments; see `Tool`. */
  readonly askless?: true
  readonly activity: Words
  /** Required of writes. */
  readonly risk?: Words
  readonly input: z.ZodObject<Shape>
  /** Rules beyond the schema; may also settle values (a date in words becomes a date). */
  readonly settle?: (
    args: z.infer<z.ZodObject<Shape>>,
    context: CheckContext,
  ) => Checked<Record<string, unknown>> | Promise<Checked<Record<string, unknown>>>
  /** Arguments that `settle` makes exact times in ISO 8601: people read them as times where they are. */
  readonly moments?: readonly string[]
  readonly card?: (args: z.infer<z.ZodObject<Shape>>, language: Language) => CallCard
  readonly run: (args: z.infer<z.ZodObject<Shape>>, context: CallContext) => Promise<ToolResult>
  readonly undo?: Tool['undo']
  /** For writes that can be looked for by the call's id. */
  readonly checkOutcome?: (args: z.infer<z.ZodObject<Shape>>, context: CallContext) => Promise<FoundOutcome>
}

/**
 * Makes a tool of its definition.
 * @throws HermesError where the definition is incomplete; a mistake of the programmer, found at start
 */
export function defineTool<Shape extends z.ZodRawShape>(definition: ToolDefinition<Shape>): Tool {
  const { name, input, effect } = definition
  for (const part of ['useWhen', 'notWhen', 'returns', 'failsWith'] as const) {
    if (definition[part].trim().length < 10) {
      throw new HermesError('tool.definition', `The tool ${name} does not say "${part}".`)
    }
  }
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(name))
    throw new HermesError('tool.definition', `"${name}" is no name for a tool.`)
  if (effect === 'write' && !definition.risk) {
    throw new HermesError('tool.definition', `The tool ${name} writes, but does not name its risk.`)
  }
  if (definition.fallback && effect !== 'read') {
    throw new HermesError('tool.definition', `The tool ${name} is no read, so it can't have a fallback.`)
  }
  if (effect !== 'read' && definition.cacheSeconds) {
    throw new HermesError(
      'tool.definition',
      `The tool ${name} does not only read, so nothing of it is reused.`,
    )
  }
  const description = [
    `Use when: ${definition.useWhen}`,
    `Not when: ${definition.notWhen}`,
    `Returns: ${definition.returns}`,
    `Fails with: ${definition.failsWith}`,
  ].join('\n')
  const parameters = jsonSchemaOf(input)
  const silent = silentParameter(parameters)
  if (silent !== undefined) {
    throw new HermesError(
      'tool.definition',
      `The parameter ${silent} of ${name} says nothing: describe it, with an example where words do not say it all.`,
    )
  }
  return {
    name,
    description,
    effect,
    parameters,
    idempotent: definition.idempotent,
    timeoutMs: definition.timeoutMs ?? 10_000,
    ...(definition.longestMs === undefined ? {} : { longestMs: definition.longestMs }),
    ...(definition.fallback === undefined ? {} : { fallback: definition.fallback }),
    cacheSeconds: definition.cacheSeconds ?? 0,
    ...(definition.askless ? { askless: true } : {}),
    ...(definition.moments === undefined ? {} : { moments: definition.moments }),
    title: (language) => definition.title[language],
    activity: (language) => definition.activity[language],
    risk: (language) => definition.risk?.[language] ?? '',
    definitionHash: hashOf({ name, description, effect, parameters }),
    async check(raw, context) {
      const parsed = input.safeParse(raw)
      if (!parsed.success) {
        return { ok: false, problems: parsed.error.issues.map((issue) => problemOf(issue, raw)) }
      }
      if (!definition.settle) return { ok: true, arguments: parsed.data as Record<string, unknown> }
      return definition.settle(parsed.data, context)
    },
    card(args, language) {
      return definition.card?.(args as z.infer<z.ZodObject<Shape>>, language) ?? {}
    },
    run: (args, context) => definition.run(args as z.infer<z.ZodObject<Shape>>, context),
    ...(definition.undo ? { undo: definition.undo } : {}),
    ...(definition.checkOutcome
      ? {
          checkOutcome: (args, context) =>
            definition.checkOutcome!(args as z.infer<z.ZodObject<Shape>>, context),
        }
      : {}),
  }
}

/** A parameter of which the model would know nothing but the name and the type. */
function silentParameter(schema: Readonly<Record<string, unknown>>): string | undefined {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Record<string, unknown>>)
  const telling = ['description', 'enum', 'const', 'format', 'examples']
  return properties.find(
    ([, property]) => property.type !== 'boolean' && !telling.some((key) => property[key] !== undefined),
  )?.[0]
}

/** JSON Schema of an input, without what models' endpoints refuse. */
function jsonSchemaOf(input: z.ZodObject): Record<string, unknown> {
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as Record<
    string,
    unknown
  >
  return schema
}

/** One issue of a schema check as a sentence. */
export function problemOf(issue: z.core.$ZodIssue, raw: unknown): ArgumentProblem {
  const field = issue.path.map(String).join('.')
  let at: unknown = raw
  for (const key of issue.path)
    at = at && typeof at === 'object' ? (at as Record<PropertyKey, unknown>)[key] : undefined
  const missing = at === undefined && issue.code === 'invalid_type'
  return {
    field,
    missing,
    problem: missing ? 'is missing' : issue.message.charAt(0).toLowerCase() + issue.message.slice(1),
  }
}
