import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { HermesError, messageOf } from '../base/errors.ts'
import type { Log } from '../observe/log.ts'

/** One migration as it lies in its folder. */
interface Migration {
  readonly name: string
  readonly sql: string
  /** SHA-256 in hex of the file, as Prisma computes it. */
  readonly checksum: string
}

interface AppliedRow {
  readonly migration_name: string
  readonly checksum: string
  readonly finished_at: Date | null
  readonly rolled_back_at: Date | null
}

// Prisma's own table, so that `prisma migrate` agrees with what was applied here.
const ledger = `
  CREATE TABLE IF NOT EXISTS _prisma_migrations (
    id                  VARCHAR(36) PRIMARY KEY NOT NULL,
    checksum            VARCHAR(64) NOT NULL,
    finished_at         TIMESTAMPTZ,
    migration_name      VARCHAR(255) NOT NULL,
    logs                TEXT,
    rolled_back_at      TIMESTAMPTZ,
    started_at          TIMESTAMPTZ NOT NULL DEFAULT now(),
    applied_steps_count INTEGER NOT NULL DEFAULT 0
  )`

const appliedSql = `
  SELECT migration_name, checksum, finished_at, rolled_back_at
  FROM _prisma_migrations ORDER BY started_at, migration_name`

// The key under which Prisma's own engine takes its lock: neither runs beside the other.
// https://www.prisma.io/docs/orm/prisma-migrate/workflows/development-and-production#advisory-locking
const lockKey = 72707369
const lockMs = 60_000

/**
 * Brings the database at `url` up to the migrations in `directory` (one folder each, with a
 * `migration.sql`), in the order of their names and each in a transaction of its own. Gives the names of
 * those that it applied. Throws `store.migration_*` where the database and the folder disagree.
 */
export async function migrate(url: string, directory: string, log: Log): Promise<readonly string[]> {
  const migrations = await readMigrations(directory)
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  try {
    await client.connect()
  } catch (cause) {
    throw new HermesError(
      'store.unreachable',
      `The database can not be reached (${messageOf(cause)}). Check that it runs and that DATABASE_URL is right.`,
      { cause },
    )
  }
  try {
    await lock(client)
    await client.query(ledger)
    const { rows } = await client.query<AppliedRow>(appliedSql)
    const pending = pendingOf(migrations, rows)
    for (const migration of pending) {
      await apply(client, migration)
      log.info({ migration: migration.name }, 'Applied a migration.')
    }
    return pending.map(({ name }) => name)
  } finally {
    // Ends the session, and with it the advisory lock.
    await client.end()
  }
}

/**
 * The names of the migrations in `directory` that a database does not have yet. Throws as `migrate` does where
 * the two disagree. Changes nothing.
 */
export async function pendingMigrations(
  directory: string,
  read: (sql: string) => Promise<readonly object[]>,
): Promise<readonly string[]> {
  const [ledgerThere] = await read("SELECT to_regclass('_prisma_migrations') IS NOT NULL AS there")
  const rows = ledgerThere && 'there' in ledgerThere && ledgerThere.there ? await read(appliedSql) : []
  return pendingOf(await readMigrations(directory), rows as readonly AppliedRow[]).map(({ name }) => name)
}

async function readMigrations(directory: string): Promise<readonly Migration[]> {
  const entries = await readdir(directory, { withFileTypes: true })
  const names = entries
    .filter((entry) => entry.isDirectory() && existsSync(join(directory, entry.name, 'migration.sql')))
    .map((entry) => entry.name)
    .sort()
  return Promise.all(
    names.map(async (name) => {
      const bytes = await readFile(join(directory, name, 'migration.sql'))
      const checksum = createHash('sha256').update(bytes).digest('hex')
      return { name, sql: bytes.toString('utf8'), checksum }
    }),
  )
}

/** Waits while another process migrates; what it applied is then seen as applied. */
async function lock(client: pg.Client): Promise<void> {
  try {
    await client.query(`SET lock_timeout = ${lockMs}`)
    await client.query('SELECT pg_advisory_lock($1)', [lockKey])
    await client.query('RESET lock_timeout')
  } catch (cause) {
    throw new HermesError(
      'store.migration_locked',
      `Another process has been migrating this database for over ${lockMs / 1000} seconds. Wait for it or end it, then start again.`,
      { cause },
    )
  }
}

function pendingOf(migrations: readonly Migration[], rows: readonly AppliedRow[]): readonly Migration[] {
  const applied = new Map<string, AppliedRow>()
  for (const row of rows) {
    if (row.rolled_back_at) continue
    if (!row.finished_at) {
      throw new HermesError(
        'store.migration_failed_earlier',
        `The migration ${row.migration_name} was begun earlier and did not finish. Mend the database, then mark it with "prisma migrate resolve".`,
        { data: { migration: row.migration_name } },
      )
    }
    applied.set(row.migration_name, row)
  }
  for (const { name, checksum } of migrations) {
    const row = applied.get(name)
    if (row && row.checksum !== checksum) {
      throw new HermesError(
        'store.migration_changed',
        `The migration ${name} was changed after it had been applied to this database. Put the file back as it was and write the change as a new migration.`,
        { data: { migration: name, applied: row.checksum, found: checksum } },
      )
    }
  }
  const known = new Set(migrations.map(({ name }) => name))
  const missing = [...applied.keys()].find((name) => !known.has(name))
  if (missing) {
    throw new HermesError(
      'store.migration_unknown',
      `This database has the migration ${missing}, which this version of Hermes does not know. Use the version that made it, or a newer one.`,
      { data: { migration: missing } },
    )
  }
  return migrations.filter(({ name }) => !applied.has(name))
}

async function apply(client: pg.Client, { name, sql, checksum }: Migration): Promise<void> {
  try {
    await client.query('BEGIN')
    await client.query(sql)
    await client.query(
      `INSERT INTO _prisma_migrations
         (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
       VALUES ($1, $2, $3, now(), clock_timestamp(), 1)`,
      [randomUUID(), checksum, name],
    )
    await client.query('COMMIT')
  } catch (cause) {
    await client.query('ROLLBACK').catch(() => {})
    throw new HermesError(
      'store.migration_failed',
      `The migration ${name} could not be applied (${messageOf(cause)}). Nothing of it was kept.`,
      { data: { migration: name }, cause },
    )
  }
}
