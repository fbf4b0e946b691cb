import type { Database } from '../../store/client.ts'
import type { CommandAsker, CommandMemory } from './asker.ts'

/** The most messages that are exported, the newest. */
const mostMessages = 5_000

/** Everything that is kept of a person, for them to take along. */
export async function ownData(
  parts: { readonly db: Database; readonly memory: CommandMemory },
  asker: CommandAsker,
): Promise<Readonly<Record<string, unknown>>> {
  const { db, memory } = parts
  const { personId } = asker
  const [person, identities, memories, reminders, tickets, messages, decided, others] = await Promise.all([
    db.person.findUnique({ where: { id: personId } }),
    db.identity.findMany({
      where: { personId },
      select: { channel: true, workspace: true, userId: true, name: true },
    }),
    memory.exportAll(asker),
    db.reminder.findMany({
      where: { personId },
      orderBy: { id: 'asc' },
      select: { text: true, dueAt: true, timeZone: true, recurrence: true, status: true },
    }),
    db.ticket.findMany({
      where: { createdBy: personId },
      orderBy: { number: 'asc' },
      select: { number: true, title: true, body: true, status: true, priority: true, createdAt: true },
    }),
    db.message.findMany({
      where: { personId, role: 'user', removedAt: null },
      orderBy: { id: 'desc' },
      take: mostMessages,
      select: { text: true, createdAt: true, session: { select: { channel: true, workspace: true } } },
    }),
    db.approval.findMany({
      where: { personId },
      orderBy: { id: 'asc' },
      select: { card: true, status: true, decidedAt: true, createdAt: true },
    }),
    otherRows(db, personId),
  ])
  return {
    person: person && {
      name: person.displayName,
      timeZone: person.timeZone,
      language: person.language,
      privateMemoriesWhereOthersRead: person.privateInShared,
    },
    identities,
    memories,
    reminders,
    tickets,
    messages: messages
      .toReversed()
      .map(({ text, createdAt, session }) => ({ at: createdAt, channel: session.channel, text })),
    confirmations: decided.map(({ card, ...rest }) => ({ ...rest, ...shown(card) })),
    ...others,
  }
}

/** What was asked for, allowed, entered and passed on to people, and what was said about tickets. */
async function otherRows(db: Database, personId: string): Promise<Readonly<Record<string, unknown>>> {
  const where = { personId }
  const oldest = { id: 'asc' } as const
  const [calls, allowed, workflows, cases, comments, changes] = await Promise.all([
    db.toolCall.findMany({
      where,
      orderBy: { id: 'desc' },
      take: mostMessages,
      select: { tool: true, arguments: true, status: true, told: true, createdAt: true },
    }),
    db.approvalGrant.findMany({
      where,
      orderBy: oldest,
      select: { title: true, arguments: true, createdAt: true, revokedAt: true },
    }),
    db.workflowInstance.findMany({
      where,
      orderBy: oldest,
      select: { name: true, state: true, data: true, startedAt: true, endedAt: true },
    }),
    db.handOver.findMany({
      where,
      orderBy: oldest,
      select: { request: true, status: true, createdAt: true, releasedAt: true },
    }),
    db.ticketComment.findMany({ where, orderBy: oldest, select: { text: true, createdAt: true } }),
    db.ticketChange.findMany({
      where,
      orderBy: oldest,
      select: { field: true, before: true, after: true, createdAt: true },
    }),
  ])
  return { calls: calls.toReversed(), allowed, workflows, cases, comments, changes }
}

function shown(card: unknown): { readonly title?: unknown; readonly target?: unknown } {
  const { title, target } = (card ?? {}) as { title?: unknown; target?: unknown }
  return { title, target }
}
