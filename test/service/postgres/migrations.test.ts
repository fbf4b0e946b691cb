import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { silentLog } from '../../../src/observe/log.ts'
import { migrate } from '../../../src/store/migrations.ts'
import { freshDatabase, type TestDatabase } from '../../support/database.ts'

let database: TestDatabase
let directory: string

beforeAll(async () => {
  database = await freshDatabase()
  directory = await mkdtemp(join(tmpdir(), 'hermes-migrations-'))
})

afterAll(async () => {
  await rm(directory, { recursive: true, force: true })
  await database?.close()
})

test('processes that start together apply each migration once', async () => {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
  for (const name of ['0001_init', '0002_more']) {
    await mkdir(join(directory, name))
    await writeFile(
      join(directory, name, 'migration.sql'),
      `SELECT pg_sleep(0.2); CREATE TABLE of_${name} (a int)`,
    )
  }
  const applied = await Promise.all(
    Array.from({ length: 4 }, () => migrate(database.url, directory, silentLog)),
  )
  expect(applied.filter((names) => names.length > 0)).toEqual([['0001_init', '0002_more']])
  const { rows } = await client.query('SELECT migration_name FROM _prisma_migrations ORDER BY 1')
  expect(rows).toEqual([{ migration_name: '0001_init' }, { migration_name: '0002_more' }])
  const locks = await client.query(
    "SELECT 1 FROM pg_locks WHERE database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND locktype = 'advisory'",
  )
  expect(locks.rows).toEqual([])
  await client.end()
})
