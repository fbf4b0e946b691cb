import { phrases } from '../../base/words.ts'
import { commitStep } from '../../session/commit.ts'
import type { PendingEvent } from '../../session/inbox.ts'
import type { Lease } from '../../session/lease.ts'
import type { Snapshot } from '../../session/transcript.ts'
import { deciders } from '../../tools/approvals/cards.ts'
import { drawCards, showCards } from '../approving/cards.ts'
import type { ContextOf } from '../calling/context.ts'
import type { AgentParts } from '../parts.ts'
import { keepSaying, postOwn } from '../sending/saying.ts'

/**
 * Tells whoever asked that nobody knows whether it was done, and what the card offers: a card that changes notifies
 * nobody. The event came with the commit that said so, and is taken after, so that a crash neither loses nor doubles it.
 */
export async function tellUnknown(
  parts: AgentParts,
  lease: Lease,
  snapshot: Snapshot,
  event: PendingEvent,
  callId: string,
  contextOf: ContextOf,
): Promise<void> {
  const call = snapshot.openCalls.find((open) => open.id === callId && open.status === 'unknown')
  const facts =
    call && (await parts.approvals.facts({ sessionId: snapshot.id })).find((one) => one.call.id === callId)
  // Somebody has looked at the card meanwhile and said what became of it.
  if (!call || !facts) {
    await commitStep(parts.db, lease, { dropped: [event.id] })
    return
  }
  await showCards(parts, await contextOf(call.turnId))
  const { snapshot: card } = facts.approval
  const words = phrases(card.language)
  const [drawn] = drawCards([facts], parts.clock.now(), () => 'decision')
  const choices = words.oneOf((drawn?.actions ?? []).map(({ label }) => label))
  const who = deciders(facts)
  const text = words.toldUnknown(facts.requester, {
    what: card.target ? `${card.title}: ${card.target}` : card.title,
    why: (facts.call.failure ?? '').trim().replace(/[.。]+$/, ''),
    choices: who === facts.requester ? words.youChoose(choices) : words.othersChoose(who, choices),
  })
  await keepSaying(parts, lease, snapshot, event.id, text)
  await postOwn(parts, lease, snapshot, event, text)
}
