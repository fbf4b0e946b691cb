import { execFile } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { root } from '../docs/pages.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { type ModelStandIn, startModel } from '../support/model.ts'
import { openRows, type Rows } from '../support/rows.ts'
import { scriptModel } from '../support/scripts.ts'
import { webClient } from '../support/web-client.ts'

let model: ModelStandIn
let app: TestApp
let rows: Rows

beforeAll(async () => {
  model = await startModel()
  const scripts = scriptModel(model)
  app = await startTestApp({
    variables: model.variables(),
  })
  rows = await openRows(app.home)
  for (const [name, button] of [
    ['Ann', 'approval.confirm'],
    ['Bob', 'approval.cancel'],
  ] as const) {
    const word = scripts.word()
    scripts.on(
      word,
      { calls: [{ name: 'create_ticket', arguments: { title: `The ${word} lamp is broken` } }] },
      { text: 'That was it.' },
    )
    const person = webClient(app.address, name, `audit-${name}`)
    await person.say(`A ticket about ${word}`)
    await person.press(button, (await person.card()).id)
    await person.answer()
  }
  await rows.query(
    `INSERT INTO audit_event (id, at, action, data) VALUES ('aud_x', '2020-01-01', 'test.entry', '{"note": "=a \\"b\\"", "token": "secret of an old version"}')`,
  )
})
afterAll(async () => {
  await rows.close()
  await app.end()
  await model.stop()
})

/** The command beside the running Hermes, as `npm run audit` runs it. */
function audit(...options: readonly string[]): Promise<{ code: number; output: string; errors: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(root, 'src/main.ts'), 'audit', ...options],
      { cwd: root, env: { PATH: process.env.PATH, HERMES_HOME: app.home, HERMES_MCP_CONFIG: '/dev/null' } },
      (error, output, errors) => resolve({ code: error ? Number(error.code) : 0, output, errors }),
    )
  })
}

it('finds decisions and effects by person, tool and time, and tells them in their order', async () => {
  const { code, output } = await audit('--json', '--tool', 'create_ticket', '--person', 'ann')
  expect(code).toBe(0)
  const entries = output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(entries.map((entry) => [entry.action, entry.person, entry.data.tool])).toEqual([
    ['approval.confirmed', 'Ann', 'create_ticket'],
    ['call.succeeded', 'Ann', 'create_ticket'],
  ])
  expect(entries[0].data.argumentsHash).toBe(entries[1].data.argumentsHash)
  expect(output).not.toContain('lamp')
})

it('tells what exactly was done, as long as the ledger has it as its hash says', async () => {
  const told = async () => {
    const { output } = await audit('--json', '--arguments', '--action', 'call.succeeded')
    return JSON.parse(output.trim()).data
  }
  expect(await told()).toMatchObject({
    arguments: { title: expect.stringMatching(/^The \w+ lamp is broken$/) },
  })
  await rows.query(
    `UPDATE tool_call SET arguments = jsonb_set(arguments, '{title}', '"Something else"') WHERE status = 'succeeded'`,
  )
  expect(await told()).toEqual({ tool: 'create_ticket', argumentsHash: expect.any(String) })
})

it('prints a table of the newest, and tells secrets of none', async () => {
  const { output } = await audit('--limit', '50')
  expect(output).toMatch(/approval\.cancelled +Bob +apr_\S+ +.*tool=create_ticket/)
  expect(output).toMatch(/^2020-01-01T00:00:00\.000Z +test\.entry .*token=\[redacted\]/)
})

it('prints a spreadsheet of one action, quoted, and says what is wrong about an option', async () => {
  const { output } = await audit('--csv', '--action', 'test', '--until', '2021-01-01')
  expect(output.trim().split('\n')).toEqual([
    'at,action,person,personId,sessionId,subjectId,data,id',
    '2020-01-01T00:00:00.000Z,test.entry,,,,,"{""note"":""=a \\""b\\"""",""token"":""[redacted]""}",aud_x',
  ])
  const wrong = await audit('--since', 'yesterday')
  expect(wrong).toMatchObject({ code: 1, output: '' })
  expect(wrong.errors).toContain('--since is "yesterday"')
})

it('is kept as it was written, whoever asks', async () => {
  const before = await rows.query('SELECT * FROM audit_event ORDER BY id')
  expect(before.length).toBeGreaterThan(3)
  for (const statement of [
    `UPDATE audit_event SET action = 'nothing'`,
    'DELETE FROM audit_event',
    'TRUNCATE audit_event',
    'TRUNCATE audit_event CASCADE',
    `INSERT INTO audit_event (id, action) SELECT id, 'nothing' FROM audit_event LIMIT 1
     ON CONFLICT (id) DO UPDATE SET action = 'nothing'`,
    // As replicas and restores do, for which ordinary triggers do not fire.
    `DO $$ BEGIN PERFORM set_config('session_replication_role', 'replica', true); DELETE FROM audit_event; END $$`,
  ])
    await expect(rows.query(statement), statement).rejects.toThrow('the audit log is append-only')
  expect(await rows.query('SELECT * FROM audit_event ORDER BY id')).toEqual(before)
})
