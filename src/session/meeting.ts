import type { Ids } from '../base/ids.ts'
import { type Author, identitySpace, type ThreadRef } from '../channel/events.ts'
import type { Database } from '../store/client.ts'
import { isUniqueViolation } from '../store/unique.ts'
import { displayName } from './storable.ts'

/** A person with the identity that they have at some place. */
export interface Met {
  readonly personId: string
  readonly identityId: string
}

/** Finds the person behind an author, and makes them where nobody has met them yet, without them having written. */
export async function meet(
  { db, ids }: { readonly db: Database; readonly ids: Ids },
  thread: Pick<ThreadRef, 'channel' | 'workspace'>,
  author: Author,
): Promise<Met> {
  const space = identitySpace(thread)
  const name = displayName(author)
  for (let attempt = 1; ; attempt++) {
    try {
      const [met] = await db.rows<Met>`
        WITH known AS (
          SELECT id, person_id FROM identity
          WHERE channel = ${thread.channel}::channel_name AND workspace = ${space} AND user_id = ${author.userId}
        ), newcomer AS (
          INSERT INTO person (id, display_name, time_zone, language)
          SELECT ${ids('per')}, ${name}, ${author.timeZone ?? null}, ${author.language ?? null}
          WHERE NOT EXISTS (SELECT 1 FROM known)
          RETURNING id
        ), introduced AS (
          INSERT INTO identity (id, person_id, channel, workspace, user_id, name)
          SELECT ${ids('idn')}, id, ${thread.channel}::channel_name, ${space}, ${author.userId}, ${name} FROM newcomer
          RETURNING id, person_id
        )
        SELECT id AS "identityId", person_id AS "personId" FROM known UNION ALL SELECT id, person_id FROM introduced`
      return met!
    } catch (error) {
      // They may write for the first time at this very moment.
      if (attempt >= 4 || !isUniqueViolation(error)) throw error
    }
  }
}
