import { type Author, identitySpace, type ThreadRef } from '../../channel/events.ts'
import type { Database } from '../../store/client.ts'
import { Prisma } from '../../store/prisma/client.ts'
import { isUniqueViolation } from '../../store/unique.ts'

/** Someone who clicks, commands or types, at a place. */
export interface Actor {
  readonly thread: Pick<ThreadRef, 'channel' | 'workspace'>
  readonly author: Author
}

/** SQL: the one row of the person who acts, or none where the directory does not know them. */
export function actorRow(actor: Actor): Prisma.Sql {
  return Prisma.sql`(
    SELECT i.person_id, i.name, p.display_name FROM identity i JOIN person p ON p.id = i.person_id
    WHERE i.channel = ${actor.thread.channel}::channel_name AND i.workspace = ${identitySpace(actor.thread)}
      AND i.user_id = ${actor.author.userId})`
}

/** SQL: was it asked, or does its card stand, on the platform and in the workspace where the person acts? */
export function isReachable(actor: Actor): Prisma.Sql {
  const { channel, workspace } = actor.thread
  return Prisma.sql`((s.channel = ${channel}::channel_name AND s.workspace = ${workspace})
    OR (a.place->>'channel' = ${channel} AND a.place->>'workspace' = ${workspace}))`
}

/**
 * SQL: may `who` (an `actorRow`) decide the approval `a`? Part of the very statement that decides, so that nothing
 * can change in between. Groups count with their members of now. A name counts for the one person who has it where
 * they act, or where it was asked; where two have it, for nobody. Four eyes are those of two humans.
 */
export function mayDecide(actor: Actor): Prisma.Sql {
  const { channel } = actor.thread
  const space = identitySpace(actor.thread)
  return Prisma.sql`(NOT (a.four_eyes AND ${sameHuman}) AND (
    (who.person_id = a.person_id AND 'requester' = ANY(a.approvers))
    OR (a.approvers <> '{requester}' AND EXISTS (
      SELECT 1 FROM ${named}
      WHERE named.member = ${actorKey(actor)}
        OR EXISTS (SELECT 1 FROM identity me JOIN session asked_in ON asked_in.id = a.session_id
          WHERE me.person_id = who.person_id AND lower(named.member) = 'name:' || lower(me.name)
            AND ((me.channel = ${channel}::channel_name AND me.workspace = ${space}) OR (me.channel = asked_in.channel
              AND me.workspace = CASE asked_in.channel WHEN 'discord' THEN 'discord' ELSE asked_in.workspace END))
            AND NOT EXISTS (SELECT 1 FROM identity o WHERE o.channel = me.channel AND o.workspace = me.workspace
              AND lower(o.name) = lower(me.name) AND o.person_id <> who.person_id))
        OR EXISTS (SELECT 1 FROM identity o WHERE o.person_id = who.person_id
          AND named.member = 'id:' || o.channel || ':' || o.workspace || ':' || o.user_id)))))`
}

// Those whom the approval `a` names, and the members of its groups.
const named = Prisma.sql`(
  SELECT unnest(a.approvers) AS member
  UNION ALL SELECT g.member FROM approver_group g WHERE ('group:' || g.name) = ANY(a.approvers)) named`

// Are `who` and the one who asked for `a` one human? Persons who were linked once count as one also after they were
// parted, and so do those whom the operator's list of people names as one.
const sameHuman = Prisma.sql`(who.person_id = a.person_id
  OR EXISTS (SELECT 1 FROM person me JOIN person they ON they.human = me.human
    WHERE me.id = who.person_id AND they.id = a.person_id)
  OR EXISTS (SELECT 1 FROM identity me
    JOIN directory_address mine ON mine.channel = me.channel AND mine.workspace = me.workspace AND mine.user_id = me.user_id
    JOIN directory_address other ON other.entry = mine.entry
    JOIN identity they ON they.channel = other.channel AND they.workspace = other.workspace AND they.user_id = other.user_id
    WHERE me.person_id = who.person_id AND they.person_id = a.person_id))`

function actorKey({ thread, author }: Actor): string {
  return `id:${thread.channel}:${identitySpace(thread)}:${author.userId}`
}

/**
 * Enters someone into the directory who is named by an approval and acts for the first time with this very click.
 * Others are not entered; two clicks at once enter them once.
 */
export async function meetApprover(
  db: Database,
  approval: { readonly id?: string; readonly callId?: string },
  actor: Actor,
  ids: { readonly person: string; readonly identity: string; readonly name: string },
): Promise<void> {
  const { thread, author } = actor
  const space = identitySpace(thread)
  const entered = db.$executeRaw`
    WITH newcomer AS (
      INSERT INTO person (id, display_name, time_zone, language)
      SELECT ${ids.person}, ${ids.name}, ${author.timeZone ?? null}, ${author.language ?? null}
      FROM approval a JOIN session s ON s.id = a.session_id
      WHERE (a.id = ${approval.id ?? ''} OR a.call_id = ${approval.callId ?? ''}) AND ${isReachable(actor)}
        AND EXISTS (SELECT 1 FROM ${named}
          WHERE named.member = ${actorKey(actor)} OR lower(named.member) = 'name:' || lower(${ids.name}))
        AND NOT EXISTS (SELECT 1 FROM identity i WHERE i.channel = ${thread.channel}::channel_name
          AND i.workspace = ${space} AND i.user_id = ${author.userId})
      RETURNING id
    )
    INSERT INTO identity (id, person_id, channel, workspace, user_id, name)
    SELECT ${ids.identity}, id, ${thread.channel}::channel_name, ${space}, ${author.userId}, ${ids.name} FROM newcomer`
  await entered.catch((error: unknown) => {
    if (!isUniqueViolation(error)) throw error
  })
}

/** Puts the groups of the settings in the place of those that were there. */
export async function keepGroups(
  db: Database,
  groups: readonly { readonly name: string; readonly members: readonly string[] }[],
): Promise<void> {
  const members = groups.flatMap(({ name, members }) => members.map((member) => ({ name, member })))
  await db.$executeRaw`
    WITH wanted AS (
      SELECT DISTINCT w.name, w.member FROM jsonb_to_recordset(${JSON.stringify(members)}::jsonb) AS w(name text, member text)
    ), gone AS (
      DELETE FROM approver_group g WHERE NOT EXISTS (
        SELECT 1 FROM wanted w WHERE w.name = g.name AND w.member = g.member)
    )
    INSERT INTO approver_group (name, member) SELECT name, member FROM wanted ON CONFLICT DO NOTHING`
}
