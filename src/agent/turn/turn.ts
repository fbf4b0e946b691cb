import { commitStep } from '../../session/commit.ts'
import { foldInbox } from '../../session/fold.ts'
import { type OpenTurn, readSnapshot, type Snapshot } from '../../session/transcript.ts'
import { showCards } from '../approving/cards.ts'
import { decideTyped } from '../approving/typed.ts'
import { runCalls } from '../calling/calls.ts'
import type { ContextOf } from '../calling/context.ts'
import { commandOf } from '../commands/typed.ts'
import { whyButton } from '../commands/why-button.ts'
import { handOverOnRequest } from '../desk/handing-over.ts'
import type { AgentParts, TurnContext } from '../parts.ts'
import { followOutcomes, takeOwnStep } from '../workflows/steps.ts'
import { answerCommand } from './commanding.ts'
import { completeAnswered } from './completing.ts'
import { endRemoved, endStopped, endWith, finish, type TurnEnd } from './ending.ts'
import { answered, join } from './joining.ts'
import { type Leg, openLeg, quiet, show } from './legs.ts'
import { limitReached } from './limits.ts'
import { legText, nextMove, statusOf } from './move.ts'
import { step } from './step.ts'
import { planAtEnd } from './understanding.ts'

/**
 * Carries a running turn to its answer, or to where it waits for a person: one committed step at a time. What to do
 * next is read from the committed rows, so a turn that another process began goes on in the same way.
 * @param known how the session stands, where the caller has just read or committed it
 */
export async function carryOn(
  parts: AgentParts,
  at: TurnContext,
  contextOf: ContextOf,
  known?: Snapshot,
): Promise<TurnEnd> {
  let leg: Leg | undefined
  const legOf = async (turn: OpenTurn): Promise<Leg> => {
    if (leg?.number === turn.leg) return leg
    await leg?.reply.abandon()
    leg = await openLeg(parts, at, turn.leg)
    return leg
  }
  let standing = known
  const startedAt = parts.clock.monotonic()
  try {
    for (;;) {
      at.lease.signal.throwIfAborted()
      const snapshot: Snapshot | undefined = standing ?? (await readSnapshot(parts.db, at.sessionId))
      standing = undefined
      const turn = snapshot?.turns.find((open) => open.id === at.turnId && open.status === 'running')
      if (!snapshot || !turn) return 'done'
      if (turn.personId !== at.person.id)
        at.person = (await parts.people.find(turn.personId, at.thread)) ?? at.person

      // What comes after the last word has been settled is for the next turn.
      const ending = turn.outcome !== null
      if (
        !ending &&
        snapshot.pending.some((event) => event.personId === turn.personId && event.kind !== 'timer')
      ) {
        const folded = foldInbox(snapshot)
        const typed = folded.stop ? undefined : await decideTyped(parts, snapshot, folded, at.person)
        // What has been answered is shown before what came after it begins a leg of its own.
        if (folded.joining.length > 0 && answered(snapshot, turn))
          await show(parts, at, (await legOf(turn)).reply, legText(snapshot, turn))
        if (await join(parts, at, turn, snapshot, folded, typed?.kind === 'decided')) continue
      }
      if (!ending && (await followOutcomes(parts, at, snapshot, turn))) continue

      const move = nextMove(snapshot, turn)
      switch (move.kind) {
        case 'run':
          await runCalls(parts, at, snapshot, contextOf)
          if (ranByGrant(snapshot, turn)) await showCards(parts, at)
          break
        case 'answer': {
          // What ran without asking is told, also where a process died before it could.
          if (ranByGrant(snapshot, turn)) await showCards(parts, at)
          const status = statusOf(turn.outcome)
          const plan = planAtEnd(snapshot, turn)
          const below = turn.outcome === null ? [whyButton(turn.id, at.language)] : []
          await finish(parts, at, turn, await legOf(turn), legText(snapshot, turn), status, {
            plan,
            below,
            snapshot,
          })
          return status
        }
        case 'wait': {
          // Where nothing of what was written stays, its draft goes.
          await show(parts, at, (await legOf(turn)).reply, legText(snapshot, turn))
          await showCards(parts, at)
          quiet(parts, at)
          await commitStep(parts.db, at.lease, { turn: { id: turn.id, status: 'waiting' } })
          return 'waiting'
        }
        case 'stop':
          return await endStopped(parts, at, snapshot, turn, await legOf(turn))
        case 'removed':
          return await endRemoved(parts, at, turn, await legOf(turn))
        case 'think': {
          if (await takeOwnStep(parts, at, snapshot, turn)) break
          if (await completeAnswered(parts, at, snapshot, turn)) break
          const handed = await handOverOnRequest(parts, at, snapshot, turn)
          const limit = handed ? undefined : await limitReached(parts, at, turn, snapshot, startedAt)
          const speaking = await legOf(turn)
          const command = turn.step === 0 ? commandOf(snapshot, turn) : undefined
          if (command) return await answerCommand(parts, at, snapshot, turn, speaking, command)
          if (handed) return await endWith(parts, at, turn, speaking, handed, 'done', 'handed_over')
          if (limit) {
            const ending = { step: { audit: [limit.audit] }, turnIds: [] }
            return await endWith(parts, at, turn, speaking, limit.sentence, 'failed', limit.outcome, ending)
          }
          const next = await step(parts, at, snapshot, turn, speaking)
          if (typeof next === 'string') return next
          standing = next
          break
        }
        default:
          move satisfies never
      }
    }
  } finally {
    await leg?.reply.abandon()
  }
}

/** Did anything of the turn run without a card, since it was allowed for good? */
function ranByGrant(snapshot: Snapshot, turn: OpenTurn): boolean {
  return snapshot.messages.some(
    (message) => message.turnId === turn.id && message.calls.some((call) => call.approval?.grantId),
  )
}
