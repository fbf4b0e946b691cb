import { correctableBy } from './access.ts'
import type { MemoryParts, Written } from './fact.ts'
import {
  type Asker,
  type MemoryRecord,
  type MemoryRow,
  memoryColumns,
  type Place,
  readRecord,
} from './record.ts'
import { revisionId } from './rows.ts'
import { isSecret } from './secrets.ts'
import { languageOf, type Refusal, refusalSentence } from './sentences.ts'
import { writeFact } from './write.ts'

/** "That's wrong": a memory is void, and perhaps another statement holds instead. */
export interface CorrectRequest {
  readonly asker: Asker
  readonly place: Place
  readonly id: string
  /** What is right; without it the memory is only void. */
  readonly text?: string
  readonly sourceId: string
  readonly turnId?: string
  readonly signal?: AbortSignal
}

/** What became of a correction. */
export type Corrected =
  | { readonly kind: 'replaced'; readonly old: MemoryRecord; readonly memory: MemoryRecord }
  | { readonly kind: 'voided'; readonly old: MemoryRecord }
  | { readonly kind: 'refused'; readonly reason: Refusal; readonly sentence: string }
  /** There is no such memory, or it isn't this person's to correct. */
  | { readonly kind: 'not-found' }

/** Corrects a memory of the asker, or one that the asker's team knows together. */
export async function correct(parts: MemoryParts, request: CorrectRequest): Promise<Corrected> {
  const { asker, place } = request
  if (request.text !== undefined && isSecret(request.text)) {
    const language = asker.language ?? languageOf(request.text)
    return { kind: 'refused', reason: 'secret', sentence: refusalSentence('secret', language) }
  }
  const rows = await parts.database.$queryRaw<MemoryRow[]>`
    SELECT ${memoryColumns} FROM memory
    WHERE memory.id = ${request.id} AND memory.status IN ('active', 'archived') AND ${correctableBy(asker, place)}`
  if (!rows[0]) return { kind: 'not-found' }
  const old = readRecord(rows[0])
  const text = request.text?.trim()
  if (!text) {
    await voidMemory(parts, asker, place, request.id, undefined)
    return { kind: 'voided', old }
  }
  const written = await write(parts, request, old, text)
  if (written.kind === 'settled') return { kind: 'not-found' }
  // When the right statement was known already, the wrong one must still go.
  if (written.memory.id !== old.id) await voidMemory(parts, asker, place, old.id, written.memory.id)
  return { kind: 'replaced', old, memory: written.memory }
}

function write(
  parts: MemoryParts,
  request: CorrectRequest,
  old: MemoryRecord,
  text: string,
): Promise<Written> {
  return writeFact(
    parts,
    request.asker,
    request.place,
    {
      text,
      source: 'said',
      sourceId: request.sourceId,
      ordinal: 0,
      turnId: request.turnId,
      at: parts.clock.now(),
      scope: old.scope,
      kind: old.kind,
      category: old.category,
      importance: old.importance,
      replaces: [old.id],
    },
    request.signal,
  )
}

async function voidMemory(
  parts: MemoryParts,
  asker: Asker,
  place: Place,
  id: string,
  by: string | undefined,
): Promise<void> {
  const now = parts.clock.now()
  await parts.database.$executeRaw`
    WITH void AS (
      UPDATE memory SET status = 'archived', confidence = 0, superseded_by = ${by ?? null}, version = version + 1, valid_until = ${now}::timestamptz,
        updated_at = ${now}::timestamptz
      WHERE id = ${id} AND status = 'active' AND ${correctableBy(asker, place)}
      RETURNING id, version, text
    )
    INSERT INTO memory_revision (id, memory_id, version, change, text, by_person, created_at)
    SELECT ${revisionId}, id, version, 'corrected', text, ${asker.personId}, ${now}::timestamptz FROM void AS memory`
}
