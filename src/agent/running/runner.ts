import { type Lease, LeaseLost } from '../../session/lease.ts'
import type { PersonFacts } from '../../session/people.ts'
import { readSnapshot, type Snapshot } from '../../session/transcript.ts'
import { catchUpOnCards, showCards } from '../approving/cards.ts'
import { catchUpOnQuestions } from '../asking/showing.ts'
import { runCalls } from '../calling/calls.ts'
import type { ContextOf } from '../calling/context.ts'
import { passOn, showDeskChange } from '../desk/passing.ts'
import type { AgentParts } from '../parts.ts'
import { resumable } from '../turn/move.ts'
import { fireTimeout } from '../workflows/timeout.ts'
import { begin } from './beginning.ts'
import { carry } from './carrying.ts'
import { contextFor } from './context.ts'
import { resume } from './resuming.ts'
import { doTimer } from './timers.ts'
import { storeTrace } from './traces.ts'

/** Did this process work on the session, or does another one? */
export type RunResult = 'worked' | 'busy'

/** More rounds than any inbox needs: a bound, not a limit that is met. */
const mostRounds = 500

/**
 * Does all there is to do in a session, under its lease: carries on what runs, resumes what waited, runs what was
 * approved, answers what came in. Anything that is left by a crash is found here again.
 */
export async function runSession(parts: AgentParts, sessionId: string): Promise<RunResult> {
  const taken = await parts.leases.take(sessionId)
  if (!taken) return 'busy'
  const { lease } = taken
  let snapshot: Snapshot | undefined = taken.snapshot
  try {
    for (let round = 0; round < mostRounds; round++) {
      lease.signal.throwIfAborted()
      snapshot ??= await readSnapshot(parts.db, sessionId)
      if (!snapshot) return 'worked'
      const speaker = snapshot === taken.snapshot ? taken.speaker : null
      await workOnce(parts, lease, snapshot, speaker ? parts.people.of(speaker) : undefined)
      // Whether anything is left is decided by the statement that gives the lease back.
      if (lease.ended || (await lease.release()) !== 'more') return 'worked'
      snapshot = undefined
    }
    await lease.drop()
    return 'worked'
  } catch (error) {
    if (lease.signal.aborted || error instanceof LeaseLost) {
      // Committed rows say where to go on; whoever takes the lease next does.
      await lease.drop().catch(() => {})
      return 'worked'
    }
    await lease.drop().catch(() => {})
    throw error
  }
}

/** The next piece of work, in the order of its claim. */
async function workOnce(
  parts: AgentParts,
  lease: Lease,
  snapshot: Snapshot,
  speaker: PersonFacts | undefined,
): Promise<void> {
  const contextOf: ContextOf = async (turnId) => {
    const row = await parts.db.turn.findUniqueOrThrow({ where: { id: turnId } })
    return contextFor(parts, lease, snapshot, row)
  }

  const running = snapshot.turns.find((turn) => turn.status === 'running')
  if (running) {
    // Another process has left it, or its question was edited.
    const at = await contextFor(parts, lease, snapshot, running)
    await catchUpOnCards(parts, at)
    await catchUpOnQuestions(parts, at)
    await carry(parts, at, running, contextOf)
    return
  }

  const timer = snapshot.pending.find((event) => event.kind === 'timer')
  if (timer?.payload.desk) {
    await showDeskChange(parts, lease, snapshot, timer)
    return
  }
  if (timer) {
    if (timer.payload.workflowId !== undefined) {
      const at = await fireTimeout(parts, lease, snapshot, timer)
      if (at) await carry(parts, await contextOf(at.id), at, contextOf)
    } else await doTimer(parts, lease, snapshot, timer, contextOf)
    return
  }

  const waiting = resumable(snapshot)
  if (waiting) {
    await resume(parts, lease, snapshot, waiting, contextOf)
    return
  }

  const approved = snapshot.openCalls.find(
    (call) => call.status === 'approved' || call.status === 'executing',
  )
  if (approved) {
    const at = await contextOf(approved.turnId)
    await runCalls(parts, at, snapshot, contextOf)
    await showCards(parts, at)
    await storeTrace(parts, at)
    return
  }

  if (snapshot.handOver) await passOn(parts, lease, snapshot, snapshot.handOver)
  else await begin(parts, lease, snapshot, speaker, contextOf)
}
