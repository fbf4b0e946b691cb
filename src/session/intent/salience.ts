import type { KnownEntity } from '../entities.ts'
import type { IntentFacts } from './intent.ts'
import { ofKind } from './kinds.ts'

// They are referred to in other words.
const notThings: ReadonlySet<string> = new Set(['date', 'person', 'amount'])

/** Things that were named, of a kind or of any; no dates, sums and people. */
export function others(facts: IntentFacts, kind?: string): readonly KnownEntity[] {
  return facts.entities.filter((one) => !notThings.has(one.type) && (kind === undefined || ofKind(one, kind)))
}

/**
 * Those that were named last, at one moment. One alone is what "that ticket" means; several fit alike, and which is
 * meant must be asked.
 */
export function newest(known: readonly KnownEntity[]): readonly KnownEntity[] {
  const last = known.at(-1)
  if (!last) return []
  return known.filter((one) => one.at === last.at).toReversed()
}

/** The lists that were shown last, each in its order; several only where they came at the same moment. */
export function byList(known: readonly KnownEntity[]): readonly (readonly KnownEntity[])[] {
  const lists = new Map<string, KnownEntity[]>()
  for (const one of known) {
    if (!one.list) continue
    const list = lists.get(one.list.id) ?? []
    list.push(one)
    lists.set(one.list.id, list)
  }
  // The id begins with the moment when it was shown.
  const latest = [...lists.keys()]
    .map((id) => id.slice(0, 24))
    .sort()
    .at(-1)
  return [...lists]
    .filter(([id]) => id.slice(0, 24) === latest)
    .map(([, list]) => list.toSorted((a, b) => (a.list?.place ?? 0) - (b.list?.place ?? 0)))
}
