import { z } from 'zod'
import type { Ids } from '../../base/ids.ts'
import { readDates } from '../../search/dates.ts'
import { isUniqueViolation } from '../../session/inbox.ts'
import { teamOf } from '../../session/people.ts'
import type { Database } from '../../store/client.ts'
import type { Prisma, Ticket } from '../../store/prisma/client.ts'
import {
  type CallContext,
  type CheckContext,
  type Checked,
  defineTool,
  type Entity,
  type Tool,
  ToolFailure,
  type ToolResult,
} from '../definition.ts'

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

/** Tickets of the team, kept by Hermes itself. */
export function ticketTools(parts: { db: Database; ids: Ids }): readonly Tool[] {
  const { db, ids } = parts

  const find = async (number: string, context: Pick<CallContext, 'session' | 'person'>): Promise<Ticket> => {
    const ticket = await db.ticket.findFirst({
      where: {
        number: Number(number.replace(/\D/g, '')),
        workspace: teamOf(context.session.thread, context.person.id),
      },
    })
    if (!ticket) throw new ToolFailure('not_found', `There is no ticket ${shownNumber(number)} here.`)
    return ticket
  }

  return [
    defineTool({
      name: 'create_ticket',
      title: { en: 'Create ticket', zh: '创建工单' },
      useWhen:
        'the person asks for a ticket, or reports a problem that somebody else has to take care of and agrees to a ticket.',
      notWhen:
        'the person only asks about tickets, or a ticket for the same thing exists (update or comment that one).',
      returns: 'the new ticket with its number.',
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
        labels: labels.optional(),
        due: due.optional(),
      }),
      settle: settleDue,
      card: (args) => ({ target: args.title }),
      async run(args, context) {
        const ticket = await once(
          () =>
            db.ticket.create({
              data: {
                id: ids('tkt'),
                workspace: teamOf(context.session.thread, context.person.id),
                title: args.title,
                body: args.description ?? '',
                priority: args.priority,
                assignee: args.assignee ?? null,
                labels: args.labels ?? [],
                dueAt: args.due ? new Date(args.due) : null,
                createdBy: context.person.id,
                sessionId: context.session.id,
                callId: context.callId,
              },
            }),
          () => db.ticket.findUniqueOrThrow({ where: { callId: context.callId } }),
        )
        return created(ticket, context)
      },
      async checkOutcome(_args, context) {
        const ticket = await db.ticket.findUnique({ where: { callId: context.callId } })
        return ticket ? { kind: 'done', result: created(ticket, context) } : { kind: 'not done' }
      },
    }),

    defineTool({
      name: 'get_ticket',
      title: { en: 'Show ticket', zh: '查看工单' },
      useWhen: 'the person asks about one ticket whose number is known.',
      notWhen: 'the number is not known: list_tickets finds it.',
      returns: 'the ticket with its comments.',
      failsWith: 'not found, where there is no such ticket in this workspace.',
      effect: 'read',
      idempotent: true,
      activity: { en: 'Looking up the ticket', zh: '正在查询工单' },
      input: z.object({ ticket: ticketNumber }),
      async run(args, context) {
        const ticket = await find(args.ticket, context)
        const comments = await db.ticketComment.findMany({
          where: { ticketId: ticket.id },
          orderBy: { id: 'asc' },
          take: 50,
        })
        const names = await namesOf(
          db,
          comments.map((comment) => comment.personId),
        )
        return {
          content: {
            ...shownTicket(ticket),
            comments: comments.map((comment) => ({
              by: names.get(comment.personId) ?? 'someone',
              at: comment.createdAt.toISOString(),
              text: comment.text,
            })),
          },
          entities: [entityOf(ticket)],
        }
      },
    }),

    defineTool({
      name: 'list_tickets',
      title: { en: 'List tickets', zh: '列出工单' },
      useWhen: 'the person asks which tickets there are, or looks for one by words, status or assignee.',
      notWhen: 'the number of the one ticket is known: get_ticket shows it.',
      returns: 'up to 20 tickets, the newest first, and how many there are in all.',
      failsWith: 'nothing; an empty list says which filters were used.',
      effect: 'read',
      idempotent: true,
      activity: { en: 'Looking through the tickets', zh: '正在查询工单' },
      input: z.object({
        status: status.optional().describe('Leave out for all that are not closed'),
        assignee: assignee.optional(),
        query: z.string().trim().max(200).optional().describe('Words in the title or the description'),
      }),
      async run(args, context) {
        const where: Prisma.TicketWhereInput = {
          workspace: teamOf(context.session.thread, context.person.id),
          status: args.status ?? { not: 'closed' },
          ...(args.assignee ? { assignee: { contains: args.assignee, mode: 'insensitive' } } : {}),
          ...(args.query
            ? {
                OR: [
                  { title: { contains: args.query, mode: 'insensitive' } },
                  { body: { contains: args.query, mode: 'insensitive' } },
                ],
              }
            : {}),
        }
        const [tickets, total] = await Promise.all([
          db.ticket.findMany({ where, orderBy: { number: 'desc' }, take: 20 }),
          db.ticket.count({ where }),
        ])
        return {
          content: { total, filters: args, tickets: tickets.map(shownTicket) },
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
        labels: labels.optional(),
        due: due.optional(),
      }),
      settle(args, context) {
        const { ticket, ...changes } = args
        if (Object.values(changes).every((change) => change === undefined)) {
          return {
            ok: false,
            problems: [{ field: '', problem: 'it does not say what to change', missing: false }],
          }
        }
        return settleDue({ ...args, ticket: shownNumber(ticket) }, context)
      },
      card: (args) => ({ target: args.ticket }),
      async run(args, context) {
        const ticket = await find(args.ticket, context)
        const changed = await db.ticket.update({
          where: { id: ticket.id },
          data: {
            ...(args.title ? { title: args.title } : {}),
            ...(args.status ? { status: args.status } : {}),
            ...(args.priority ? { priority: args.priority } : {}),
            ...(args.assignee ? { assignee: args.assignee } : {}),
            ...(args.labels ? { labels: args.labels } : {}),
            ...(args.due ? { dueAt: new Date(args.due) } : {}),
            updatedAt: context.now,
          },
        })
        const { ticket: _, ...changes } = args
        await comment(
          ticket.id,
          `Changed: ${Object.entries(changes)
            .map(([name, value]) => `${name} → ${String(value)}`)
            .join(', ')}`,
          context,
        )
        return {
          content: shownTicket(changed),
          told:
            context.person.language === 'zh' ? `工单 ${key(ticket)} 已更新` : `Ticket ${key(ticket)} updated`,
          entities: [entityOf(changed)],
        }
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
        await comment(ticket.id, args.text, context)
        return commented(ticket, args.text, context)
      },
      async checkOutcome(args, context) {
        const found = await db.ticketComment.findUnique({
          where: { callId: context.callId },
          include: { ticket: true },
        })
        if (!found) return { kind: 'not done' }
        return { kind: 'done', result: commented(found.ticket, args.text, context) }
      },
    }),
  ]

  async function comment(ticketId: string, text: string, context: CallContext): Promise<void> {
    await once(
      () =>
        db.ticketComment.create({
          data: { id: ids('cmt'), ticketId, personId: context.person.id, text, callId: context.callId },
        }),
      () => db.ticketComment.findUniqueOrThrow({ where: { callId: context.callId } }),
    )
  }
}

function created(ticket: Ticket, context: CallContext): ToolResult {
  return {
    content: shownTicket(ticket),
    told: context.person.language === 'zh' ? `工单 ${key(ticket)} 已创建` : `Ticket ${key(ticket)} created`,
    entities: [entityOf(ticket)],
  }
}

function commented(ticket: Ticket, text: string, context: CallContext): ToolResult {
  return {
    content: { ticket: key(ticket), text },
    told:
      context.person.language === 'zh'
        ? `已在工单 ${key(ticket)} 添加评论`
        : `Comment added to ticket ${key(ticket)}`,
    entities: [entityOf(ticket)],
  }
}

/** Makes a row under the call's unique key, or finds the one that an earlier attempt made. */
async function once<T>(make: () => Promise<T>, find: () => Promise<T>): Promise<T> {
  try {
    return await make()
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    return find()
  }
}

/** A due date in words becomes the end of that day, where the person is. */
function settleDue<T extends { due?: string | undefined }>(
  args: T,
  context: CheckContext,
): Checked<Record<string, unknown>> {
  if (args.due === undefined) return { ok: true, arguments: { ...args } }
  const exact = /^\d{4}-\d{2}-\d{2}T/.test(args.due) ? new Date(args.due) : undefined
  const named = readDates(args.due, { now: context.now, timeZone: context.timeZone })[0]
  const at = exact && !Number.isNaN(exact.getTime()) ? exact : named && new Date(named.end.getTime() - 60_000)
  if (!at) {
    return {
      ok: false,
      problems: [{ field: 'due', problem: `"${args.due}" is no date that I can read`, missing: false }],
    }
  }
  return { ok: true, arguments: { ...args, due: at.toISOString() } }
}

function shownNumber(number: string): string {
  return `T-${number.replace(/\D/g, '')}`
}

function key(ticket: Ticket): string {
  return `T-${ticket.number}`
}

function shownTicket(ticket: Ticket) {
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

function entityOf(ticket: Ticket): Entity {
  return { type: 'ticket', id: key(ticket), label: ticket.title }
}

async function namesOf(db: Database, personIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const people = await db.person.findMany({
    where: { id: { in: [...personIds] } },
    select: { id: true, displayName: true },
  })
  return new Map(people.map((person) => [person.id, person.displayName]))
}
