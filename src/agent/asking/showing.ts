import type { AgentParts, TurnContext } from '../parts.ts'
import { questionCard } from './card.ts'

type Showing = Pick<AgentParts, 'questions' | 'deliveries' | 'clock' | 'notices'>
type At = Pick<TurnContext, 'lease' | 'sessionId' | 'target' | 'trace'>

/** Posts the cards of these questions, and draws those again that have moved on. One that nobody saw is not posted late. */
export async function showQuestions(parts: Showing, at: At, callIds: readonly string[]): Promise<void> {
  if (callIds.length === 0) return
  await at.trace.root.span('question', { cards: callIds }, async (span) => {
    for (const facts of await parts.questions.of(at.sessionId, callIds)) {
      if (facts.status !== 'open' && !facts.posted) continue
      const { asked } = facts.question
      span.note({
        [facts.id]: { tool: facts.tool, asked: asked.map(({ field }) => field), status: facts.status },
      })
      const card = questionCard(facts, parts.clock.now())
      const sent = await parts.deliveries.card(at.lease, facts.turnId, at.target, card)
      if (sent.kind === 'failed') span.note({ failed: sent.reason })
    }
  })
  parts.notices.changed(at.sessionId)
}

/** Draws the cards of a turn's questions as they are by now. */
export async function showQuestionsOf(parts: Showing, at: At & Pick<TurnContext, 'turnId'>): Promise<void> {
  const all = await parts.questions.of(at.sessionId)
  await showQuestions(
    parts,
    at,
    all.filter(({ turnId }) => turnId === at.turnId).map(({ id }) => id),
  )
}

/** Draws those again that have moved on since they were drawn: a process died in between. */
export async function catchUpOnQuestions(parts: Showing, at: At): Promise<void> {
  await showQuestions(parts, at, await parts.questions.behind(at.sessionId))
}
