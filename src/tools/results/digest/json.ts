import { numbersOf } from './numbers.ts'

/** Deeper nesting than this is told as such: no reader follows it, and the stack must not either. */
const deepest = 30

/**
 * A JSON value as JSON with long lists and texts shortened until it fits: lists keep their count, the shape of their
 * items, a summary of their numbers, the first items, the last one, and the ids of the others.
 * @param characters the most that it may take, where that is possible at all
 */
export function jsonDigest(value: unknown, characters: number): string {
  let text = ''
  for (const [items, length] of [
    [20, 400],
    [10, 200],
    [5, 120],
    [3, 60],
    [1, 40],
    [1, 12],
  ] as const) {
    text = JSON.stringify(shortened(value, items, length, 0))
    if (text.length <= characters) return text
  }
  return text
}

function shortened(value: unknown, items: number, length: number, depth: number): unknown {
  if (typeof value === 'string') {
    return value.length <= length
      ? value
      : `${value.slice(0, length).toWellFormed()}… (${value.length} characters)`
  }
  if (!value || typeof value !== 'object') return value
  if (depth >= deepest) return '… (nested deeper)'
  if (Array.isArray(value)) return shortenedList(value, items, length, depth)
  const entries = Object.entries(value)
  // An object with hundreds of keys is a list by name.
  const most = Math.max(12, items * 4)
  const shown = entries
    .slice(0, most)
    .map(([key, item]) => [key, shortened(item, items, length, depth + 1)] as const)
  if (entries.length <= most) return Object.fromEntries(shown)
  const others = entries.slice(most).map(([key]) => key)
  return {
    ...Object.fromEntries(shown),
    '…': { keys: entries.length, otherKeys: others.slice(0, 60), ...more(others, 60) },
  }
}

function shortenedList(list: readonly unknown[], items: number, length: number, depth: number): unknown {
  const inner = (item: unknown) => shortened(item, items, length, depth + 1)
  if (list.length <= items) return list.map(inner)
  const ids = list.slice(items, -1).flatMap(idOf)
  const mostIds = items >= 3 ? 100 : 30
  return {
    count: list.length,
    ...shapeOf(list),
    first: list.slice(0, items).map(inner),
    last: inner(list.at(-1)),
    ...(ids.length > 0 ? { otherIds: ids.slice(0, mostIds), ...more(ids, mostIds) } : {}),
  }
}

function more(list: readonly string[], most: number): { notShown?: number } {
  return list.length > most ? { notShown: list.length - most } : {}
}

/** The keys of a list's objects with their types, and the least, greatest and total of what is a number. */
function shapeOf(list: readonly unknown[]): { schema?: object; numbers?: object } {
  const plain = list.filter((item) => typeof item === 'number')
  if (plain.length === list.length) return { numbers: numbersOf(plain) }
  const types = new Map<string, Set<string>>()
  const numbers = new Map<string, number[]>()
  for (const item of list) {
    if (!item || typeof item !== 'object' || Array.isArray(item)) continue
    for (const [key, value] of Object.entries(item)) {
      if (types.size >= 40 && !types.has(key)) continue
      types.set(key, (types.get(key) ?? new Set()).add(typeName(value)))
      if (typeof value !== 'number') continue
      const before = numbers.get(key)
      if (before) before.push(value)
      else numbers.set(key, [value])
    }
  }
  if (types.size === 0) return {}
  const summed = [...numbers].filter(([key, values]) => values.length > 1 && !/^id$|_id$|Id$/.test(key))
  return {
    schema: Object.fromEntries([...types].map(([key, kinds]) => [key, [...kinds].join(' or ')])),
    ...(summed.length > 0
      ? { numbers: Object.fromEntries(summed.slice(0, 10).map(([key, values]) => [key, numbersOf(values)])) }
      : {}),
  }
}

function typeName(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'list'
  return typeof value
}

function idOf(item: unknown): readonly string[] {
  if (!item || typeof item !== 'object') return []
  const { id, key, ticket, name } = item as Record<string, unknown>
  const named = id ?? key ?? ticket ?? name
  return typeof named === 'string' || typeof named === 'number' ? [String(named).slice(0, 60)] : []
}
