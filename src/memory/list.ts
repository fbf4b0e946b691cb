import { current, ownedBy, readableBy } from './access.ts'
import type { MemoryParts } from './fact.ts'
import {
  type Asker,
  type MemoryRecord,
  type MemoryRow,
  memoryColumns,
  type Place,
  readRecord,
} from './record.ts'

/** Which of their memories a person wants to see. */
export interface ListRequest {
  readonly asker: Asker
  readonly place: Place
  /** Default 20. */
  readonly limit?: number
  /** The id of the last one seen; the list goes from new to old. */
  readonly before?: string
}

/** A page of a person's own memories. */
export interface MemoryList {
  readonly memories: readonly MemoryRecord[]
  /** Of all that may be shown here. */
  readonly total: number
  /** Private ones that are not shown, since others read here. */
  readonly hidden: number
}

/** A person's own memories, the newest first, as far as this place may show them. */
export async function list(parts: MemoryParts, request: ListRequest): Promise<MemoryList> {
  const { asker, place } = request
  const now = parts.clock.now()
  const [counts] = await parts.database.$queryRaw<{ total: number; hidden: number }[]>`
    SELECT count(*) FILTER (WHERE ${readableBy(asker, place)})::int AS total,
      count(*) FILTER (WHERE NOT ${readableBy(asker, place)})::int AS hidden
    FROM memory WHERE ${ownedBy(asker)} AND ${current(now)}`
  const rows = await parts.database.$queryRaw<MemoryRow[]>`
    SELECT ${memoryColumns} FROM memory
    WHERE ${ownedBy(asker)} AND ${current(now)} AND ${readableBy(asker, place)}
      AND (${request.before ?? null}::text IS NULL OR memory.id < ${request.before ?? null}::text)
    ORDER BY memory.id DESC LIMIT ${request.limit ?? 20}`
  return { memories: rows.map(readRecord), total: counts?.total ?? 0, hidden: counts?.hidden ?? 0 }
}

/** Memories by id, as far as the asker may read them here; for "why" behind an answer. */
export async function byIds(
  parts: MemoryParts,
  asker: Asker,
  place: Place,
  ids: readonly string[],
): Promise<MemoryRecord[]> {
  const rows = await parts.database.$queryRaw<MemoryRow[]>`
    SELECT ${memoryColumns} FROM memory
    WHERE memory.id = ANY (${[...ids]}::text[]) AND memory.status <> 'forgotten' AND ${readableBy(asker, place)}
    ORDER BY array_position(${[...ids]}::text[], memory.id)`
  return rows.map(readRecord)
}

/** Everything that is kept of a person, with what was replaced, for them to take along. */
export async function exportAll(parts: MemoryParts, asker: Asker): Promise<MemoryRecord[]> {
  const rows = await parts.database.$queryRaw<MemoryRow[]>`
    SELECT ${memoryColumns} FROM memory WHERE ${ownedBy(asker)} AND memory.status <> 'forgotten' ORDER BY memory.id`
  return rows.map(readRecord)
}
