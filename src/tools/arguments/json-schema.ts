/** A JSON Schema of arguments, as tools carry it. */
export type Schema = Readonly<Record<string, unknown>>

const mostHops = 8

/** The schema that a reference inside its document stands for, with what is said beside the reference. */
function followed(schema: Schema, root: Schema, hops = 0): Schema {
  const path = schema.$ref
  if (typeof path !== 'string' || !path.startsWith('#') || hops >= mostHops) return schema
  let target: unknown = root
  for (const step of path.slice(1).split('/').slice(1)) {
    const key = decoded(step).replaceAll('~1', '/').replaceAll('~0', '~')
    target = isSchema(target) && Object.hasOwn(target, key) ? target[key] : undefined
  }
  if (!isSchema(target)) return schema
  const { $ref: _, ...beside } = schema
  return followed({ ...target, ...beside }, root, hops + 1)
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step)
  } catch {
    return step
  }
}

/** A schema with the ones that it names as alternatives or parts, all followed. */
export function choices(schema: Schema, root: Schema): readonly Schema[] {
  const own = followed(schema, root)
  const inside = [own.anyOf, own.oneOf, own.allOf].flatMap((list) => (Array.isArray(list) ? list : []))
  return [own, ...inside.filter(isSchema).map((one) => followed(one, root))]
}

/** The types that a value may have; none where the schema does not say. */
export function typesOf(schema: Schema, root: Schema): ReadonlySet<string> {
  return new Set(choices(schema, root).flatMap(ownTypes))
}

function ownTypes({ type, enum: options, const: only }: Schema): readonly string[] {
  if (typeof type === 'string') return [type]
  if (Array.isArray(type)) return type.map(String)
  const values = Array.isArray(options) ? options : only === undefined ? [] : [only]
  return values.map((value) => (value === null ? 'null' : typeof value))
}

/** Is it a schema that can be looked into? */
export function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The properties of an object schema by their names. */
export function propertiesOf(schema: Schema): ReadonlyMap<string, Schema> {
  const { properties } = schema
  if (!properties || typeof properties !== 'object') return new Map()
  return new Map(Object.entries(properties as Record<string, Schema>))
}

/** The schema without some of its properties. */
export function withoutProperties(
  schema: Schema,
  isLeftOut: (name: string, property: Schema) => boolean,
): Schema {
  const [kept, gone] = [new Map<string, Schema>(), new Set<unknown>()]
  for (const [name, property] of propertiesOf(schema)) {
    if (isLeftOut(name, property)) gone.add(name)
    else kept.set(name, property)
  }
  const required = Array.isArray(schema.required) ? schema.required : []
  return {
    ...schema,
    properties: Object.fromEntries(kept),
    required: required.filter((name) => !gone.has(name)),
  }
}
