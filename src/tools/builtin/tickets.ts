import { z } from 'zod'
import type { ThreadRef } from '../../channel/events.ts'
import { teamOf } from '../../session/people.ts'
import type { Ticket } from '../../store/prisma/client.ts'
import { defineTool } from '../definition.ts'
import type { TicketBook, TicketChanges, TicketHand } from '../ticket-book.ts'
import { type CallContext, type Tool, ToolFailure, type ToolResult } from '../tool.ts'
import { settleDue } from './due.ts'
import { commented, entityOf, key, shownNumber, shownTicket } from './ticket-shapes.ts'

/** The address of a ticket's page, where people of that thread can reach one. */
export type TicketAddress = (number: number, thread: ThreadRef) => string | undefined

const status = z.enum(['open', 'in_progress', 'resolved', 'closed'])
const priority = z.enum(['low', 'normal', 'high', 'urgent'])
const title = z.string().trim().min(3).max(200).describe('What is wrong or wanted, in a few words')
const description = z.string().trim().max(8_000).describe('Details, as the person gave them')
const assignee = z.string().trim().min(1).max(80).describe('A person or a team, for example "ops-team"')
const labels = z.array(z.string().trim().min(1).max(40)).max(10)
const due = z.string().trim().max(60).describe('A date, or words such as "next Friday"')
const ticketNumber = z
  .string()
  .trim()
  .regex(/^(?:T-?)?\d{1,9}$/i, 'is no ticket number; they look like T-1042')
  .describe('The number, for example T-1042')
  .meta({ 'x-entity': 'ticket' })

/** Tickets of the team, kept by Hermes itself. */
export function ticketTools(parts: { book: TicketBook; address: TicketAddress }): readonly Tool[] {
  const { book, address } = parts

  const find = async (number: string, context: Pick<CallContext, 'session' | 'person'>): Promise<Ticket> => {
    const ticket = await book.find(
      teamOf(context.session.thread, context.person.id),
      Number(number.replace(/\D/g, '')),
    )
    if (!ticket) throw new ToolFailure('not_found', `There is no ticket ${shownNumber(number)} here.`)
    return ticket
  }

  /** With the address of its page, which answers may link to. */
  const shown = (ticket: Ticket, context: Pick<CallContext, 'session'>) => {
    const page = address(ticket.number, context.session.thread)
    return { ...shownTicket(ticket), ...(page === undefined ? {} : { page }) }
  }

  const created = (ticket: Ticket, context: CallContext): ToolResult => ({
    content: shown(ticket, context),
    told: context.person.language === 'zh' ? `工单 ${key(ticket)} 已创建` : `Ticket ${key(ticket)} created`,
    entities: [entityOf(ticket)],
  })

  const updated = (ticket: Ticket, context: CallContext): ToolResult => ({
    content: shown(ticket, context),
    told: context.person.language === 'zh' ? `工单 ${key(ticket)} 已更新` : `Ticket ${key(ticket)} updated`,
    entities: [entityOf(ticket)],
  })

  return [
    defineTool({
      name: 'create_ticket',
      title: { en: 'Create ticket', zh: '创建工单' },
      useWhen:
        'the person asks for a ticket, or reports a problem that somebody else has to take care of and agrees to a ticket.',
      notWhen:
        'the person only asks about tickets, or a ticket for the same thing exists (update or comment that one).',
      returns: 'the new ticket with its number and, where it has one, its page to link to.',
      failsWith: 'a sentence about the argument that does not fit.',
      effect: 'write',
      idempotent: true,
      activity: { en: 'Creating the ticket', zh: '正在创建工单' },
      risk: {
        en: 'A new ticket will be visible to everyone in the workspace.',
        zh: '新工单对工作区的所有人可见。',
      },
      input: z.object({
        title,
        description: description.optional(),
        priority: priority.default('normal'),
        assignee: assignee.optional(),
        labels: labels.optional().describe('Short words, for example hardware'),
        due: due.optional(),
      }),
      settle: (args, context) => settleDue(args, 'due', context),
      moments: ['due'],
      card: (args) => ({ target: args.title }),
      async run(args, context) {
        const ticket = await book.create(
          teamOf(context.session.thread, context.person.id),
          context.session.id,
          {
            title: args.title,
            body: args.description ?? '',
            priority: args.priority,
            assignee: args.assignee ?? null,
            labels: args.labels ?? [],
            dueAt: args.due ? new Date(args.due) : null,
          },
          handOf(context),
        )
        return created(ticket, context)
      },
      async checkOutcome(_args, context) {
        const ticket = await book.createdBy(context.callId)
        return ticket ? { kind: 'done', result: created(ticket, context) } : { kind: 'not done' }
      },
    }),

    defineTool({
      name: 'get_ticket',
      title: { en: 'Show ticket', zh: '查看工单' },
      useWhen: 'the person asks about one ticket whose number is known.',
      notWhen: 'the number is not known: list_tickets finds it.',
      returns: 'the ticket with its page, its comments and who changed what when.',
      failsWith: 'not found, where there is no such ticket in this workspace.',
      effect: 'read',
      idempotent: true,
      activity: { en: 'Looking up the ticket', zh: '正在查询工单' },
      input: z.object({ ticket: ticketNumber }),
      async run(args, context) {
        const ticket = await find(args.ticket, context)
        const history = await book.history(ticket.id)
        const comments = history.filter((entry) => entry.kind === 'comment')
        const changes = history.filter((entry) => entry.kind === 'change')
        return {
          content: {
            ...shown(ticket, context),
            comments: comments.map(({ by, at, text }) => ({ by, at: at.toISOString(), text })),
            changes: changes.map(({ by, at, field, before, after }) => ({
              by,
              at: at.toISOString(),
              field,
              from: before,
              to: after,
            })),
          },
          entities: [entityOf(ticket)],
        }
      },
    }),

    defineTool({
      name: 'list_tickets',
      title: { en: 'List tickets', zh: '列出工单' },
      useWhen:
        'the person asks which tickets there are, or looks for one by words, status, priority, label, assignee or due date.',
      notWhen: 'the number of the one ticket is known: get_ticket shows it.',
      returns: 'up to 20 tickets, the newest first, and how many there are in all.',
      failsWith: 'nothing; an empty list says which filters were used.',
      effect: 'read',
      idempotent: true,
      activity: { en: 'Looking through the tickets', zh: '正在查询工单' },
      input: z.object({
        status: status.optional().describe('Leave out for all that are not closed'),
        priority: priority.optional(),
        assignee: assignee.optional(),
        label: z.string().trim().min(1).max(40).optional().describe('One that they have'),
        dueBefore: due.optional().describe('Due before the end of that date; "now" for those overdue'),
        query: z.string().trim().max(200).optional().describe('Words in the ticket or its comments'),
      }),
      settle: (args, context) => settleDue(args, 'dueBefore', context),
      async run(args, context) {
        const { dueBefore, ...filter } = args
        const { tickets, total } = await book.list(
          teamOf(context.session.thread, context.person.id),
          { ...filter, ...(dueBefore ? { dueBefore: new Date(dueBefore) } : {}) },
          20,
        )
        return {
          content: {
            total,
            filters: { status: 'not closed', ...args },
            tickets: tickets.map((ticket) => shown(ticket, context)),
          },
          entities: tickets.map(entityOf),
        }
      },
    }),

    defineTool({
      name: 'update_ticket',
      title: { en: 'Update ticket', zh: '更新工单' },
      useWhen:
        'the person wants to change a ticket: its title, status, priority, assignee, labels or due date. Closing one is an update, too.',
      notWhen: 'something is only to be said about it: comment_ticket does that.',
      returns: 'the ticket as it is afterwards.',
      failsWith: 'not found; or a sentence, where nothing would change.',
      effect: 'write',
      idempotent: true,
      activity: { en: 'Updating the ticket', zh: '正在更新工单' },
      risk: {
        en: 'The ticket changes for everyone in the workspace.',
        zh: '工单的更改对工作区的所有人可见。',
      },
      input: z.object({
        ticket: ticketNumber,
        title: title.optional(),
        status: status.optional(),
        priority: priority.optional(),
        assignee: assignee.optional(),
        labels: labels.optional().describe('All that it has afterwards'),
        due: due.optional(),
        clear: z
          .array(z.enum(['assignee', 'labels', 'due']))
          .min(1)
          .max(3)
          .optional()
          .describe('Fields to be empty afterwards'),
      }),
      settle(args, context) {
        const { ticket, ...changes } = args
        if (Object.values(changes).every((change) => change === undefined)) {
          return {
            ok: false,
            problems: [{ field: '', problem: 'it does not say what to change', missing: false }],
          }
        }
        return settleDue({ ...args, ticket: shownNumber(ticket) }, 'due', context)
      },
      moments: ['due'],
      card: (args) => ({ target: args.ticket }),
      async run(args, context) {
        const ticket = await find(args.ticket, context)
        return updated(await book.change(ticket.id, changesOf(args), handOf(context)), context)
      },
      async checkOutcome(args, context) {
        const changed = await book.changedBy(context.callId)
        if (changed) return { kind: 'done', result: updated(changed, context) }
        // A call that found everything as it was to be has left no trace, and nothing to do.
        const ticket = await find(args.ticket, context)
        const wanted = Object.entries(changesOf(args)) as [keyof Ticket, unknown][]
        const isSo = wanted.every(([field, value]) => JSON.stringify(ticket[field]) === JSON.stringify(value))
        return isSo ? { kind: 'done', result: updated(ticket, context) } : { kind: 'not done' }
      },
    }),

    defineTool({
      name: 'comment_ticket',
      title: { en: 'Comment on ticket', zh: '评论工单' },
      useWhen: 'the person wants to add something to a ticket without changing its fields.',
      notWhen: 'a field is to be changed: update_ticket does that.',
      returns: 'the comment as it was added.',
      failsWith: 'not found, where there is no such ticket in this workspace.',
      effect: 'write',
      idempotent: true,
      activity: { en: 'Adding the comment', zh: '正在添加评论' },
      risk: {
        en: 'The comment will be visible to everyone in the workspace.',
        zh: '评论对工作区的所有人可见。',
      },
      input: z.object({
        ticket: ticketNumber,
        text: z.string().trim().min(1).max(8_000).describe('The comment'),
      }),
      settle: (args) => ({ ok: true, arguments: { ...args, ticket: shownNumber(args.ticket) } }),
      card: (args) => ({ target: args.ticket }),
      async run(args, context) {
        const ticket = await find(args.ticket, context)
        await book.comment(ticket.id, args.text, handOf(context))
        return commented(ticket, args.text, context)
      },
      async checkOutcome(args, context) {
        const found = await book.commentedBy(context.callId)
        if (!found) return { kind: 'not done' }
        return { kind: 'done', result: commented(found, args.text, context) }
      },
    }),
  ]
}

/** What an update asks for, as the book takes it. */
function changesOf(args: {
  readonly title?: string | undefined
  readonly status?: TicketChanges['status'] | undefined
  readonly priority?: TicketChanges['priority'] | undefined
  readonly assignee?: string | undefined
  readonly labels?: readonly string[] | undefined
  readonly due?: string | undefined
  readonly clear?: readonly ('assignee' | 'labels' | 'due')[] | undefined
}): TicketChanges {
  const cleared = new Set(args.clear)
  return {
    ...(args.title ? { title: args.title } : {}),
    ...(args.status ? { status: args.status } : {}),
    ...(args.priority ? { priority: args.priority } : {}),
    ...(cleared.has('assignee') ? { assignee: null } : args.assignee ? { assignee: args.assignee } : {}),
    ...(cleared.has('labels') ? { labels: [] } : args.labels ? { labels: args.labels } : {}),
    ...(cleared.has('due') ? { dueAt: null } : args.due ? { dueAt: new Date(args.due) } : {}),
  }
}

function handOf(context: CallContext): TicketHand {
  return { personId: context.person.id, callId: context.callId, now: context.now }
}
