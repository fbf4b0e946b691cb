import type { Clock } from '../base/clock.ts'
import type { Database } from '../store/client.ts'
import type { Prisma } from '../store/prisma/client.ts'

/** Key-value state with a life span, between a session's working memory and what is remembered for long. */
export interface State {
  /** The value, or undefined when there is none or its time is over. */
  get(scope: string, key: string): Promise<Prisma.JsonValue | undefined>
  /** Sets a value that lasts for `lifeMs`, by default seven days; `null` means for ever. */
  set(scope: string, key: string, value: Prisma.InputJsonValue, lifeMs?: number | null): Promise<void>
  remove(scope: string, key: string): Promise<void>
  /** All values of a scope by key. */
  all(scope: string): Promise<ReadonlyMap<string, Prisma.JsonValue>>
}

const defaultLifeMs = 7 * 86_400_000

/** State in the database; a scope is the id of a session or person, or a name of Hermes' own. */
export function createState({ database, clock }: { database: Database; clock: Clock }): State {
  const alive = () => ({ OR: [{ expiresAt: null }, { expiresAt: { gt: clock.now() } }] })
  return {
    async get(scope, key) {
      const row = await database.state.findFirst({
        where: { scope, key, ...alive() },
        select: { value: true },
      })
      return row?.value
    },
    async set(scope, key, value, lifeMs = defaultLifeMs) {
      const now = clock.now()
      const expiresAt = lifeMs === null ? null : new Date(now.getTime() + lifeMs)
      await database.$executeRaw`
        INSERT INTO state (scope, key, value, expires_at, updated_at)
        VALUES (${scope}, ${key}, ${JSON.stringify(value)}::jsonb, ${expiresAt}::timestamptz, ${now}::timestamptz)
        ON CONFLICT (scope, key) DO UPDATE
          SET value = excluded.value, expires_at = excluded.expires_at, updated_at = excluded.updated_at`
    },
    async remove(scope, key) {
      await database.state.deleteMany({ where: { scope, key } })
    },
    async all(scope) {
      const rows = await database.state.findMany({ where: { scope, ...alive() }, orderBy: { key: 'asc' } })
      return new Map(rows.map((row) => [row.key, row.value]))
    },
  }
}
