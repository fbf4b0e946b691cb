import { HermesError } from '../base/errors.ts'
import { propertiesOf } from './alignment.ts'
import { type ArgumentProblem, hashOf, type Tool } from './definition.ts'

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
}

/**
 * A tool under the rules of the house: its defaults are filled in, its rules are checked after everything else, and
 * the model and forms see both in the schema. An approval counts for the rules, too.
 */
export function overridden(tool: Tool, override: ToolOverride): Tool {
  const { defaults, rules, cacheSeconds } = override
  return {
    ...tool,
    ...(cacheSeconds === undefined || tool.effect !== 'read' ? {} : { cacheSeconds }),
    parameters: ruledSchema(tool.parameters, override),
    definitionHash: hashOf([tool.definitionHash, defaults, rules]),
    async check(raw, context) {
      const checked = await tool.check({ ...defaults, ...raw }, context)
      if (!checked.ok) return checked
      const problems = Object.entries(rules).flatMap(([field, rule]) =>
        broken(field, rule, checked.arguments[field]),
      )
      return problems.length > 0 ? { ok: false, problems } : checked
    },
  }
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
