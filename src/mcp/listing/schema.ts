import { isRecord } from '../json.ts'

/** A JSON Schema, as a server gave it or as the model gets it. */
export type JsonSchema = Readonly<Record<string, unknown>>

const longestDescription = 1024
const deepest = 40

/**
 * A schema as the model's API accepts it. OpenAI refuses a whole request for one tool whose root is not a
 * plain object, for an object without `properties` and for an array without `items`. The original stays the
 * measure for arguments; this one may only be looser.
 */
export function offeredSchema(original: JsonSchema, hidden: ReadonlySet<string> = new Set()): JsonSchema {
  const root = plainRoot(original)
  const mended = mend(root, 0)
  const properties = Object.fromEntries(
    Object.entries(isRecord(mended.properties) ? mended.properties : {}).filter(
      ([name]) => !hidden.has(name),
    ),
  )
  const required = strings(mended.required).filter((name) => name in properties)
  return { ...mended, type: 'object', properties, required }
}

/** Shortens a description at a sentence or word, and takes out characters that people can't see. */
export function readableText(text: string, longest = longestDescription): string {
  // Direction marks, zero-width characters and tag characters can hide instructions from whoever reviews a tool.
  const seen = text.replace(
    /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/gu,
    '',
  )
  if (seen.length <= longest) return seen
  const start = seen.slice(0, longest - 1)
  const sentence = Math.max(start.lastIndexOf('. ') + 1, start.lastIndexOf('\n'))
  const end = sentence > longest / 2 ? sentence : start.lastIndexOf(' ')
  return `${start.slice(0, end > longest / 2 ? end : undefined).trimEnd()}…`
}

// What OpenAI does not allow at the root. `$id` and `$schema` mean nothing to a model.
const notAtRoot = [
  'oneOf',
  'anyOf',
  'allOf',
  'enum',
  'const',
  'not',
  'if',
  'then',
  'else',
  '$ref',
  '$id',
  '$schema',
]

function plainRoot(original: JsonSchema): JsonSchema {
  const root = followed(original, original)
  const rest = Object.fromEntries(Object.entries(root).filter(([key]) => !notAtRoot.includes(key)))
  let properties: JsonSchema = isRecord(root.properties) ? root.properties : {}
  let required = strings(root.required)
  for (const part of schemas(root.allOf).map((part) => followed(part, original))) {
    properties = { ...(isRecord(part.properties) ? part.properties : {}), ...properties }
    required = [...required, ...strings(part.required)]
  }
  for (const choices of [schemas(root.oneOf), schemas(root.anyOf)]) {
    const parts = choices.map((part) => followed(part, original))
    for (const part of parts)
      properties = { ...(isRecord(part.properties) ? part.properties : {}), ...properties }
    // Of alternatives only what all of them require is required for sure.
    const [first, ...others] = parts.map((part) => strings(part.required))
    required = [...required, ...(first ?? []).filter((name) => others.every((list) => list.includes(name)))]
  }
  return { ...rest, properties, required: [...new Set(required)] }
}

// The target of a root's own reference, with the definitions that references inside it may need.
function followed(schema: JsonSchema, root: JsonSchema, hops = 0): JsonSchema {
  const path = typeof schema.$ref === 'string' ? schema.$ref : undefined
  if (path === undefined || !path.startsWith('#/') || hops > 8) return schema
  let target: unknown = root
  for (const step of path.slice(2).split('/')) {
    const key = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
    target = isRecord(target) ? target[key] : undefined
  }
  const { $ref: _, ...beside } = schema
  return isRecord(target) ? followed({ ...target, ...beside }, root, hops + 1) : beside
}

const oneInside = ['items', 'additionalProperties', 'not', 'contains', 'propertyNames', 'if', 'then', 'else']
const listsInside = ['anyOf', 'oneOf', 'allOf', 'prefixItems']
const namedInside = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']

function mend(schema: JsonSchema, depth: number): JsonSchema {
  if (depth > deepest) return {}
  // A reference out of the document can't be followed by a model.
  if (typeof schema.$ref === 'string' && !schema.$ref.startsWith('#')) return {}
  const result: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'description' && typeof value === 'string') result[key] = readableText(value)
    else if (oneInside.includes(key) && isRecord(value)) result[key] = mend(value, depth + 1)
    else if (listsInside.includes(key) && Array.isArray(value))
      result[key] = value.map((item) => mendAny(item, depth))
    else if (namedInside.includes(key) && isRecord(value)) result[key] = mendNamed(value, depth)
    else result[key] = value
  }
  const types = Array.isArray(schema.type) ? schema.type : [schema.type]
  if (types.includes('object') && !isRecord(result.properties)) result.properties = {}
  // The older form of tuples has a list of items, which only `prefixItems` may be today.
  if (types.includes('array') && !isRecord(result.items)) result.items = {}
  return result
}

function mendAny(schema: unknown, depth: number): JsonSchema {
  return isRecord(schema) ? mend(schema, depth + 1) : {}
}

function mendNamed(named: JsonSchema, depth: number): JsonSchema {
  return Object.fromEntries(
    Object.entries(named)
      // `false` means that there must be no such property, so there is nothing to offer.
      .filter(([, schema]) => schema !== false)
      .map(([name, schema]) => [name, mendAny(schema, depth)]),
  )
}

function schemas(value: unknown): readonly JsonSchema[] {
  return Array.isArray(value) ? value.filter(isRecord) : []
}

function strings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}
