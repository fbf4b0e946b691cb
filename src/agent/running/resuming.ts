import { commitStep } from '../../session/commit.ts'
import type { Lease } from '../../session/lease.ts'
import { callOutcome } from '../../session/rendering.ts'
import type { OpenTurn, Snapshot } from '../../session/transcript.ts'
import { showCards } from '../approving/cards.ts'
import type { ContextOf } from '../calling/context.ts'
import type { AgentParts, TurnContext } from '../parts.ts'
import { noteOf } from '../sending/own-messages.ts'
import { planTakenBack } from '../turn/understanding.ts'
import { carry } from './carrying.ts'
import { contextFor } from './context.ts'
import { storeTrace } from './traces.ts'

/** Goes on with a turn whose cards are all decided. */
export async function resume(
  parts: AgentParts,
  lease: Lease,
  snapshot: Snapshot,
  waiting: OpenTurn,
  contextOf: ContextOf,
): Promise<void> {
  const at = await contextFor(parts, lease, snapshot, waiting)
  await showCards(parts, at)
  if (wasWithdrawn(snapshot, waiting)) {
    // Something else was said and proposed meanwhile; the old question has no answer of its own any more.
    const plan = planTakenBack(snapshot, waiting)
    await commitStep(parts.db, lease, {
      turn: { id: waiting.id, status: 'done', outcome: 'withdrawn' },
      ...(plan ? { session: { plan } } : {}),
    })
    await storeTrace(parts, at)
    return
  }
  await commitStep(parts.db, lease, {
    turn: { id: waiting.id, status: 'running', leg: waiting.leg + 1 },
    messages: lateNotes(parts, at, snapshot, waiting),
  })
  at.freshLeg = waiting.leg + 1
  await carry(parts, at, { ...waiting, leg: waiting.leg + 1 }, contextOf)
}

/** Was everything that the turn waited for taken back? */
function wasWithdrawn(snapshot: Snapshot, turn: OpenTurn): boolean {
  const message = snapshot.messages.findLast((own) => own.turnId === turn.id && own.role === 'assistant')
  const asked = message?.calls.filter((call) => call.approval !== null) ?? []
  return asked.length > 0 && asked.every((call) => call.status === 'withdrawn')
}

/** What was decided after later messages had come is noted at the end, where the model looks last. */
function lateNotes(parts: AgentParts, at: TurnContext, snapshot: Snapshot, turn: OpenTurn) {
  const message = snapshot.messages.findLast((own) => own.turnId === turn.id && own.role === 'assistant')
  if (!message || !snapshot.messages.some((later) => later.seq > message.seq && later.role !== 'note'))
    return []
  return message.calls
    .filter((call) => call.effect === 'write' && (call.status === 'cancelled' || call.status === 'expired'))
    .map((call) => noteOf(parts, at, `${call.tool}: ${callOutcome(call)}`))
}
