import { commitStep } from '../../session/commit.ts'
import type { NewApproval, NewCall } from '../../session/step.ts'
import type { OpenTurn, SessionQuestion, Snapshot } from '../../session/transcript.ts'
import { answersOf } from '../asking/opening.ts'
import { showQuestions } from '../asking/showing.ts'
import type { AgentParts, TurnContext } from '../parts.ts'
import { proposeByCode } from '../proposing/by-code.ts'
import type { Proposal } from '../proposing/proposal.ts'
import { assistantMessage } from '../sending/own-messages.ts'
import { gateOf } from '../workflows/steps.ts'
import { unlessDown } from './step.ts'

/**
 * Goes on with what a person has sent with a question's card, as a step of the turn without the model: the call is
 * completed with exactly that and proposed like any other, so that a write gets its card of confirmation.
 */
export async function completeAnswered(
  parts: AgentParts,
  at: TurnContext,
  snapshot: Snapshot,
  turn: OpenTurn,
): Promise<boolean> {
  const given = answersOf(snapshot, turn).filter(({ status }) => status === 'given')
  if (given.length === 0) return false
  const messageId = parts.ids('msg')
  const calls: NewCall[] = []
  const approvals: NewApproval[] = []
  for (const question of given) {
    const proposal = await proposalOf(parts, at, snapshot, turn, messageId, question)
    calls.push(...proposal.calls.map((call) => ({ ...call, position: calls.length })))
    approvals.push(...proposal.approvals)
    const { id, tool } = question
    const fields = Object.keys(question.answer?.arguments ?? {})
    await at.trace.root.span(
      'answer',
      { question: id, tool, fields, calls: calls.map((call) => call.id) },
      async () => {},
    )
  }
  await commitStep(parts.db, at.lease, {
    messages: [assistantMessage(messageId, turn, '', false)],
    calls,
    approvals,
    questions: given.map(({ id }) => ({ callId: id, to: 'answered' })),
    turn: { id: turn.id, step: turn.step + 1 },
  })
  await showQuestions(
    parts,
    at,
    given.map(({ id }) => id),
  )
  return true
}

function proposalOf(
  parts: AgentParts,
  at: TurnContext,
  snapshot: Snapshot,
  turn: OpenTurn,
  messageId: string,
  question: SessionQuestion,
): Promise<Proposal> {
  const { answer, tool, language } = question
  return proposeByCode(parts, at, snapshot, turn, {
    messageId,
    name: tool,
    arguments: answer?.arguments ?? {},
    language,
    grants: snapshot.grants,
    find: (name) => unlessDown(parts, at, snapshot, name),
    mounts: (found) => parts.profiles.mounts(at.profile, found),
    gate: gateOf(snapshot, turn.personId),
    exact: answer?.exact ?? [],
  })
}
