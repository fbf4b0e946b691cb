import { PrismaPg } from '@prisma/adapter-pg'
import { PrismaClient } from './prisma/client.ts'

/** The database as the modules see it: one Prisma client, on the embedded engine or on PostgreSQL alike. */
export type Database = PrismaClient

/**
 * Opens a client on a PostgreSQL URL.
 * @param connections the most connections held at once; the embedded engine has one backend for all of them
 */
export function openClient(url: string, options: { connections?: number } = {}): Database {
  const adapter = new PrismaPg({
    connectionString: url,
    max: options.connections ?? 10,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
  })
  return new PrismaClient({ adapter, transactionOptions: { maxWait: 5_000, timeout: 10_000 } })
}
