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

/** Cards as they look now. Those of one message that are open together offer to be confirmed together. */
export function drawCards(facts: readonly ApprovalFacts[], now: Date): readonly Card[] {
  const open = new Map<string, number>()
  for (const fact of facts) {
    if (fact.approval.status === 'open') open.set(fact.messageId, (open.get(fact.messageId) ?? 0) + 1)
  }
  return facts.map((fact) => drawCard({ ...fact, now, several: (open.get(fact.messageId) ?? 0) > 1 }))
}
