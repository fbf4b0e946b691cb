import type { MemoryParts } from './fact.ts'
import { revisionId } from './rows.ts'

/** Takes memories out of use and keeps them as history. */
export async function archive(parts: MemoryParts, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0
  const now = parts.clock.now()
  return parts.database.$executeRaw`
    WITH gone AS (
      UPDATE memory SET status = 'archived', version = version + 1, updated_at = ${now}::timestamptz
      WHERE id = ANY (${[...ids]}::text[]) AND status = 'active'
      RETURNING id, version, text
    )
    INSERT INTO memory_revision (id, memory_id, version, change, text, created_at)
    SELECT ${revisionId}, id, version, 'archived', text, ${now}::timestamptz FROM gone AS memory`
}
