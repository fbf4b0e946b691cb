import { vectorLiteral } from '../search/embedder.ts'
import { fuse, type MatchRow, matchesIn, readMatches } from '../search/fused.ts'
import { Prisma } from '../store/prisma/client.ts'
import { current, ownedBy, readableBy } from './access.ts'
import type { MemoryParts } from './fact.ts'
import { memoryWords } from './indexing.ts'
import { bearing } from './recall.ts'
import {
  type Asker,
  type MemoryRecord,
  type MemoryRow,
  memoryColumns,
  type Place,
  readRecord,
} from './record.ts'
import { revisionId } from './rows.ts'

/** For so long a forgotten memory can be brought back; then its content is erased. */
export const undoMs = 10 * 60_000

/** What to look for before forgetting: a description, exact ids, or everything the person has. */
export interface ForgetPreviewRequest {
  readonly asker: Asker
  readonly place: Place
  readonly what: { readonly query: string } | { readonly ids: readonly string[] } | 'everything'
  readonly limit?: number
  readonly signal?: AbortSignal
}

/** What would be forgotten. */
export interface ForgetPreview {
  readonly candidates: readonly MemoryRecord[]
  /** More that fit but must not be shown in this place, since others read here. */
  readonly hidden: number
}

const embedMs = 2_000

/** The asker's own memories that a description fits, the best first. Nothing is changed. */
export async function forgetPreview(
  parts: MemoryParts,
  request: ForgetPreviewRequest,
): Promise<ForgetPreview> {
  const { what, asker, place } = request
  const limit = request.limit ?? 10
  const now = parts.clock.now()
  const ids =
    what === 'everything'
      ? undefined
      : 'ids' in what
        ? [...what.ids]
        : await fitting(parts, asker, what.query.slice(0, 1_000), now, request.signal)
  const rows = await parts.database.$queryRaw<(MemoryRow & { readable: boolean })[]>`
    SELECT ${memoryColumns}, ${readableBy(asker, place)} AS readable FROM memory
    WHERE ${ownedBy(asker)} AND memory.status = 'active'
      AND (${ids === undefined}::boolean OR memory.id = ANY (${ids ?? []}::text[]))
    ORDER BY array_position(${ids ?? []}::text[], memory.id), memory.happened_at DESC`
  const readable = rows.filter((row) => row.readable)
  return { candidates: readable.slice(0, limit).map(readRecord), hidden: rows.length - readable.length }
}

/** A memory that has just been forgotten. */
export interface Forgotten {
  readonly id: string
  readonly text: string
  readonly original: string
  readonly sessionId?: string
}

/**
 * Forgets memories of the asker, with everything they had replaced; others' ids do nothing. From this moment
 * no search, list or answer reaches them. For ten minutes `restore` can bring them back, then `purge` erases
 * what is left of their content.
 */
export async function forget(parts: MemoryParts, asker: Asker, ids: readonly string[]): Promise<Forgotten[]> {
  await purge(parts)
  const now = parts.clock.now()
  const rows = await parts.database.$queryRaw<
    { id: string; text: string; original: string; session_id: string | null; asked: boolean }[]
  >`
    WITH RECURSIVE chain AS (
      SELECT memory.id FROM memory
      WHERE memory.id = ANY (${[...ids]}::text[]) AND ${ownedBy(asker)} AND memory.status <> 'forgotten'
      UNION
      -- Earlier statements of the same thing say what is to be forgotten, too.
      SELECT memory.id FROM memory JOIN chain ON memory.superseded_by = chain.id
      WHERE ${ownedBy(asker)} AND memory.status <> 'forgotten'
    ),
    gone AS (
      UPDATE memory SET status = 'forgotten', forgotten_at = ${now}::timestamptz, words = NULL, embedding = NULL,
        embedding_model = NULL, version = memory.version + 1, updated_at = ${now}::timestamptz
      FROM chain WHERE memory.id = chain.id
      RETURNING memory.*
    ),
    noted AS (
      INSERT INTO memory_revision (id, memory_id, version, change, by_person, created_at)
      SELECT ${revisionId}, id, version, 'forgotten', ${asker.personId}, ${now}::timestamptz FROM gone AS memory
    )
    SELECT id, text, original, session_id, id = ANY (${[...ids]}::text[]) AS asked FROM gone ORDER BY id DESC`
  return rows.map((row) => ({
    id: row.id,
    text: row.text,
    original: row.original,
    ...(row.session_id ? { sessionId: row.session_id } : {}),
  }))
}

/** Brings back what the asker has forgotten within the last ten minutes. */
export async function restore(
  parts: MemoryParts,
  asker: Asker,
  ids: readonly string[],
): Promise<MemoryRecord[]> {
  const now = parts.clock.now()
  const rows = await parts.database.$queryRaw<(MemoryRow & { context: string })[]>`
    WITH RECURSIVE chain AS (
      SELECT memory.id FROM memory WHERE memory.id = ANY (${[...ids]}::text[]) AND ${isUndoable(asker, now)}
      UNION
      SELECT memory.id FROM memory JOIN chain ON memory.superseded_by = chain.id WHERE ${isUndoable(asker, now)}
    ),
    back AS (
      UPDATE memory SET forgotten_at = NULL, version = memory.version + 1, updated_at = ${now}::timestamptz,
        status = CASE WHEN superseded_by IS NULL THEN 'active'::memory_status ELSE 'superseded'::memory_status END
      FROM chain WHERE memory.id = chain.id
      RETURNING memory.*
    ),
    noted AS (
      INSERT INTO memory_revision (id, memory_id, version, change, text, by_person, created_at)
      SELECT ${revisionId}, id, version, 'restored', text, ${asker.personId}, ${now}::timestamptz FROM back AS memory
    )
    SELECT ${memoryColumns}, memory.context FROM back AS memory`
  for (const row of rows) await index(parts, asker, row)
  return rows.map(readRecord).filter((record) => record.status === 'active')
}

/** Erases the content of what was forgotten longer ago than the time to undo. Returns how many. */
export async function purge(parts: MemoryParts): Promise<number> {
  const before = new Date(parts.clock.now().getTime() - undoMs)
  const [erased] = await parts.database.$queryRaw<{ count: number }[]>`
    WITH erased AS (
      UPDATE memory SET text = '', original = '', context = '', subject = '', words = NULL, embedding = NULL
      WHERE status = 'forgotten' AND forgotten_at <= ${before}::timestamptz AND (text <> '' OR original <> '')
      RETURNING id
    ),
    cleared AS (
      UPDATE memory_revision SET text = NULL FROM erased WHERE memory_revision.memory_id = erased.id
    )
    SELECT count(*)::int AS count FROM erased`
  return erased?.count ?? 0
}

/**
 * Undoes a writing: the asker's memories are erased at once, and what they had replaced holds again.
 * Returns the memories that hold again.
 */
export async function takeBack(
  parts: MemoryParts,
  asker: Asker,
  ids: readonly string[],
): Promise<MemoryRecord[]> {
  const now = parts.clock.now()
  const rows = await parts.database.$queryRaw<MemoryRow[]>`
    WITH gone AS (
      UPDATE memory SET status = 'forgotten', forgotten_at = ${now}::timestamptz, text = '', original = '',
        context = '', subject = '', words = NULL, embedding = NULL, embedding_model = NULL, version = version + 1,
        updated_at = ${now}::timestamptz
      WHERE id = ANY (${[...ids]}::text[]) AND status = 'active' AND ${ownedBy(asker)}
      RETURNING id, version
    ),
    cleared AS (
      UPDATE memory_revision SET text = NULL FROM gone WHERE memory_revision.memory_id = gone.id
    ),
    back AS (
      UPDATE memory SET status = 'active', superseded_by = NULL, valid_until = NULL, version = memory.version + 1,
        updated_at = ${now}::timestamptz
      FROM gone WHERE memory.superseded_by = gone.id AND memory.status = 'superseded'
      RETURNING memory.*
    ),
    noted AS (
      INSERT INTO memory_revision (id, memory_id, version, change, text, by_person, created_at)
      SELECT ${revisionId}, id, version, 'forgotten', NULL, ${asker.personId}, ${now}::timestamptz FROM gone AS memory
      UNION ALL
      SELECT ${revisionId}, id, version, 'restored', text, ${asker.personId}, ${now}::timestamptz FROM back AS memory
    )
    SELECT ${memoryColumns} FROM back AS memory`
  return rows.map(readRecord)
}

async function fitting(
  parts: MemoryParts,
  asker: Asker,
  query: string,
  now: Date,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const vectors = await parts.embedder.embed([query], { limitMs: embedMs, signal })
  const rows = await parts.database.$queryRaw<MatchRow[]>(
    matchesIn(
      Prisma.sql`
        SELECT memory.id, memory.words, memory.embedding, memory.embedding_model FROM memory
        WHERE ${ownedBy(asker)} AND ${current(now)}`,
      { words: parts.words.query(query), vector: vectors?.[0], embeddingModel: parts.embedder.name },
      30,
    ),
  )
  return bearing(fuse(readMatches(rows)), parts.embedder.alike).map((match) => match.id)
}

function isUndoable(asker: Asker, now: Date): Prisma.Sql {
  return Prisma.sql`${ownedBy(asker)} AND memory.status = 'forgotten' AND memory.text <> ''
    AND memory.forgotten_at > ${new Date(now.getTime() - undoMs)}::timestamptz`
}

// What was forgotten has left the index at once; coming back, it is indexed anew.
async function index(parts: MemoryParts, asker: Asker, row: MemoryRow & { context: string }): Promise<void> {
  const vectors = await parts.embedder.embed([row.text], { limitMs: embedMs })
  const vector = vectors?.[0]
  const words = memoryWords(
    parts.words,
    { text: row.text, original: row.original, context: row.context, happenedAt: row.happened_at },
    asker,
  )
  await parts.database.$executeRaw`
    UPDATE memory SET words = ${words}::tsvector, embedding = ${vector ? vectorLiteral(vector) : null}::vector,
      embedding_model = ${vectors ? parts.embedder.name : null}
    WHERE id = ${row.id} AND status <> 'forgotten'`
}
