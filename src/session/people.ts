import { type Language, zoneOr } from '../base/words.ts'
import type { Address } from '../channel/address.ts'
import { type ChannelName, identitySpace, type ThreadRef } from '../channel/events.ts'
import type { Database } from '../store/client.ts'
import { Prisma } from '../store/prisma/client.ts'

/** A person, as a turn knows them. */
export interface PersonFacts {
  readonly id: string
  readonly name: string
  readonly timeZone: string
  readonly language: Language | undefined
  /** May their private memories be used where others can read? */
  readonly privateInShared: boolean
  /** Their id on the channel that the turn runs on. */
  readonly userId: string | undefined
}

/**
 * Whose data is shared in a thread: a workspace's. Discord's direct messages belong to no workspace, and strangers
 * have them alike, so there it is the person's own.
 */
export function teamOf(thread: Pick<ThreadRef, 'workspace'>, personId: string): string {
  return thread.workspace === directs ? personId : thread.workspace
}

/** The workspace of Discord's direct messages. */
const directs = '@me'

/** Someone whom a message can be sent to. */
export interface Reachable {
  readonly personId: string
  readonly name: string
  readonly identity: {
    readonly channel: ThreadRef['channel']
    readonly workspace: string
    readonly userId: string
  }
}

/** An identity of somebody, where they can be written to. */
export interface KnownAddress extends Address {
  readonly personId: string
  readonly name: string
}

/** A person as a row; what is not known of them is filled in by `People.of`. */
export interface PersonRow {
  readonly id: string
  readonly display_name: string
  readonly time_zone: string | null
  readonly language: string | null
  readonly private_in_shared: boolean
  readonly user_id: string | null
}

/** The one who wrote first of those that wait in a session `s`, as a `PersonRow` in JSON; compare `identitySpace`. */
export const firstWaiting: Prisma.Sql = Prisma.raw(`(
  SELECT json_build_object('id', p.id, 'display_name', p.display_name, 'time_zone', p.time_zone, 'language', p.language,
    'private_in_shared', p.private_in_shared, 'user_id', (SELECT i.user_id FROM identity i WHERE i.person_id = p.id
      AND i.channel = s.channel AND i.workspace = CASE s.channel WHEN 'discord' THEN 'discord' ELSE s.workspace END LIMIT 1))
  FROM person p WHERE p.id = (SELECT e.person_id FROM inbound_event e
    WHERE e.session_id = s.id AND e.status = 'new' AND e.person_id IS NOT NULL ORDER BY e.id LIMIT 1))`)

export interface People {
  of(row: PersonRow): PersonFacts
  find(personId: string, at?: Pick<ThreadRef, 'channel' | 'workspace'>): Promise<PersonFacts | undefined>
  /**
   * People of the workspace whose name is (or holds) that name; the exact ones alone where there are any. Nobody
   * in Discord's direct messages, which are no workspace: strangers have them alike.
   */
  named(name: string, at: Pick<ThreadRef, 'channel' | 'workspace'>): Promise<readonly Reachable[]>
  /** Everybody who is met at one of these addresses, with all their other ones. */
  at(addresses: readonly Address[]): Promise<readonly KnownAddress[]>
  /** Where a person can be written to. */
  addresses(personId: string): Promise<readonly KnownAddress[]>
  /** Where a person has written last, of these channels. */
  lastChannel(personId: string, channels: readonly ChannelName[]): Promise<ChannelName | undefined>
  /** Discord servers in which a person has written. */
  guilds(personId: string): Promise<readonly string[]>
}

// An identity `i` as an address: on Discord people are written to directly, whatever server they are known from.
const addressColumns =
  Prisma.raw(`i.person_id AS "personId", i.name, i.channel::text AS channel, i.user_id AS "userId",
  CASE i.channel WHEN 'discord' THEN '@me' ELSE i.workspace END AS workspace`)

/** @param timeZone for people of whom no time zone is known */
export function createPeople(db: Database, timeZone: string): People {
  const of = (row: PersonRow): PersonFacts => ({
    id: row.id,
    name: row.display_name,
    timeZone: zoneOr(row.time_zone, timeZone),
    language: row.language === 'zh' || row.language === 'en' ? row.language : undefined,
    privateInShared: row.private_in_shared,
    userId: row.user_id ?? undefined,
  })
  return {
    async find(personId, at) {
      const rows = await db.rows<PersonRow>`
        SELECT p.id, p.display_name, p.time_zone, p.language, p.private_in_shared, (
          SELECT i.user_id FROM identity i WHERE i.person_id = p.id AND (${at === undefined} OR
            (i.channel = ${at?.channel ?? 'web'}::channel_name AND i.workspace = ${at ? identitySpace(at) : ''})) LIMIT 1) AS user_id
        FROM person p WHERE p.id = ${personId}`
      return rows[0] && of(rows[0])
    },
    of,
    async named(name, at) {
      const wanted = name.trim().replace(/^@/, '').toLowerCase()
      if (wanted === '' || at.workspace === directs) return []
      const rows = await db.identity.findMany({
        where: {
          channel: at.channel,
          workspace: identitySpace(at),
          // Discord's ids are the same in every guild; who never wrote in this one is none of its people.
          ...(at.channel === 'discord'
            ? { person: { events: { some: { session: { workspace: at.workspace } } } } }
            : {}),
          OR: [
            { name: { contains: wanted, mode: 'insensitive' } },
            { userId: { equals: wanted, mode: 'insensitive' } },
          ],
        },
        take: 20,
      })
      const exact = rows.filter(
        (row) => row.name.toLowerCase() === wanted || row.userId.toLowerCase() === wanted,
      )
      return (exact.length > 0 ? exact : rows).map((row) => ({
        personId: row.personId,
        name: row.name,
        identity: { channel: row.channel, workspace: at.workspace, userId: row.userId },
      }))
    },
    async at(addresses) {
      if (addresses.length === 0) return []
      const wanted = addresses.map((one) => ({ ...one, space: identitySpace(one) }))
      return db.rows<KnownAddress>`
        SELECT DISTINCT ${addressColumns} FROM jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb)
            AS w(channel text, space text, "userId" text)
          JOIN identity met ON met.channel::text = w.channel AND met.workspace = w.space AND met.user_id = w."userId"
          JOIN identity i ON i.person_id = met.person_id`
    },
    addresses: (personId) =>
      db.rows<KnownAddress>`SELECT ${addressColumns} FROM identity i WHERE i.person_id = ${personId} ORDER BY i.id`,
    async lastChannel(personId, channels) {
      const [row] = await db.rows<{ channel: ChannelName }>`
        SELECT s.channel::text FROM inbound_event e JOIN session s ON s.id = e.session_id
        WHERE e.person_id = ${personId} AND s.channel::text = ANY(${[...channels]}::text[]) ORDER BY e.id DESC LIMIT 1`
      return row?.channel
    },
    async guilds(personId) {
      const rows = await db.rows<{ workspace: string }>`
        SELECT DISTINCT s.workspace FROM inbound_event e JOIN session s ON s.id = e.session_id
        WHERE e.person_id = ${personId} AND s.channel = 'discord' AND s.workspace <> ${directs} LIMIT 5`
      return rows.map((row) => row.workspace)
    },
  }
}
