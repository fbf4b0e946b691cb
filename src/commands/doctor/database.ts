import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf, messageOf } from '../../base/errors.ts'
import type { Settings } from '../../config/environment.ts'
import { createBells } from '../../jobs/queue.ts'
import { silentLog } from '../../observe/log.ts'
import type { Database } from '../../store/client.ts'
import { pendingMigrations } from '../../store/migrations.ts'
import { withDatabase } from '../database.ts'
import { counted, type Finding, fail, ok, warn } from './finding.ts'

// PostgreSQL as it counts its versions: 15.0.
const oldest = 150_000

/**
 * Checks the database and, while it is open, what else needs it.
 * @param meanwhile is given the database, or nothing where there is none yet or it does not work
 */
export async function checkDatabase(
  settings: Settings,
  root: string,
  meanwhile: (db: Database | undefined) => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  const { url } = settings.database
  if (url === undefined && !existsSync(join(settings.home, 'database'))) {
    return [ok('Database', 'embedded, made at the first start'), ...(await meanwhile(undefined))]
  }
  let unreachable: Finding
  try {
    return await withDatabase(settings, async (db) => [
      await checkServer(db, url !== undefined),
      await checkMigrations(db, root),
      ...(await meanwhile(db)),
    ])
  } catch (error) {
    unreachable = fail('Database', `${reasonOf(error)} ${mendOf(settings, error)}`.trim())
  }
  return [unreachable, ...(await meanwhile(undefined))]
}

async function checkServer(db: Database, own: boolean): Promise<Finding> {
  const [server] = await db.$queryRaw<{ version: number; vector: string | null; offered: boolean }[]>`
    SELECT current_setting('server_version_num')::int AS version,
           (SELECT extversion FROM pg_extension WHERE extname = 'vector') AS vector,
           EXISTS (SELECT 1 FROM pg_available_extensions WHERE name = 'vector') AS offered`
  const { version = 0, vector, offered = false } = server ?? {}
  const name = `${own ? 'PostgreSQL' : 'embedded PostgreSQL'} ${Math.floor(version / 10_000)}`
  if (version < oldest) {
    return fail('Database', `${name} is too old. Use PostgreSQL ${Math.floor(oldest / 10_000)} or newer.`)
  }
  if (!vector && !offered) {
    return fail('Database', `${name} has no pgvector. Install its package for this PostgreSQL.`)
  }
  return ok('Database', `${name} with pgvector${vector ? ` ${vector}` : ', switched on at the next start'}`)
}

async function checkMigrations(db: Database, root: string): Promise<Finding> {
  try {
    const pending = await pendingMigrations(join(root, 'prisma/migrations'), (sql) => db.$queryRawUnsafe(sql))
    if (pending.length === 0) return ok('Migrations', 'up to date')
    return warn(
      'Migrations',
      `${counted(pending.length, 'migration')} to apply. The next start does it, or: npm run migrate`,
    )
  } catch (error) {
    return fail('Migrations', messageOf(error))
  }
}

/** The queue where it is not on the database. */
export async function checkQueue(settings: Settings): Promise<Finding> {
  const { url } = settings.redis
  if (url === undefined) return ok('Queue', 'on the database')
  const bells = createBells('turns', { kind: 'redis', url, prefix: 'hermes-doctor' }, silentLog)
  try {
    await bells.check()
    return ok('Queue', 'Redis answers')
  } catch (error) {
    return fail('Queue', `Redis does not answer (${messageOf(error)}). Start it, or mend REDIS_URL.`)
  } finally {
    await bells.close()
  }
}

// Prisma wraps the driver's sentence in a report of several lines.
function reasonOf(error: unknown): string {
  const message = messageOf(error)
  const reason = /Message: `(.+)`/.exec(message)?.[1] ?? message.trim().split('\n').at(-1)!
  return /[.!]$/.test(reason) ? reason : `${reason}.`
}

function mendOf(settings: Settings, error: unknown): string {
  if (settings.database.url !== undefined) return 'Start it, or mend DATABASE_URL.'
  if (codeOf(error) === 'store.locked') return ''
  return `Put a backup of ${join(settings.home, 'database')} back, or move it away to begin anew.`
}
