// What a model request costs before the model is asked: reading the session in one statement and assembling the
// messages, for conversations of 10 to 10,000 messages, on the embedded database or on that of DATABASE_URL.
//
//   node bench/context.ts
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { createTokens } from '../src/model/tokens.ts'
import { assembleContext } from '../src/session/context.ts'
import { readSnapshot } from '../src/session/transcript.ts'
import { type Database, openClient } from '../src/store/client.ts'
import { freshDatabase } from '../test/support/database.ts'

/** What one size of conversation costs; times in ms, the middle of several. */
export interface ContextCost {
  /** Messages that the session holds in all. */
  readonly messages: number
  /** Those that are not in the summary and so are read. */
  readonly read: number
  readonly snapshotMs: number
  readonly assemblyMs: number
  /** Tokens of the request, as they were counted. */
  readonly tokens: number
}

/** The turns since the last summary: the most that a session has before it is summarised again. */
const turnsSinceSummary = 12

/** Measures sessions of these sizes. */
export async function measureContext(
  sizes: readonly number[] = [10, 100, 1_000, 10_000],
  rounds = 30,
): Promise<readonly ContextCost[]> {
  const fresh = await freshDatabase()
  const database = openClient(fresh.url)
  const client = new pg.Client({ connectionString: fresh.url })
  await client.connect()
  const tokens = createTokens()
  await tokens.load()
  try {
    await client.query(`INSERT INTO person (id, display_name) VALUES ('per_bench', 'Ann')`)
    const costs: ContextCost[] = []
    for (const messages of sizes) {
      const session = `sess_bench_${messages}`
      await fill(client, session, messages)
      costs.push(await costOf(database, session, messages, rounds, tokens.countTokens))
    }
    return costs
  } finally {
    await client.end()
    await database.$disconnect()
    await fresh.close()
  }
}

/** A conversation of questions and answers; every second answer came of a call. */
async function fill(client: pg.Client, session: string, messages: number): Promise<void> {
  const turns = Math.floor(messages / 2)
  const summarised = Math.max(0, messages - turnsSinceSummary * 2)
  await client.query(
    `INSERT INTO session (id, channel, workspace, room, thread, kind, seq, summary, summary_seq)
     VALUES ($1, 'web', 'local', 'web', $1, 'direct', $2, $3, $4)`,
    [session, messages, summarised > 0 ? '## Confirmed parameters\n- none'.padEnd(1_500) : null, summarised],
  )
  await client.query(
    `INSERT INTO turn (id, session_id, person_id, status, ended_at, learned_at)
     SELECT $1 || '_turn_' || lpad(n::text, 6, '0'), $1, 'per_bench', 'done', now(), now()
     FROM generate_series(1, $2::integer) n`,
    [session, turns],
  )
  await client.query(
    `INSERT INTO inbound_event (id, dedupe_key, session_id, person_id, kind, payload, status, taken_at)
     SELECT $1 || '_evt_' || lpad(n::text, 6, '0'), $1 || n, $1, 'per_bench', 'message', '{"text":"hello"}', 'taken', now()
     FROM generate_series(1, $2::integer) n`,
    [session, turns],
  )
  await client.query(
    `INSERT INTO message (id, session_id, seq, turn_id, role, person_id, text)
     SELECT $1 || '_msg_' || lpad(n::text, 6, '0'), $1, n, $1 || '_turn_' || lpad(((n + 1) / 2)::text, 6, '0'),
       CASE WHEN n % 2 = 1 THEN 'user' ELSE 'assistant' END::message_role, CASE WHEN n % 2 = 1 THEN 'per_bench' END,
       'Message ' || n || ' of this conversation. ' || repeat('It says something of some length. ', 1 + n % 12)
     FROM generate_series(1, $2::integer) n`,
    [session, turns * 2],
  )
  await client.query(
    `INSERT INTO tool_call (id, session_id, turn_id, message_id, person_id, position, provider_id, tool, effect,
       idempotent, arguments, arguments_hash, definition_hash, status, result_text, ended_at)
     SELECT $1 || '_call_' || lpad(n::text, 6, '0'), $1, $1 || '_turn_' || lpad(n::text, 6, '0'),
       $1 || '_msg_' || lpad((n * 2)::text, 6, '0'), 'per_bench', 0, 'p', 'list_tickets', 'read', true, '{}', 'h', 'h',
       'succeeded', repeat('A line of a result. ', 40), now()
     FROM generate_series(2, $2::integer, 2) n`,
    [session, turns],
  )
  await client.query('ANALYZE')
}

async function costOf(
  database: Database,
  session: string,
  messages: number,
  rounds: number,
  count: (text: string) => number,
): Promise<ContextCost> {
  const snapshotTimes: number[] = []
  const assemblyTimes: number[] = []
  let read = 0
  let used = 0
  for (let round = 0; round < rounds + 3; round++) {
    const began = performance.now()
    const snapshot = await readSnapshot(database, session)
    const between = performance.now()
    if (!snapshot) throw new Error(`There is no session ${session}.`)
    const { tokens } = assembleContext(
      snapshot,
      {
        rules: 'Be brief. '.repeat(100),
        abilities: '',
        state: 'State: done.',
        memories: [],
        toolTokens: 2_000,
      },
      { window: 32_768, inputShare: 0.5, toolResultShare: 0.2, memoryShare: 0.1, systemTokens: 4_000 },
      count,
    )
    const ended = performance.now()
    // The first ones warm up what every process warms up once.
    if (round < 3) continue
    snapshotTimes.push(between - began)
    assemblyTimes.push(ended - between)
    read = snapshot.messages.length
    used = tokens.input
  }
  return {
    messages,
    read,
    snapshotMs: middle(snapshotTimes),
    assemblyMs: middle(assemblyTimes),
    tokens: used,
  }
}

function middle(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
}

/** The figures as a table to read. */
export function showContextCost(costs: readonly ContextCost[]): string {
  return [
    'messages    read   snapshot   assembly   tokens',
    ...costs.map(
      ({ messages, read, snapshotMs, assemblyMs, tokens }) =>
        `${String(messages).padStart(8)}${String(read).padStart(8)}${`${snapshotMs.toFixed(2)} ms`.padStart(11)}${`${assemblyMs.toFixed(2)} ms`.padStart(11)}${String(tokens).padStart(9)}`,
    ),
  ].join('\n')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(showContextCost(await measureContext()))
