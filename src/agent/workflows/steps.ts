import { commitStep } from '../../session/commit.ts'
import type { NewApproval } from '../../session/step.ts'
import type { LedgerCall, OpenTurn, Snapshot } from '../../session/transcript.ts'
import {
  filled,
  type RunningWorkflow,
  readValues,
  type Value,
  type WorkflowInstance,
  wordsIn,
} from '../../session/workflows/instance.ts'
import {
  advance,
  allowedTools,
  leavingOf,
  ownCall,
  refusalIn,
  sayOf,
  stateOfInstance,
  type WorkflowEvent,
} from '../../session/workflows/machine.ts'
import { typed } from '../../session/workflows/reading.ts'
import { cardTool, confirmTool } from '../../tools/approvals/workflow-card.ts'
import { workflowTool } from '../../tools/builtin/workflows.ts'
import type { Tool } from '../../tools/tool.ts'
import type { AgentParts, TurnContext } from '../parts.ts'
import { proposeByCode } from '../proposing/by-code.ts'
import { withoutNote } from '../proposing/settling.ts'
import { assistantMessage } from '../sending/own-messages.ts'
import { addressed } from './approver.ts'
import { beginning, currentOf, momentOf, movedAmong, resolved } from './workflows.ts'

/** The tool of a call: the card of a workflow is made of the instance that asked. */
export function toolOf(parts: AgentParts, snapshot: Snapshot, call: LedgerCall): Tool | undefined {
  if (call.tool !== confirmTool) return parts.registry.find(call.tool)
  const one = snapshot.workflows.find(({ callId }) => callId === call.id)
  return one && cardTool(one)
}

/** Why a tool may not be called now, by the workflow of its person. */
export function refusedByWorkflow(
  snapshot: Snapshot,
  personId: string,
  tool: string,
  args?: Readonly<Record<string, unknown>>,
): string | undefined {
  const one = currentOf(snapshot.workflows, personId)
  if (tool !== workflowTool) return one && refusalIn(one, tool)
  const action = args?.action
  if (action === 'start')
    return one?.status === 'active' && one.name === args?.name ? 'It is under way already.' : undefined
  if (args === undefined || action === undefined) return undefined
  if (!one) return 'No workflow is under way.'
  if (action === 'fill') {
    const { collect } = stateOfInstance(one)
    const given = (args.values as readonly { field: string }[] | undefined) ?? []
    return given.some(({ field }) => Object.hasOwn(collect, field))
      ? undefined
      : `The state "${one.state}" takes these fields only: ${Object.keys(collect).join(', ') || 'none'}.`
  }
  if (one.call?.status === 'approved' || one.call?.status === 'executing') return 'Its own call is running.'
  return undefined
}

/** A call that was confirmed in a state which has passed since must not run any more. */
export function passedBy(snapshot: Snapshot, call: LedgerCall): string | undefined {
  if (call.effect !== 'write') return undefined
  if (snapshot.workflows.some(({ callId }) => callId === call.id)) return undefined
  return refusedByWorkflow(snapshot, call.personId, call.tool)
}

/** Tools that the person's workflow wants offered, whatever they have said. */
export function wantedTools(snapshot: Snapshot, personId: string): readonly string[] {
  const one = currentOf(snapshot.workflows, personId)
  return [workflowTool, ...(one?.status === 'active' ? allowedTools(one) : [])]
}

/** Moves workflows by what has become of their cards and calls. Tells whether any has moved. */
export async function followOutcomes(
  parts: AgentParts,
  at: TurnContext,
  snapshot: Snapshot,
  turn: OpenTurn,
): Promise<boolean> {
  for (const one of snapshot.workflows) {
    if (one.personId !== turn.personId || one.status === 'ended') continue
    const event = outcomeOf(one, snapshot)
    const next = event && advance(one, event, momentOf(parts, snapshot, turn.id))
    if (!next) continue
    await commitStep(parts.db, at.lease, { workflows: movedAmong(snapshot, next) })
    parts.notices.changed(at.sessionId)
    return true
  }
  return false
}

function outcomeOf(one: RunningWorkflow, snapshot: Snapshot): WorkflowEvent | undefined {
  const { call } = one
  if (!call) return one.status === 'active' ? requiredOutcome(one, snapshot) : undefined
  const state = stateOfInstance(one)
  switch (call.status) {
    case 'succeeded':
      return state.confirm && !one.leaving
        ? { kind: 'outcome', outcome: 'confirmed', values: readValues(call.arguments) }
        : { kind: 'outcome', outcome: 'succeeded', values: saved(one) }
    case 'failed':
    case 'refused':
      return { kind: 'outcome', outcome: 'failed' }
    case 'cancelled':
    case 'expired':
    case 'withdrawn':
      return { kind: 'outcome', outcome: call.status }
    case 'proposed':
    case 'approved':
    case 'executing':
    case 'unknown':
      return undefined
    default:
      return call.status satisfies never
  }
}

/** What became of the tools that the model has to call in this state. */
function requiredOutcome(one: RunningWorkflow, snapshot: Snapshot): WorkflowEvent | undefined {
  const { required } = stateOfInstance(one).tools
  if (required.length === 0 || one.leaving) return undefined
  const calls = snapshot.messages
    .filter((message) => message.seq > one.enteredSeq)
    .flatMap((message) => message.calls)
    .filter((call) => call.personId === one.personId && required.includes(call.tool))
  const succeeded = new Set(calls.flatMap((call) => (call.status === 'succeeded' ? [call.tool] : [])))
  if (required.every((tool) => succeeded.has(tool))) return { kind: 'outcome', outcome: 'succeeded' }
  return calls.some((call) => call.status === 'failed' && !succeeded.has(call.tool))
    ? { kind: 'outcome', outcome: 'failed' }
    : undefined
}

/** Fields that the state takes from its call's result. */
function saved(one: RunningWorkflow): Readonly<Record<string, Value>> {
  const save = one.leaving ? {} : (stateOfInstance(one).call?.save ?? {})
  let result: unknown
  try {
    result = JSON.parse(withoutNote(one.call?.resultText ?? ''))
  } catch {
    return {}
  }
  if (result === null || typeof result !== 'object') return {}
  const members = result as Readonly<Record<string, unknown>>
  return readValues(Object.fromEntries(Object.entries(save).map(([field, key]) => [field, members[key]])))
}

/**
 * Makes the call or the card that the state of the turn's person asks for, as a step of the turn without the model:
 * what a workflow does by itself does not depend on what a model makes of it.
 */
export async function takeOwnStep(
  parts: AgentParts,
  at: TurnContext,
  snapshot: Snapshot,
  turn: OpenTurn,
): Promise<boolean> {
  const one = currentOf(snapshot.workflows, turn.personId)
  const own = one && ownCall(one)
  if (!one || !own) return false
  const messageId = parts.ids('msg')
  const card = own.tool === undefined ? cardTool(one) : undefined
  const proposal = await proposeByCode(parts, at, snapshot, turn, {
    messageId,
    name: own.tool ?? confirmTool,
    arguments: own.arguments,
    language: one.language,
    grants: [],
    find: (name) => (card && name === confirmTool ? card : parts.registry.find(name)),
    mounts: (tool) => tool === card || parts.profiles.mounts(at.profile, tool),
  })
  const approvals: NewApproval[] = []
  for (const approval of proposal.approvals)
    approvals.push(await addressed(parts, at, one, own.approver, approval))
  await commitStep(parts.db, at.lease, {
    messages: [assistantMessage(messageId, turn, ownWords(one), false)],
    calls: proposal.calls,
    approvals,
    workflows: [{ ...one, callId: proposal.calls[0]!.id, turnId: turn.id, problem: null }],
    turn: { id: turn.id, step: turn.step + 1 },
  })
  parts.notices.changed(at.sessionId)
  return true
}

/** What is said beside the card. */
function ownWords(one: WorkflowInstance): string {
  if (!one.leaving) return sayOf(one)
  const { say } = leavingOf(one)
  return say === undefined ? '' : filled(wordsIn(say, one.language), one.data)
}

/** What the model's calls of the workflow tool come to, to be committed with their outcomes. */
export async function movedByModel(
  parts: AgentParts,
  at: TurnContext,
  snapshot: Snapshot,
  calls: readonly LedgerCall[],
): Promise<{
  readonly workflows: readonly WorkflowInstance[]
  readonly callChanges: readonly { id: string; from: 'proposed'; to: 'withdrawn' }[]
}> {
  const call = calls.find((each) => each.tool === workflowTool)
  if (!call) return { workflows: [], callChanges: [] }
  const moment = momentOf(parts, snapshot, at.turnId)
  const one = currentOf(snapshot.workflows, call.personId)
  const { action, name, values } = call.arguments as {
    action: 'start' | 'fill' | 'park' | 'resume' | 'cancel'
    name?: string
    values?: readonly { field: string; value: string }[]
  }
  let next: WorkflowInstance | undefined
  if (action === 'start') {
    if (name === undefined || !parts.workflows.declared[name]) return { workflows: [], callChanges: [] }
    next = beginning(parts, name, at.person, at.language, moment)
  } else if (!one) return { workflows: [], callChanges: [] }
  else if (action === 'fill') {
    const { collect } = stateOfInstance(one)
    const read: Record<string, Value> = {}
    let problem: string | null = null
    for (const { field, value } of values ?? []) {
      const kind = collect[field]
      const plain =
        kind && kind.type !== 'file'
          ? typed(kind, value, { now: moment.now, timeZone: at.person.timeZone })
          : undefined
      if (plain === undefined) continue
      const found = await resolved(parts, snapshot, one, field, plain, at.person)
      if ('problem' in found) problem = found.problem
      else read[field] = found.value
    }
    next =
      advance(one, { kind: 'fill', values: read }, moment) ??
      (problem === null ? undefined : { ...one, turnId: at.turnId, problem })
  } else next = advance(one, { kind: action === 'cancel' ? 'leave' : action }, moment)
  if (!next) return { workflows: [], callChanges: [] }
  const withdraws = action === 'cancel' && one?.callId && one.call?.status === 'proposed'
  return {
    workflows: movedAmong(snapshot, next),
    callChanges: withdraws ? [{ id: one.callId!, from: 'proposed', to: 'withdrawn' }] : [],
  }
}

/** A refusal for `propose`, by the workflow of the turn's person. */
export function gateOf(snapshot: Snapshot, personId: string) {
  return (tool: string, args: Readonly<Record<string, unknown>>) =>
    refusedByWorkflow(snapshot, personId, tool, args)
}
