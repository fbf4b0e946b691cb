import { Prisma } from '../store/prisma/client.ts'
import type { Asker, MemoryScope, Place } from './record.ts'

/**
 * The memories that an answer to this person, in this place, may use. Every read goes through it: what is
 * private to somebody else can't be reached, whatever is asked, and the asker's own private memories are not
 * used where others read, unless the asker has allowed that.
 */
export function readableBy(asker: Asker, place: Place): Prisma.Sql {
  const scopes = place.reads
    ? Prisma.sql`memory.scope::text = ANY (${[...place.reads]}::text[]) AND `
    : Prisma.empty
  return Prisma.sql`(${scopes}(
    memory.scope = 'public'
    OR (${sharedBy(place)})
    OR (memory.scope = 'private' AND memory.person_id = ${asker.personId} AND (
      NOT ${place.shared}::boolean
      OR EXISTS (SELECT 1 FROM person WHERE person.id = ${asker.personId} AND person.private_in_shared)
    ))
  ))`
}

/** The scope that something is written into here: the one meant, else the narrower private one, else none. */
export function writableScope(place: Place, meant: MemoryScope): MemoryScope | undefined {
  const { writes } = place
  if (!writes || writes.includes(meant)) return meant
  return writes.includes('private') ? 'private' : undefined
}

/** What the team of this workspace knows together. A place without a workspace, as a Discord DM, has no team. */
export function sharedBy(place: Place): Prisma.Sql {
  return Prisma.sql`memory.scope = 'team' AND memory.workspace = ${place.workspace} AND memory.workspace <> ''`
}

/** The memories that this person may take back: their own, in every scope. */
export function ownedBy(asker: Asker): Prisma.Sql {
  return Prisma.sql`memory.person_id = ${asker.personId}`
}

/** The memories that this person may correct: their own, and what a team knows together. */
export function correctableBy(asker: Asker, place: Place): Prisma.Sql {
  return Prisma.sql`(
    memory.person_id = ${asker.personId} OR (${sharedBy(place)})
  )`
}

/** Those that count now: neither superseded, archived nor forgotten, within their time. */
export function current(now: Date): Prisma.Sql {
  return Prisma.sql`memory.status = 'active'
    AND (memory.valid_until IS NULL OR memory.valid_until > ${now}::timestamptz)
    AND (memory.expires_at IS NULL OR memory.expires_at > ${now}::timestamptz)`
}
