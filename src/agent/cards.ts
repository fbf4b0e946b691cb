import type { Card } from '../channel/card.ts'
import type { ApprovalFacts } from '../tools/approvals.ts'
import { drawCard } from '../tools/cards.ts'
import type { AgentParts, TurnContext } from './parts.ts'

/** Posts the cards of the turn's approvals, and draws those again that have moved on. */
export async function showCards(parts: AgentParts, at: TurnContext): Promise<void> {
  const facts = await parts.approvals.facts({ sessionId: at.sessionId, turnId: at.turnId })
  if (facts.length === 0) return
  await at.trace.root.span('cards', { cards: facts.map((fact) => fact.approval.id) }, async (span) => {
    for (const card of drawCards(facts, parts.clock.now())) {
      const sent = await parts.deliveries.card(at.lease, at.turnId, at.target, card)
      if (sent.kind === 'failed') span.note({ [card.id]: sent.reason })
    }
  })
  parts.notices.changed(at.sessionId)
}

/**
 * Draws those cards of the session again that have been decided since they were drawn: a process died in between.
 * For turns that are found running; on other ways the cards are drawn anyway.
 */
export async function catchUpOnCards(parts: AgentParts, at: TurnContext): Promise<void> {
  // Clocks of processes differ by a little; a card drawn once more looks the same and is not sent again.
  const rows = await parts.db.rows<{ turn_id: string }>`
    SELECT DISTINCT c.turn_id FROM delivery d
    JOIN approval a ON d.key = 'card:' || a.id JOIN tool_call c ON c.id = a.call_id
    WHERE d.session_id = ${at.sessionId} AND d.purpose = 'card' AND d.status = 'sent' AND a.status <> 'open'
      AND GREATEST(a.decided_at, c.ended_at) > d.sent_at - interval '2 seconds'`
  for (const { turn_id: turnId } of rows) await showCards(parts, { ...at, turnId })
}

/** Cards as they look now. Those of one message that are open together offer to be confirmed together. */
export function drawCards(facts: readonly ApprovalFacts[], now: Date): readonly Card[] {
  const open = new Map<string, number>()
  for (const fact of facts) {
    if (fact.approval.status === 'open') open.set(fact.messageId, (open.get(fact.messageId) ?? 0) + 1)
  }
  return facts.map((fact) => drawCard({ ...fact, now, several: (open.get(fact.messageId) ?? 0) > 1 }))
}
