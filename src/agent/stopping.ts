import type { Step } from '../session/commit.ts'
import type { Snapshot } from '../session/transcript.ts'

/** What ends when a person says stop: their open cards are withdrawn, and the turns that waited for them are over. */
export interface Stopping {
  readonly step: Pick<Step, 'callChanges' | 'stopped'>
  /** Turns whose cards look different afterwards. */
  readonly turnIds: readonly string[]
}

export function stopping(snapshot: Snapshot, personId: string): Stopping {
  const open = snapshot.openCalls.filter((call) => call.status === 'proposed' && call.personId === personId)
  const turnIds = [...new Set(open.map((call) => call.turnId))]
  return {
    step: {
      callChanges: open.map((call) => ({ id: call.id, from: 'proposed', to: 'withdrawn' })),
      stopped: turnIds,
    },
    turnIds,
  }
}
