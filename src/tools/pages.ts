import type { PageReader } from '../channel/pages.ts'
import type { Database } from '../store/client.ts'
import { fileName, isFile } from './results/files.ts'
import type { TicketBook } from './ticket-book.ts'

/** Reads what pages show. Tickets of a single person's own place have no page: who looks at one is not known. */
export function createPageReader(parts: {
  db: Database
  book: Pick<TicketBook, 'history'>
  now: () => Date
}): PageReader {
  const { db, book, now } = parts
  return {
    async ticket(number) {
      const ticket = await db.ticket.findUnique({ where: { number } })
      if (!ticket || ticket.workspace === ticket.createdBy) return undefined
      const [creator, history] = await Promise.all([
        db.person.findUnique({ where: { id: ticket.createdBy }, select: { displayName: true } }),
        book.history(ticket.id),
      ])
      const { title, body, status, priority, assignee, labels, dueAt, createdAt } = ticket
      return {
        key: `T-${number}`,
        ...{ title, body, status, priority, assignee, labels, dueAt, createdAt, history },
        createdBy: creator?.displayName ?? 'someone',
      }
    },
    async file(ref) {
      const row = await db.storedResult.findFirst({ where: { id: ref, expiresAt: { gt: now() } } })
      if (!row || !isFile(row)) return undefined
      const { name, mediaType, text } = row
      return {
        name: name ?? fileName({ mimeType: mediaType }),
        mediaType,
        bytes: Buffer.from(text, 'base64'),
      }
    },
  }
}
