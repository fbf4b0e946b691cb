import { commitStep } from '../../session/commit.ts'
import { type KnownEntity, mergeEntities, readEntities } from '../../session/entities.ts'
import type { CallChange, NewAudit } from '../../session/step.ts'
import type { LedgerCall, Snapshot } from '../../session/transcript.ts'
import type { Tool } from '../../tools/tool.ts'
import { handOverAfter } from '../desk/handing-over.ts'
import type { AgentParts, TurnContext } from '../parts.ts'
import { callContext } from '../proposing/call-context.ts'
import { movedByModel } from '../workflows/steps.ts'
import type { ContextOf } from './context.ts'
import { auditOf, type Ran, recordsOf } from './outcomes.ts'
import { revokedMeanwhile, sortApproved } from './standing.ts'
import { type Tended, tend } from './tending.ts'

/**
 * Runs every call of the session that is free to run, whichever turn proposed it: reads side by side, what
 * changes something one after the other. Calls that a dead process left executing are repeated where that is
 * safe; else their outcome is unknown, and the person is asked.
 */
export async function runCalls(
  parts: AgentParts,
  at: TurnContext,
  snapshot: Snapshot,
  contextOf: ContextOf,
): Promise<void> {
  const orphans = snapshot.openCalls.filter((call) => call.status === 'executing')
  if (orphans.length > 0) {
    const callChanges = orphans.map((call) => orphaned(parts, call, at))
    await commitStep(parts.db, at.lease, { callChanges, audit: notRun(parts, orphans, callChanges) })
    return
  }
  const approved = snapshot.openCalls.filter((call) => call.status === 'approved')
  const reads = approved.filter((call) => call.effect === 'read')
  const effects = approved.filter((call) => call.effect !== 'read')
  const known = { entities: readEntities(snapshot.entities) }
  if (reads.length > 0) await runTogether(parts, at, snapshot, reads, contextOf, known)
  for (const call of effects) await runTogether(parts, at, snapshot, [call], contextOf, known)
}

function orphaned(parts: AgentParts, call: LedgerCall, at: TurnContext): CallChange {
  if (call.idempotent) return { id: call.id, from: 'executing', to: 'approved' }
  const sentence =
    at.language === 'zh'
      ? '执行途中程序中断，结果不明。'
      : 'Hermes was interrupted while it ran; it may have happened.'
  return {
    id: call.id,
    from: 'executing',
    to: 'unknown',
    resultText: sentence,
    failureCode: 'unknown',
    untold: parts.ids('evt'),
  }
}

/** Writes that did not run as they were decided, or of which nobody knows, stand in the audit log, too. */
function notRun(
  parts: AgentParts,
  calls: readonly LedgerCall[],
  changes: readonly CallChange[],
): readonly NewAudit[] {
  return changes.flatMap(({ id, to, failureCode }) => {
    const call = calls.find((one) => one.id === id)!
    if (call.effect !== 'write' || (to !== 'refused' && to !== 'unknown')) return []
    const { argumentsHash } = call
    return [auditOf(parts, call, `call.${to}`, { argumentsHash, code: failureCode ?? to })]
  })
}

async function runTogether(
  parts: AgentParts,
  at: TurnContext,
  snapshot: Snapshot,
  calls: readonly LedgerCall[],
  contextOf: ContextOf,
  /** What has been named in the session; grows with each batch of this step. */
  known: { entities: readonly KnownEntity[] },
): Promise<void> {
  at.lease.signal.throwIfAborted()
  const { runnable, changes, reissued } = await sortApproved(parts, snapshot, calls, contextOf, at.profile)
  // A call is marked as begun before it begins, so that a crash can't hide that it may have happened.
  const proposals = reissued.flatMap((anew) => anew.proposal ?? [])
  await commitStep(parts.db, at.lease, {
    callChanges: changes,
    audit: notRun(parts, calls, changes),
    calls: proposals.map(({ call }) => call),
    approvals: proposals.map(({ approval }) => approval),
  })
  const begun = runnable.map(({ call }) => call)
  if (await revokedMeanwhile(parts, at, begun)) return
  if (runnable.length === 0) return
  tellActivity(parts, at, runnable[0]!.tool)

  const ran = await Promise.all(
    runnable.map(async ({ call, tool }): Promise<Ran> => {
      const owner = call.turnId === at.turnId ? at : await contextOf(call.turnId)
      return { call, tool, owner, outcome: await runTraced(parts, at, owner, call, tool, snapshot) }
    }),
  )
  at.lease.signal.throwIfAborted()

  const { settled, results, failures, audit, notes, named } = recordsOf(parts, at, snapshot, ran)
  known.entities = named.reduce(mergeEntities, known.entities)
  // Before the failures are committed: a crash in between repeats it, and the second time changes nothing.
  const handed = await handOverAfter(parts, snapshot, failures, ran)
  // Failures of one step count once, by their time.
  const since = failures.map(({ at: when }) => when).toSorted((a, b) => a.getTime() - b.getTime())[0]
  const succeeded = calls.filter((call) =>
    settled.some((change) => change.id === call.id && change.to === 'succeeded'),
  )
  const moved = await movedByModel(parts, at, snapshot, succeeded)
  await commitStep(parts.db, at.lease, {
    callChanges: [
      ...moved.callChanges,
      ...settled.map((change) => {
        const note = handed.get(change.id)
        return note === undefined
          ? change
          : { ...change, ...note, resultText: `${change.resultText ?? ''} ${note.resultText}` }
      }),
    ],
    results,
    failures: failures.map((failure) => ({ ...failure, at: since ?? failure.at })),
    audit,
    messages: notes,
    workflows: moved.workflows,
    session: { entities: known.entities },
  })
  parts.notices.changed(at.sessionId)
}

function runTraced(
  parts: AgentParts,
  at: TurnContext,
  owner: TurnContext,
  call: LedgerCall,
  tool: Tool,
  snapshot: Snapshot,
): Promise<Tended> {
  return at.trace.root.span(`tool ${call.tool}`, { call: call.id, effect: call.effect }, async (span) => {
    span.note({ arguments: call.arguments })
    const tended = await tend(parts, owner, call, tool, callContext(parts, owner, call), snapshot)
    span.note({
      attempts: tended.kind === 'own' ? tended.outcome.attempts : tended.trouble.attempts,
      ...(tended.kind === 'instead' ? { instead: tended.note } : {}),
    })
    span.end(tended.kind === 'own' && tended.outcome.kind === 'succeeded' ? 'ok' : tended.trouble!.code)
    return tended
  })
}

function tellActivity(parts: AgentParts, at: TurnContext, tool: Tool): void {
  void parts.speaker(at.thread).showActivity(at.target, `${tool.activity(at.language)}…`)
}
