import { createHash, randomInt } from 'node:crypto'
import type { Ids } from '../base/ids.ts'
import type { Address } from '../channel/address.ts'
import type { ChannelName } from '../channel/events.ts'
import type { Database } from '../store/client.ts'
import { Prisma } from '../store/prisma/client.ts'
import { joined, parted } from './linked-rows.ts'

/** How long a code counts, and how many may be said in that time, in ms. */
export const codeLifeMs = 600_000
const mostAttempts = 5

/** One of a person's identities, as people are told of it. */
export interface LinkedIdentity extends Address {
  readonly id: string
  readonly name: string
}

/** Two identities that may become one person's. */
export interface LinkOffer {
  readonly codeId: string
  /** The one that was shown the code, and the one that said it. */
  readonly shown: LinkedIdentity
  readonly said: LinkedIdentity
}

/** What became of a code that was said. */
export type Claim =
  | ({ readonly kind: 'found' } & LinkOffer)
  /** Wrong, over, used, or said by somebody else before: which of them is told to nobody. */
  | { readonly kind: 'invalid' }
  | { readonly kind: 'own' }
  | { readonly kind: 'too many' }
  /** They are one person already. */
  | { readonly kind: 'linked' }
  /** One of the two is on the other's channel already. */
  | { readonly kind: 'taken'; readonly channel: ChannelName }

/** What became of a link that was confirmed. */
export type Linked =
  | {
      readonly kind: 'linked'
      readonly codeId: string
      readonly shown: LinkedIdentity
      readonly said: LinkedIdentity
      /** Private memories stay private where others read, since one of the two wanted that. */
      readonly stricter: boolean
    }
  /** Nothing waits to be confirmed by this identity: used, over, or never said. */
  | { readonly kind: 'gone' }

/**
 * The identities of one human become one person's by a code that one of them is shown and the other one says. Every
 * race is decided by the database: a code is claimed by one identity and used once.
 */
export interface Linking {
  /** A new code for an identity; those that it was shown before are void. */
  issue(identityId: string): Promise<string>
  claim(identityId: string, code: string): Promise<Claim>
  /** @param codeId which of those that it said; the last one where not given */
  confirm(identityId: string, codeId?: string): Promise<Linked>
  /** Drops what an identity has said and not confirmed. */
  cancel(identityId: string): Promise<void>
  /** Gives an identity back to a person of its own. `undefined` where it stands alone. */
  part(identityId: string): Promise<{ readonly remaining: readonly LinkedIdentity[] } | undefined>
  /** All identities of the person who has this one. */
  identities(identityId: string): Promise<readonly LinkedIdentity[]>
}

export function createLinking(parts: { db: Database; ids: Ids }): Linking {
  const { db, ids } = parts

  const identities = (identityId: string) =>
    db.rows<LinkedIdentity>`
      SELECT o.id, o.name, o.channel::text, CASE o.channel WHEN 'discord' THEN '@me' ELSE o.workspace END AS workspace,
        o.user_id AS "userId" FROM identity i JOIN identity o ON o.person_id = i.person_id
      WHERE i.id = ${identityId} ORDER BY o.id`

  return {
    identities,

    async issue(identityId) {
      const code = newCode()
      await db.changed`
        WITH void AS (
          DELETE FROM link_code WHERE (identity_id = ${identityId} AND used_at IS NULL) OR expires_at < now() - interval '1 day'
        )
        INSERT INTO link_code (id, hash, identity_id, expires_at)
        VALUES (${ids('link')}, ${hashOf(code)}, ${identityId}, now() + ${codeLifeMs} * interval '1 millisecond')`
      return code
    },

    async claim(identityId, code) {
      const [row] = await db.rows<ClaimRow>`
        WITH tried AS (
          INSERT INTO link_attempt (identity_id, count, since) VALUES (${identityId}, 1, now())
          ON CONFLICT (identity_id) DO UPDATE SET
            count = CASE WHEN ${attemptsAreOld} THEN 1 ELSE link_attempt.count + 1 END,
            since = CASE WHEN ${attemptsAreOld} THEN now() ELSE link_attempt.since END
          RETURNING count
        ), claimed AS (
          UPDATE link_code c SET claimed_by = ${identityId} FROM tried
          WHERE c.hash = ${hashOf(code)} AND c.used_at IS NULL AND c.expires_at > now() AND c.identity_id <> ${identityId}
            AND COALESCE(c.claimed_by, ${identityId}) = ${identityId} AND tried.count <= ${mostAttempts}
          RETURNING c.id, c.identity_id
        )
        SELECT tried.count, claimed.id AS "codeId", ${identityJson('shown')} AS shown, ${identityJson('said')} AS said,
          shown.person_id = said.person_id AS same, ${overlap('shown.person_id', 'said.person_id')} AS taken,
          EXISTS (SELECT 1 FROM link_code WHERE hash = ${hashOf(code)} AND identity_id = ${identityId}) AS own
        FROM tried LEFT JOIN claimed ON true LEFT JOIN identity shown ON shown.id = claimed.identity_id
          LEFT JOIN identity said ON said.id = ${identityId}`
      if (!row || row.count > mostAttempts) return { kind: 'too many' }
      if (row.own) return { kind: 'own' }
      if (row.codeId === null) return { kind: 'invalid' }
      if (row.same) return { kind: 'linked' }
      if (row.taken !== null) return { kind: 'taken', channel: row.taken }
      return { kind: 'found', codeId: row.codeId, shown: row.shown, said: row.said }
    },

    async confirm(identityId, codeId) {
      const key = ids('link')
      const wanted = codeId === undefined ? Prisma.sql`true` : Prisma.sql`c.id = ${codeId}`
      const statements = joined({
        identityId,
        wanted,
        key,
        auditId: ids('aud'),
        overlap: overlap('shown.person_id', 'said.person_id'),
      })
      await atOnce(db, statements)
      const [row] = await db.rows<{
        codeId: string
        stricter: boolean
        shown: LinkedIdentity
        said: LinkedIdentity
      }>`
        SELECT c.id AS "codeId", NOT p.private_in_shared AND (l.private_in_shared OR (a.data->>'allowed')::boolean) AS stricter,
          ${identityJson('shown')} AS shown, ${identityJson('said')} AS said
        FROM link_code c JOIN person p ON p.id = c.staying JOIN person l ON l.id = c.leaving
          JOIN identity shown ON shown.id = c.identity_id JOIN identity said ON said.id = c.claimed_by
          JOIN audit_event a ON a.action = 'person.linked' AND a.subject_id = c.leaving AND a.data->>'code' = c.id
        WHERE c.use_key = ${key}`
      if (!row) return { kind: 'gone' }
      return {
        kind: 'linked',
        ...row,
      }
    },

    async cancel(identityId) {
      await db.changed`DELETE FROM link_code WHERE claimed_by = ${identityId} AND used_at IS NULL`
    },

    async part(identityId) {
      const before = await identities(identityId)
      const newcomer = ids('per')
      await atOnce(db, parted({ identityId, newcomer, auditId: ids('aud') }))
      const made = await db.person.findUnique({ where: { id: newcomer }, select: { id: true } })
      return made ? { remaining: before.filter(({ id }) => id !== identityId) } : undefined
    },
  }
}

interface ClaimRow {
  readonly count: number
  readonly codeId: string | null
  readonly shown: LinkedIdentity
  readonly said: LinkedIdentity
  readonly same: boolean
  readonly taken: ChannelName | null
  readonly own: boolean
}

const attemptsAreOld = Prisma.sql`link_attempt.since < now() - ${codeLifeMs} * interval '1 millisecond'`

function identityJson(name: 'shown' | 'said'): Prisma.Sql {
  return Prisma.raw(`json_build_object('id', ${name}.id, 'name', ${name}.name, 'channel', ${name}.channel,
    'workspace', CASE ${name}.channel WHEN 'discord' THEN '@me' ELSE ${name}.workspace END, 'userId', ${name}.user_id)`)
}

/** SQL: a channel on which both persons have an identity within the same space. A person has one identity in each. */
function overlap(one: string, other: string): Prisma.Sql {
  return Prisma.raw(`(SELECT x.channel FROM identity x JOIN identity y ON y.channel = x.channel AND y.workspace = x.workspace
    WHERE x.person_id = ${one} AND y.person_id = ${other} AND x.person_id <> y.person_id LIMIT 1)`)
}

/** Runs statements in one transaction, again where it met another one halfway. */
async function atOnce(db: Database, statements: readonly Prisma.Sql[]): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await db.$transaction(statements.map((statement) => db.$executeRaw(statement)))
      return
    } catch (error) {
      if (attempt >= 4 || !isDeadlock(error)) throw error
    }
  }
}

function isDeadlock(error: unknown): boolean {
  if (!(error instanceof Prisma.PrismaClientKnownRequestError)) return false
  return error.code === 'P2034' || JSON.stringify(error.meta ?? {}).includes('40P01')
}

// Without letters and digits that are taken for each other: 40 bits in eight of them.
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

function newCode(): string {
  const letters = Array.from({ length: 8 }, () => alphabet[randomInt(alphabet.length)]).join('')
  return `${letters.slice(0, 4)}-${letters.slice(4)}`
}

/** However it is written: small letters, without the hyphen. */
function hashOf(code: string): string {
  const plain = code.toUpperCase().replace(/[^A-Z0-9]/g, '')
  return createHash('sha256').update(`hermes link ${plain}`).digest('hex')
}
