import type { Ids } from '../../base/ids.ts'
import { zoneOr } from '../../base/words.ts'
import { readAddress } from '../../channel/address.ts'
import type { StandingGrant } from '../../session/transcript.ts'
import type { Database } from '../../store/client.ts'
import { labelOf, shownArgument } from '../arguments/forms.ts'
import { hashOf } from '../hash.ts'
import type { Tool } from '../tool.ts'
import type { CardSnapshot } from './cards.ts'
import { type Actor, actorRow } from './permission.ts'

/** A standing grant as people see it. */
export interface GrantLine {
  readonly id: string
  /** What is allowed: the card's title and the arguments that are fixed. */
  readonly what: string
  readonly since: Date
}

/** What people have allowed for good. Whoever allowed it sees it and may revoke it, and nobody else. */
export interface Grants {
  /** The person's, the newest first; only those of one session where it is given. */
  list(person: Actor | { readonly personId: string }, sessionId?: string): Promise<readonly GrantLine[]>
  /** Takes it back; what has not begun by then does not run. Gives what it was, where it was theirs and still counted. */
  revoke(grantId: string, person: Actor | { readonly personId: string }): Promise<string | undefined>
}

/** The most that one list shows. */
const mostShown = 20

export function createGrants(parts: {
  db: Database
  ids: Ids
  /** For people whose own is not known. */
  timeZone: string
}): Grants {
  const { db, ids } = parts
  const personOf = async (person: Actor | { readonly personId: string }): Promise<string> => {
    if ('personId' in person) return person.personId
    const rows = await db.$queryRaw<{ person_id: string }[]>`SELECT person_id FROM ${actorRow(person)} who`
    return rows[0]?.person_id ?? ''
  }

  return {
    async list(person, sessionId) {
      const personId = await personOf(person)
      const rows = await db.$queryRaw<GrantRow[]>`
        SELECT g.id, g.title, g.arguments, g.exact, g.created_at AS since, a.card, p.time_zone AS "timeZone"
        FROM approval_grant g JOIN approval a ON a.id = g.approval_id JOIN person p ON p.id = g.person_id
        WHERE g.person_id = ${personId} AND g.revoked_at IS NULL
          AND (${sessionId ?? null}::text IS NULL OR g.session_id = ${sessionId ?? null})
        ORDER BY g.id DESC LIMIT ${mostShown}`
      return rows.map((row) => ({ id: row.id, what: whatOf(row, parts.timeZone), since: row.since }))
    },

    async revoke(grantId, person) {
      const personId = await personOf(person)
      const rows = await db.$queryRaw<Granted[]>`
        WITH place AS (
          SELECT id FROM session WHERE id = (SELECT session_id FROM approval_grant WHERE id = ${grantId}) FOR UPDATE
        ), revoked AS (
          UPDATE approval_grant g SET revoked_at = now(), revoked_by = ${personId} FROM place
          WHERE g.id = ${grantId} AND g.session_id = place.id AND g.person_id = ${personId} AND g.revoked_at IS NULL
          RETURNING g.id, g.session_id, g.title, g.arguments, g.exact, g.tool, g.approval_id
        ), seen AS (
          UPDATE session SET revision = revision + 1 WHERE id IN (SELECT session_id FROM revoked)
        ), audited AS (
          INSERT INTO audit_event (id, action, person_id, session_id, subject_id, data)
          SELECT ${ids('aud')}, 'grant.revoked', ${personId}, revoked.session_id, revoked.id,
            jsonb_build_object('approval', revoked.approval_id, 'tool', revoked.tool)
          FROM revoked
        )
        SELECT r.title, r.arguments, r.exact, a.card, p.time_zone AS "timeZone"
        FROM revoked r JOIN approval a ON a.id = r.approval_id JOIN person p ON p.id = ${personId}`
      return rows[0] && whatOf(rows[0], parts.timeZone)
    },
  }
}

/** What was granted, with the card on which it was and the zone of whoever granted it. */
interface Granted {
  readonly title: string
  readonly arguments: Readonly<Record<string, unknown>>
  readonly exact: boolean
  readonly card: Pick<CardSnapshot, 'schema' | 'language'>
  readonly timeZone: string | null
}

interface GrantRow extends Granted {
  readonly id: string
  readonly since: Date
}

/** In words, as its card showed them: "Send message (To: Bob, Text: any)". */
function whatOf(grant: Granted, timeZone: string): string {
  const { schema, language } = grant.card
  const reader = { timeZone: zoneOr(grant.timeZone, timeZone), language }
  const fixed = Object.entries(grant.arguments)
    // Where a name came to is bound too, but says nothing to people that the name does not.
    .filter(([, value]) => typeof value !== 'string' || readAddress(value) === undefined)
    .map(
      ([name, value]) => `${labelOf(name, language)}: ${short(shownArgument(name, value, schema, reader))}`,
    )
    .join(', ')
  return `${grant.title} (${fixed}${grant.exact ? '' : ', …'})`
}

function short(text: string): string {
  const characters = [...text.replace(/\s+/g, ' ')]
  return characters.length <= 60 ? characters.join('') : `${characters.slice(0, 59).join('')}…`
}

/** The grant that lets a call of this person run without a card: for exactly this definition of the tool. */
export function grantFor(
  grants: readonly StandingGrant[],
  call: {
    readonly tool: Tool
    readonly personId: string
    readonly arguments: Readonly<Record<string, unknown>>
  },
): StandingGrant | undefined {
  return grants.find(
    (grant) =>
      grant.personId === call.personId &&
      grant.tool === call.tool.name &&
      grant.definitionHash === call.tool.definitionHash &&
      (grant.exact
        ? hashOf(grant.arguments) === hashOf(call.arguments)
        : Object.entries(grant.arguments).every(
            ([name, value]) => hashOf(value) === hashOf(call.arguments[name]),
          )),
  )
}

/**
 * The arguments that a grant fixes where settings name some: those, and what the tool made of them beside its schema
 * (the address that a name came to). Empty means all.
 */
export function fixedKeys(
  keys: readonly string[],
  schema: Readonly<Record<string, unknown>>,
  args: Readonly<Record<string, unknown>>,
): readonly string[] {
  if (keys.length === 0) return []
  const own = (schema.properties ?? {}) as Readonly<Record<string, unknown>>
  return [...new Set([...keys, ...Object.keys(args).filter((name) => !Object.hasOwn(own, name))])]
}
