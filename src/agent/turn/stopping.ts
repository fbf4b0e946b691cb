import { endedWith, readPlans } from '../../session/plan.ts'
import type { Step } from '../../session/step.ts'
import type { Snapshot } from '../../session/transcript.ts'
import { openOf } from '../asking/opening.ts'

/** What ends when a person says stop: their open cards are withdrawn, and the turns that waited for them are over. */
export interface Stopping {
  readonly step: Pick<Step, 'callChanges' | 'questions' | 'stopped' | 'session' | 'audit' | 'workflows'>
  /** Turns whose cards look different afterwards. */
  readonly turnIds: readonly string[]
}

/** @param turnId the turn that ends with the word */
export function stopping(snapshot: Snapshot, personId: string, turnId: string): Stopping {
  const open = snapshot.openCalls.filter((call) => call.status === 'proposed' && call.personId === personId)
  const turnIds = [...new Set(open.map((call) => call.turnId))]
  const before = readPlans(snapshot.plan)
  // What they were to carry out is given up with them.
  const plan = [turnId, ...turnIds].reduce(
    (plans, id) => endedWith(plans, id, { text: '', stopped: true }) ?? plans,
    before,
  )
  return {
    step: {
      callChanges: open.map((call) => ({ id: call.id, from: 'proposed', to: 'withdrawn' })),
      questions: openOf(snapshot, personId).map(({ id }) => ({ callId: id, to: 'closed' })),
      stopped: turnIds,
      ...(plan === before ? {} : { session: { plan } }),
    },
    turnIds,
  }
}
