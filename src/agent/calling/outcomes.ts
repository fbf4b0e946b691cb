import type { ThreadRef } from '../../channel/events.ts'
import type { KnownEntity } from '../../session/entities.ts'
import type { CallChange, NewAudit, NewFailure, NewMessage, NewStoredResult } from '../../session/step.ts'
import type { LedgerCall, Snapshot } from '../../session/transcript.ts'
import { coolDownAfter } from '../../tools/execution/circuit.ts'
import type { Outcome } from '../../tools/execution/execution.ts'
import { adviceFor } from '../../tools/execution/failures.ts'
import { emptyResult } from '../../tools/results/empty.ts'
import { shapeResult } from '../../tools/results/results.ts'
import type { ResultFile, Tool } from '../../tools/tool.ts'
import type { AgentParts, TurnContext } from '../parts.ts'
import { noteOf } from '../sending/own-messages.ts'
import { namedBy } from './named.ts'
import type { Tended, Trouble } from './tending.ts'

/** A call that ran, and for whom. */
export interface Ran {
  readonly call: LedgerCall
  readonly tool: Tool
  readonly outcome: Tended
  readonly owner: TurnContext
}

/** What is committed of calls that ran: what they gave, what failed, and what each names, in their order. */
export function recordsOf(parts: AgentParts, at: TurnContext, snapshot: Snapshot, ran: readonly Ran[]) {
  const settled: CallChange[] = []
  const results: NewStoredResult[] = []
  const failures: NewFailure[] = []
  const audit: NewAudit[] = []
  const notes: NewMessage[] = []
  const named: (readonly KnownEntity[])[] = []
  for (const { call, tool, outcome, owner } of ran) {
    const told = settle(parts, owner.thread, call, outcome)
    settled.push(told.change)
    results.push(...told.results)
    named.push(namedBy(parts, owner, tool, outcome, told.change.resultText ?? ''))
    if (outcome.trouble) {
      const failure = failureOf(parts, call, outcome.trouble, outcome.kind === 'instead')
      failures.push(failure)
      audit.push(
        auditOf(parts, call, 'tool.failed', {
          code: failure.code,
          attempts: outcome.trouble.attempts,
          degraded: failure.degraded,
        }),
      )
    }
    if (call.effect !== 'read') {
      audit.push(auditOf(parts, call, `call.${told.change.to}`, { argumentsHash: call.argumentsHash }))
    }
    if (call.effect === 'write' && hasLaterMessages(snapshot, call)) {
      notes.push(noteOf(parts, at, `${tool.title(owner.language)}: ${outcomeSentence(told.change)}`))
    }
  }
  return { settled, results, failures, audit, notes, named }
}

function settle(
  parts: AgentParts,
  thread: ThreadRef,
  call: LedgerCall,
  tended: Tended,
): {
  change: CallChange & { to: 'succeeded' | 'failed' | 'unknown' | 'refused' }
  results: readonly NewStoredResult[]
} {
  const from = { id: call.id, from: 'executing' } as const
  switch (tended.kind) {
    case 'down':
      return {
        change: { ...from, to: 'refused', resultText: tended.sentence, failureCode: 'down' },
        results: [],
      }
    case 'instead': {
      // Told as a success, but never taken for a good copy itself.
      const degraded = { to: 'succeeded', failureCode: 'degraded', told: tended.note } as const
      if ('copy' in tended.by) {
        const { text, ref } = tended.by.copy
        return {
          change: { ...from, ...degraded, resultText: `${tended.lead}\n${text}`, resultRef: ref },
          results: [],
        }
      }
      const { text, ref, stored } = shaped(parts, thread, call, { content: tended.by.content })
      return {
        change: {
          ...from,
          ...degraded,
          resultText: `${tended.lead}\n${text}`,
          resultRef: ref,
        },
        results: stored,
      }
    }
    case 'own':
      return settleOwn(parts, thread, call, tended.outcome)
    default:
      return tended satisfies never
  }
}

function settleOwn(
  parts: AgentParts,
  thread: ThreadRef,
  call: LedgerCall,
  outcome: Outcome,
): ReturnType<typeof settle> {
  const from = { id: call.id, from: 'executing' } as const
  if (outcome.kind !== 'succeeded') {
    return {
      change: {
        ...from,
        to: outcome.kind,
        resultText: outcome.sentence,
        failureCode: outcome.kind === 'failed' ? outcome.failure : 'unknown',
        ...(outcome.kind === 'unknown' ? { untold: parts.ids('evt') } : {}),
      },
      results: [],
    }
  }
  const { text, ref, stored } = shaped(parts, thread, call, outcome.result)
  return {
    change: {
      ...from,
      to: 'succeeded',
      // What was changed in the arguments stands before it since the call was proposed.
      resultText: `${call.resultText ?? ''}${text}`,
      told: outcome.result.told ?? null,
      resultRef: ref,
    },
    results: stored,
  }
}

/** A result as the model gets it, and what is stored of it where that is more. */
function shaped(
  parts: AgentParts,
  thread: ThreadRef,
  call: LedgerCall,
  result: { readonly content: unknown; readonly files?: readonly ResultFile[] },
): { readonly text: string; readonly ref: string | null; readonly stored: readonly NewStoredResult[] } {
  const nothing = call.effect === 'read' && !result.files?.length
  const empty = nothing ? emptyResult(result.content, call.arguments) : undefined
  if (empty !== undefined) return { text: empty, ref: null, stored: [] }
  const { text, original, files } = shapeResult(result, {
    sizes: parts.settings.results,
    count: parts.count,
    ref: () => parts.ids('ref'),
    address: (ref) => parts.fileAddress(ref, thread),
  })
  const expiresAt = new Date(parts.clock.now().getTime() + parts.settings.resultLifeMs)
  return {
    text,
    ref: original?.ref ?? null,
    stored: [...(original ? [original] : []), ...files].map((kept) => ({
      id: kept.ref,
      callId: call.id,
      mediaType: kept.mediaType,
      name: kept.name ?? null,
      text: kept.text,
      tokens: kept.tokens,
      expiresAt,
    })),
  }
}

function failureOf(parts: AgentParts, call: LedgerCall, trouble: Trouble, degraded: boolean): NewFailure {
  const { code, attempts, retryAfterMs } = trouble
  // Where nobody knows whether something was done, a person decides at once; nothing is held back from them.
  const counts = code !== 'down' && (call.effect !== 'write' || code !== 'unknown')
  const coolDown = counts ? coolDownAfter(code, parts.settings.coolDown, retryAfterMs) : 0
  return {
    id: parts.ids('fail'),
    at: trouble.at,
    callId: call.id,
    tool: call.tool,
    code,
    advice: code === 'down' ? 'It was not asked, since it does not answer.' : adviceFor(code, attempts),
    degraded,
    downUntil: coolDown > 0 ? new Date(parts.clock.now().getTime() + coolDown) : null,
  }
}

/** What the audit log says of a call. */
export function auditOf(parts: AgentParts, call: LedgerCall, action: string, data: object): NewAudit {
  return {
    id: parts.ids('aud'),
    action,
    personId: call.personId,
    subjectId: call.id,
    data: { tool: call.tool, ...data },
  }
}

/** Has anything been said since the call was proposed? Then its outcome is noted at the end, too. */
function hasLaterMessages(snapshot: Snapshot, call: LedgerCall): boolean {
  const own = snapshot.messages.find((message) => message.id === call.messageId)
  return own === undefined || snapshot.messages.some((message) => message.seq > own.seq)
}

function outcomeSentence(change: CallChange): string {
  switch (change.to) {
    case 'succeeded':
      return `confirmed and done. ${change.told ?? ''}\n${change.resultText ?? ''}`.trim()
    case 'unknown':
      return `outcome unknown. ${change.resultText ?? ''}`
    default:
      return `failed. ${change.resultText ?? ''}`
  }
}
