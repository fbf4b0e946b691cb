import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCompacting } from '../../src/agent/thinking/compacting.ts'
import { systemClock } from '../../src/base/clock.ts'
import { createIds } from '../../src/base/ids.ts'
import { createOfflineModel } from '../../src/model/offline.ts'
import { createTokens } from '../../src/model/tokens.ts'
import { silentLog } from '../../src/observe/log.ts'
import { type Database, openClient } from '../../src/store/client.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'

describe('summarising beside the conversation', { timeout: 60_000 }, () => {
  let fresh: TestDatabase
  let client: pg.Client
  let db: Database
  let compact: ReturnType<typeof createCompacting>
  let parts: Parameters<typeof createCompacting>[0]

  beforeAll(async () => {
    fresh = await freshDatabase()
    client = new pg.Client({ connectionString: fresh.url })
    await client.connect()
    await client.query(`INSERT INTO person (id, display_name) VALUES ('per_ann', 'Ann')`)
    db = openClient(fresh.url)
    const tokens = createTokens()
    const model = createOfflineModel({ tokens })
    parts = {
      db,
      ids: createIds(),
      clock: systemClock,
      log: silentLog,
      modelOf: () => model,
      count: tokens.countTokens,
      inputShare: 0.5,
      instructions: 'Summarise.',
      isOver: async () => false,
      charge: (_, work) => work(),
    }
    compact = createCompacting(parts)
  }, 60_000)
  afterAll(async () => {
    await client?.end()
    await db?.$disconnect()
    await fresh?.close()
  })

  /** A session whose turns have `perTurn` messages of Ann each. */
  async function session(id: string, turns: number, perTurn: number): Promise<void> {
    await client.query(
      `INSERT INTO session (id, channel, workspace, room, thread, kind, seq) VALUES ($1, 'web', 'local', 'web', $1, 'direct', $2)`,
      [id, turns * perTurn],
    )
    await client.query(
      `INSERT INTO turn (id, session_id, person_id, status, ended_at) SELECT $1 || '_turn_' || lpad(n::text, 3, '0'), $1, 'per_ann', 'done', now()
       FROM generate_series(1, $2::integer) n`,
      [id, turns],
    )
    await client.query(
      `INSERT INTO message (id, session_id, seq, turn_id, role, person_id, text)
       SELECT $1 || '_msg_' || lpad(n::text, 4, '0'), $1, n, $1 || '_turn_' || lpad(((n - 1) / $3::integer + 1)::text, 3, '0'), 'user', 'per_ann', 'Item ' || n || ' of the list'
       FROM generate_series(1, $2::integer) n`,
      [id, turns * perTurn, perTurn],
    )
  }

  const stateOf = async (id: string) => {
    const { rows } = await client.query<{ summary: string | null; upto: number; original: string | null }>(
      `SELECT s.summary, s.summary_seq AS upto, (SELECT text FROM stored_result WHERE session_id = s.id) AS original
       FROM session s WHERE s.id = $1`,
      [id],
    )
    return rows[0]!
  }

  it('keeps all that a burst brought in the original, also what no request could hold', async () => {
    await session('sess_burst', 6, 60)
    // Long enough to be due: six turns alone are not.
    await client.query(
      `UPDATE message SET text = text || repeat(' and more of it', 60) WHERE session_id = 'sess_burst'`,
    )
    await compact('sess_burst')
    const { summary, upto, original } = await stateOf('sess_burst')
    expect(upto).toBeGreaterThanOrEqual(120)
    for (const number of [1, 60, 100, upto])
      expect(original).toMatch(new RegExp(`^Ann: Item ${number} of`, 'm'))
    expect(original).not.toMatch(new RegExp(`^Ann: Item ${upto + 1} of`, 'm'))
    expect(summary).toMatch(/## Confirmed parameters[\s\S]*stored as ref_\w+: read_result shows it\.$/)
  })

  it('happens once, however often and at the same moment it is asked for, and not before it is due', async () => {
    await session('sess_short', 11, 1)
    await compact('sess_short')
    expect(await stateOf('sess_short')).toEqual({ summary: null, upto: 0, original: null })
    await session('sess_due', 12, 1)
    await Promise.all([compact('sess_due'), compact('sess_due'), compact('sess_due')])
    const { upto, original } = await stateOf('sess_due')
    expect(upto).toBe(8)
    expect(original?.split('\n')).toHaveLength(8)
    await compact('sess_due')
    expect((await stateOf('sess_due')).upto).toBe(8)
  })

  it('by a model is charged to whoever spoke last of it, and put off where their day is used up', async () => {
    await session('sess_dear', 12, 1)
    const usual = parts.modelOf({} as never)
    let asked = 0
    const charged: object[] = []
    const dear = (isOver: boolean) =>
      createCompacting({
        ...parts,
        modelOf: () => ({
          ...usual,
          offline: false,
          async complete() {
            asked += 1
            throw new Error('The rules will do.')
          },
        }),
        isOver: async (personId) => personId === 'per_ann' && isOver,
        charge(payer, work) {
          charged.push(payer)
          return work()
        },
      })
    expect(await dear(true)('sess_dear')).toBe('put off')
    expect(asked).toBe(0)
    expect((await stateOf('sess_dear')).upto).toBe(0)
    expect(await dear(false)('sess_dear')).toBe('done')
    expect(asked).toBe(1)
    expect((await stateOf('sess_dear')).upto).toBe(8)
    expect(charged).toEqual([{ sessionId: 'sess_dear', personId: 'per_ann', turnId: 'sess_dear_turn_008' }])
  })
})
