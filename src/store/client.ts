import { createHash } from 'node:crypto'
import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import { Prisma, PrismaClient } from './prisma/client.ts'

/** The database as the modules see it: one Prisma client, on the embedded engine or on PostgreSQL alike. */
export type Database = PrismaClient & Statements

/**
 * Statements that every turn runs, sent by the driver itself on the same connections: Prisma's engine takes longer
 * for a raw statement than everything else does. Values and results are as the driver has them, so big integers and
 * decimals come as text, and errors are the driver's own with PostgreSQL's codes.
 */
export interface Statements {
  /** Runs a statement and gives its rows. */
  rows<Row>(statement: TemplateStringsArray | Prisma.Sql, ...values: readonly unknown[]): Promise<Row[]>
  /** Runs a statement and gives the number of rows that it changed. */
  changed(statement: TemplateStringsArray | Prisma.Sql, ...values: readonly unknown[]): Promise<number>
}

/**
 * Opens a client on a PostgreSQL URL.
 * @param connections the most connections held at once; the embedded engine has one backend for all of them
 */
export function openClient(url: string, options: { connections?: number } = {}): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.connections ?? 10,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
  })
  // A connection that breaks while nobody uses it is replaced at its next use.
  pool.on('error', () => {})
  const adapter = new PrismaPg(pool, {
    // A named statement is planned once for each connection; planning took longer than running.
    statementNameGenerator: ({ sql }) => nameOf(sql),
  })
  const client = new PrismaClient({ adapter, transactionOptions: { maxWait: 5_000, timeout: 10_000 } })
  const leave = client.$disconnect.bind(client)
  return Object.assign(client, statementsOn(pool), {
    async $disconnect() {
      await leave()
      if (!pool.ending) await pool.end()
    },
  })
}

function statementsOn(pool: pg.Pool): Statements {
  const run = (statement: TemplateStringsArray | Prisma.Sql, values: readonly unknown[]) => {
    const sql = statement instanceof Prisma.Sql ? statement : Prisma.sql(statement, ...values)
    const { text } = sql
    return pool.query({ name: nameOf(text), text, values: sql.values })
  }
  return {
    rows: async <Row>(statement: TemplateStringsArray | Prisma.Sql, ...values: readonly unknown[]) =>
      (await run(statement, values)).rows as Row[],
    changed: async (statement, ...values) => (await run(statement, values)).rowCount ?? 0,
  }
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
