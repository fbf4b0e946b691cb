import { hashOf } from '../hash.ts'
import { choices, isSchema, propertiesOf, type Schema, typesOf } from './json-schema.ts'
import { type Moment, writtenTime } from './times.ts'

/** Arguments in the types that a schema wants, with a line for each thing that was changed. */
export interface Aligned {
  readonly args: Record<string, unknown>
  readonly changes: readonly string[]
}

const yes = /^(?:true|yes|y|on|1|是|对|要)$/i
const no = /^(?:false|no|n|off|0|否|不|不要)$/i
// A schema may refer to itself, so its depth is that of the arguments, which are bounded when they are read.
const deepest = 40

/**
 * Brings arguments into the types of their schema where nothing can get lost, inside of objects and lists, too: "3"
 * becomes 3, "yes" becomes true, a single value a list of one, `dueDate` the `due_date` that there is, "tomorrow" its
 * date where the person is. What does not fit stays, for the check to tell.
 */
export function alignArguments(schema: Schema, raw: Readonly<Record<string, unknown>>, at: Moment): Aligned {
  const changes: string[] = []
  const args = alignedObject(raw, [schema], {
    root: schema,
    at,
    depth: 0,
    path: '',
    tell: (change) => changes.push(change),
  })
  return { args, changes: changes.map((change) => change.slice(0, 300).toWellFormed()) }
}

/** What a tool's own check made of arguments: values that it settled otherwise, and those that it has no use for. */
export function changesBetween(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): readonly string[] {
  return Object.entries(before).flatMap(([name, value]) => {
    if (after[name] === undefined)
      return [`${name.slice(0, 60)} is no argument of this tool and was left out`]
    if (hashOf(value) === hashOf(after[name])) return []
    const change = `${name}: ${JSON.stringify(value)} was taken as ${JSON.stringify(after[name])}`
    return [change.slice(0, 300).toWellFormed()]
  })
}

/** The required fields that arguments leave out. */
export function missingFields(schema: Schema, args: Readonly<Record<string, unknown>>): readonly string[] {
  const required = Array.isArray(schema.required) ? schema.required : []
  return required.filter((name): name is string => typeof name === 'string' && args[name] === undefined)
}

/** Where in the arguments a value stands. */
interface Place {
  /** The whole schema, which references inside it lead through. */
  readonly root: Schema
  readonly at: Moment
  readonly depth: number
  /** Dotted, as the model is told. */
  readonly path: string
  readonly tell: (change: string) => void
}

function alignedObject(
  raw: Readonly<Record<string, unknown>>,
  parts: readonly Schema[],
  place: Place,
): Record<string, unknown> {
  const properties = new Map(parts.flatMap((part) => [...propertiesOf(part)]))
  const others = parts.find(({ additionalProperties }) => isSchema(additionalProperties))
  const entries = Object.entries(raw).flatMap(([given, value]): [string, unknown][] => {
    const name = knownName(given, properties, raw)
    if (name !== given) place.tell(`${inside(place.path, given)} was taken as ${inside(place.path, name)}`)
    const property = properties.get(name) ?? others?.additionalProperties
    if (!isSchema(property)) return [[name, value]]
    const wanted = aligned(value, property, { ...place, path: inside(place.path, name) })
    // Some models write null for what they leave out.
    return wanted === undefined ? [] : [[name, wanted]]
  })
  // Never by assignment: a property called __proto__ would become what the others are looked up in.
  return Object.fromEntries(entries)
}

function inside(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
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

function aligned(value: unknown, property: Schema, place: Place): unknown {
  if (place.depth > deepest) return value
  const types = typesOf(property, place.root)
  if (types.size === 0) return value
  if (value === null) return types.has('null') ? null : undefined
  const wanted = writtenTime(converted(value, types, property, place), formatOf(property, place), place.at)
  if (wanted !== value)
    place.tell(`${place.path}: ${JSON.stringify(value)} was taken as ${JSON.stringify(wanted)}`)
  return withInside(wanted, property, { ...place, depth: place.depth + 1 })
}

/** What is inside a list or an object, aligned. */
function withInside(value: unknown, property: Schema, place: Place): unknown {
  if (typeof value !== 'object' || value === null) return value
  const parts = choices(property, place.root)
  if (Array.isArray(value)) {
    const items = parts.map((part) => part.items).filter(isSchema)
    if (items.length !== 1) return value
    return value.map((item, index) => {
      const wanted = aligned(item, items[0]!, { ...place, path: inside(place.path, String(index)) })
      return wanted === undefined ? item : wanted
    })
  }
  const given = value as Readonly<Record<string, unknown>>
  const shapes = parts.filter((part) => isSchema(part.properties) || isSchema(part.additionalProperties))
  const [own, ...alternatives] = shapes.filter((part) => mayBe(given, part))
  // Of several shapes nobody knows which is meant, unless all of them hold.
  const all = parts.every((part) => !Array.isArray(part.anyOf) && !Array.isArray(part.oneOf))
  if (!own || (alternatives.length > 0 && !all)) return value
  return alignedObject(given, [own, ...alternatives], place)
}

/** Does nothing that is fixed in an alternative speak against it? */
function mayBe(value: Readonly<Record<string, unknown>>, shape: Schema): boolean {
  return [...propertiesOf(shape)].every(([name, { const: only, enum: options }]) => {
    const given = value[name]
    if (given === undefined) return true
    if (only !== undefined) return given === only
    return (
      !Array.isArray(options) ||
      typeof given !== 'string' ||
      optionOf(given, [{ enum: options }]) !== undefined
    )
  })
}

function converted(value: unknown, types: ReadonlySet<string>, property: Schema, { root }: Place): unknown {
  const parts = choices(property, root)
  if (fits(value, types)) return typeof value === 'string' ? (optionOf(value, parts) ?? value) : value
  if (typeof value === 'string') return fromText(value, types, parts, root)
  if (typeof value === 'number' || typeof value === 'boolean') {
    if (types.has('string')) return String(value)
    if (types.has('boolean') && (value === 0 || value === 1)) return value === 1
  }
  if (types.has('array') && !Array.isArray(value)) return [value]
  return value
}

function formatOf(property: Schema, { root }: Place): unknown {
  return choices(property, root).find(({ format }) => typeof format === 'string')?.format
}

function fits(value: unknown, types: ReadonlySet<string>): boolean {
  if (Array.isArray(value)) return types.has('array')
  if (typeof value === 'number')
    return types.has('number') || (types.has('integer') && Number.isInteger(value))
  return types.has(typeof value)
}

function fromText(text: string, types: ReadonlySet<string>, parts: readonly Schema[], root: Schema): unknown {
  const trimmed = text.trim()
  if (types.has('null') && /^(?:null|none)?$/i.test(trimmed)) return null
  const number = numberIn(trimmed)
  if (number !== undefined && (types.has('number') || (types.has('integer') && Number.isInteger(number))))
    return number
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
  return types.has('array') ? listIn(text, parts, root) : text
}

/** A number where it is written back the same way: no "12 apples", no "1e999", no number of 20 digits. */
function numberIn(text: string): number | undefined {
  const number = Number(text.replace(/(?<=^\d{1,3}(?:,\d{3})*),(?=\d{3}(?:,|\.|$))/g, ''))
  const digits = text.replace(/\D/g, '').length
  return text !== '' && Number.isFinite(number) && digits <= 15 && /^[-+]?[\d,]*\.?\d+$/.test(text)
    ? number
    : undefined
}

/** One text as a list: of its parts where each is one of a few choices or a number, else of itself. */
function listIn(text: string, parts: readonly Schema[], root: Schema): readonly string[] {
  const items = parts.map((part) => part.items).filter(isSchema)
  const separate = text.split(/[,，、;；]/).map((part) => part.trim())
  const each = items.flatMap((item) => choices(item, root))
  const types = new Set(items.flatMap((item) => [...typesOf(item, root)]))
  const numeric = !types.has('string') && (types.has('number') || types.has('integer'))
  const known = (part: string) =>
    numeric ? numberIn(part) !== undefined : optionOf(part, each) !== undefined
  return separate.length > 1 && separate.every(known) ? separate : [text]
}

/**
 * A choice that differs at most in case, spaces or hyphens from one that there is: "In Progress", "HIGH". Nothing where
 * there is none.
 */
function optionOf(value: string, parts: readonly Schema[]): string | undefined {
  const options = parts.flatMap(({ enum: listed, const: only }): readonly unknown[] =>
    Array.isArray(listed) ? listed : only === undefined ? [] : [only],
  )
  if (options.includes(value)) return value
  const plain = (text: string) => text.toLowerCase().replace(/[\s_-]+/g, '')
  const same = options.filter(
    (option): option is string => typeof option === 'string' && plain(option) === plain(value),
  )
  return new Set(same).size === 1 ? same[0] : undefined
}
