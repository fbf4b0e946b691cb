import { randomBytes } from 'node:crypto'
import { Redis } from 'ioredis'
import pg from 'pg'

/** A database and a Redis that nobody else uses, on the servers that the environment names. */
export interface Services {
  readonly databaseUrl: string
  readonly redisUrl: string
  remove(): Promise<void>
}

// The last of the 16 that every Redis has by default.
const redisDatabase = 15

/** Makes both; gives nothing where the environment names none. */
export async function makeServices(
  env: Readonly<Record<string, string | undefined>>,
): Promise<Services | undefined> {
  const { DATABASE_URL, REDIS_URL } = env
  if (!DATABASE_URL || !REDIS_URL) return undefined
  const redisUrl = new URL(REDIS_URL)
  redisUrl.pathname = `/${redisDatabase}`
  const redis = new Redis(redisUrl.href, { lazyConnect: true, retryStrategy: () => null })
  await redis.connect()
  if ((await redis.dbsize()) > 0) {
    redis.disconnect()
    throw new Error(`The database ${redisDatabase} of REDIS_URL is not empty, so the bench leaves it alone.`)
  }
  const name = `hermes_bench_${randomBytes(4).toString('hex')}`
  await onServer(DATABASE_URL, `CREATE DATABASE ${name}`)
  const databaseUrl = new URL(DATABASE_URL)
  databaseUrl.pathname = `/${name}`
  return {
    databaseUrl: databaseUrl.href,
    redisUrl: redisUrl.href,
    async remove() {
      await redis.flushdb()
      redis.disconnect()
      await onServer(DATABASE_URL, `DROP DATABASE ${name} WITH (FORCE)`)
    },
  }
}

async function onServer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
