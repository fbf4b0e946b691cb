import { readDates } from '../search/dates.ts'

/** Something with a name or an id that came up in the conversation. */
export interface KnownEntity {
  /** ticket, order, reminder, memory, person, document, date, link, … */
  readonly type: string
  readonly id: string
  readonly label: string
  /** When it was named last, in ISO 8601. */
  readonly at: string
  /** Who named it: a person's name, or the tool's title. */
  readonly by: string
  /** Where it stood in the list that was shown last with it, counted from 1: what "the second one" means. */
  readonly list?: { readonly id: string; readonly place: number }
}

/** The most that a session keeps; what was named longest ago goes first. */
const mostKept = 120
/** The most that the model is shown. */
const mostShown = 14

/** Reads what a session's row holds. */
export function readEntities(json: unknown): readonly KnownEntity[] {
  if (!Array.isArray(json)) return []
  return json.filter(
    (one): one is KnownEntity =>
      one !== null &&
      typeof one === 'object' &&
      ['type', 'id', 'label', 'at', 'by'].every((key) => typeof one[key] === 'string'),
  )
}

/** Adds what was named now; a repeated one moves to the end and keeps its first label where the new one says nothing. */
export function mergeEntities(
  known: readonly KnownEntity[],
  named: readonly KnownEntity[],
): readonly KnownEntity[] {
  const merged = new Map(known.map((one) => [`${one.type} ${one.id}`, one]))
  for (const one of named) {
    const key = `${one.type} ${one.id}`
    const before = merged.get(key)
    merged.delete(key)
    merged.set(key, {
      ...(before?.list ? { list: before.list } : {}),
      ...one,
      ...(before && (one.label === '' || one.label === one.id) ? { label: before.label } : {}),
    })
  }
  return [...merged.values()].slice(-mostKept)
}

/** What ids, links and file names look like. */
export const idShapes: readonly { readonly type: string; readonly shape: RegExp }[] = [
  { type: 'ticket', shape: /\bT-\d{1,9}\b/g },
  // Ids as most systems write them: letters, a hyphen, digits (ORD-2024-0017, INV-88, HR-12).
  { type: 'id', shape: /\b(?!T-)[A-Z]{2,8}-\d[\d-]{0,18}\d?\b/g },
  { type: 'link', shape: /\bhttps?:\/\/[^\s<>"'）)]{4,200}/g },
  { type: 'document', shape: /(?<![\w/])[\w./-]{1,120}\.(?:md|txt|pdf|docx?|xlsx?|csv|html)\b/gi },
]

/** What a text names: ids, links, documents and dates. Found by code, without the model. */
export function entitiesIn(
  text: string,
  at: { readonly now: Date; readonly timeZone: string; readonly by: string },
): readonly KnownEntity[] {
  const said = text.slice(0, 20_000)
  const base = { at: at.now.toISOString(), by: at.by }
  const found = idShapes.flatMap(({ type, shape }) =>
    [...said.matchAll(shape)].map((match) => ({ type, id: match[0], label: match[0], ...base })),
  )
  const dates = readDates(said.slice(0, 2_000), { now: at.now, timeZone: at.timeZone })
    .filter((range) => range.hasDay)
    .map((range) => ({
      type: 'date',
      id: `${range.start.toISOString().slice(0, 16)}/${range.end.toISOString().slice(0, 16)}`,
      label: range.text,
      ...base,
    }))
  return [...found, ...dates]
}

/** Marks things that were named together, in this order, as one list. A single one is no list. */
export function asList(named: readonly KnownEntity[]): readonly KnownEntity[] {
  const first = named[0]
  if (!first || named.length < 2) return named
  // The moment comes first, so that the ids of lists sort by age.
  const id = `${first.at} ${first.by}`
  return named.map((one, index) => ({ ...one, list: { id, place: index + 1 } }))
}

/** The entities as the model reads them, the newest first. */
export function entityLines(known: readonly KnownEntity[]): readonly string[] {
  const shown = known.slice(-mostShown).reverse()
  if (shown.length === 0) return []
  return [
    `Named so far, the newest first: ${shown
      .map((one) =>
        one.label === one.id ? `${one.type} ${one.id}` : `${one.type} ${one.id} "${short(one.label)}"`,
      )
      .join('; ')}.`,
  ]
}

function short(text: string): string {
  const characters = [...text.replace(/\s+/g, ' ')]
  return characters.length <= 50 ? characters.join('') : `${characters.slice(0, 49).join('')}…`
}
