import { readDates } from '../search/dates.ts'
import { datedStretches } from './intent/dated.ts'

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
  /** Did a person name it themselves, or have it made? Then it outlasts what tools name in passing. */
  readonly said?: true
  /** Where it stood in the list that was shown last with it, counted from 1: what "the second one" means. */
  readonly list?: { readonly id: string; readonly place: number }
}

/** The most that a session keeps, and the most of them that people named; what was named longest ago goes first. */
const mostKept = 120
const mostSaid = 80
/** The most that the model is shown, and the most of them that only tools named. */
const mostShown = 24
const mostShownOfTools = 8
/** The most of one shape that a single text is said to name. */
const mostOfAShape = 24
const mostDates = 8
/** The beginning of a text that is looked at for dates, in characters. */
const datedLength = 2_000

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

/**
 * Adds what was named now; a repeated one moves to the end and keeps its first label where the new one says nothing.
 * What people said themselves stays longest, so that a long list of a tool does not push out what a task began with.
 */
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
      ...(before?.said ? { said: true } : {}),
      ...one,
      ...(before && (one.label === '' || one.label === one.id) ? { label: before.label } : {}),
    })
  }
  const all = [...merged.values()]
  if (all.length <= mostKept) return all
  const said = new Set(all.filter((one) => one.said).slice(-mostSaid))
  const others = new Set(all.filter((one) => !one.said).slice(said.size - mostKept))
  return all.filter((one) => said.has(one) || others.has(one))
}

/** What ids, links and file names look like. */
export const idShapes: readonly { readonly type: string; readonly shape: RegExp }[] = [
  { type: 'ticket', shape: /\bT-\d{1,9}\b/g },
  // Ids as most systems write them: letters, a hyphen, digits (ORD-2024-0017, INV-88, HR-12).
  { type: 'id', shape: /\b(?!T-)[A-Z]{2,8}-\d[\d-]{0,18}\d?\b/g },
  { type: 'link', shape: /\bhttps?:\/\/[^\s<>"'）)]{4,200}/g },
  { type: 'document', shape: /(?<![\w/])[\w./-]{1,120}\.(?:md|txt|pdf|docx?|xlsx?|csv|html)\b/gi },
]

// Sums and shares are limits and conditions more often than not; what they are of stands beside them.
const amounts =
  /(?:[$€£¥]|\b(?:USD|EUR|GBP|CNY|RMB|HKD)\s?)\d(?:[\d,.]{0,14}\d)?(?:\s?(?:k|m|million)\b)?|\b\d[\d,.]{0,15}\s?(?:USD|EUR|GBP|CNY|RMB|HKD|dollars|euros|yuan|percent)\b|\b\d[\d,.]{0,15}\s?(?:[$€£]|%)|\d[\d,.]{0,15}\s?(?:万|亿)?(?:元|块钱|美元|欧元|人民币)/giu

/** What a text names: ids, links, documents, sums and dates. Found by code, without the model. */
export function entitiesIn(
  text: string,
  at: { readonly now: Date; readonly timeZone: string; readonly by: string },
): readonly KnownEntity[] {
  const said = text.slice(0, 20_000)
  const base = { at: at.now.toISOString(), by: at.by }
  const found = idShapes.flatMap(({ type, shape }) =>
    distinct([...said.matchAll(shape)].map((match) => match[0])).map((id) => ({
      type,
      id,
      label: id,
      ...base,
    })),
  )
  const sums = [...said.slice(0, datedLength).matchAll(amounts)]
    .slice(0, mostDates)
    .map((match) => ({ type: 'amount', id: match[0].trim(), label: around(said, match), ...base }))
  // Reading dates is slow, so only so much of a long text is read for them.
  const dates = datedStretches(said.slice(0, datedLength), false)
    .flatMap((stretch) => readDates(stretch.text, { now: at.now, timeZone: at.timeZone }))
    .filter((range) => range.hasDay)
    .slice(0, mostDates)
    .map((range) => ({
      type: 'date',
      id: `${range.start.toISOString().slice(0, 16)}/${range.end.toISOString().slice(0, 16)}`,
      label: range.text,
      ...base,
    }))
  return [...found, ...sums, ...dates]
}

function distinct(ids: readonly string[]): readonly string[] {
  return [...new Set(ids)].slice(0, mostOfAShape)
}

/** The words that a match stands among, up to the marks around them. */
function around(text: string, match: RegExpExecArray): string {
  const before = text.slice(Math.max(0, match.index - 60), match.index)
  const after = text.slice(match.index + match[0].length, match.index + match[0].length + 40)
  const from = before.search(/[^,;，；。！？!?\n]*$/u)
  const to = after.search(/[,;，；。！？!?\n]|\.(?:\s|$)/u)
  return `${before.slice(from)}${match[0]}${to < 0 ? after : after.slice(0, to)}`.toWellFormed().trim()
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
  const tools = new Set(known.filter((one) => !one.said).slice(-mostShownOfTools))
  const shown = known
    .filter((one) => one.said || tools.has(one))
    .slice(-mostShown)
    .reverse()
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
