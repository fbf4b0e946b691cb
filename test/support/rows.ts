import pg from 'pg'
import { pause } from '../../src/base/wait.ts'
import { runningUrl } from '../../src/store/running.ts'

/** A look into the database of a running app. */
export interface Rows {
  query<T extends pg.QueryResultRow>(sql: string, ...values: readonly unknown[]): Promise<T[]>
  /** Resolves when nothing is left to do: no event untaken, no turn or call running, nothing half sent. */
  quiet(limitMs?: number): Promise<void>
  close(): Promise<void>
}

/** Opens a connection beside the app's own. */
export async function openRows(home: string): Promise<Rows> {
  const url = runningUrl(home)
  if (url === undefined) throw new Error('No app runs on that folder.')
  return openRowsOf(url)
}

/** Opens a connection to a database. */
export async function openRowsOf(url: string): Promise<Rows> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const query = async <T extends pg.QueryResultRow>(sql: string, ...values: readonly unknown[]) =>
    (await client.query<T>(sql, [...values])).rows
  return {
    query,
    async quiet(limitMs = 20_000) {
      const end = performance.now() + limitMs
      for (;;) {
        const [row] = await query<{ left: string }>(`
          SELECT concat_ws(', ', e.n || ' events', t.n || ' turns', c.n || ' calls', d.n || ' deliveries') AS left,
            e.n + t.n + c.n + d.n AS n
          FROM (SELECT count(*) AS n FROM inbound_event WHERE status = 'new') e,
            (SELECT count(*) AS n FROM turn WHERE status = 'running' OR (status = 'waiting' AND NOT EXISTS (
              SELECT 1 FROM tool_call o WHERE o.turn_id = turn.id
                AND o.status IN ('proposed', 'unknown', 'approved', 'executing')))) t,
            (SELECT count(*) AS n FROM tool_call WHERE status IN ('approved', 'executing')) c,
            (SELECT count(*) AS n FROM delivery WHERE status = 'sending') d`)
        if (row && /^0 events, 0 turns, 0 calls, 0 deliveries$/.test(row.left)) return
        if (performance.now() > end) throw new Error(`After ${limitMs} ms there is still: ${row?.left}`)
        await pause(30)
      }
    },
    close: () => client.end(),
  }
}
