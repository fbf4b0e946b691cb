import { createHash, randomBytes } from 'node:crypto'
import { constants, cpSync, existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import pg from 'pg'
import { systemClock } from '../../src/base/clock.ts'
import { codeOf } from '../../src/base/errors.ts'
import { pause } from '../../src/base/wait.ts'
import { silentLog } from '../../src/observe/log.ts'
import {
  type EmbeddedDatabase,
  type EmbeddedDatabaseOptions,
  openEmbeddedDatabase,
} from '../../src/store/embedded/database.ts'
import { lockDirectory } from '../../src/store/embedded/lock.ts'
import { migrate } from '../../src/store/migrations.ts'
import { keptFolder } from './room.ts'

/** A database of a test's own, with the tables of Hermes and nothing in them. */
export interface TestDatabase {
  readonly url: string
  /** Ends it and removes its data. */
  close(): Promise<void>
}

const migrations = new URL('../../prisma/migrations', import.meta.url).pathname
const packages = new URL('../../node_modules', import.meta.url).pathname

/**
 * Opens a fresh, migrated database: on the server of DATABASE_URL where that is set, else an embedded one
 * (about half a second, from a copy of a directory that is made once per machine). One a test file is
 * plenty: open it in `beforeAll`, close it in `afterAll`, and let tests use ids of their own.
 */
export async function freshDatabase(): Promise<TestDatabase> {
  const server = process.env.DATABASE_URL
  return server ? freshOnServer(server) : freshEmbedded()
}

/** A fresh embedded database, whatever DATABASE_URL says. */
export async function freshEmbedded(
  options: Pick<EmbeddedDatabaseOptions, 'idleHoldMs' | 'upkeepMs'> = {},
): Promise<TestDatabase & Pick<EmbeddedDatabase, 'failed'>> {
  const directory = await freshDirectory()
  const database = await openEmbeddedDatabase({ directory, log: silentLog, clock: systemClock, ...options })
  return {
    url: database.url,
    failed: database.failed,
    async close() {
      await database.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** A HERMES_HOME of a test's own with a migrated database in it, not opened. The test removes it. */
export async function freshDirectory(): Promise<string> {
  const template = await migratedDirectory()
  if (held.length === 0) held.push(compileEngine())
  const directory = await mkdtemp(join(tmpdir(), 'hermes-test-'))
  // At once: file by file in the background takes ten times as long for a thousand small files.
  cpSync(join(template, 'database'), join(directory, 'database'), {
    recursive: true,
    mode: constants.COPYFILE_FICLONE,
  })
  return directory
}

// Threads that compile the same WebAssembly share its code as long as somebody in the process holds it; else each
// database would compile it anew, which takes a core for half a second.
const held: Promise<object>[] = []

declare namespace WebAssembly {
  function compile(code: Uint8Array): Promise<object>
}

async function compileEngine(): Promise<object> {
  return WebAssembly.compile(await readFile(join(packages, '@electric-sql/pglite/dist/pglite.wasm')))
}

async function freshOnServer(server: string): Promise<TestDatabase> {
  const name = `hermes_test_${process.pid}_${randomBytes(4).toString('hex')}`
  await onServer(server, `CREATE DATABASE ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  await migrate(url.href, migrations, silentLog)
  return {
    url: url.href,
    close: () => onServer(server, `DROP DATABASE ${name} WITH (FORCE)`),
  }
}

async function onServer(server: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: server, connectionTimeoutMillis: 5_000 })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

/** A data directory with all migrations applied, made once for these versions and this user. */
async function migratedDirectory(): Promise<string> {
  const cache = join(keptFolder(), `hermes-test-templates-${userInfo().uid}`)
  const template = join(cache, await templateKey())
  if (existsSync(template)) return template
  await mkdir(cache, { recursive: true, mode: 0o700 })
  const lock = await waitForLock(cache)
  try {
    if (existsSync(template)) return template
    const making = await mkdtemp(`${template}.making-`)
    const database = await openEmbeddedDatabase({ directory: making, log: silentLog, clock: systemClock })
    await migrate(database.url, migrations, silentLog)
    // The queue makes its own tables when it is opened first.
    const { createBells } = await import('../../src/jobs/queue.ts')
    const bells = createBells('turns', { kind: 'postgres', url: database.url }, silentLog)
    await bells.check()
    await bells.close()
    await database.close()
    await rename(making, template)
    return template
  } finally {
    lock.release()
  }
}

async function templateKey(): Promise<string> {
  const hash = createHash('sha256')
  for (const name of ['@electric-sql/pglite', '@electric-sql/pglite-pgvector', 'bullmq'])
    hash.update(await readFile(join(packages, name, 'package.json')))
  for (const name of (await readdir(migrations)).sort()) {
    const file = join(migrations, name, 'migration.sql')
    if (existsSync(file)) hash.update(name).update(await readFile(file))
  }
  return hash.digest('hex').slice(0, 16)
}

async function waitForLock(directory: string) {
  const until = performance.now() + 120_000
  for (;;) {
    try {
      return await lockDirectory(directory)
    } catch (error) {
      if (codeOf(error) !== 'store.locked' || performance.now() > until) throw error
      await pause(100)
    }
  }
}
