import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CommandAsker, CommandMemory } from '../../src/agent/commands/asker.ts'
import { ownData } from '../../src/agent/commands/own-data.ts'
import { eraseWords, ownTables } from '../../src/agent/commands/own-words.ts'
import { type Database, openClient } from '../../src/store/client.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'

/** Tables that hold no words of people: ids, hashes, numbers, settings, and what tools and servers say of themselves. */
const wordless = [
  '_prisma_migrations',
  'approver_group',
  'audit_event',
  'delivery',
  'directory_address',
  'failure',
  'link_attempt',
  'link_code',
  'mcp_tool_pin',
  'model_use',
  'state',
]

let fresh: TestDatabase
let client: pg.Client
let db: Database
beforeAll(async () => {
  fresh = await freshDatabase()
  client = new pg.Client({ connectionString: fresh.url })
  await client.connect()
  db = openClient(fresh.url, { connections: 2 })
  await fill('ann')
  await fill('bob')
}, 60_000)
afterAll(async () => {
  await client.end()
  await db.$disconnect()
  await fresh.close()
})

/** A conversation of one person, in which each table has words that name the person and the table. */
async function fill(who: string): Promise<void> {
  const said = (table: string) => `'papaya of ${who} in ${table}.'`
  const json = (table: string) => `'{"said": "papaya of ${who} in ${table}."}'`
  await client.query(`
    INSERT INTO person (id, display_name) VALUES ('${who}', ${said('person')});
    INSERT INTO identity (id, person_id, channel, workspace, user_id, name) VALUES ('idn_${who}', '${who}', 'web', 'local', '${who}', ${said('identity')});
    INSERT INTO session (id, channel, workspace, room, thread, kind, summary, plan, entities)
      VALUES ('sess_${who}', 'web', 'local', 'web', '${who}', 'direct', ${said('session')}, ${json('session')}, ${json('session')});
    INSERT INTO turn (id, session_id, person_id, status, intent) VALUES ('turn_${who}', 'sess_${who}', '${who}', 'done', ${json('turn')});
    INSERT INTO inbound_event (id, dedupe_key, session_id, person_id, kind, payload, status)
      VALUES ('evt_${who}', 'key_${who}', 'sess_${who}', '${who}', 'message', ${json('inbound_event')}, 'taken');
    INSERT INTO message (id, session_id, seq, turn_id, role, person_id, text, attachments)
      VALUES ('msg_${who}', 'sess_${who}', 1, 'turn_${who}', 'user', '${who}', ${said('message')}, ${json('message')}),
        ('ans_${who}', 'sess_${who}', 2, 'turn_${who}', 'assistant', NULL, ${said('message')}, '[]');
    INSERT INTO draft (session_id, text, sequence) VALUES ('sess_${who}', ${said('draft')}, 1);
    INSERT INTO tool_call (id, session_id, turn_id, message_id, person_id, position, provider_id, tool, effect, idempotent, arguments,
        arguments_hash, definition_hash, status, result_text, told, question)
      VALUES ('call_${who}', 'sess_${who}', 'turn_${who}', 'ans_${who}', '${who}', 0, 'p', 'create_ticket', 'write', true, ${json('tool_call')},
        'h', 'h', 'succeeded', ${said('tool_call')}, ${said('tool_call')}, ${json('tool_call')});
    INSERT INTO approval (id, call_id, session_id, person_id, status, arguments_hash, definition_hash, card, expires_at)
      VALUES ('apr_${who}', 'call_${who}', 'sess_${who}', '${who}', 'confirmed', 'h', 'h',
        jsonb_build_object('title', 'Create ticket', 'target', ${said('approval')}, 'fields', jsonb_build_array(${said('approval')})), now());
    INSERT INTO approval_grant (id, session_id, person_id, approval_id, tool, definition_hash, arguments, exact, title)
      VALUES ('grant_${who}', 'sess_${who}', '${who}', 'apr_${who}', 'create_ticket', 'h', ${json('approval_grant')}, true, ${said('approval_grant')});
    INSERT INTO stored_result (id, session_id, call_id, media_type, text, tokens, expires_at)
      VALUES ('ref_${who}', 'sess_${who}', 'call_${who}', 'text/plain', ${said('stored_result')}, 1, now() + interval '1 day');
    INSERT INTO workflow_instance (id, session_id, person_id, name, version, definition, language, status, state, data, problem)
      VALUES ('wfl_${who}', 'sess_${who}', '${who}', 'claim', 'v', '{}', 'en', 'ended', 'done', ${json('workflow_instance')}, ${said('workflow_instance')});
    INSERT INTO hand_over (id, session_id, person_id, status, reason, request, language)
      VALUES ('hand_${who}', 'sess_${who}', '${who}', 'released', 'asked', ${said('hand_over')}, 'en');
    INSERT INTO reminder (id, person_id, session_id, text, due_at, time_zone, call_id)
      VALUES ('rem_${who}', '${who}', 'sess_${who}', ${said('reminder')}, now(), 'UTC', 'rem_call_${who}');
    INSERT INTO span (id, turn_id, session_id, name, started_at, attributes) VALUES ('span_${who}', 'turn_${who}', 'sess_${who}', 'turn', now(), ${json('span')});
    INSERT INTO ticket (id, workspace, title, body, created_by, session_id, call_id)
      VALUES ('tkt_${who}', 'local', ${said('ticket')}, ${said('ticket')}, '${who}', 'sess_${who}', 'call_${who}');
    INSERT INTO ticket_comment (id, ticket_id, person_id, text, call_id) VALUES ('cmt_${who}', 'tkt_${who}', '${who}', ${said('ticket_comment')}, 'cmt_call_${who}');
    INSERT INTO ticket_change (id, ticket_id, person_id, call_id, field, after) VALUES ('chg_${who}', 'tkt_${who}', '${who}', 'chg_call_${who}', 'title', ${said('ticket_change')});`)
}

const holds = async (table: string, who: string) =>
  (await client.query(`SELECT 1 FROM ${table} t WHERE t::text LIKE '%papaya of ${who} in ${table}.%'`))
    .rowCount

// What is remembered is told and forgotten by the memory layer; see test/memory/forget.test.ts.
const rememberedApart = /^memory/
const asker = { personId: 'ann' } as CommandAsker
const memory = { exportAll: async () => ['what is remembered'] } as unknown as CommandMemory

describe('what is kept of a person', { timeout: 60_000 }, () => {
  it('is known of every table: it is exported and erased, or it is said why not', async () => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT DISTINCT table_name AS name FROM information_schema.columns c JOIN pg_class t ON t.relname = c.table_name
       WHERE table_schema = current_schema() AND data_type IN ('text', 'jsonb', 'ARRAY') AND NOT t.relispartition`,
    )
    const known = [...Object.keys(ownTables), ...wordless]
    expect(
      rows.map(({ name }) => name).filter((name) => !known.includes(name) && !rememberedApart.test(name)),
    ).toEqual([])
    expect(known.filter((name) => !rows.some((row) => row.name === name))).toEqual([])
    for (const name of Object.keys(ownTables).filter((each) => !rememberedApart.test(each)))
      expect(await holds(name, 'ann'), `this test has words of Ann in ${name}`).toBeGreaterThan(0)
  })

  it('is handed out whole', async () => {
    const data = await ownData({ db, memory }, asker)
    for (const [table, { exported }] of Object.entries(ownTables)) {
      if (exported === undefined) continue
      const part = JSON.stringify(data[exported])
      expect(part, `${table} as ${exported}`).toContain(
        rememberedApart.test(table) ? 'what is remembered' : `papaya of ann in ${table}.`,
      )
    }
    expect(JSON.stringify(data)).not.toContain('papaya of bob')
  })

  it('is erased everywhere but where it is said why not, and nobody else’s is touched', async () => {
    await eraseWords(db, 'ann', 'aud_erased')
    for (const [table, { erase, stays }] of Object.entries(ownTables)) {
      if (rememberedApart.test(table)) continue
      expect(erase === undefined, `${table} is erased or stays`).toBe(stays !== undefined)
      expect(await holds(table, 'ann'), table).toBe(erase ? 0 : 1)
      expect(await holds(table, 'bob'), table).toBeGreaterThan(0)
    }
    expect((await client.query(`SELECT action FROM audit_event`)).rows).toEqual([{ action: 'person.erased' }])
    expect((await client.query(`SELECT status FROM reminder WHERE person_id = 'ann'`)).rows).toEqual([
      { status: 'cancelled' },
    ])
  })
})
