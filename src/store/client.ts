import { createHash } from 'node:crypto'
import { PrismaPg } from '@prisma/adapter-pg'
import { PrismaClient } from './prisma/client.ts'

/** The database as the modules see it: one Prisma client, on the embedded engine or on PostgreSQL alike. */
export type Database = PrismaClient

/**
 * Opens a client on a PostgreSQL URL.
 * @param connections the most connections held at once; the embedded engine has one backend for all of them
 */
export function openClient(url: string, options: { connections?: number } = {}): Database {
  const adapter = new PrismaPg(
    {
      connectionString: url,
      max: options.connections ?? 10,
      connectionTimeoutMillis: 5_000,
      idleTimeoutMillis: 30_000,
    },
    // A named statement is planned once for each connection; planning took longer than running.
    { statementNameGenerator: ({ sql }) => nameOf(sql) },
  )
  return new PrismaClient({ adapter, transactionOptions: { maxWait: 5_000, timeout: 10_000 } })
}

const names = new Map<string, string>()

/** A name for each text of a statement. The texts are those of the code, so there are few. */
function nameOf(sql: string): string {
  let name = names.get(sql)
  if (!name) {
    name = `h${createHash('sha256').update(sql).digest('hex').slice(0, 24)}`
    if (names.size < 2_000) names.set(sql, name)
  }
  return name
}
