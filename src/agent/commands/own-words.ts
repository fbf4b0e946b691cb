import type { Database } from '../../store/client.ts'
import { Prisma } from '../../store/prisma/client.ts'

/** What becomes of a table when a person takes their data along or has it erased. */
interface OwnTable {
  /** The key of the export that has it; missing where another one has the same words. */
  readonly exported?: string
  /** Empties what is the person's: what is under way is left alone, and is gone with the next time. */
  readonly erase?: (personId: string) => Prisma.Sql
  /** Why it stays. */
  readonly stays?: string
}

/** Conversations with this person alone: what Hermes said in them is theirs, too. */
const alone = (personId: string) => Prisma.sql`(SELECT s.id FROM session s WHERE s.kind = 'direct'
  AND EXISTS (SELECT 1 FROM turn t WHERE t.session_id = s.id AND t.person_id = ${personId})
  AND NOT EXISTS (SELECT 1 FROM turn t WHERE t.session_id = s.id AND t.person_id <> ${personId}))`

const openTurns = Prisma.sql`(SELECT id FROM turn WHERE status IN ('running', 'waiting'))`

const ofTurns = (personId: string) =>
  Prisma.sql`(SELECT id FROM turn WHERE person_id = ${personId} AND status NOT IN ('running', 'waiting'))`

/**
 * Every table that may hold words of a person, by its name. What was forgotten of memories is erased by the memory
 * layer, ten minutes later.
 */
export const ownTables: Readonly<Record<string, OwnTable>> = {
  memory: { exported: 'memories' },
  memory_revision: {},
  message: {
    exported: 'messages',
    erase: (
      id,
    ) => Prisma.sql`UPDATE message SET text = '', attachments = '[]', removed_at = COALESCE(removed_at, now())
      WHERE (person_id = ${id} OR session_id IN ${alone(id)}) AND (turn_id IS NULL OR turn_id NOT IN ${openTurns})`,
  },
  inbound_event: {
    erase: (id) =>
      Prisma.sql`UPDATE inbound_event SET payload = '{}' WHERE person_id = ${id} AND status <> 'new'`,
  },
  turn: {
    erase: (id) => Prisma.sql`UPDATE turn SET intent = NULL WHERE id IN ${ofTurns(id)}`,
  },
  session: {
    erase: (
      id,
    ) => Prisma.sql`UPDATE session SET summary = NULL, plan = NULL, entities = '[]', revision = revision + 1
      WHERE id IN (SELECT session_id FROM turn WHERE person_id = ${id})
        AND id NOT IN (SELECT session_id FROM turn WHERE status IN ('running', 'waiting'))`,
  },
  draft: { erase: (id) => Prisma.sql`DELETE FROM draft WHERE session_id IN ${alone(id)}` },
  stored_result: {
    erase: (id) => Prisma.sql`DELETE FROM stored_result WHERE session_id IN ${alone(id)}
      OR call_id IN (SELECT id FROM tool_call WHERE turn_id IN ${ofTurns(id)})`,
  },
  tool_call: {
    exported: 'calls',
    erase: (
      id,
    ) => Prisma.sql`UPDATE tool_call SET arguments = '{}', result_text = '', result_ref = NULL, told = NULL,
        question = NULL, question_status = NULL
      WHERE person_id = ${id} AND turn_id IN ${ofTurns(id)}
        AND status NOT IN ('proposed', 'approved', 'executing', 'unknown')`,
  },
  approval: {
    exported: 'confirmations',
    erase: (id) => Prisma.sql`UPDATE approval SET card = card || '{"target": "", "fields": [], "schema": {}}'
      WHERE person_id = ${id} AND status <> 'open' AND call_id IN (SELECT id FROM tool_call WHERE turn_id IN ${ofTurns(id)})`,
  },
  approval_grant: {
    exported: 'allowed',
    erase: (
      id,
    ) => Prisma.sql`UPDATE approval_grant SET arguments = '{}', title = '', revoked_by = COALESCE(revoked_by, ${id}),
      revoked_at = COALESCE(revoked_at, now()) WHERE person_id = ${id}`,
  },
  workflow_instance: {
    exported: 'workflows',
    erase: (id) => Prisma.sql`UPDATE workflow_instance SET data = '{}', problem = NULL
      WHERE person_id = ${id} AND status = 'ended'`,
  },
  hand_over: {
    exported: 'cases',
    erase: (id) =>
      Prisma.sql`UPDATE hand_over SET request = '' WHERE person_id = ${id} AND status = 'released'`,
  },
  reminder: {
    exported: 'reminders',
    erase: (id) => Prisma.sql`UPDATE reminder SET text = '',
      status = CASE WHEN status = 'open' THEN 'cancelled'::reminder_status ELSE status END WHERE person_id = ${id}`,
  },
  span: { erase: (id) => Prisma.sql`DELETE FROM span WHERE turn_id IN ${ofTurns(id)}` },
  person: { exported: 'person', stays: 'the name, so that whoever writes is known' },
  identity: { exported: 'identities', stays: 'the name on a platform, so that whoever writes is known' },
  ticket: { exported: 'tickets', stays: 'it is the team’s' },
  ticket_comment: { exported: 'comments', stays: 'it is the team’s' },
  ticket_change: { exported: 'changes', stays: 'it is the team’s' },
}

/** How much `eraseWords` would empty, for the person to see first. */
export async function countWords(
  db: Database,
  personId: string,
): Promise<{ readonly messages: number; readonly reminders: number }> {
  const [messages, reminders] = await Promise.all([
    db.message.count({ where: { personId, removedAt: null } }),
    db.reminder.count({ where: { personId, status: 'open' } }),
  ])
  return { messages, reminders }
}

/** Erases what a person said and what was made of it, but for memories; it can't be brought back. */
export async function eraseWords(db: Database, personId: string, auditId: string): Promise<void> {
  const erasing = Object.values(ownTables).flatMap(({ erase }) => (erase ? [erase(personId)] : []))
  await db.$transaction([
    ...erasing.map((statement) => db.$executeRaw(statement)),
    db.auditEvent.create({ data: { id: auditId, action: 'person.erased', personId, subjectId: personId } }),
  ])
}
