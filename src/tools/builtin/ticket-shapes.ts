import type { Ticket } from '../../store/prisma/client.ts'
import type { CallContext, Entity, ToolResult } from '../tool.ts'

/** A number as people write it, whatever way it was given. */
export function shownNumber(number: string): string {
  return `T-${number.replace(/\D/g, '')}`
}

/** What people call a ticket: T-1042. */
export function key(ticket: Ticket): string {
  return `T-${ticket.number}`
}

/** A ticket as the model is told of it. */
export function shownTicket(ticket: Ticket) {
  return {
    ticket: key(ticket),
    title: ticket.title,
    status: ticket.status,
    priority: ticket.priority,
    ...(ticket.assignee ? { assignee: ticket.assignee } : {}),
    ...(ticket.labels.length > 0 ? { labels: ticket.labels } : {}),
    ...(ticket.dueAt ? { due: ticket.dueAt.toISOString() } : {}),
    ...(ticket.body ? { description: ticket.body } : {}),
    created: ticket.createdAt.toISOString(),
  }
}

/** A ticket as later messages may refer to it. */
export function entityOf(ticket: Ticket): Entity {
  return { type: 'ticket', id: key(ticket), label: ticket.title }
}

/** What a comment that was added gives back. */
export function commented(ticket: Ticket, text: string, context: CallContext): ToolResult {
  return {
    content: { ticket: key(ticket), text },
    told:
      context.person.language === 'zh'
        ? `已在工单 ${key(ticket)} 添加评论`
        : `Comment added to ticket ${key(ticket)}`,
    entities: [entityOf(ticket)],
  }
}
