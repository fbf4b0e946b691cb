import type { Card } from '../../src/channel/card.ts'

/** A confirmation card as people see it for a new ticket. */
export const ticketCard: Card = {
  id: 'apr_1',
  title: 'Create ticket',
  target: 'Printer on floor 3 is broken',
  fields: [
    { label: 'Priority', value: 'high' },
    { label: 'Assignee', value: 'ops-team' },
  ],
  risk: 'A new ticket will be visible to everyone in the workspace.',
  footer: 'waits for Ann · until tomorrow 14:05',
  tone: 'open',
  actions: [
    { label: 'Confirm', action: 'approval.confirm', value: 'apr_1', style: 'primary' },
    { label: 'Edit', action: 'approval.edit', value: 'apr_1' },
    { label: 'Cancel', action: 'approval.cancel', value: 'apr_1', style: 'danger' },
  ],
}
