import { phrases } from '../../base/words.ts'
import { commitStep } from '../../session/commit.ts'
import type { PendingEvent } from '../../session/inbox.ts'
import type { Lease } from '../../session/lease.ts'
import type { Snapshot } from '../../session/transcript.ts'
import { deciders } from '../../tools/approvals/cards.ts'
import type { ApprovalFacts } from '../../tools/approvals/facts.ts'
import { drawCards, showCards } from '../approving/cards.ts'
import type { ContextOf } from '../calling/context.ts'
import type { AgentParts } from '../parts.ts'
import { reachedPlace } from '../sending/places.ts'
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
  const of = {
    what: card.target ? `${card.title}: ${card.target}` : card.title,
    why: (facts.call.failure ?? '').trim().replace(/[.。]+$/, ''),
  }
  await tellInRoom(
    parts,
    lease,
    facts,
    event.id,
    words.toldUnknown(who, { ...of, choices: words.youChoose(choices) }),
  )
  const text = words.toldUnknown(facts.requester, {
    ...of,
    choices: who === facts.requester ? words.youChoose(choices) : words.othersChoose(who, choices),
  })
  await keepSaying(parts, lease, snapshot, event.id, text)
  await postOwn(parts, lease, snapshot, event, text)
}

/** Whoever decides in another room is told there, where the card with the choices stands. */
async function tellInRoom(
  parts: AgentParts,
  lease: Lease,
  facts: ApprovalFacts,
  eventId: string,
  text: string,
): Promise<void> {
  if (!facts.place) return
  // Where there is none, its card stands in the thread, too.
  const thread = await reachedPlace(parts, facts.place, facts.approval.id)
  if (!thread) return
  if (thread.channel === 'web')
    await parts.keep({ id: `msg_${eventId}`, thread, kind: 'shared', personId: null, text })
  const key = `notice-room:${eventId}`
  const parcel = {
    key,
    sessionId: facts.sessionId,
    turnId: null,
    purpose: 'notice',
    target: { thread },
  } as const
  await parts.deliveries.once(parcel, text, lease.signal)
}
