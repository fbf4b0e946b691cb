import { commitStep } from '../session/commit.ts'
import type { Snapshot } from '../session/transcript.ts'
import { showCards } from './cards.ts'
import type { AgentParts, TurnContext } from './parts.ts'

/**
 * Ends everything of this person that waits in the session: open cards are withdrawn, waiting turns are over.
 * @returns how many calls were withdrawn
 */
export async function stopWaiting(parts: AgentParts, at: TurnContext, snapshot: Snapshot): Promise<number> {
  const open = snapshot.openCalls.filter(
    (call) => call.status === 'proposed' && call.personId === at.person.id,
  )
  if (open.length === 0) return 0
  await commitStep(parts.db, at.lease, {
    callChanges: open.map((call) => ({ id: call.id, from: 'proposed', to: 'withdrawn' })),
  })
  for (const turnId of new Set(open.map((call) => call.turnId))) {
    await showCards(parts, { ...at, turnId })
    if (turnId === at.turnId) continue
    await commitStep(parts.db, at.lease, { turn: { id: turnId, status: 'stopped', outcome: 'stopped' } })
  }
  return open.length
}
