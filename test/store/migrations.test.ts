import { createHash } from 'node:crypto'
import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { silentLog } from '../../src/observe/log.ts'
import { migrate } from '../../src/store/migrations.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'

let database: TestDatabase
let client: pg.Client
let directory: string

beforeAll(async () => {
  database = await freshDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
}, 60_000)

afterAll(async () => {
  await client?.end()
  await database?.close()
})

beforeEach(async () => {
  await client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
  directory = await mkdtemp(join(tmpdir(), 'hermes-migrations-'))
})

afterEach(() => rm(directory, { recursive: true, force: true }))

const run = () => migrate(database.url, directory, silentLog)

async function write(name: string, sql: string): Promise<void> {
  await mkdir(join(directory, name), { recursive: true })
  await writeFile(join(directory, name, 'migration.sql'), sql)
}

const ledger = async () =>
  (await client.query('SELECT * FROM _prisma_migrations ORDER BY migration_name')).rows

test('applies what is new in the order of the names, once', async () => {
  await writeFile(join(directory, 'migration_lock.toml'), 'provider = "postgresql"\n')
  await write('0002_more', 'ALTER TABLE thing ADD COLUMN b int; INSERT INTO thing VALUES (1, 2)')
  await write('0001_init', 'CREATE TABLE thing (a int);')
  expect(await run()).toEqual(['0001_init', '0002_more'])
  expect(await run()).toEqual([])
  await write('0003_last', 'UPDATE thing SET b = 3')
  expect(await run()).toEqual(['0003_last'])
  expect((await client.query('SELECT * FROM thing')).rows).toEqual([{ a: 1, b: 3 }])
})

test('keeps the ledger that Prisma reads', async () => {
  const sql = "CREATE TABLE thing (name text DEFAULT 'é')"
  await write('0001_init', sql)
  await run()
  const [row] = await ledger()
  expect(row).toMatchObject({
    migration_name: '0001_init',
    checksum: createHash('sha256').update(sql).digest('hex'),
    applied_steps_count: 1,
    logs: null,
    rolled_back_at: null,
    finished_at: expect.any(Date),
    started_at: expect.any(Date),
  })
  expect(row.id).toMatch(/^[0-9a-f-]{36}$/)
})

test('keeps nothing of a migration that fails, and applies it once it is mended', async () => {
  await write('0001_init', 'CREATE TABLE thing (a int)')
  await write('0002_bad', 'CREATE TABLE other (a int); SELECT no_such_function()')
  await expect(run()).rejects.toMatchObject({
    code: 'store.migration_failed',
    message: expect.stringContaining('0002_bad'),
  })
  expect((await ledger()).map((row) => row.migration_name)).toEqual(['0001_init'])
  expect((await client.query("SELECT to_regclass('other') AS found")).rows).toEqual([{ found: null }])
  await write('0002_bad', 'CREATE TABLE other (a int)')
  expect(await run()).toEqual(['0002_bad'])
})

test('refuses a migration that was changed after it had been applied', async () => {
  await write('0001_init', 'CREATE TABLE thing (a int)')
  await run()
  await appendFile(join(directory, '0001_init', 'migration.sql'), '\n-- a late thought')
  await write('0002_more', 'CREATE TABLE other (a int)')
  await expect(run()).rejects.toMatchObject({
    code: 'store.migration_changed',
    message: expect.stringContaining('0001_init'),
  })
  expect((await client.query("SELECT to_regclass('other') AS found")).rows).toEqual([{ found: null }])
})

test('refuses a database with a migration that it does not know', async () => {
  await write('0001_init', 'CREATE TABLE thing (a int)')
  await write('0002_newer', 'CREATE TABLE other (a int)')
  await run()
  await rm(join(directory, '0002_newer'), { recursive: true })
  await expect(run()).rejects.toMatchObject({ code: 'store.migration_unknown' })
})

test('refuses to go on after one that Prisma left unfinished, until it is marked as rolled back', async () => {
  await write('0001_init', 'CREATE TABLE thing (a int)')
  await run()
  await client.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ('x', 'y', '0002_more')`,
  )
  await write('0002_more', 'CREATE TABLE other (a int)')
  await expect(run()).rejects.toMatchObject({ code: 'store.migration_failed_earlier' })
  await client.query('UPDATE _prisma_migrations SET rolled_back_at = now() WHERE finished_at IS NULL')
  expect(await run()).toEqual(['0002_more'])
})

test('says so where the database can not be reached', async () => {
  await write('0001_init', 'CREATE TABLE thing (a int)')
  const closed = new URL(database.url)
  closed.port = '9'
  await expect(migrate(closed.href, directory, silentLog)).rejects.toMatchObject({
    code: 'store.unreachable',
    message: expect.not.stringContaining(closed.password),
  })
})
