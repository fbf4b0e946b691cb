import { HermesError } from '../../base/errors.ts'
import { checkByRule, type OutcomeRule } from '../execution/outcome-rules.ts'
import { hashOf } from '../hash.ts'
import type { Tool } from '../tool.ts'
import { type ArgumentRule, broken, rulesNothing, unfit } from './argument-rules.ts'
import { propertiesOf, withoutProperties } from './json-schema.ts'

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
 * the model and forms see both in the schema. An approval counts for the rules, too. A tool that does not have what
 * they speak of can't be called: a limit that nothing is held against protects nobody.
 */
export function overridden(
  tool: Tool,
  override: ToolOverride,
  find: (name: string) => Tool | undefined = () => undefined,
): Tool {
  const { defaults, rules, cacheSeconds } = override
  // What holds back nothing but time does no harm where the tool turns out to be none that reads.
  const [mistake] = mistakesIn(tool, { ...override, cacheSeconds: undefined })
  const isWrite = tool.effect === 'write'
  const place = isWrite ? override.idempotencyKey : undefined
  const keyOf = keyForm(tool, place)
  const keyed = (callId: string) => (place?.argument === undefined ? {} : { [place.argument]: keyOf(callId) })
  return {
    ...tool,
    ...(cacheSeconds === undefined || tool.effect !== 'read' ? {} : { cacheSeconds }),
    ...(place === undefined ? {} : { idempotent: true }),
    ...(mistake === undefined
      ? {}
      : { blocked: `It can't be used until the settings are mended: ${mistake}` }),
    parameters: ruledSchema(without(tool.parameters, place?.argument), override),
    definitionHash: hashOf([tool.definitionHash, defaults, rules, ...(place === undefined ? [] : [place])]),
    async check(raw, context) {
      const checked = await tool.check({ ...defaults, ...raw, ...keyed(sampleCall) }, context)
      if (!checked.ok) return checked
      const args = Object.fromEntries(
        Object.entries(checked.arguments).filter(([name]) => name !== place?.argument),
      )
      const problems = Object.entries(rules).flatMap(([field, rule]) =>
        broken(field, rule, args[field], tool.parameters),
      )
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
  return name === undefined ? schema : withoutProperties(schema, (one) => one === name)
}

/**
 * Checks what a configuration says about a tool that is known at start.
 * @throws HermesError with one line that names the place
 */
export function checkOverride(tool: Tool, override: ToolOverride): void {
  const [mistake] = mistakesIn(tool, override)
  if (mistake !== undefined) throw new HermesError('config.tools', mistake)
}

/** What a configuration can't say about a tool, a line each. */
function mistakesIn(tool: Tool, override: ToolOverride): readonly string[] {
  const { defaults, rules, cacheSeconds } = override
  const key = override.idempotencyKey?.argument
  const place = `tools.overrides.${tool.name}`
  const known = propertiesOf(tool.parameters)
  const there = [...known.keys()].join(', ') || 'none'
  const unknown = Object.entries({ defaults, rules }).flatMap(([part, named]) =>
    Object.keys(named)
      .filter((field) => !known.has(field))
      .map((field) => `${place}.${part}.${field} is no argument of that tool. There are: ${there}.`),
  )
  return [
    ...unknown,
    ...(cacheSeconds !== undefined && tool.effect !== 'read'
      ? [`${place}.cacheSeconds is for tools that only read.`]
      : []),
    ...(key !== undefined && !known.has(key)
      ? [`${place}.idempotencyKey.argument is no argument of that tool.`]
      : []),
    ...(['check', 'idempotencyKey'] as const).flatMap((part) =>
      override[part] !== undefined && tool.effect !== 'write'
        ? [`${place}.${part} is for tools that change something.`]
        : [],
    ),
    ...Object.entries(rules).flatMap(([field, rule]) =>
      rulesNothing(rule, known.get(field), tool.parameters).map((why) => `${place}.rules.${field} ${why}.`),
    ),
    ...Object.entries(defaults).flatMap(([field, value]) => {
      const said = (problem: string) => `${place}.defaults.${field} ${problem}.`
      const rule = rules[field]
      const [against] = rule ? broken(field, rule, value, tool.parameters) : []
      if (against) return [said(against.problem)]
      const wrong = known.has(field) ? unfit(value, known.get(field)!, tool.parameters) : undefined
      return wrong === undefined ? [] : [said(`does not fit: ${wrong}`)]
    }),
  ]
}

function ruledSchema(
  parameters: Readonly<Record<string, unknown>>,
  { defaults, rules }: ToolOverride,
): Readonly<Record<string, unknown>> {
  const properties = Object.fromEntries(
    [...propertiesOf(parameters)].map(([name, property]) => {
      const rule = rules[name] ?? {}
      const numeric = property.type === 'number' || property.type === 'integer'
      const [least, most] = numeric ? ['minimum', 'maximum'] : ['minLength', 'maxLength']
      const sized = numeric || property.type === 'string'
      return [
        name,
        {
          ...property,
          ...(Object.hasOwn(defaults, name) ? { default: defaults[name] } : {}),
          ...(rule.enum && property.type !== 'array' ? { enum: rule.enum } : {}),
          ...(rule.min !== undefined && sized ? { [least]: rule.min } : {}),
          ...(rule.max !== undefined && sized ? { [most]: rule.max } : {}),
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
