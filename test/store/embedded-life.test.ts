import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { silentLog } from '../../src/observe/log.ts'
import { type EmbeddedDatabase, openEmbeddedDatabase } from '../../src/store/embedded/database.ts'
import { freshDirectory } from '../support/database.ts'

let directory: string
const opened: EmbeddedDatabase[] = []
const children: ChildProcess[] = []

beforeEach(async () => {
  directory = await freshDirectory()
}, 120_000)

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  for (const database of opened.splice(0)) await database.close()
  await rm(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
})

async function open(home = directory): Promise<EmbeddedDatabase> {
  const database = await openEmbeddedDatabase({ directory: home, log: silentLog, clock: systemClock })
  opened.push(database)
  return database
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end().catch(() => {})
  }
}

test('what was committed is there after a close and a new start, and the old address is not', async () => {
  const first = await open()
  await query(first.url, 'CREATE TABLE kept (a int); INSERT INTO kept VALUES (1)')
  await first.close()
  await expect(query(first.url, 'SELECT 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  const second = await open()
  expect(await query(second.url, 'SELECT a FROM kept')).toEqual([{ a: 1 }])
})

test('close sends clients away and does not keep an open transaction', async () => {
  const first = await open()
  await query(first.url, 'CREATE TABLE kept (a int)')
  const client = new pg.Client({ connectionString: first.url })
  const reason = new Promise((resolve) => client.on('error', resolve))
  await client.connect()
  await client.query('BEGIN')
  await client.query('INSERT INTO kept VALUES (1)')
  await Promise.all([first.close(), first.close()])
  expect(await reason).toMatchObject({ code: '57P01' })
  const second = await open()
  expect(await query(second.url, 'SELECT a FROM kept')).toEqual([])
})

test('a directory in use is refused, and a killed process leaves it usable with all that it acknowledged', async () => {
  const script = `
    import pg from ${JSON.stringify(import.meta.resolve('pg'))}
    import { openEmbeddedDatabase } from ${JSON.stringify(new URL('../../src/store/embedded/database.ts', import.meta.url).href)}
    import { systemClock } from ${JSON.stringify(new URL('../../src/base/clock.ts', import.meta.url).href)}
    import { silentLog } from ${JSON.stringify(new URL('../../src/observe/log.ts', import.meta.url).href)}
    const { url } = await openEmbeddedDatabase({ directory: process.argv[1], log: silentLog, clock: systemClock })
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query('CREATE TABLE written (n int)')
    for (let n = 1; ; n += 1) {
      await client.query('INSERT INTO written VALUES ($1)', [n])
      console.log(n)
    }`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  let acknowledged = 0
  const lines = createInterface(child.stdout!)
  const enough = new Promise<void>((resolve) =>
    lines.on('line', (line) => {
      acknowledged = Number(line)
      if (acknowledged === 200) resolve()
    }),
  )
  await enough
  await expect(open()).rejects.toMatchObject({
    code: 'store.locked',
    message: expect.stringContaining(`process ${child.pid}`),
  })
  child.kill('SIGKILL')
  await once(child, 'close')
  const database = await open()
  const [row] = (await query(database.url, 'SELECT count(*)::int AS rows, max(n) AS last FROM written')) as [
    { rows: number; last: number },
  ]
  expect(row.rows).toBe(row.last)
  expect(row.last).toBeGreaterThanOrEqual(acknowledged)
})

test('a new directory gets a database, also over what a start that was killed midway has left', async () => {
  const home = await mkdtemp(join(tmpdir(), 'hermes-new-'))
  try {
    await mkdir(join(home, 'database.new'))
    await writeFile(join(home, 'database.new', 'PG_VERSION'), '18\n')
    const database = await open(home)
    expect(await query(database.url, 'SHOW search_path')).toEqual([{ search_path: 'public' }])
    expect(existsSync(join(home, 'database.new'))).toBe(false)
    await database.close()
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}, 120_000)

test('an opening that is given up frees the directory', async () => {
  const giveUp = new AbortController()
  const opening = openEmbeddedDatabase({
    directory,
    log: silentLog,
    clock: systemClock,
    signal: giveUp.signal,
  })
  setTimeout(() => giveUp.abort(new Error('given up')), 50)
  await expect(opening).rejects.toThrow('given up')
  const database = await open()
  expect(await query(database.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
})

test('a directory that holds no database that can be opened is told, and kept as it is', async () => {
  await writeFile(join(directory, 'database', 'global', 'pg_control'), 'broken')
  await expect(open()).rejects.toMatchObject({ code: 'store.embedded_failed' })
  expect(existsSync(join(directory, 'database', 'PG_VERSION'))).toBe(true)
})

test('a backend that ends is told at once, and clients are sent away instead of hanging', async () => {
  const database = await open()
  const idle = new pg.Client({ connectionString: database.url })
  const sentAway = new Promise((resolve) => idle.on('error', resolve))
  await idle.connect()
  // The disk fails: PostgreSQL can't write its log, and panics.
  const log = join(directory, 'database', 'pg_wal')
  await rename(log, `${log}.gone`)
  await expect(query(database.url, 'CREATE TABLE lost (a int)')).rejects.toMatchObject({ code: '57P01' })
  expect(await database.failed).toMatchObject({ code: 'store.embedded_failed' })
  await sentAway
  await expect(query(database.url, 'SELECT 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  await database.close()
  await rename(`${log}.gone`, log)
  const again = await open()
  expect(await query(again.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
})

test('a statement that recurses without end is an error of its own', async () => {
  const database = await open()
  await query(
    database.url,
    'CREATE FUNCTION endless(n int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN endless(n + 1); END $$',
  )
  await expect(query(database.url, 'SELECT endless(1)')).rejects.toMatchObject({ code: '54001' })
  expect(await query(database.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
})
