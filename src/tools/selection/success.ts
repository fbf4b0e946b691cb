import type { Clock } from '../../base/clock.ts'
import type { Database } from '../../store/client.ts'

/** How often calls of a tool went well in the last 30 days, 0 to 1; 1 where it was hardly called. */
export type SuccessRates = () => ReadonlyMap<string, number>

const days = 30
/** ms between two looks at the ledger. */
const keptMs = 10 * 60_000
/** As if each tool had gone well so often before: a single failure says little. */
const trust = 5

/**
 * Reads the ledger now and then, aside from any turn: a turn gets what was known last. A ledger that can't be read
 * says nothing about tools.
 */
export function createSuccessRates(parts: { db: Database; clock: Clock }): SuccessRates {
  let rates: ReadonlyMap<string, number> = new Map()
  let readAt = Number.NEGATIVE_INFINITY
  const read = async () => {
    const since = new Date(parts.clock.now().getTime() - days * 86_400_000)
    const rows = await parts.db.$queryRaw<{ tool: string; good: number; all: number }[]>`
      SELECT tool, count(*) FILTER (WHERE status = 'succeeded')::int AS good, count(*)::int AS all
      FROM tool_call WHERE created_at > ${since} AND status IN ('succeeded', 'failed', 'unknown') GROUP BY tool`
    rates = new Map(rows.map(({ tool, good, all }) => [tool, (good + trust) / (all + trust)]))
  }
  return () => {
    const now = parts.clock.monotonic()
    if (now - readAt > keptMs) {
      readAt = now
      read().catch(() => {})
    }
    return rates
  }
}
