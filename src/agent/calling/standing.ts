import { commitStep } from '../../session/commit.ts'
import type { CallChange } from '../../session/step.ts'
import type { LedgerCall, Snapshot } from '../../session/transcript.ts'
import { confirmTool } from '../../tools/approvals/workflow-card.ts'
import { hashOf } from '../../tools/hash.ts'
import type { Tool } from '../../tools/tool.ts'
import { proposeAnew, type Reissued } from '../approving/reissuing.ts'
import type { AgentParts, TurnContext } from '../parts.ts'
import { passedBy, toolOf } from '../workflows/steps.ts'
import type { ContextOf } from './context.ts'
import { auditOf } from './outcomes.ts'

/** Parts the approved calls into those that may begin and those that are refused; gives what is asked for anew. */
export async function sortApproved(
  parts: AgentParts,
  snapshot: Snapshot,
  calls: readonly LedgerCall[],
  contextOf: ContextOf,
  profile: TurnContext['profile'],
): Promise<{
  readonly runnable: readonly { readonly call: LedgerCall; readonly tool: Tool }[]
  readonly changes: readonly CallChange[]
  readonly reissued: readonly Reissued[]
}> {
  const runnable: { call: LedgerCall; tool: Tool }[] = []
  const changes: CallChange[] = []
  const reissued: Reissued[] = []
  for (const call of calls) {
    const tool = toolOf(parts, snapshot, call)
    const mounted = !tool || tool.name === confirmTool || parts.profiles.mounts(profile, tool)
    const isWorkflows = snapshot.workflows.some(({ callId }) => callId === call.id)
    if (tool && mounted && !isWorkflows && isOutdated(call, tool)) {
      const anew = await anewFor(parts, snapshot, call, tool, contextOf)
      reissued.push(anew)
      const outcome = { resultText: anew.sentence, failureCode: 'changed' }
      changes.push({ id: call.id, from: 'approved', to: 'refused', ...outcome })
      continue
    }
    const refusal = mounted
      ? (refusalOf(call, tool, snapshot) ?? passedBy(snapshot, call))
      : 'The tool is not available in this conversation. It was not run.'
    if (tool && !refusal) {
      runnable.push({ call, tool })
      changes.push({ id: call.id, from: 'approved', to: 'executing' })
    } else {
      changes.push({
        id: call.id,
        from: 'approved',
        to: 'refused',
        resultText: refusal ?? '',
        failureCode: 'refused',
      })
    }
  }
  return { runnable, changes, reissued }
}

/** Was it decided by a card of another definition of its tool? Then it is asked for anew. */
function isOutdated(call: LedgerCall, tool: Tool): boolean {
  return (
    call.effect === 'write' &&
    call.approval?.status === 'confirmed' &&
    !tool.blocked &&
    tool.definitionHash !== call.definitionHash &&
    hashOf(call.arguments) === call.argumentsHash &&
    call.approval.argumentsHash === call.argumentsHash
  )
}

async function anewFor(
  parts: AgentParts,
  snapshot: Snapshot,
  call: LedgerCall,
  tool: Tool,
  contextOf: ContextOf,
): Promise<Reissued> {
  const owner = await contextOf(call.turnId)
  const anew = await proposeAnew(call, tool, {
    policies: parts.settings.approvals,
    ids: parts.ids,
    now: parts.clock.now(),
    timeZone: owner.person.timeZone,
    language: owner.language,
    thread: owner.thread,
  })
  if (!anew.proposal) return anew
  const own = snapshot.messages.find((message) => message.id === call.messageId)
  const position = (own?.calls.length ?? call.position) + 1 + call.position
  return { ...anew, proposal: { ...anew.proposal, call: { ...anew.proposal.call, position } } }
}

const revoked =
  'What allowed it without asking was revoked before it ran. It was not done; propose it again for a confirmation.'

/** Why an approved call must not run after all. */
function refusalOf(call: LedgerCall, tool: Tool | undefined, snapshot: Snapshot): string | undefined {
  if (!tool) return 'The tool is not available right now, since its server does not answer. It was not run.'
  if (tool.blocked) return tool.blocked
  if (call.effect === 'write' && call.approval?.status !== 'confirmed')
    return 'Nobody has confirmed it. It was not run.'
  const grantId = call.approval?.grantId
  if (grantId && !snapshot.grants.some((grant) => grant.id === grantId)) return revoked
  if (
    hashOf(call.arguments) !== call.argumentsHash ||
    (call.approval && call.approval.argumentsHash !== call.argumentsHash)
  )
    return 'The arguments are not those that were confirmed. It was not run.'
  // What counts as a write is decided by the definition of today.
  if (call.effect !== 'write' && tool.effect === 'write')
    return 'The tool now needs a confirmation. Call it again.'
  return undefined
}

/**
 * Refuses a call whose standing grant was revoked while it was being marked as begun: from here on a revocation comes
 * too late, up to here none is missed. Such calls run one at a time.
 */
export async function revokedMeanwhile(
  parts: AgentParts,
  at: TurnContext,
  calls: readonly LedgerCall[],
): Promise<boolean> {
  const granted = calls.filter((call) => call.approval?.grantId)
  if (granted.length === 0) return false
  const valid = await parts.db.approvalGrant.count({
    where: { id: { in: granted.map((call) => call.approval!.grantId!) }, revokedAt: null },
  })
  if (valid > 0) return false
  await commitStep(parts.db, at.lease, {
    callChanges: granted.map((call) => ({
      id: call.id,
      from: 'executing',
      to: 'refused',
      resultText: revoked,
      failureCode: 'revoked',
    })),
    audit: granted.map((call) =>
      auditOf(parts, call, 'call.refused', { argumentsHash: call.argumentsHash, code: 'revoked' }),
    ),
  })
  return true
}
