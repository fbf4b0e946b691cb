import { DateTime } from 'luxon'
import { readDates } from '../search/dates.ts'

/** A JSON Schema of arguments, as tools carry it. */
type Schema = Readonly<Record<string, unknown>>

/** When and where words about time are said. */
export interface Moment {
  readonly now: Date
  readonly timeZone: string
}

/** Arguments in the types that a schema wants, with a line for each thing that was changed. */
export interface Aligned {
  readonly args: Record<string, unknown>
  readonly changes: readonly string[]
}

const yes = /^(?:true|yes|y|on|1|是|对|要)$/i
const no = /^(?:false|no|n|off|0|否|不|不要)$/i

/**
 * Brings arguments into the types of their schema where nothing can get lost: "3" becomes 3, "yes" becomes true, a
 * single value a list of one, `dueDate` the `due_date` that there is, "tomorrow" its date where the person is. What does
 * not fit stays, for the check to tell.
 */
export function alignArguments(schema: Schema, raw: Readonly<Record<string, unknown>>, at: Moment): Aligned {
  const changes: string[] = []
  const properties = propertiesOf(schema)
  const args: Record<string, unknown> = {}
  for (const [given, value] of Object.entries(raw)) {
    const name = knownName(given, properties, raw)
    if (name !== given) changes.push(`${given} was taken as ${name}`)
    const property = properties.get(name)
    const wanted = property ? dated(aligned(value, property), property, at) : value
    if (wanted === undefined) {
      // Some models write null for what they leave out.
      continue
    }
    if (wanted !== value)
      changes.push(`${name}: ${JSON.stringify(value)} was taken as ${JSON.stringify(wanted)}`)
    args[name] = wanted
  }
  return { args, changes: changes.map((change) => change.slice(0, 300).toWellFormed()) }
}

/** The required fields that arguments leave out. */
export function missingFields(schema: Schema, args: Readonly<Record<string, unknown>>): readonly string[] {
  const required = Array.isArray(schema.required) ? schema.required : []
  return required.filter((name): name is string => typeof name === 'string' && args[name] === undefined)
}

/** The properties of an object schema by their names. */
export function propertiesOf(schema: Schema): ReadonlyMap<string, Schema> {
  const { properties } = schema
  if (!properties || typeof properties !== 'object') return new Map()
  return new Map(Object.entries(properties as Record<string, Schema>))
}

function knownName(
  given: string,
  properties: ReadonlyMap<string, Schema>,
  raw: Readonly<Record<string, unknown>>,
): string {
  if (properties.has(given) || properties.size === 0) return given
  const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '')
  const same = [...properties.keys()].filter(
    (name) => plain(name) === plain(given) && !Object.hasOwn(raw, name),
  )
  return same.length === 1 ? same[0]! : given
}

function aligned(value: unknown, property: Schema): unknown {
  const types = typesOf(property)
  if (types.size === 0) return value
  if (value === null) return types.has('null') ? null : undefined
  if (fits(value, types)) return typeof value === 'string' ? optionOf(value, property) : value
  if (typeof value === 'string') return fromText(value, types)
  if (typeof value === 'number' || typeof value === 'boolean') {
    if (types.has('string')) return String(value)
    if (types.has('boolean') && (value === 0 || value === 1)) return value === 1
  }
  if (types.has('array') && !Array.isArray(value)) return [value]
  return value
}

/** Words in a field that wants a date or a time, as such; a time only where the words name one. */
function dated(value: unknown, property: Schema, { now, timeZone }: Moment): unknown {
  const { format } = property
  if ((format !== 'date' && format !== 'date-time') || typeof value !== 'string') return value
  if (/^\d{4}-\d{2}-\d{2}/.test(value.trim())) return value
  const [range] = readDates(value, { now, timeZone })
  if (!range) return value
  const start = DateTime.fromJSDate(range.start, { zone: timeZone })
  if (format === 'date') return range.hasDay ? start.toISODate() : value
  return range.grain === 'minute' ? start.toISO({ suppressMilliseconds: true }) : value
}

function fits(value: unknown, types: ReadonlySet<string>): boolean {
  if (Array.isArray(value)) return types.has('array')
  if (typeof value === 'number')
    return types.has('number') || (types.has('integer') && Number.isInteger(value))
  return types.has(typeof value)
}

function fromText(text: string, types: ReadonlySet<string>): unknown {
  const trimmed = text.trim()
  if (types.has('number') || types.has('integer')) {
    // Only what is written back the same way: no "12 apples", no "1e999", no number of 20 digits.
    const number = Number(trimmed.replace(/(?<=^\d{1,3}(?:,\d{3})*),(?=\d{3}(?:,|\.|$))/g, ''))
    const digits = trimmed.replace(/\D/g, '').length
    if (trimmed !== '' && Number.isFinite(number) && digits <= 15 && /^[-+]?[\d,]*\.?\d+$/.test(trimmed)) {
      if (types.has('number') || Number.isInteger(number)) return number
    }
  }
  if (types.has('boolean')) {
    if (yes.test(trimmed)) return true
    if (no.test(trimmed)) return false
  }
  if ((types.has('array') && trimmed.startsWith('[')) || (types.has('object') && trimmed.startsWith('{'))) {
    try {
      const parsed: unknown = JSON.parse(trimmed)
      if (fits(parsed, types)) return parsed
    } catch {
      // It is a text that begins like JSON.
    }
  }
  return types.has('array') ? [text] : text
}

/** A choice that differs only in case, spaces or hyphens from one that there is: "In Progress", "HIGH". */
function optionOf(value: string, property: Schema): string {
  const options = (choices(property).find((choice) => Array.isArray(choice.enum))?.enum ??
    []) as readonly unknown[]
  if (options.length === 0 || options.includes(value)) return value
  const plain = (text: string) => text.toLowerCase().replace(/[\s_-]+/g, '')
  const same = options.filter((option) => typeof option === 'string' && plain(option) === plain(value))
  return same.length === 1 ? (same[0] as string) : value
}

function typesOf(property: Schema): ReadonlySet<string> {
  return new Set(
    choices(property).flatMap(({ type }) => (Array.isArray(type) ? type : type ? [type] : [])) as string[],
  )
}

function choices(property: Schema): readonly Schema[] {
  const alternatives = (property.anyOf ?? property.oneOf) as readonly Schema[] | undefined
  return Array.isArray(alternatives) ? [property, ...alternatives] : [property]
}
