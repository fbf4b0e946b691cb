import type { Database } from './client.ts'

/**
 * The name of this installation, made at its first start and kept in its database: what several installations share
 * (a Redis) is kept apart by it.
 */
export async function installationName(db: Database, made: string): Promise<string> {
  const rows = await db.$queryRaw<{ value: string }[]>`
    WITH named AS (
      INSERT INTO state (scope, key, value) VALUES ('hermes', 'installation', to_jsonb(${made}::text))
      ON CONFLICT (scope, key) DO NOTHING RETURNING value
    )
    SELECT value #>> '{}' AS value FROM named
    UNION ALL SELECT value #>> '{}' FROM state WHERE scope = 'hermes' AND key = 'installation' LIMIT 1`
  return rows[0]?.value ?? made
}
