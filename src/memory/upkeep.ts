import { type Vector, vectorLiteral } from '../search/embedder.ts'
import { archive } from './archive.ts'
import { credibility, doubtfulBelow, recency } from './credibility.ts'
import type { MemoryParts } from './fact.ts'
import { purge } from './forget.ts'
import { type MemoryRow, memoryColumns, readRecord } from './record.ts'

/** What upkeep did. */
export interface Upkeep {
  /** Forgotten ones whose content was erased. */
  readonly erased: number
  /** Old, unused and unimportant ones, and those whose time is over. */
  readonly archived: number
  /** Values whose life span is over. */
  readonly expired: number
}

const archiveBatch = 500
const unusedBelow = 0.1
const unimportantBelow = 0.7

/** Erases what was forgotten, archives what is old, unused and unimportant, and drops expired values. */
export async function upkeep(parts: MemoryParts): Promise<Upkeep> {
  const now = parts.clock.now()
  const erased = await purge(parts)
  const rows = await parts.database.$queryRaw<(MemoryRow & { over: boolean })[]>`
    SELECT ${memoryColumns}, coalesce(memory.valid_until <= ${now}::timestamptz, false)
      OR coalesce(memory.expires_at <= ${now}::timestamptz, false) AS over
    FROM memory
    WHERE memory.status = 'active'
      AND (memory.valid_until <= ${now}::timestamptz OR memory.expires_at <= ${now}::timestamptz
        OR memory.updated_at < ${new Date(now.getTime() - 60 * 86_400_000)}::timestamptz)
    ORDER BY memory.updated_at LIMIT ${archiveBatch}`
  const worn = rows.filter((row) => {
    const record = readRecord(row)
    return (
      row.over ||
      (credibility(record, now) < doubtfulBelow &&
        recency(record, now) < unusedBelow &&
        record.importance < unimportantBelow)
    )
  })
  const archived = await archive(
    parts,
    worn.map((row) => row.id),
  )
  const expired = await parts.database.$executeRaw`DELETE FROM state WHERE expires_at <= ${now}::timestamptz`
  return { erased, archived, expired }
}

const encodeBatch = 32
const encodeMs = 60_000

/**
 * Gives every active memory a vector of the present embedder, in batches, until all have one, the embedder
 * fails or the signal fires. Safe to run in several processes. Returns how many were done, and whether any
 * are left.
 */
export async function reembed(
  parts: MemoryParts,
  signal?: AbortSignal,
): Promise<{ readonly done: number; readonly left: boolean }> {
  let done = 0
  let last = ''
  while (!signal?.aborted) {
    const rows = await parts.database.$queryRaw<{ id: string; text: string; version: number }[]>`
      SELECT id, text, version FROM memory
      WHERE status = 'active' AND id > ${last} AND embedding_model IS DISTINCT FROM ${parts.embedder.name}
      ORDER BY id LIMIT ${encodeBatch}`
    if (rows.length === 0) return { done, left: false }
    const vectors = await parts.embedder.embed(
      rows.map((row) => row.text),
      { limitMs: encodeMs, signal },
    )
    if (!vectors) return { done, left: true }
    await store(parts, rows, vectors)
    done += rows.length
    last = rows.at(-1)?.id ?? last
  }
  return { done, left: true }
}

// The version guards against text that was corrected or forgotten while it was being encoded. A text that
// the embedder has no vector for still gets its name, so that it isn't tried again and again.
async function store(
  parts: MemoryParts,
  rows: readonly { id: string; version: number }[],
  vectors: readonly (Vector | undefined)[],
): Promise<void> {
  const literals = vectors.map((vector) => (vector ? vectorLiteral(vector) : null))
  await parts.database.$executeRaw`
    UPDATE memory SET embedding = fresh.vector::vector, embedding_model = ${parts.embedder.name}
    FROM unnest(
      ${rows.map((row) => row.id)}::text[], ${rows.map((row) => row.version)}::int[], ${literals}::text[]
    ) AS fresh (id, version, vector)
    WHERE memory.id = fresh.id AND memory.version = fresh.version AND memory.status = 'active'`
}
