/** A plain JSON object as it comes over the wire: nothing about it is trusted. */
export type Json = Record<string, unknown>

/** The value when it is an object, else an empty one. */
export function object(value: unknown): Json {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Json) : {}
}

/** The objects of a list; anything else is an empty list. */
export function objects(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(object) : []
}

/** The value when it is a string, else undefined. */
export function string(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** The value when it is a string, else an empty one. */
export function text(value: unknown): string {
  return string(value) ?? ''
}
