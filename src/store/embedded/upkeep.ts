import { framesOf, simpleQuery } from './frames.ts'

/** Runs messages on the backend. */
type Run = (messages: Buffer) => Promise<Buffer>

/**
 * What PostgreSQL's background processes do elsewhere and the embedded engine, which is one thread, has
 * nobody for: without checkpoints its log grows for ever and is replayed as a whole at the next start
 * (also after a clean end); without vacuum and analyze its tables grow and its plans go by no statistics.
 * One statement a call, so that clients wait for no more; true while there may be more to do.
 */
export async function upkeep(run: Run): Promise<boolean> {
  const [log] = rowsOf(await run(simpleQuery(logSize)))
  if (Number(log) > maxLogBytes) {
    await checkpoint(run)
    return true
  }
  const [table] = rowsOf(await run(simpleQuery(dueTable)))
  if (!table) return false
  // A table whose vacuum fails would be the most due one again and again.
  return !failed(await run(simpleQuery(`VACUUM (ANALYZE) ${table}`)))
}

/** Writes all changes to their files, so that the log so far is not needed any more. */
export async function checkpoint(run: Run): Promise<void> {
  await run(simpleQuery('CHECKPOINT'))
}

const maxLogBytes = 32 * 1024 * 1024
const logSize = `SELECT pg_current_wal_lsn() - redo_lsn FROM pg_control_checkpoint()`

// The thresholds are autovacuum's own defaults.
// https://www.postgresql.org/docs/18/routine-vacuuming.html#AUTOVACUUM
const dueTable = `
  SELECT format('%I.%I', schemaname, relname)
  FROM pg_stat_all_tables
  WHERE schemaname NOT LIKE 'pg\\_t%' AND schemaname <> 'information_schema'
    AND (n_dead_tup > 50 + 0.2 * n_live_tup
      OR n_mod_since_analyze > 50 + 0.1 * n_live_tup
      OR n_ins_since_vacuum > 1000 + 0.2 * n_live_tup)
  ORDER BY n_dead_tup DESC, relname
  LIMIT 1`

// A DataRow of one column: after the header, a count (2 bytes) and a length (4 bytes), the value.
function rowsOf(answer: Buffer): string[] {
  return [...framesOf(answer)]
    .filter(({ type }) => type === 'D')
    .map(({ frame }) => frame.toString('utf8', 11))
}

const failed = (answer: Buffer) => [...framesOf(answer)].some(({ type }) => type === 'E')
