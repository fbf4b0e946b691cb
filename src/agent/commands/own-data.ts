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
  const [person, identities, memories, reminders, tickets, messages, decided] = await Promise.all([
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
  }
}

function shown(card: unknown): { readonly title?: unknown; readonly target?: unknown } {
  const { title, target } = (card ?? {}) as { title?: unknown; target?: unknown }
  return { title, target }
}
