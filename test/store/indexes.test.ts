import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase, type TestDatabase } from '../support/database.ts'

let database: TestDatabase
let client: pg.Client

// One long session among others, in which hardly a call is open and hardly a result has aged out.
beforeAll(async () => {
  database = await freshDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query(`
    INSERT INTO person (id, display_name) VALUES ('per', 'Ann');
    INSERT INTO session (id, channel, workspace, room, thread, kind)
      SELECT 'sess_' || s, 'web', 'local', 'web', s::text, 'direct' FROM generate_series(1, 20) s;
    INSERT INTO turn (id, session_id, person_id, status) SELECT 'turn_' || s, 'sess_' || s, 'per', 'done' FROM generate_series(1, 20) s;
    INSERT INTO message (id, session_id, seq, role, text) SELECT 'msg_' || s, 'sess_' || s, 1, 'assistant', '' FROM generate_series(1, 20) s;
    INSERT INTO tool_call (id, session_id, turn_id, message_id, person_id, position, provider_id, tool, effect, idempotent,
        arguments, arguments_hash, definition_hash, status)
      SELECT 'call_' || n, 'sess_' || s, 'turn_' || s, 'msg_' || s, 'per', n, 'p', 'list_tickets', 'read', true, '{}', 'h', 'h',
        CASE WHEN n % 2000 = 0 THEN 'proposed' ELSE 'succeeded' END::call_status
      FROM (SELECT n, n % 20 + 1 AS s FROM generate_series(1, 20000) n) numbered;
    INSERT INTO stored_result (id, session_id, media_type, text, tokens, expires_at)
      SELECT 'ref_' || n, 'sess_1', 'text/plain', repeat('word ', 100), 100,
        now() + CASE WHEN n % 2000 = 0 THEN -1 ELSE n END * interval '1 minute'
      FROM generate_series(1, 10000) n;
    ANALYZE;`)
}, 60_000)
afterAll(async () => {
  await client.end()
  await database.close()
})

// The conditions of the statements in session/transcript.ts, jobs/sweep.ts and tools/builtin/results.ts.
test.each([
  [
    "SELECT * FROM tool_call c WHERE c.session_id = 'sess_1' AND c.status IN ('proposed', 'approved', 'executing', 'unknown')",
    'tool_call_unsettled',
  ],
  ["SELECT session_id FROM tool_call WHERE status IN ('approved', 'executing')", 'tool_call_unsettled'],
  ['DELETE FROM stored_result WHERE expires_at <= now()', 'stored_result_expires_at_idx'],
])('%s goes by an index', async (statement, index) => {
  const { rows } = await client.query(`EXPLAIN ${statement}`)
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain(index)
})
