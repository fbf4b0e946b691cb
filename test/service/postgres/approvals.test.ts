import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createIds } from '../../../src/base/ids.ts'
import { pause } from '../../../src/base/wait.ts'
import { type Database, openClient } from '../../../src/store/client.ts'
import type { Approvals, Click } from '../../../src/tools/approvals/approvals.ts'
import { createApprovals } from '../../../src/tools/approvals/database.ts'
import { hashOf } from '../../../src/tools/hash.ts'
import { freshDatabase, type TestDatabase } from '../../support/database.ts'

// A real server runs statements side by side: each sees the rows as they were when it began, and then waits for
// the session. The embedded database runs them one after the other and can't show this.
describe('decisions that wait for each other on a server', () => {
  let database: TestDatabase
  let db: Database
  let approvals: Approvals
  let client: pg.Client
  let count = 0
  let approvalId = ''

  beforeAll(async () => {
    database = await freshDatabase()
    db = openClient(database.url)
    approvals = createApprovals({ db, ids: createIds(), timeZone: 'UTC' })
    client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query(`
      INSERT INTO person (id, display_name) VALUES ('per_1', 'Ann');
      INSERT INTO identity (id, person_id, channel, workspace, user_id, name) VALUES ('idn_1', 'per_1', 'web', 'local', 'Ann', 'Ann');
      INSERT INTO session (id, channel, workspace, room, thread, kind) VALUES ('sess_1', 'web', 'local', 'web', 't', 'direct');
      INSERT INTO turn (id, session_id, person_id, status) VALUES ('turn_1', 'sess_1', 'per_1', 'waiting');
      INSERT INTO message (id, session_id, seq, turn_id, role, text, final) VALUES ('msg_1', 'sess_1', 1, 'turn_1', 'assistant', '', false)`)
  })
  afterAll(async () => {
    await client.end()
    await db.$disconnect()
    await database.close()
  })
  beforeEach(async () => {
    count += 1
    approvalId = `apr_${count}`
    const args = { title: 'Old' }
    await client.query(
      `INSERT INTO tool_call (id, session_id, turn_id, message_id, person_id, position, provider_id, tool, effect, idempotent,
         arguments, arguments_hash, definition_hash, status)
       VALUES ($1, 'sess_1', 'turn_1', 'msg_1', 'per_1', $2, 'c', 'create_ticket', 'write', true, $3, $4, 'd', 'proposed')`,
      [`call_${count}`, count, JSON.stringify(args), hashOf(args)],
    )
    await client.query(
      `INSERT INTO approval (id, call_id, session_id, person_id, arguments_hash, definition_hash, card, expires_at)
       VALUES ($1, $2, 'sess_1', 'per_1', $3, 'd', '{}', now() + interval '1 hour')`,
      [approvalId, `call_${count}`, hashOf(args)],
    )
  })

  const click = (): Click => ({
    dedupeKey: `click-${count}-${Math.random()}`,
    thread: { channel: 'web', workspace: 'local', room: 'web', thread: 't' },
    author: { userId: 'Ann', name: 'Ann' },
  })
  const edit = () =>
    approvals.rebind(
      approvalId,
      1,
      { arguments: { title: 'New' }, argumentsHash: hashOf({ title: 'New' }), snapshot: {} as never },
      click(),
    )
  const confirm = (version?: number) => approvals.decide(approvalId, 'confirmed', click(), { version })
  const cancel = () => approvals.decide(approvalId, 'cancelled', click())

  /** Begins both while the session is held by someone else, in this order, and lets them go. */
  const together = async <A, B>(first: () => Promise<A>, second: () => Promise<B>): Promise<[A, B]> => {
    const holder = new pg.Client({ connectionString: database.url })
    await holder.connect()
    await holder.query("BEGIN; SELECT 1 FROM session WHERE id = 'sess_1' FOR UPDATE")
    const one = first()
    await waiting(1)
    const two = second()
    await waiting(2)
    await holder.query('COMMIT')
    await holder.end()
    return [await one, await two]
  }
  const waiting = async (wanted: number) => {
    for (let tries = 0; tries < 1_000; tries++) {
      const { rows } = await client.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      )
      if (rows[0]?.n === wanted) return
      await pause(10)
    }
    throw new Error(`${wanted} statements did not wait for the session.`)
  }
  const stands = async () => {
    const { rows } = await client.query(
      `SELECT a.status AS approval, a.version, c.status AS call, c.arguments->>'title' AS title,
         a.arguments_hash = c.arguments_hash AS bound
       FROM approval a JOIN tool_call c ON c.id = a.call_id WHERE a.id = $1`,
      [approvalId],
    )
    return rows[0]
  }

  it('refuses to confirm a card that was edited a moment before', async () => {
    const [edited, confirmed] = await together(edit, () => confirm(1))
    expect([edited, confirmed]).toMatchObject([{ decided: true }, { decided: false, permitted: true }])
    expect(await stands()).toEqual({
      approval: 'open',
      version: 2,
      call: 'proposed',
      title: 'New',
      bound: true,
    })
  })

  it('refuses to edit a card that was confirmed a moment before', async () => {
    const [confirmed, edited] = await together(() => confirm(1), edit)
    expect([confirmed, edited]).toMatchObject([{ decided: true }, { decided: false, permitted: true }])
    expect(await stands()).toEqual({
      approval: 'confirmed',
      version: 1,
      call: 'approved',
      title: 'Old',
      bound: true,
    })
  })

  it('moves the call with its approval where a click names no version and an edit came first', async () => {
    const [edited, confirmed] = await together(edit, () => confirm())
    expect([edited, confirmed]).toMatchObject([{ decided: true }, { decided: true }])
    expect(await stands()).toEqual({
      approval: 'confirmed',
      version: 2,
      call: 'approved',
      title: 'New',
      bound: true,
    })
  })

  it('cancels an edited card, call and all', async () => {
    await together(edit, cancel)
    expect(await stands()).toMatchObject({ approval: 'cancelled', call: 'cancelled' })
  })

  it('lets one of Confirm and Cancel count', async () => {
    const [confirmed, cancelled] = await together(() => confirm(1), cancel)
    expect([confirmed, cancelled]).toMatchObject([{ decided: true }, { decided: false }])
    expect(await stands()).toMatchObject({ approval: 'confirmed', call: 'approved' })
  })
})
