import { listIn, textIn } from './outcome.ts'
import type { Words } from './words.ts'

/** The most changes that are told; the rest is on the ticket's page. */
const mostChanges = 10

/** A ticket with its fields, its comments, and who changed what, in lines. */
export function shownTicket(data: unknown, words: Words): string {
  const fields = ['status', 'priority', 'assignee', 'due'].flatMap((field) => {
    const value = textIn(data, field)
    return value ? [`- ${words.ticket.fields[field] ?? field}: ${shownValue(value, words)}`] : []
  })
  const comments = listIn(data, 'comments').map(
    (comment) =>
      `- ${String(comment.by ?? '')} (${dateOf(String(comment.at ?? ''))}): ${String(comment.text ?? '')}`,
  )
  const changes = listIn(data, 'changes').slice(-mostChanges)
  const description = textIn(data, 'description')
  return [
    `**${textIn(data, 'ticket') ?? ''}** ${textIn(data, 'title') ?? ''}`,
    fields.join('\n'),
    ...(description ? [description] : []),
    ...(comments.length > 0 ? [`${words.ticket.comments}:\n${comments.join('\n')}`] : []),
    ...(changes.length > 0
      ? [`${words.ticket.changes}:\n${changes.map((change) => changeLine(change, words)).join('\n')}`]
      : []),
  ].join('\n\n')
}

function changeLine(change: Readonly<Record<string, unknown>>, words: Words): string {
  const { by, at, field, from, to } = Object.fromEntries(
    Object.entries(change).map(([name, value]) => [name, value === null ? '' : String(value ?? '')]),
  ) as Readonly<Record<string, string>>
  const was = from ? `${shownValue(from, words)} → ` : ''
  const label = words.ticket.fields[field ?? ''] ?? field
  return `- ${by} (${dateOf(at ?? '')}): ${label} ${was}${shownValue(to ?? '', words) || '–'}`
}

/** A list of tickets, one a line. */
export function shownTickets(data: unknown, words: Words): string {
  const tickets = listIn(data, 'tickets')
  if (tickets.length === 0) return words.ticket.none
  const total =
    typeof data === 'object' && data !== null && 'total' in data && typeof data.total === 'number'
      ? data.total
      : tickets.length
  const lines = tickets.map((ticket) => {
    const facts = ['status', 'priority', 'assignee'].flatMap((field) => {
      const value = textIn(ticket, field)
      return value ? [shownValue(value, words)] : []
    })
    return `- **${textIn(ticket, 'ticket') ?? ''}** ${textIn(ticket, 'title') ?? ''} (${facts.join(', ')})`
  })
  return `${words.ticket.total(tickets.length, total)}\n\n${lines.join('\n')}`
}

function shownValue(value: string, words: Words): string {
  if (/^\d{4}-\d{2}-\d{2}T/.test(value)) return dateOf(value)
  return words.ticket.values[value] ?? value.replace('_', ' ')
}

function dateOf(iso: string): string {
  return iso.slice(0, 10)
}
