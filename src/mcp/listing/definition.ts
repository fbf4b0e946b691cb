import { createHash } from 'node:crypto'
import { z } from 'zod'
import { messageOf } from '../../base/errors.ts'
import type { Effect, ServerConfig } from '../config/config.ts'
import { canonicalJson, isRecord } from '../json.ts'
import { type ConfirmationParameter, confirmationParameters } from './confirmation.ts'
import { matchesAny, toolName } from './names.ts'
import { type JsonSchema, offeredSchema, readableText } from './schema.ts'
import { validatorOf } from './validator.ts'

/** What a server says about a tool. All of it is pinned: any part can change what the tool does or seems to do. */
export interface ToolDefinition {
  readonly name: string
  readonly title?: string
  readonly description: string
  readonly inputSchema: JsonSchema
  readonly annotations: Annotations
  /** The server's instructions, which the model reads with every tool of it. */
  readonly instructions: string
}

export interface Annotations {
  readonly readOnlyHint?: boolean
  readonly idempotentHint?: boolean
  readonly destructiveHint?: boolean
  readonly openWorldHint?: boolean
}

/** A tool that passed its checks. */
export interface CheckedTool {
  readonly server: string
  readonly definition: ToolDefinition
  readonly definitionHash: string
  /** For the model's API; see `toolName`. */
  readonly name: string
  readonly title: string
  readonly description: string
  /** The schema that the model gets. */
  readonly inputSchema: JsonSchema
  readonly effect: Effect
  readonly idempotent: boolean
  readonly confirmation: readonly ConfirmationParameter[]
  readonly hidden: ReadonlySet<string>
  /** What is wrong with arguments by the original schema; empty when nothing is. */
  readonly check: (args: Readonly<Record<string, unknown>>) => readonly string[]
}

/** A tool, or why it is kept out. */
export type ToolCheck =
  | { readonly tool: CheckedTool }
  | { readonly broken: { readonly tool: string; readonly reason: string } }

const largestSchema = 100_000

const rawTool = z.looseObject({
  name: z.string().min(1).max(1000),
  title: z.string().optional().catch(undefined),
  description: z.string().optional().catch(undefined),
  inputSchema: z.record(z.string(), z.unknown()),
  annotations: z
    .object({
      title: z.string().optional().catch(undefined),
      readOnlyHint: z.boolean().optional().catch(undefined),
      idempotentHint: z.boolean().optional().catch(undefined),
      destructiveHint: z.boolean().optional().catch(undefined),
      openWorldHint: z.boolean().optional().catch(undefined),
    })
    .catch({}),
  execution: z.looseObject({ taskSupport: z.string().optional() }).optional().catch(undefined),
})

/** May the tool be used at all, by the operator's lists? */
export function isAllowed(server: ServerConfig, tool: string): boolean {
  if (server.tools[tool]?.enabled === false || matchesAny(tool, server.deny)) return false
  return server.allow === undefined || matchesAny(tool, server.allow)
}

/** Without an annotation that may be believed, a tool changes the world. */
export function effectOf(server: ServerConfig, tool: string, annotations: Annotations): Effect {
  return (
    server.tools[tool]?.effect ?? (server.trusted && annotations.readOnlyHint === true ? 'read' : 'write')
  )
}

/**
 * Checks one tool of a list by itself: a broken one must not take the others with it. `known` are the tools of the
 * last list by their hash, which need no second check (a schema takes about 4 ms to compile).
 */
export function checkTool(
  raw: unknown,
  server: ServerConfig,
  instructions: string,
  known: ReadonlyMap<string, CheckedTool> = new Map(),
): ToolCheck {
  const tool = isRecord(raw) && typeof raw.name === 'string' ? raw.name.slice(0, 100) : '(without a name)'
  const broken = (reason: string): ToolCheck => ({ broken: { tool, reason } })
  try {
    return readTool(raw, server, instructions, known, broken)
  } catch (error) {
    return broken(`Its definition can't be read: ${messageOf(error).slice(0, 300)}.`)
  }
}

function readTool(
  raw: unknown,
  server: ServerConfig,
  instructions: string,
  known: ReadonlyMap<string, CheckedTool>,
  broken: (reason: string) => ToolCheck,
): ToolCheck {
  const parsed = rawTool.safeParse(raw)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    return broken(
      `Its definition is not valid: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.trim(),
    )
  }
  const { name, title, description = '', inputSchema, annotations, execution } = parsed.data
  if (inputSchema.type !== undefined && inputSchema.type !== 'object')
    return broken(`Its arguments are not an object but ${JSON.stringify(inputSchema.type)}.`)
  if (execution?.taskSupport === 'required')
    return broken('It can only run as a task, which Hermes does not offer.')
  if (JSON.stringify(inputSchema).length > largestSchema)
    return broken('Its schema is too large to be offered.')

  const { title: annotatedTitle, ...hints } = annotations
  const definition: ToolDefinition = {
    name,
    ...(title === undefined ? {} : { title }),
    description,
    inputSchema,
    annotations: hints,
    instructions,
  }
  const definitionHash = hashOf(definition)
  const before = known.get(definitionHash)
  if (before) return { tool: before }

  const declared = server.tools[name]?.confirmParameters
  const { parameters, hidden, unanswerable } = confirmationParameters(offeredSchema(inputSchema), declared)
  if (unanswerable.length > 0)
    return broken(`It asks for a confirmation that Hermes can't give: ${unanswerable.join(', ')}.`)

  let check: CheckedTool['check']
  try {
    check = argumentCheck(inputSchema)
  } catch (error) {
    return broken(`Its schema is not valid: ${messageOf(error).slice(0, 300)}.`)
  }
  const effect = effectOf(server, name, hints)
  const tool: CheckedTool = {
    server: server.name,
    definition,
    definitionHash,
    name: toolName(server.name, name),
    title: readableText(title ?? annotatedTitle ?? name, 100),
    description: readableText(description),
    inputSchema: offeredSchema(inputSchema, hidden),
    effect,
    idempotent: effect === 'read' || (server.trusted && hints.idempotentHint === true),
    confirmation: parameters,
    hidden,
    check,
  }
  return { tool }
}

// Equal content has an equal hash, whatever the order of its keys.
function hashOf(definition: ToolDefinition): string {
  return createHash('sha256').update(canonicalJson(definition)).digest('hex')
}

function argumentCheck(schema: JsonSchema): CheckedTool['check'] {
  const validate = validatorOf(schema)
  return (args) => {
    const result = validate(args)
    return result.valid ? [] : sentences(result.errorMessage).map((sentence) => withNames(sentence, args))
  }
  function withNames(sentence: string, args: Readonly<Record<string, unknown>>): string {
    if (sentence !== 'The arguments must NOT have additional properties') return sentence
    const known = isRecord(schema.properties) ? Object.keys(schema.properties) : []
    const others = Object.keys(args).filter((name) => !known.includes(name))
    return `${sentence}: ${others.join(', ').slice(0, 200)}`
  }
}

// Ajv joins its errors with ", data" and calls the arguments "data".
function sentences(message: string): readonly string[] {
  return message.split(/, (?=data[/ ])/).map((error) => {
    const rest = error.replace(/^data/, '')
    return rest.startsWith('/') ? rest.slice(1).replaceAll('~1', '/') : `The arguments${rest}`
  })
}
