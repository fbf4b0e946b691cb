/** Where a call stands, as its tool message tells it. */
export type Outcome =
  | { readonly kind: 'waiting' | 'running' | 'cancelled' | 'expired' | 'withdrawn' }
  | { readonly kind: 'failed' | 'refused' | 'unknown'; readonly text: string }
  /** `data` where the result is JSON. */
  | { readonly kind: 'done'; readonly text: string; readonly data: unknown }

const openings: readonly (readonly [RegExp, Outcome['kind']])[] = [
  [/^waiting for\b/i, 'waiting'],
  [/^(?:running\b|still running\b|approved\b)/i, 'running'],
  [/^cancelled\b/i, 'cancelled'],
  [/^expired\b/i, 'expired'],
  [/^withdrawn\b/i, 'withdrawn'],
  [/^failed\b:?/i, 'failed'],
  [/^(?:not run|refused)\b:?/i, 'refused'],
  [/^(?:outcome unknown|unknown)\b:?/i, 'unknown'],
]

// What Hermes says of a result stands in a line of its own above it.
const above = /^(?:\[(?:Changed in the arguments: |Looked up \d)[^\n]*\]\n)+/

/** Reads a tool message. Results are data, whatever words they hold; only the openings of Hermes count. */
export function readOutcome(content: string): Outcome {
  const text = content.trim().replace(above, '')
  const data = parsed(text)
  if (data !== undefined) return { kind: 'done', text, data }
  for (const [opening, kind] of openings) {
    const found = opening.exec(text)
    if (!found) continue
    switch (kind) {
      case 'failed':
      case 'refused':
      case 'unknown':
        return { kind, text: text.slice(found[0].length).trim() }
      case 'done':
        break
      default:
        return { kind }
    }
  }
  return { kind: 'done', text, data: undefined }
}

function parsed(text: string): unknown {
  if (!/^[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A member of a result's object, where it is a text. */
export function textIn(data: unknown, name: string): string | undefined {
  if (typeof data !== 'object' || data === null || !(name in data)) return undefined
  const value = (data as Record<string, unknown>)[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The objects of a result's list, by the list's name; also of a list that was shortened. */
export function listIn(data: unknown, name: string): readonly Record<string, unknown>[] {
  const value = Array.isArray(data)
    ? data
    : typeof data === 'object' && data !== null
      ? (data as Record<string, unknown>)[name]
      : undefined
  const items =
    typeof value === 'object' && value !== null && 'first' in value && Array.isArray(value.first)
      ? value.first
      : value
  return Array.isArray(items)
    ? items.filter(
        (item): item is Record<string, unknown> =>
          typeof item === 'object' && item !== null && !Array.isArray(item),
      )
    : []
}
