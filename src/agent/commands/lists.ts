import type { Clock } from '../../base/clock.ts'
import { clockTime } from '../../base/words.ts'
import type { CommandEvent } from '../../channel/events.ts'
import type { Receipt } from '../../channel/port.ts'
import { teamOf } from '../../session/people.ts'
import type { Database } from '../../store/client.ts'
import type { Approvals } from '../../tools/approvals/approvals.ts'
import type { Grants } from '../../tools/approvals/grants.ts'
import { repeatWords } from '../../tools/builtin/reminders.ts'
import type { TicketAddress } from '../../tools/builtin/tickets.ts'
import { answer, short } from './answer.ts'
import type { CommandAsker } from './asker.ts'
import { commandWords } from './words.ts'

/** Where what a person has open is looked up. */
interface OpenParts {
  readonly db: Database
  readonly approvals: Approvals
  readonly grants: Grants
  readonly clock: Clock
  readonly ticketAddress: TicketAddress
}

/** What waits for a decision, and what was allowed for good. */
export async function openApprovals(
  parts: OpenParts,
  event: CommandEvent,
  asker: CommandAsker,
): Promise<Receipt> {
  const words = commandWords(asker.language)
  const [open, allowed] = await Promise.all([
    parts.approvals.openOf(event),
    parts.grants.list({ personId: asker.personId }),
  ])
  const now = parts.clock.now()
  const lines = open.map(({ approval }) => {
    const what = [approval.snapshot.title, approval.snapshot.target].filter(Boolean).join(': ')
    return `- ${what} (${clockTime(approval.expiresAt, now, asker.timeZone, asker.language)})`
  })
  return answer(
    [
      open.length === 0 ? words.noApprovals : [words.approvals, ...lines].join('\n'),
      ...(allowed.length === 0
        ? []
        : [[words.allowed, ...allowed.map(({ what }) => `- ${what}`)].join('\n')]),
    ].join('\n\n'),
    allowed.slice(0, 5).map(({ id, what }) => ({
      label: words.revokeOne(short(what)),
      action: 'grant.revoke',
      value: id,
      style: 'danger' as const,
    })),
  )
}

/** The reminders to come. */
export async function openReminders(parts: OpenParts, asker: CommandAsker): Promise<Receipt> {
  const words = commandWords(asker.language)
  const open = await parts.db.reminder.findMany({
    where: { personId: asker.personId, status: 'open' },
    orderBy: { dueAt: 'asc' },
    take: 20,
  })
  const now = parts.clock.now()
  return answer(
    open.length === 0
      ? words.noReminders
      : `${words.reminders}\n${open
          .map((one) => {
            const repeat = one.recurrence ? ` (${repeatWords(one.recurrence, asker.language)})` : ''
            return `- ${clockTime(one.dueAt, now, asker.timeZone, asker.language)}: ${one.text}${repeat}`
          })
          .join('\n')}`,
  )
}

/** The team's tickets that are not closed. */
export async function openTickets(
  parts: OpenParts,
  event: CommandEvent,
  asker: CommandAsker,
): Promise<Receipt> {
  const words = commandWords(asker.language)
  const tickets = await parts.db.ticket.findMany({
    where: { workspace: teamOf(event.thread, asker.personId), status: { not: 'closed' } },
    orderBy: { number: 'desc' },
    take: 15,
  })
  return answer(
    tickets.length === 0
      ? words.noTickets
      : tickets
          .map((ticket) => {
            const page = parts.ticketAddress(ticket.number, event.thread)
            const key = page === undefined ? `T-${ticket.number}` : `[T-${ticket.number}](${page})`
            return `- **${key}** ${ticket.title} · ${ticket.status} · ${ticket.priority}`
          })
          .join('\n'),
  )
}
