import type { Clock } from '../../base/clock.ts'
import { clockTime, type Language, phrases } from '../../base/words.ts'
import type { Card } from '../../channel/card.ts'
import type { Receipt } from '../../channel/port.ts'
import type { Approvals, Click, Decision } from '../../tools/approvals/approvals.ts'
import { deciders } from '../../tools/approvals/cards.ts'
import type { ApprovalFacts } from '../../tools/approvals/facts.ts'
import { isAt } from '../sending/places.ts'
import { drawCards } from './cards.ts'

/** What is told at once about an approval: a sentence, and its card as it stands. */
export type Telling = ReturnType<typeof createTelling>

export function createTelling(parts: {
  approvals: Approvals
  wake: (sessionId: string) => Promise<void>
  clock: Clock
  /** Where no card says in which language. */
  language: Language
}) {
  const { approvals, clock, wake } = parts
  return { answer, showing, drawnFor, latestOf }

  /** The sentence and the card for whoever clicked. The deciding click wakes the session. */
  async function answer(
    click: Click,
    decision: Decision,
    id: string,
    sentence: (words: ReturnType<typeof phrases>) => string,
  ): Promise<Receipt> {
    if (decision.kind === 'repeated') return { kind: 'repeated' }
    if (decision.kind === 'unknown') return { kind: 'answered', notice: phrases(parts.language).noSuchCard }
    const now = clock.now()
    const clicked =
      decision.approvals.find((facts) => facts.approval.id === id || facts.call.id === id) ??
      decision.approvals[0]
    if (!clicked) return { kind: 'answered', notice: phrases(parts.language).noSuchCard }
    const words = phrases(clicked.approval.snapshot.language)
    if (!decision.permitted) return { kind: 'answered', notice: words.onlyMayDecide(deciders(clicked)) }
    const card = drawnFor(click, decision.approvals, now).find((drawn) => drawn.id === clicked.approval.id)
    if (decision.decided) {
      await wake(decision.sessionId)
      return { kind: 'answered', notice: sentence(words), ...showing(click, card, clicked) }
    }
    return { kind: 'answered', notice: standing(clicked, now), ...showing(click, card, clicked) }
  }

  /** A card as part of an answer. */
  function showing(click: Click, card: Card | undefined, facts: ApprovalFacts) {
    return card ? { card, latest: () => latestOf(click, facts) } : {}
  }

  /** Cards as they look where the click was made: in their thread, or in the room where they are decided. */
  function drawnFor(click: Click, facts: readonly ApprovalFacts[], now: Date): readonly Card[] {
    return drawCards(facts, now, ({ place, thread }) =>
      place === null || isAt(place, click.thread, thread) ? 'decision' : 'thread',
    )
  }

  async function latestOf(click: Click, facts: ApprovalFacts): Promise<Card | undefined> {
    const { sessionId, turnId, approval } = facts
    const cards = drawnFor(click, await approvals.facts({ sessionId, turnId }), clock.now())
    return cards.find((card) => card.id === approval.id)
  }
}

/** How an approval stands, for a click that came too late. */
export function standing(facts: ApprovalFacts, now: Date): string {
  const { approval } = facts
  const words = phrases(approval.snapshot.language)
  const at = approval.decidedAt
    ? clockTime(approval.decidedAt, now, facts.timeZone, approval.snapshot.language)
    : ''
  switch (approval.status) {
    case 'confirmed':
      return words.alreadyConfirmed(facts.decidedBy ?? facts.requester, at)
    case 'cancelled':
      return words.alreadyCancelled(facts.decidedBy ?? facts.requester, at)
    case 'changed':
      return words.hasChanged
    case 'expired':
      return words.hasExpired
    case 'open':
      return approval.isOver ? words.hasExpired : words.hasChanged
    default:
      return approval.status satisfies never
  }
}
