import { HermesError } from '../base/errors.ts'
import { propertiesOf } from './alignment.ts'
import { type ArgumentProblem, hashOf, type Tool } from './definition.ts'
import { checkByRule, type OutcomeRule } from './outcome-rules.ts'

/** A rule of the house about one argument. */
export interface ArgumentRule {
  readonly min?: number | undefined
  readonly max?: number | undefined
  readonly enum?: readonly (string | number | boolean)[] | undefined
  /** A regular expression that the whole text must fit. */
  readonly pattern?: string | undefined
}

/** What a configuration says about one tool. */
export interface ToolOverride {
  readonly defaults: Readonly<Record<string, unknown>>
  readonly rules: Readonly<Record<string, ArgumentRule>>
  /** Of a read: for so long the same call in a conversation is answered with the result that it had. */
  readonly cacheSeconds?: number | undefined
  /** Of a write that does a call of one key only once: where it takes the key. */
  readonly idempotencyKey?: KeyPlace | undefined
  /** Of a write: how to see whether it was done, where its outcome is not known. */
  readonly check?: OutcomeRule | undefined
}

/** Where a tool takes the key of a call: in an argument, which is then Hermes' own, or in its request's metadata. */
export interface KeyPlace {
  readonly argument?: string | undefined
  readonly meta?: string | undefined
}

/**
 * A tool under the rules of the house: its defaults are filled in, its rules are checked after everything else, and
 * the model and forms see both in the schema. An approval counts for the rules, too.
 */
export function overridden(
  tool: Tool,
  override: ToolOverride,
  find: (name: string) => Tool | undefined = () => undefined,
): Tool {
  const { defaults, rules, cacheSeconds } = override
  const isWrite = tool.effect === 'write'
  const place = isWrite ? override.idempotencyKey : undefined
  const keyOf = keyForm(tool, place)
  const keyed = (callId: string) => (place?.argument === undefined ? {} : { [place.argument]: keyOf(callId) })
  return {
    ...tool,
    ...(cacheSeconds === undefined || tool.effect !== 'read' ? {} : { cacheSeconds }),
    ...(place === undefined ? {} : { idempotent: true }),
    parameters: ruledSchema(without(tool.parameters, place?.argument), override),
    definitionHash: hashOf([tool.definitionHash, defaults, rules, ...(place === undefined ? [] : [place])]),
    async check(raw, context) {
      const checked = await tool.check({ ...defaults, ...raw, ...keyed(sampleCall) }, context)
      if (!checked.ok) return checked
      const args = Object.fromEntries(
        Object.entries(checked.arguments).filter(([name]) => name !== place?.argument),
      )
      const problems = Object.entries(rules).flatMap(([field, rule]) => broken(field, rule, args[field]))
      return problems.length > 0 ? { ok: false, problems } : { ok: true, arguments: args }
    },
    ...(place === undefined
      ? {}
      : {
          run: (args, context) =>
            tool.run(
              { ...args, ...keyed(context.callId) },
              place.meta === undefined ? context : { ...context, keyName: place.meta },
            ),
        }),
    ...(isWrite && override.check
      ? { checkOutcome: checkByRule(tool, override.check, { keyOf, find }) }
      : {}),
  }
}

const sampleCall = `call_${'0'.repeat(12)}7${'0'.repeat(3)}8${'0'.repeat(15)}`

/** A call's id as the tool takes it: some want a UUID and nothing else. */
function keyForm(tool: Tool, place: KeyPlace | undefined): (callId: string) => string {
  const property =
    place?.argument === undefined ? undefined : propertiesOf(tool.parameters).get(place.argument)
  if (property?.format !== 'uuid') return (callId) => callId
  return (callId) =>
    callId.replace(
      /^.*?([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/,
      '$1-$2-$3-$4-$5',
    )
}

function without(schema: Readonly<Record<string, unknown>>, name: string | undefined): Tool['parameters'] {
  if (name === undefined) return schema
  const { [name]: _, ...properties } = (schema.properties ?? {}) as Record<string, unknown>
  const required = Array.isArray(schema.required) ? schema.required : []
  return { ...schema, properties, required: required.filter((one: unknown) => one !== name) }
}

/**
 * Checks what a configuration says about a tool that is known at start.
 * @throws HermesError with one line that names the place
 */
export function checkOverride(tool: Tool, override: ToolOverride): void {
  const place = `tools.overrides.${tool.name}`
  const known = propertiesOf(tool.parameters)
  for (const part of ['defaults', 'rules'] as const) {
    for (const field of Object.keys(override[part])) {
      if (!known.has(field)) {
        throw new HermesError(
          'config.tools',
          `${place}.${part}.${field} is no argument of that tool. There are: ${[...known.keys()].join(', ')}.`,
        )
      }
    }
  }
  const key = override.idempotencyKey?.argument
  if (key !== undefined && !known.has(key))
    throw new HermesError('config.tools', `${place}.idempotencyKey.argument is no argument of that tool.`)
  for (const part of ['check', 'idempotencyKey'] as const) {
    if (override[part] !== undefined && tool.effect !== 'write')
      throw new HermesError('config.tools', `${place}.${part} is for tools that change something.`)
  }
  if (override.cacheSeconds !== undefined && tool.effect !== 'read') {
    throw new HermesError('config.tools', `${place}.cacheSeconds is for tools that only read.`)
  }
  for (const [field, value] of Object.entries(override.defaults)) {
    const rule = override.rules[field]
    const [problem] = rule ? broken(field, rule, value) : []
    if (problem) throw new HermesError('config.tools', `${place}.defaults.${field} ${problem.problem}.`)
  }
}

function broken(field: string, rule: ArgumentRule, value: unknown): readonly ArgumentProblem[] {
  if (value === undefined || value === null) return []
  const say = (problem: string): readonly ArgumentProblem[] => [{ field, problem, missing: false }]
  if (rule.enum && !rule.enum.includes(value as string)) return say(`must be one of ${rule.enum.join(', ')}`)
  // Of texts and lists the length counts.
  const size =
    typeof value === 'number' ? value : typeof value === 'string' || Array.isArray(value) ? value.length : 0
  const of = typeof value === 'number' ? '' : 'have a length of '
  const be = typeof value === 'number' ? 'be ' : ''
  if (rule.min !== undefined && size < rule.min) return say(`must ${be}${of}at least ${rule.min}`)
  if (rule.max !== undefined && size > rule.max) return say(`must ${be}${of}at most ${rule.max}`)
  if (rule.pattern !== undefined && !new RegExp(`^(?:${rule.pattern})$`, 'u').test(String(value)))
    return say(`must have the form ${rule.pattern}`)
  return []
}

function ruledSchema(
  parameters: Readonly<Record<string, unknown>>,
  { defaults, rules }: ToolOverride,
): Readonly<Record<string, unknown>> {
  const properties = Object.fromEntries(
    [...propertiesOf(parameters)].map(([name, property]) => {
      const rule = rules[name] ?? {}
      const numeric = property.type === 'number' || property.type === 'integer'
      return [
        name,
        {
          ...property,
          ...(Object.hasOwn(defaults, name) ? { default: defaults[name] } : {}),
          ...(rule.enum ? { enum: rule.enum } : {}),
          ...(rule.min !== undefined && numeric ? { minimum: rule.min } : {}),
          ...(rule.max !== undefined && numeric ? { maximum: rule.max } : {}),
        },
      ]
    }),
  )
  const required = Array.isArray(parameters.required) ? parameters.required : []
  return {
    ...parameters,
    properties,
    required: required.filter((name: string) => !Object.hasOwn(defaults, name)),
  }
}
