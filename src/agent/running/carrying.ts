import { messageOf } from '../../base/errors.ts'
import { phrases } from '../../base/words.ts'
import { LeaseLost } from '../../session/lease.ts'
import { type OpenTurn, readSnapshot, type Snapshot } from '../../session/transcript.ts'
import type { ContextOf } from '../calling/context.ts'
import type { AgentParts, TurnContext } from '../parts.ts'
import { endWith, type TurnEnd } from '../turn/ending.ts'
import { openLeg } from '../turn/legs.ts'
import { carryOn } from '../turn/turn.ts'
import { storeTrace } from './traces.ts'

/** Carries a turn on, stores its trace, and turns what should not happen into a sentence. */
export async function carry(
  parts: AgentParts,
  at: TurnContext,
  turn: OpenTurn,
  contextOf: ContextOf,
  /** The session as it stands, where that is known. */
  known?: Snapshot,
): Promise<void> {
  let end: TurnEnd
  const startedAt = parts.clock.monotonic()
  try {
    end = await carryOn(parts, at, contextOf, known)
  } catch (error) {
    if (at.lease.signal.aborted || error instanceof LeaseLost) throw error
    parts.log.error(
      { turn: at.turnId, error: messageOf(error), stack: (error as Error).stack },
      'A turn failed',
    )
    at.trace.root.note({ error: messageOf(error) })
    end = await failTurn(parts, at, turn)
  }
  parts.observe(end, (parts.clock.monotonic() - startedAt) / 1_000)
  await storeTrace(parts, at)
}

/** Tells the person that something went wrong on our side. Throws where even that can't be committed. */
async function failTurn(parts: AgentParts, at: TurnContext, turn: OpenTurn): Promise<TurnEnd> {
  const current =
    (await readSnapshot(parts.db, at.sessionId))?.turns.find((open) => open.id === turn.id) ?? turn
  const shown = await parts.deliveries.prior(at.turnId, current.leg).catch(() => [])
  const leg = await openLeg(parts, at, current.leg, shown)
  return endWith(parts, at, current, leg, phrases(at.language).internal, 'failed', 'internal')
}
