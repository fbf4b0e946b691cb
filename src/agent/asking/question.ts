import { type Language, phrases } from '../../base/words.ts'
import { formFields, ordered } from '../../tools/arguments/forms.ts'
import { propertiesOf, withoutProperties } from '../../tools/arguments/json-schema.ts'
import { isSecretField } from '../../tools/arguments/secret-fields.ts'
import type { ArgumentProblem, Tool } from '../../tools/tool.ts'

/** One thing that a call leaves open. */
export interface Asked {
  /** The argument, empty for the whole. */
  readonly field: string
  /** As people read it. */
  readonly label: string
  readonly missing: boolean
  readonly problem: string
  /** All that it can be, where that is known. */
  readonly options?: readonly { readonly label: string; readonly value: string }[]
  /** Were the options found for the words that were given, and are they ids? */
  readonly found?: boolean
}

/** What a call leaves open, as it can be put to its person. Kept with the call, so that any process can ask it. */
export interface Question {
  readonly title: string
  readonly language: Language
  /** Of the arguments that may be asked for, secrets left out. */
  readonly schema: Readonly<Record<string, unknown>>
  readonly asked: readonly Asked[]
  readonly expiresAt: string
  /** What was sent with the card; see `SessionQuestion`. */
  readonly answer?: {
    readonly eventId: string
    readonly arguments: Readonly<Record<string, unknown>>
    readonly exact: readonly string[]
  }
}

/** The arguments of a tool that are left open and are secrets: nobody is asked for them. */
export function secretsAmong(tool: Tool, problems: readonly ArgumentProblem[]): readonly string[] {
  const properties = propertiesOf(tool.parameters)
  return topFields(tool, problems).filter((field) => isSecretField(field, properties.get(field)))
}

/** The question that is made of what is wrong with a call's arguments; none where no person could help. */
export function questionOf(
  tool: Tool,
  problems: readonly ArgumentProblem[],
  language: Language,
  expiresAt: Date,
): Question | undefined {
  if (tool.askless) return undefined
  const properties = propertiesOf(tool.parameters)
  const fields = topFields(tool, problems)
  // What has parts is put together by the model, in words: nobody is asked to write JSON.
  if (fields.some((field) => hasParts(properties.get(field)))) return undefined
  const schema = ordered(withoutProperties(tool.parameters, isSecretField), tool.moments)
  const known = new Map(formFields(schema, {}, language).map((field) => [field.name, field]))
  const asked = new Map<string, Asked>()
  for (const [index, field] of fields.entries()) {
    const problem = problems[index]!
    const own = known.get(field)
    const before = asked.get(field)
    // What another system says of the whole is about how it was called.
    if (before || (field === '' ? tool.server !== undefined : !own)) continue
    const found = problem.options && withNames(problem.options)
    const options = found ?? (own?.kind === 'boolean' ? yesOrNo(language) : own?.options)
    asked.set(field, {
      field,
      label: own?.label ?? '',
      missing: problem.missing,
      problem: problem.problem,
      ...(options ? { options } : {}),
      ...(found ? { found: true } : {}),
    })
  }
  if (asked.size === 0) return undefined
  return {
    title: tool.title(language),
    language,
    schema,
    asked: [...asked.values()],
    expiresAt: expiresAt.toISOString(),
  }
}

/** The one field that is asked for where it can be chosen. */
export function choiceIn({ asked }: Question): (Asked & Required<Pick<Asked, 'options'>>) | undefined {
  const [only, ...others] = asked
  if (!only?.options || only.field === '' || others.length > 0 || only.options.length > mostOptions)
    return undefined
  return { ...only, options: only.options }
}

/** More than any platform shows in one list are asked for by a form, where they can be typed. */
const mostOptions = 25

/** The argument that each problem is about; what is told of an argument only in words begins with its name. */
function topFields(tool: Tool, problems: readonly ArgumentProblem[]): readonly string[] {
  const properties = propertiesOf(tool.parameters)
  return problems.map(({ field, problem }) => {
    const [first = ''] = field.split('.')
    if (first !== '') return first
    const word = /^[\w$-]+/.exec(problem)?.[0] ?? ''
    return properties.has(word) ? word : ''
  })
}

/** Is it an object, or a list of what is no plain value? */
function hasParts(schema: Readonly<Record<string, unknown>> = {}): boolean {
  const all = [schema, ...((schema.anyOf ?? schema.oneOf ?? []) as (typeof schema)[])]
  return all.some(
    ({ type, properties, items }) =>
      type === 'object' || properties !== undefined || (type === 'array' && hasParts(listless(items))),
  )
}

/** A list within a list has parts, too. */
function listless(items: unknown): Readonly<Record<string, unknown>> {
  const schema = (items ?? {}) as Readonly<Record<string, unknown>>
  return schema.type === 'array' || schema.$ref !== undefined ? { type: 'object' } : schema
}

/** Things with their names; the id beside it where two have the same. */
function withNames(options: NonNullable<ArgumentProblem['options']>): Asked['options'] {
  const same = (label: string) => options.filter((option) => option.label === label).length > 1
  return options.map(({ id, label }) => ({
    label: label === '' || same(label) ? [label, `(${id})`].filter((part) => part !== '').join(' ') : label,
    value: id,
  }))
}

function yesOrNo(language: Language): Asked['options'] {
  const words = phrases(language)
  return [
    { label: words.yes, value: 'true' },
    { label: words.no, value: 'false' },
  ]
}
