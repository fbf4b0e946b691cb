import type { DateRange } from '../search/dates.ts'
import { type Vector, vectorLiteral } from '../search/embedder.ts'
import type { Database } from '../store/client.ts'
import { Prisma } from '../store/prisma/client.ts'
import { correctableBy, sharedBy } from './access.ts'
import type { Fact, MemoryParts } from './fact.ts'
import { memoryWords } from './indexing.ts'
import {
  type Asker,
  type MemoryCategory,
  type MemoryKind,
  type MemoryRecord,
  type MemoryRow,
  type MemoryScope,
  memoryColumns,
  type Place,
  readRecord,
} from './record.ts'
import { classify } from './rules.ts'
import type { Subject } from './subject.ts'

/** A memory with what makes a repeated write of it harmless. */
export interface KnownRow extends MemoryRow {
  readonly source_id: string
  readonly ordinal: number
}

/** What holds about a subject, the newest first. */
export async function sameSubject(
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

/** A memory that was said once more. */
export async function sayAgain(
  database: Database,
  row: KnownRow,
  fact: Fact,
  now: Date,
): Promise<MemoryRecord> {
  const rows = await database.$queryRaw<MemoryRow[]>`
    UPDATE memory SET
      updated_at = ${now}::timestamptz,
      confidence = greatest(confidence, ${fact.confidence ?? 1}::float8),
      source = CASE WHEN ${fact.source} = 'said' THEN 'said'::memory_source ELSE source END
    WHERE id = ${row.id}
    RETURNING ${memoryColumns}`
  return readRecord(rows[0] ?? row)
}

/** Writes a memory, once for its source; nothing where that was settled before. */
export async function insert(
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
export async function supersede(
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
