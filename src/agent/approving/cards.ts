import type { Card } from '../../channel/card.ts'
import type { ThreadRef } from '../../channel/events.ts'
import { drawCard } from '../../tools/approvals/cards.ts'
import type { ApprovalFacts } from '../../tools/approvals/facts.ts'
import type { AgentParts, TurnContext } from '../parts.ts'
import { reachedPlace } from '../sending/places.ts'

/**
 * Posts the cards of the turn's approvals, and draws those again that have moved on. One that is decided in another
 * room stands there, and in the thread a look of it that tells for whom it waits and what became of it.
 */
export async function showCards(parts: AgentParts, at: TurnContext): Promise<void> {
  const facts = await parts.approvals.facts({ sessionId: at.sessionId, turnId: at.turnId })
  if (facts.length === 0) return
  await at.trace.root.span('cards', { cards: facts.map((fact) => fact.approval.id) }, async (span) => {
    const away = new Set<string>()
    for (const card of drawCards(facts, parts.clock.now(), () => 'decision')) {
      const fact = facts.find((one) => one.approval.id === card.id)!
      if (fact.place && (await showInRoom(parts, at, fact, card))) away.add(card.id)
    }
    const looks = drawCards(facts, parts.clock.now(), (fact) =>
      away.has(fact.approval.id) ? 'thread' : 'decision',
    )
    for (const card of looks) {
      const sent = await parts.deliveries.card(at.lease, at.turnId, at.target, card)
      if (sent.kind === 'failed') span.note({ [card.id]: sent.reason })
    }
  })
  parts.notices.changed(at.sessionId)
}

/** Where the room can't be reached, the card is decided in its thread, by those who may. */
async function showInRoom(
  parts: AgentParts,
  at: TurnContext,
  fact: ApprovalFacts,
  card: Card,
): Promise<boolean> {
  const thread = await reachedPlace(parts, fact.place!, card.id)
  if (!thread) return false
  if (thread.channel === 'web') await openWebRoom(parts, thread)
  const sent = await parts.deliveries.card(at.lease, at.turnId, { thread }, card, 'ask')
  return sent.kind === 'sent'
}

/** A thread of the web chat is read from its session, so there has to be one. */
async function openWebRoom(parts: AgentParts, thread: ThreadRef): Promise<void> {
  const { channel, workspace, room } = thread
  const rows = await parts.db.$queryRaw<{ id: string }[]>`
    INSERT INTO session (id, channel, workspace, room, thread, kind)
    VALUES (${parts.ids('sess')}, ${channel}::channel_name, ${workspace}, ${room}, ${thread.thread}, 'shared')
    ON CONFLICT (channel, workspace, room, thread) DO UPDATE SET revision = session.revision + 1
    RETURNING id`
  if (rows[0]) parts.notices.changed(rows[0].id)
}

/**
 * Draws those cards of the session again that have been decided since they were drawn: a process died in between.
 * For turns that are found running; on other ways the cards are drawn anyway.
 */
export async function catchUpOnCards(parts: AgentParts, at: TurnContext): Promise<void> {
  // Clocks of processes differ by a little; a card drawn once more looks the same and is not sent again.
  const rows = await parts.db.rows<{ turn_id: string }>`
    SELECT DISTINCT c.turn_id FROM delivery d
    JOIN approval a ON d.key IN ('card:' || a.id, 'ask:' || a.id) JOIN tool_call c ON c.id = a.call_id
    WHERE d.session_id = ${at.sessionId} AND d.purpose = 'card' AND d.status = 'sent' AND a.status <> 'open'
      AND GREATEST(a.decided_at, c.ended_at) > d.sent_at - interval '2 seconds'`
  for (const { turn_id: turnId } of rows) await showCards(parts, { ...at, turnId })
}

/** Cards as they look now. Those of one message that are open together offer to be confirmed together. */
export function drawCards(
  facts: readonly ApprovalFacts[],
  now: Date,
  at: (fact: ApprovalFacts) => 'decision' | 'thread' = (fact) => (fact.place ? 'thread' : 'decision'),
): readonly Card[] {
  const group = (fact: ApprovalFacts) => JSON.stringify([fact.messageId, fact.place])
  const open = new Map<string, number>()
  for (const fact of facts) {
    if (fact.approval.status === 'open') open.set(group(fact), (open.get(group(fact)) ?? 0) + 1)
  }
  return facts.map((fact) =>
    drawCard({ ...fact, now, at: at(fact), several: (open.get(group(fact)) ?? 0) > 1 }),
  )
}
