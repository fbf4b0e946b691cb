import { z } from 'zod'
import type { ArgumentProblem } from '../tool.ts'
import { choices, propertiesOf, type Schema, typesOf } from './json-schema.ts'

/** A rule of the house about one argument. */
export interface ArgumentRule {
  readonly min?: number | undefined
  readonly max?: number | undefined
  readonly enum?: readonly (string | number | boolean)[] | undefined
  /** A regular expression that the whole text must fit. */
  readonly pattern?: string | undefined
}

/** Why a rule lets nothing through. */
export function rulesNothing(
  { min, max, enum: allowed }: ArgumentRule,
  property: Schema | undefined,
  root: Schema,
): readonly string[] {
  if (min !== undefined && max !== undefined && min > max)
    return [`has a min (${min}) above its max (${max})`]
  if (!allowed || !property) return []
  const options = choices(property, root).flatMap((one) => (Array.isArray(one.enum) ? one.enum : []))
  const other = options.length > 0 ? allowed.find((value) => !options.includes(value)) : undefined
  return other === undefined
    ? []
    : [`names "${other}", which the tool does not take. It takes: ${options.join(', ')}`]
}

/** What is wrong with a value by the schema of its argument alone. */
export function unfit(value: unknown, property: Schema, root: Schema): string | undefined {
  try {
    const whole = { ...property, $defs: root.$defs, definitions: root.definitions }
    const parsed = z.fromJSONSchema(whole as Parameters<typeof z.fromJSONSchema>[0]).safeParse(value)
    return parsed.success ? undefined : parsed.error.issues[0]?.message
  } catch {
    // A schema with parts that are not known here: the tool's own check tells.
    return undefined
  }
}

/** How a value breaks a rule, by the schema of the tool's arguments. */
export function broken(
  field: string,
  rule: ArgumentRule,
  value: unknown,
  parameters: Schema,
): readonly ArgumentProblem[] {
  if (value === undefined || value === null) return []
  const say = (problem: string): readonly ArgumentProblem[] => [{ field, problem, missing: false }]
  // Of a list each item counts, and how many there are.
  const each = Array.isArray(value) ? value : [value]
  if (rule.enum && !each.every((item) => rule.enum!.includes(item)))
    return say(`must be one of ${rule.enum.join(', ')}`)
  const types = typesOf(propertiesOf(parameters).get(field) ?? {}, parameters)
  const numeric = types.size === 0 || types.has('number') || types.has('integer')
  // Where a number may be written as text, its length is no measure of it.
  const number = typeof value === 'string' && numeric ? Number(value.replaceAll(',', '')) : value
  const isNumber = typeof number === 'number' && !Number.isNaN(number)
  const size = isNumber ? number : typeof value === 'string' || Array.isArray(value) ? value.length : 0
  const be = isNumber ? 'be' : 'have a length of'
  if (rule.min !== undefined && size < rule.min) return say(`must ${be} at least ${rule.min}`)
  if (rule.max !== undefined && size > rule.max) return say(`must ${be} at most ${rule.max}`)
  if (rule.pattern !== undefined) {
    const form = new RegExp(`^(?:${rule.pattern})$`, 'u')
    if (!each.every((item) => form.test(String(item)))) return say(`must have the form ${rule.pattern}`)
  }
  return []
}
