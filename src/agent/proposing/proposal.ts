import type { Ids } from '../../base/ids.ts'
import type { ModelToolCall } from '../../model/chat.ts'
import { readArguments } from '../../model/json.ts'
import type { NewApproval, NewCall } from '../../session/step.ts'
import { storable } from '../../session/storable.ts'
import type { LedgerCall, StandingGrant } from '../../session/transcript.ts'
import { snapshotCard } from '../../tools/approvals/cards.ts'
import { grantFor } from '../../tools/approvals/grants.ts'
import type { PolicySettings } from '../../tools/approvals/policies.ts'
import { unknownYet } from '../../tools/arguments/placeholders.ts'
import type { Directory } from '../../tools/arguments/references.ts'
import { hashOf } from '../../tools/hash.ts'
import type { CheckContext, Tool } from '../../tools/tool.ts'
import { approvalFor } from '../approving/asking.ts'
import { questionOf } from '../asking/question.ts'
import { isRejectedAgain } from './rejection.ts'
import { reusableResult, reusedText } from './reuse.ts'
import { settleArguments } from './settling.ts'

/** What a step of the model proposes, ready to be committed. */
export interface Proposal {
  readonly calls: readonly NewCall[]
  readonly approvals: readonly NewApproval[]
  /** Calls that were made before in this turn, with the same arguments. */
  readonly repeats: number
  /** Reads that were answered with what an earlier call found, and how old that is. */
  readonly reused: readonly {
    readonly tool: string
    readonly callId: string
    readonly of: string
    readonly ageSeconds: number
  }[]
}

const rejectedBefore =
  'The person rejected this in this turn. Do not propose it again unless they ask for it; say that it was not done.'

const notKnownYet = (words: string) =>
  `"${words}" names nothing that is known yet. Make the call that gives it first, or ask; then call this in the next step with the value itself.`

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
    /** All calls of the conversation, whose results may still hold; none where the person wants it looked up anew. */
    readonly lasting: readonly LedgerCall[]
    readonly find: (name: string) => Tool | undefined
    /** Is the tool available in this conversation? */
    readonly mounts: (tool: Tool) => boolean
    /** Why a tool must not be called with these arguments now, though it is there. */
    readonly gate?: (tool: string, args: Readonly<Record<string, unknown>>) => string | undefined
    readonly check: CheckContext
    readonly policies: PolicySettings
    /** Why a call that would change something is not even asked about; nothing where it may be. */
    readonly doubt: (tool: Tool, args: Readonly<Record<string, unknown>>) => Promise<string | undefined>
    /** Where names in arguments are looked up. */
    readonly directory: Directory
    /** Arguments that were chosen among ids, so that they are not looked up. */
    readonly exact?: readonly string[]
    readonly ids: Ids
  },
): Promise<Proposal> {
  const { turnId, messageId, personId, ids, check } = parts
  const calls: NewCall[] = []
  const approvals: NewApproval[] = []
  let repeats = 0
  const reused: Proposal['reused'][number][] = []

  const besides = (position: number) =>
    modelCalls.flatMap(({ name }, other) => (other === position ? [] : (parts.find(name) ?? [])))
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
    const forbidden = parts.gate?.(tool.name, raw)
    if (forbidden) return refuse('forbidden', forbidden, raw)
    const unknown = unknownYet(tool, raw, besides(position))
    if (unknown !== undefined) return refuse('dependent', notKnownYet(unknown), raw)
    const settled = await settleArguments(tool, raw, check, parts.directory, parts.exact)
    if (!settled.ok) {
      const { code, sentence, problems, args = raw } = settled
      const expiresAt = new Date(check.now.getTime() + parts.policies.expiryHours * 3_600_000)
      const question =
        problems && code !== 'secret' ? questionOf(tool, problems, check.language, expiresAt) : undefined
      return { ...refuse(code, sentence, args), ...(question ? { question } : {}) }
    }

    const doubt = tool.effect === 'write' ? await parts.doubt(tool, settled.args) : undefined
    if (doubt !== undefined) return refuse('doubtful', doubt, settled.args)

    const { args, note } = settled
    const argumentsHash = hashOf(args)
    if (tool.effect === 'write' && isRejectedAgain(tool.name, args, parts.rejected)) {
      repeats += 1
      return refuse('repeated', rejectedBefore, args)
    }
    const isSame = (call: {
      readonly tool: string
      readonly argumentsHash: string
      readonly status: string
    }) => call.tool === tool.name && call.argumentsHash === argumentsHash && call.status !== 'refused'
    // A model that asks for the same thing twice at once does not go round in circles.
    const beside = calls.findIndex(isSame)
    if (beside >= 0) return refuse('duplicate', sameBeside(beside), args)
    const twin = parts.earlier.find(
      (call) => isSame(call) && call.status !== 'cancelled' && !isOutrun(call, parts.earlier),
    )
    if (twin) {
      repeats += 1
      const result =
        twin.status === 'succeeded' && twin.resultText ? ` Its result was:\n${twin.resultText}` : ''
      return refuse(
        'repeated',
        `The same call with the same arguments was made already in this turn.${result}`,
        args,
      )
    }
    const lasting = reusableResult(tool, argumentsHash, { calls: parts.lasting, personId, now: check.now })
    if (lasting) {
      const { call, ageSeconds } = lasting
      reused.push({ tool: tool.name, callId: base.id, of: call.id, ageSeconds })
      return {
        ...base,
        arguments: args,
        argumentsHash,
        status: 'succeeded',
        resultText: `${note}${reusedText(call.resultText ?? '', ageSeconds)}`,
        resultRef: call.resultRef,
        failureCode: null,
      }
    }
    if (tool.effect !== 'write') {
      return {
        ...base,
        arguments: args,
        argumentsHash,
        status: 'approved',
        resultText: note === '' ? null : note,
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
        card: snapshotCard(tool, args, check),
      },
      { policies: parts.policies, thread: check.thread, ids },
    )
    // What the settings of today do not let be allowed for good needs its card, whatever was allowed before.
    const grant = asked.grantable ? grantFor(parts.grants, { tool, personId, arguments: args }) : undefined
    approvals.push(grant ? { ...asked, grantId: grant.id, place: null } : asked)
    return {
      ...base,
      arguments: args,
      argumentsHash,
      status: grant ? 'approved' : 'proposed',
      resultText: note === '' ? null : note,
      failureCode: null,
    }
  }

  for (const [position, modelCall] of modelCalls.entries()) calls.push(await consider(modelCall, position))
  return { calls, approvals, repeats, reused }
}

const sameBeside = (position: number) =>
  `It is the same as call ${position + 1} of this step, which runs once: what that one gives counts for both.`

/** Has something been changed since a look, so that what it found may not hold any more? */
function isOutrun(call: LedgerCall, calls: readonly LedgerCall[]): boolean {
  const since = call.startedAt
  if (call.effect !== 'read' || since === null) return false
  return calls.some(
    (other) =>
      other.effect !== 'read' && other.startedAt !== null && Date.parse(other.startedAt) >= Date.parse(since),
  )
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
