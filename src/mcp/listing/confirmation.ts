import { isRecord } from '../json.ts'
import type { JsonSchema } from './schema.ts'

/**
 * A parameter by which a server asks whether a person agreed. The model may neither see nor set it: Hermes sets
 * it, and only for a call that a person has confirmed.
 */
export interface ConfirmationParameter {
  readonly name: string
  readonly value: unknown
}

// Compared without case and separators. Words that are as often a tool's subject, such as "approval", are not in
// the list; where one of these is, the operator says so with `confirmParameters` of the tool.
const names = new Set([
  ...[
    'confirm',
    'confirmed',
    'confirmation',
    'isconfirmed',
    'userconfirmed',
    'confirmedbyuser',
    'userconfirmation',
  ],
  ...['approved', 'isapproved', 'userapproved', 'approvedbyuser', 'humanapproved'],
  ...['iunderstand', 'areyousure', 'skipconfirmation'],
])

/** The confirmation parameters of a schema; `unanswerable` are required ones that no yes would fit into. */
export function confirmationParameters(
  schema: JsonSchema,
  declared?: readonly string[],
): {
  readonly parameters: readonly ConfirmationParameter[]
  readonly hidden: ReadonlySet<string>
  readonly unanswerable: readonly string[]
} {
  const properties = isRecord(schema.properties) ? schema.properties : {}
  const required = Array.isArray(schema.required) ? schema.required : []
  const hidden = Object.keys(properties).filter((name) =>
    declared ? declared.includes(name) : names.has(name.toLowerCase().replace(/[^a-z]/g, '')),
  )
  const parameters = hidden.flatMap((name) => {
    const value = yes(properties[name])
    return value === undefined ? [] : [{ name, value }]
  })
  const answered = new Set(parameters.map(({ name }) => name))
  return {
    parameters,
    hidden: new Set(hidden),
    unanswerable: hidden.filter((name) => required.includes(name) && !answered.has(name)),
  }
}

function yes(schema: unknown): unknown {
  if (!isRecord(schema)) return true
  if ('const' in schema) return schema.const === false ? undefined : schema.const
  const choices = Array.isArray(schema.enum) ? schema.enum : undefined
  if (choices)
    return choices.find(
      (choice) => choice === true || /^(?:yes|true|confirm(?:ed)?|approved?)$/i.test(String(choice)),
    )
  const types = Array.isArray(schema.type) ? schema.type : [schema.type]
  return schema.type === undefined || types.includes('boolean') ? true : undefined
}
