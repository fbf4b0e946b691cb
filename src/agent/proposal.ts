import type { Ids } from '../base/ids.ts'
import type { ModelToolCall } from '../model/chat.ts'
import { readArguments } from '../model/json.ts'
import type { NewApproval, NewCall } from '../session/commit.ts'
import { storable } from '../session/inbox.ts'
import type { LedgerCall, StandingGrant } from '../session/transcript.ts'
import { snapshotCard } from '../tools/cards.ts'
import { type ArgumentProblem, type CheckContext, hashOf, type Tool } from '../tools/definition.ts'
import { grantFor } from '../tools/grants.ts'
import type { PolicySettings } from '../tools/policies.ts'
import { approvalFor } from './asking.ts'
import { isRejectedAgain } from './rejection.ts'

/** What a step of the model proposes, ready to be committed. */
export interface Proposal {
  readonly calls: readonly NewCall[]
  readonly approvals: readonly NewApproval[]
  /** Calls that were made before in this turn, with the same arguments. */
  readonly repeats: number
}

const rejectedBefore =
  'The person rejected this in this turn. Do not propose it again unless they ask for it; say that it was not done.'

/** The most calls of one step. */
const callsPerStep = 16

/**
 * Turns the model's calls into rows of the ledger: arguments read and checked, reads and own effects free to run,
 * writes held for a person, everything else refused with a sentence that the model can mend it by.
 */
export async function propose(
  modelCalls: readonly ModelToolCall[],
  parts: {
    readonly turnId: string
    readonly messageId: string
    readonly personId: string
    readonly earlier: readonly LedgerCall[]
    /** Calls of this turn that the person rejected, and has not asked for again since. */
    readonly rejected: readonly LedgerCall[]
    readonly grants: readonly StandingGrant[]
    readonly find: (name: string) => Tool | undefined
    /** Is the tool available in this conversation? */
    readonly mounts: (tool: Tool) => boolean
    readonly check: CheckContext
    readonly policies: PolicySettings
    readonly ids: Ids
  },
): Promise<Proposal> {
  const { turnId, messageId, personId, ids, check } = parts
  const calls: NewCall[] = []
  const approvals: NewApproval[] = []
  let repeats = 0

  const consider = async (modelCall: ModelToolCall, position: number): Promise<NewCall> => {
    const tool = parts.find(modelCall.name)
    const base = {
      id: ids('call'),
      turnId,
      messageId,
      personId,
      position,
      providerId: modelCall.id,
      tool: tool?.name ?? safeName(modelCall.name),
      effect: tool?.effect ?? 'read',
      idempotent: tool?.idempotent ?? true,
      definitionHash: tool?.definitionHash ?? '',
    } as const
    const refuse = (code: string, resultText: string, args: unknown = {}): NewCall => ({
      ...base,
      arguments: args,
      argumentsHash: hashOf(args),
      status: 'refused',
      resultText,
      failureCode: code,
    })

    if (position >= callsPerStep)
      return refuse('too_many', `At most ${callsPerStep} calls in one step. Call it in the next one.`)
    if (!tool)
      return refuse(
        'unknown_tool',
        `There is no tool called "${base.tool}". Use only the tools that are offered.`,
      )
    if (!parts.mounts(tool))
      return refuse('not_here', `The tool "${tool.name}" is not available in this conversation.`)
    const read = readArguments(modelCall.arguments)
    if (!read.ok)
      return refuse('malformed', `${read.sentence} Call it again with the arguments as one JSON object.`)
    const raw = storableData(read.value) as Record<string, unknown>
    if (tool.blocked) return refuse('blocked', tool.blocked, raw)
    const checked = await tool.check(raw, check)
    if (!checked.ok) return refuse('invalid', problemsText(checked.problems), raw)

    const args = checked.arguments
    const argumentsHash = hashOf(args)
    if (tool.effect === 'write' && isRejectedAgain(tool.name, args, parts.rejected)) {
      repeats += 1
      return refuse('repeated', rejectedBefore, args)
    }
    const twin =
      calls.find(
        (call) =>
          call.tool === tool.name && call.argumentsHash === argumentsHash && call.status !== 'refused',
      ) ??
      parts.earlier.find(
        (call) =>
          call.tool === tool.name &&
          call.argumentsHash === argumentsHash &&
          call.status !== 'refused' &&
          call.status !== 'cancelled',
      )
    if (twin) {
      repeats += 1
      const result =
        'status' in twin && twin.status === 'succeeded' && twin.resultText
          ? ` Its result was:\n${twin.resultText}`
          : ''
      return refuse(
        'repeated',
        `The same call with the same arguments was made already in this turn.${result}`,
        args,
      )
    }
    if (tool.effect !== 'write') {
      return {
        ...base,
        arguments: args,
        argumentsHash,
        status: 'approved',
        resultText: null,
        failureCode: null,
      }
    }
    const asked = approvalFor(
      {
        id: base.id,
        personId,
        tool: tool.name,
        definitionHash: tool.definitionHash,
        arguments: args,
        argumentsHash,
        card: snapshotCard(tool, args, check.language),
      },
      { policies: parts.policies, thread: check.thread, now: check.now, ids },
    )
    // What the settings of today do not let be allowed for good needs its card, whatever was allowed before.
    const grant = asked.grantable ? grantFor(parts.grants, { tool, personId, arguments: args }) : undefined
    approvals.push(grant ? { ...asked, grantId: grant.id, place: null } : asked)
    return {
      ...base,
      arguments: args,
      argumentsHash,
      status: grant ? 'approved' : 'proposed',
      resultText: null,
      failureCode: null,
    }
  }

  for (const [position, modelCall] of modelCalls.entries()) calls.push(await consider(modelCall, position))
  return { calls, approvals, repeats }
}

/** What is wrong with arguments, for the model. */
function problemsText(problems: readonly ArgumentProblem[]): string {
  const missing = problems.filter((problem) => problem.missing).map((problem) => problem.field)
  const wrong = problems
    .filter((problem) => !problem.missing)
    .map(({ field, problem }) => (field ? `${field}: ${problem}` : problem))
  return [
    ...(missing.length > 0
      ? [
          `Missing: ${missing.join(', ')}. If the person has not said it, ask them for all of it in one question.`,
        ]
      : []),
    ...(wrong.length > 0 ? [`Not valid: ${wrong.join('; ')}.`] : []),
  ].join(' ')
}

function safeName(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'unnamed'
}

/** A copy without what PostgreSQL's JSON does not take. */
function storableData(value: unknown): unknown {
  if (typeof value === 'string') return storable(value)
  if (Array.isArray(value)) return value.map(storableData)
  if (value && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [storable(key), storableData(item)]))
  }
  return value
}
