import { Prisma } from '../store/prisma/client.ts'

/** Columns that say whose a row is. */
const owned: readonly (readonly [table: string, column: string])[] = [
  ['inbound_event', 'person_id'],
  ['turn', 'person_id'],
  ['message', 'person_id'],
  ['tool_call', 'person_id'],
  ['approval', 'person_id'],
  ['approval_grant', 'person_id'],
  ['workflow_instance', 'person_id'],
  ['reminder', 'person_id'],
  ['hand_over', 'person_id'],
  ['model_use', 'person_id'],
]

/** More of them, which stay where they are when a person is parted. */
const more: readonly (readonly [table: string, column: string])[] = [
  ['hand_over', 'claimed_by'],
  ['ticket_comment', 'person_id'],
  ['ticket_change', 'person_id'],
  ['memory_revision', 'by_person'],
]

/**
 * The statements that make one person of two: of the one who was shown the code, whose id stays, and of the one who
 * said it. They run in one transaction, in this order: the sessions are locked first, as by every commit of a turn,
 * then the persons, as by everything that is written for one. So nothing is under way, and what is written later
 * follows by a trigger. `key` marks that this very transaction has used the code.
 */
export function joined(by: {
  readonly identityId: string
  /** SQL: which code `c` of those that this identity has said. */
  readonly wanted: Prisma.Sql
  readonly key: string
  readonly auditId: string
  /** SQL: is not null where the two can't be one. */
  readonly overlap: Prisma.Sql
}): readonly Prisma.Sql[] {
  const pair = Prisma.sql`(
    SELECT c.id, said.person_id AS leaving, shown.person_id AS staying FROM link_code c
    JOIN identity shown ON shown.id = c.identity_id JOIN identity said ON said.id = c.claimed_by
    WHERE c.claimed_by = ${by.identityId} AND ${by.wanted} AND c.used_at IS NULL AND c.expires_at > now()
      AND said.person_id <> shown.person_id AND ${by.overlap} IS NULL
    ORDER BY c.id DESC LIMIT 1)`
  const made = Prisma.sql`(SELECT id, leaving, staying FROM link_code WHERE use_key = ${by.key}) made`
  const move = ([table, column]: readonly [string, string]) => Prisma.sql`
    UPDATE ${Prisma.raw(table)} t SET ${Prisma.raw(column)} = made.staying
    FROM ${made} WHERE t.${Prisma.raw(column)} = made.leaving`
  return [
    Prisma.sql`SELECT s.id FROM session s WHERE s.id IN (
      SELECT session_id FROM ${unfinished} u WHERE u.person_id IN (SELECT leaving FROM ${pair} p)) ORDER BY s.id FOR UPDATE`,
    Prisma.sql`SELECT p.id FROM person p WHERE p.id IN (SELECT unnest(ARRAY[leaving, staying]) FROM ${pair} q)
      ORDER BY p.id FOR UPDATE`,
    Prisma.sql`UPDATE link_code c SET used_at = now(), use_key = ${by.key}, leaving = p.leaving, staying = p.staying
      FROM ${pair} p WHERE c.id = p.id`,
    Prisma.sql`UPDATE session SET revision = revision + 1 FROM ${made} WHERE session.id IN (
      SELECT session_id FROM ${unfinished} u WHERE u.person_id = made.leaving)`,
    Prisma.sql`INSERT INTO audit_event (id, action, person_id, subject_id, data)
      SELECT ${by.auditId}, 'person.linked', made.staying, made.leaving, jsonb_build_object('code', made.id,
        'allowed', (SELECT private_in_shared FROM person WHERE id = made.staying),
        'identities', (SELECT jsonb_agg(jsonb_build_object('channel', channel, 'workspace', workspace, 'user', user_id))
          FROM identity WHERE person_id IN (made.leaving, made.staying)))
      FROM ${made}`,
    // What one of the two wants to keep private stays so.
    Prisma.sql`UPDATE person p SET private_in_shared = p.private_in_shared AND l.private_in_shared,
        time_zone = COALESCE(p.time_zone, l.time_zone), language = COALESCE(p.language, l.language),
        human = COALESCE(p.human, l.human, p.id)
      FROM ${made} JOIN person l ON l.id = made.leaving WHERE p.id = made.staying`,
    Prisma.sql`UPDATE person p SET human = s.human FROM ${made} JOIN person s ON s.id = made.staying
      JOIN person l ON l.id = made.leaving WHERE p.id = l.id OR p.human = l.human`,
    Prisma.sql`UPDATE person p SET linked_to = made.staying FROM ${made}
      WHERE p.id = made.leaving OR p.linked_to = made.leaving`,
    move(['identity', 'person_id']),
    ...[...owned, ...more].map(move),
    ...spacious.map(
      ([table, column]) => Prisma.sql`
      UPDATE ${Prisma.raw(table)} t SET ${Prisma.raw(column)} = made.staying,
        workspace = CASE WHEN t.workspace = made.leaving THEN made.staying ELSE t.workspace END
      FROM ${made} WHERE t.${Prisma.raw(column)} = made.leaving OR t.workspace = made.leaving`,
    ),
  ]
}

/** Rows that may lie in the space of a person's direct messages on Discord, which has the person's own id. */
const spacious = [
  ['memory', 'person_id'],
  ['ticket', 'created_by'],
] as const

/**
 * The statements that give an identity a person of its own. What was said and asked for in the threads of its space
 * goes with it; memories stay. A person has one identity in a space, so it can't be another one's.
 */
export function parted(by: {
  readonly identityId: string
  readonly newcomer: string
  readonly auditId: string
}): readonly Prisma.Sql[] {
  const owner = Prisma.sql`(SELECT person_id FROM identity WHERE id = ${by.identityId})`
  const made = Prisma.sql`(SELECT n.id AS newcomer, a.person_id AS remaining, i.channel, i.workspace
    FROM person n JOIN audit_event a ON a.id = ${by.auditId} JOIN identity i ON i.id = ${by.identityId}
    WHERE n.id = ${by.newcomer}) made`
  const space = Prisma.sql`(s.channel = made.channel AND (made.channel = 'discord' OR s.workspace = made.workspace))`
  const move = ([table, column]: readonly [string, string]) => Prisma.sql`
    UPDATE ${Prisma.raw(table)} t SET ${Prisma.raw(column)} = made.newcomer FROM ${made}
    WHERE t.${Prisma.raw(column)} = made.remaining
      AND t.session_id IN (SELECT s.id FROM session s WHERE ${space})`
  return [
    Prisma.sql`SELECT s.id FROM session s WHERE s.id IN (
      SELECT session_id FROM ${unfinished} u WHERE u.person_id = ${owner}) ORDER BY s.id FOR UPDATE`,
    Prisma.sql`SELECT p.id FROM person p WHERE p.id = ${owner} FOR UPDATE`,
    Prisma.sql`UPDATE person p SET human = COALESCE(p.human, p.id) WHERE p.id = ${owner}`,
    Prisma.sql`INSERT INTO person (id, display_name, time_zone, language, human)
      SELECT ${by.newcomer}, i.name, p.time_zone, p.language, p.human FROM identity i JOIN person p ON p.id = i.person_id
      WHERE i.id = ${by.identityId} AND EXISTS (SELECT 1 FROM identity o WHERE o.person_id = p.id AND o.id <> i.id)`,
    Prisma.sql`INSERT INTO audit_event (id, action, person_id, subject_id, data)
      SELECT ${by.auditId}, 'person.parted', i.person_id, n.id,
        jsonb_build_object('channel', i.channel, 'workspace', i.workspace, 'user', i.user_id)
      FROM person n JOIN identity i ON i.id = ${by.identityId} WHERE n.id = ${by.newcomer}`,
    Prisma.sql`UPDATE identity i SET person_id = made.newcomer FROM ${made} WHERE i.id = ${by.identityId}`,
    Prisma.sql`UPDATE session s SET revision = revision + 1 FROM ${made} WHERE ${space} AND s.id IN (
      SELECT session_id FROM ${unfinished} u WHERE u.person_id = made.remaining)`,
    ...owned.map(move),
    Prisma.sql`UPDATE ticket t SET workspace = made.newcomer,
        created_by = CASE WHEN t.created_by = made.remaining THEN made.newcomer ELSE t.created_by END
      FROM ${made} WHERE made.channel = 'discord' AND t.workspace = made.remaining`,
  ]
}

// Where something of a person may be under way.
const unfinished = Prisma.raw(`(
  SELECT session_id, person_id FROM inbound_event WHERE status = 'new'
  UNION ALL SELECT session_id, person_id FROM turn WHERE status IN ('running', 'waiting')
  UNION ALL SELECT session_id, person_id FROM tool_call WHERE status IN ('proposed', 'approved', 'executing', 'unknown')
  UNION ALL SELECT session_id, person_id FROM approval WHERE status = 'open')`)
