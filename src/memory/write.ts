import type { Clock } from '../base/clock.ts'
import type { Ids } from '../base/ids.ts'
import { type DateRange, dateKeys, rangeKeys, readDates, writeDates } from '../search/dates.ts'
import { type TolerantEmbedder, type Vector, vectorLiteral } from '../search/embedder.ts'
import type { Words } from '../search/words.ts'
import type { Database } from '../store/client.ts'
import { Prisma } from '../store/prisma/client.ts'
import { correctableBy, sharedBy } from './access.ts'
import {
  type Asker,
  type MemoryCategory,
  type MemoryKind,
  type MemoryRecord,
  type MemoryRow,
  type MemoryScope,
  type MemorySource,
  memoryColumns,
  type Place,
  readRecord,
} from './record.ts'
import { classify } from './rules.ts'
import { type Subject, subjectKey, subjectOf } from './subject.ts'

/** What writing, finding and forgetting memories need. */
export interface MemoryParts {
  readonly database: Database
  readonly embedder: TolerantEmbedder
  readonly words: Words
  readonly clock: Clock
  readonly ids: Ids
}

/** One fact to be written. What is left out is read off the text itself. */
export interface Fact {
  readonly text: string
  /** The words it was said in; default the text. */
  readonly original?: string
  /** What was said around it, for search alone. */
  readonly context?: string
  readonly source: MemorySource
  /** The event or job it comes from; with `ordinal` it makes a repetition harmless. */
  readonly sourceId: string
  readonly ordinal: number
  readonly turnId?: string
  /** When it was said. */
  readonly at: Date
  readonly scope: MemoryScope
  readonly kind?: MemoryKind
  readonly category?: MemoryCategory
  /** What it is about, where that is known; only one memory of a named subject holds at a time. */
  readonly subject?: string
  readonly importance?: number
  readonly confidence?: number
  /** Memories that it makes untrue. */
  readonly replaces?: readonly string[]
}

/** What became of a fact. */
export type Written =
  | { readonly kind: 'stored'; readonly memory: MemoryRecord; readonly replaced: readonly MemoryRecord[] }
  /** It was known already; it counts as said again. */
  | { readonly kind: 'known'; readonly memory: MemoryRecord }
  /** Something said, or said later, stands against it. */
  | { readonly kind: 'outweighed'; readonly memory: MemoryRecord }
  /** The same event has been written before, and forgotten or corrected since. */
  | { readonly kind: 'settled' }

// A person waits for an explicit write; without a vector it is found by words, and gets one later.
const embedMs = 3_000

interface KnownRow extends MemoryRow {
  readonly source_id: string
  readonly ordinal: number
}

/** Writes one fact: at most once per source, in place of what it makes untrue. */
export async function writeFact(
  parts: MemoryParts,
  asker: Asker,
  place: Place,
  fact: Fact,
  signal?: AbortSignal,
): Promise<Written> {
  const { database, words } = parts
  const now = parts.clock.now()
  const dated = writeDates(fact.text, { now: fact.at, timeZone: asker.timeZone })
  const subject = nameSubject(fact, words)

  const before = await sameSubject(database, asker, place, fact.scope, subject.key)
  const own = before.find((row) => row.source_id === fact.sourceId && row.ordinal === fact.ordinal)
  if (own) return { kind: 'stored', memory: readRecord(own), replaced: [] }
  const same = before.find((row) => plain(row.text) === plain(dated.text))
  if (same) return { kind: 'known', memory: await sayAgain(database, same, fact, now) }
  const stronger = before.find(
    (row) =>
      excludes(subject, row.text, dated.text, asker, fact.at) &&
      ((row.source === 'said' && fact.source === 'inferred') || row.valid_from > fact.at),
  )
  if (stronger) return { kind: 'outweighed', memory: readRecord(stronger) }

  const vectors = await parts.embedder.embed([dated.text], { limitMs: embedMs, signal })
  const memory = await insert(parts, asker, place, fact, { dated, subject, now, vectors })
  if (!memory) return { kind: 'settled' }
  // Read again after the insert: of two that are written at once, at least one then sees the other.
  const after = await sameSubject(database, asker, place, fact.scope, subject.key)
  const against = after.filter(
    (row) => row.id !== memory.id && excludes(subject, row.text, dated.text, asker, fact.at),
  )
  const later = against.find((row) => row.id > memory.id)
  if (later) {
    await supersede(parts, asker, place, later.id, [memory.id], fact.at)
    return { kind: 'outweighed', memory: readRecord(later) }
  }
  const untrue = against.filter((row) => row.id < memory.id)
  const replaced = await supersede(
    parts,
    asker,
    place,
    memory.id,
    [...untrue.map((row) => row.id), ...(fact.replaces ?? [])],
    fact.at,
  )
  return { kind: 'stored', memory, replaced }
}

/** The words by which a memory is found: what was said counts twice as much as what was said around it. */
export function memoryWords(
  words: Words,
  memory: {
    readonly text: string
    readonly original: string
    readonly context: string
    readonly happenedAt: Date
  },
  asker: Asker,
): string {
  const dates = readDates(memory.original, { now: memory.happenedAt, timeZone: asker.timeZone })
  return words.vector(
    [memory.text, memory.text, memory.original === memory.text ? '' : memory.original, memory.context].join(
      '\n',
    ),
    [...new Set([...dateKeys(memory.happenedAt, asker.timeZone), ...keysOf(dates, asker.timeZone)])],
  )
}

// The same statement, whatever its punctuation and capitals. Every word counts: "not" is one.
function plain(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

function keysOf(dates: readonly DateRange[], timeZone: string): string[] {
  return dates
    .filter((range) => range.hasDay)
    .flatMap((range) => [...rangeKeys(range, timeZone), ...dateKeys(range.start, timeZone)])
}

function nameSubject(fact: Fact, words: Words): Subject {
  return fact.subject ? { key: subjectKey(words, fact.subject), single: true } : subjectOf(fact.text, words)
}

// Two statements about one subject exclude each other when there can be only one, or when both give a time:
// "the demo is on 4 December" and "the demo is on 11 December".
function excludes(subject: Subject, old: string, fresh: string, asker: Asker, now: Date): boolean {
  if (subject.single) return true
  const hasTime = (text: string) =>
    readDates(text, { now, timeZone: asker.timeZone }).some((range) => range.grain !== 'year')
  return hasTime(old) && hasTime(fresh)
}

async function sameSubject(
  database: Database,
  asker: Asker,
  place: Place,
  scope: MemoryScope,
  subject: string,
): Promise<KnownRow[]> {
  return database.$queryRaw<KnownRow[]>`
    SELECT ${memoryColumns}, memory.source_id, memory.ordinal FROM memory
    WHERE memory.subject = ${subject} AND memory.status = 'active' AND ${sharesScope(asker, place, scope)}
    ORDER BY memory.id DESC LIMIT 50`
}

// A statement only replaces what lies in the same scope: a private one never changes what a team knows.
function sharesScope(asker: Asker, place: Place, scope: MemoryScope): Prisma.Sql {
  switch (scope) {
    case 'private':
      return Prisma.sql`memory.scope = 'private' AND memory.person_id = ${asker.personId}`
    case 'team':
      return sharedBy(place)
    case 'public':
      return Prisma.sql`memory.scope = 'public' AND memory.person_id = ${asker.personId}`
    default:
      return scope satisfies never
  }
}

async function sayAgain(database: Database, row: KnownRow, fact: Fact, now: Date): Promise<MemoryRecord> {
  const rows = await database.$queryRaw<MemoryRow[]>`
    UPDATE memory SET
      updated_at = ${now}::timestamptz,
      confidence = greatest(confidence, ${fact.confidence ?? 1}::float8),
      source = CASE WHEN ${fact.source} = 'said' THEN 'said'::memory_source ELSE source END
    WHERE id = ${row.id}
    RETURNING ${memoryColumns}`
  return readRecord(rows[0] ?? row)
}

async function insert(
  parts: MemoryParts,
  asker: Asker,
  place: Place,
  fact: Fact,
  made: {
    readonly dated: { readonly text: string; readonly dates: readonly DateRange[] }
    readonly subject: Subject
    readonly now: Date
    readonly vectors: readonly (Vector | undefined)[] | undefined
  },
): Promise<MemoryRecord | undefined> {
  const { dated, now, vectors } = made
  const by = classify(fact.text)
  const kind =
    fact.kind ?? (fact.category && fact.category !== by.category ? kindOfCategory(fact.category) : by.kind)
  const original = fact.original ?? fact.text
  const vector = vectors?.[0]
  const until = validUntil(fact.text, dated.dates)
  const id = parts.ids('mem')
  const words = memoryWords(
    parts.words,
    { text: dated.text, original, context: fact.context ?? '', happenedAt: fact.at },
    asker,
  )
  const rows = await parts.database.$queryRaw<MemoryRow[]>`
    WITH fresh AS (
      INSERT INTO memory (
        id, person_id, workspace, session_id, scope, kind, category, subject, text, original, context, source,
        source_id, ordinal, turn_id, happened_at, valid_from, valid_until, importance, confidence,
        embedding, embedding_model, words, created_at, updated_at
      ) VALUES (
        ${id}, ${asker.personId}, ${place.workspace}, ${place.sessionId ?? null}, ${fact.scope}::memory_scope,
        ${kind}::memory_kind, ${fact.category ?? by.category}::memory_category, ${made.subject.key}, ${dated.text},
        ${original}, ${fact.context ?? ''}, ${fact.source}::memory_source, ${fact.sourceId}, ${fact.ordinal},
        ${fact.turnId ?? null}, ${fact.at}::timestamptz, ${fact.at}::timestamptz, ${until ?? null}::timestamptz,
        ${fact.importance ?? by.importance}::float8, ${fact.confidence ?? 1}::float8,
        ${vector ? vectorLiteral(vector) : null}::vector, ${vectors ? parts.embedder.name : null}, ${words}::tsvector,
        ${now}::timestamptz, ${now}::timestamptz
      )
      ON CONFLICT (source_id, ordinal) DO NOTHING
      RETURNING *
    ),
    noted AS (
      INSERT INTO memory_revision (id, memory_id, version, change, text, by_person, created_at)
      SELECT ${parts.ids('rev')}, id, version, 'written', text, person_id, ${now}::timestamptz FROM fresh
    )
    SELECT ${memoryColumns} FROM fresh AS memory`
  if (rows[0]) return readRecord(rows[0])
  const earlier = await parts.database.$queryRaw<MemoryRow[]>`
    SELECT ${memoryColumns} FROM memory
    WHERE source_id = ${fact.sourceId} AND ordinal = ${fact.ordinal} AND status = 'active'
      AND person_id = ${asker.personId}`
  return earlier[0] ? readRecord(earlier[0]) : undefined
}

/** Marks memories as replaced by a newer one, and keeps them as history. Ids of others' private memories do nothing. */
async function supersede(
  parts: MemoryParts,
  asker: Asker,
  place: Place,
  by: string,
  ids: readonly string[],
  at: Date,
): Promise<MemoryRecord[]> {
  if (ids.length === 0) return []
  const now = parts.clock.now()
  const rows = await parts.database.$queryRaw<MemoryRow[]>`
    WITH gone AS (
      UPDATE memory SET status = 'superseded', superseded_by = ${by}, version = version + 1,
        valid_until = least(valid_until, greatest(valid_from, ${at}::timestamptz)), updated_at = ${now}::timestamptz
      WHERE id = ANY (${[...ids]}::text[]) AND id <> ${by} AND status = 'active'
        AND ${correctableBy(asker, place)}
      RETURNING *
    ),
    noted AS (
      INSERT INTO memory_revision (id, memory_id, version, change, text, by_person, created_at)
      SELECT ${revisionId}, id, version, 'superseded', text, ${asker.personId}, ${now}::timestamptz FROM gone AS memory
    )
    SELECT ${memoryColumns} FROM gone AS memory`
  return rows.map(readRecord)
}

/**
 * The id of a revision that a statement over many rows writes: made from the memory and its version, so
 * that it is unique without ids from outside.
 */
export const revisionId: Prisma.Sql = Prisma.sql`'rev_' || substr(memory.id, 5) || '_' || memory.version`

function kindOfCategory(category: MemoryCategory): MemoryKind {
  return category === 'task' || category === 'event' || category === 'decision' ? 'episodic' : 'semantic'
}

// "On leave until Friday" ends by itself.
function validUntil(text: string, dates: readonly DateRange[]): Date | undefined {
  const last = dates.find(
    ({ index, text: words }) =>
      /\b(?:until|till|through)\s+$/i.test(text.slice(0, index)) ||
      /^(?:until|till|through)\b/i.test(words) ||
      (/(?:直到|一直到|截至|到)$/.test(text.slice(0, index)) &&
        /^(?:之前|前|为止|结束)/.test(text.slice(index + words.length))),
  )
  return last?.end
}
