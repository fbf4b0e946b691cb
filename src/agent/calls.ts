import { phrases } from '../base/words.ts'
import type { ThreadRef } from '../channel/events.ts'
import { commitStep } from '../session/commit.ts'
import { asList, entitiesIn, type KnownEntity, mergeEntities, readEntities } from '../session/entities.ts'
import type { CallChange, NewAudit, NewFailure, NewMessage, NewStoredResult } from '../session/step.ts'
import type { LedgerCall, Snapshot } from '../session/transcript.ts'
import { coolDownAfter } from '../tools/circuit.ts'
import { type CallContext, type Entity, hashOf, type ResultFile, type Tool } from '../tools/definition.ts'
import { emptyResult } from '../tools/empty.ts'
import type { Outcome } from '../tools/execution.ts'
import { adviceFor } from '../tools/failures.ts'
import { shapeResult } from '../tools/results.ts'
import { confirmTool } from '../tools/workflow-card.ts'
import { proposeAnew, type Reissued } from './approving/reissuing.ts'
import { handOverAfter } from './desk/handing-over.ts'
import { noteOf } from './own-messages.ts'
import type { AgentParts, TurnContext } from './parts.ts'
import { type Tended, type Trouble, tend } from './tending.ts'
import { movedByModel, passedBy, toolOf } from './workflows/steps.ts'

/** Who the calls of a step run for, where their turn is not the one at work. */
export type ContextOf = (turnId: string) => Promise<TurnContext>

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
    await commitStep(parts.db, at.lease, { callChanges: orphans.map((call) => orphaned(call, at)) })
    return
  }
  const approved = snapshot.openCalls.filter((call) => call.status === 'approved')
  const reads = approved.filter((call) => call.effect === 'read')
  const effects = approved.filter((call) => call.effect !== 'read')
  const known = { entities: readEntities(snapshot.entities) }
  if (reads.length > 0) await runTogether(parts, at, snapshot, reads, contextOf, known)
  for (const call of effects) await runTogether(parts, at, snapshot, [call], contextOf, known)
}

function orphaned(call: LedgerCall, at: TurnContext): CallChange {
  if (call.idempotent) return { id: call.id, from: 'executing', to: 'approved' }
  const sentence =
    at.language === 'zh'
      ? '执行途中程序中断，结果不明。'
      : 'Hermes was interrupted while it ran; it may have happened.'
  return { id: call.id, from: 'executing', to: 'unknown', resultText: sentence, failureCode: 'unknown' }
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
  const runnable: { call: LedgerCall; tool: Tool }[] = []
  const changes: CallChange[] = []
  const reissued: Reissued[] = []
  for (const call of calls) {
    const tool = toolOf(parts, snapshot, call)
    const mounted = !tool || tool.name === confirmTool || parts.profiles.mounts(at.profile, tool)
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
  // A call is marked as begun before it begins, so that a crash can't hide that it may have happened.
  const proposals = reissued.flatMap((anew) => anew.proposal ?? [])
  await commitStep(parts.db, at.lease, {
    callChanges: changes,
    calls: proposals.map(({ call }) => call),
    approvals: proposals.map(({ approval }) => approval),
  })
  if (
    await revokedMeanwhile(
      parts,
      at,
      runnable.map(({ call }) => call),
    )
  )
    return
  if (runnable.length === 0) return
  tellActivity(parts, at, runnable[0]!.tool)

  const outcomes = await Promise.all(
    runnable.map(async ({ call, tool }) => {
      const owner = call.turnId === at.turnId ? at : await contextOf(call.turnId)
      const outcome = await at.trace.root.span(
        `tool ${call.tool}`,
        { call: call.id, effect: call.effect },
        async (span) => {
          span.note({ arguments: call.arguments })
          const tended = await tend(parts, owner, call, tool, callContext(parts, owner, call), snapshot)
          span.note({
            attempts: tended.kind === 'own' ? tended.outcome.attempts : tended.trouble.attempts,
            ...(tended.kind === 'instead' ? { instead: tended.note } : {}),
          })
          span.end(tended.kind === 'own' && tended.outcome.kind === 'succeeded' ? 'ok' : tended.trouble!.code)
          return tended
        },
      )
      return { call, tool, outcome, owner }
    }),
  )
  at.lease.signal.throwIfAborted()

  const settled: CallChange[] = []
  const results: NewStoredResult[] = []
  const failures: NewFailure[] = []
  const audit: NewAudit[] = []
  const notes: NewMessage[] = []
  for (const { call, tool, outcome, owner } of outcomes) {
    const told = settle(parts, owner.thread, call, outcome)
    settled.push(told.change)
    results.push(...told.results)
    known.entities = mergeEntities(
      known.entities,
      namedBy(parts, owner, tool, outcome, told.change.resultText ?? ''),
    )
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
  // Before the failures are committed: a crash in between repeats it, and the second time changes nothing.
  const handed = await handOverAfter(parts, snapshot, failures, outcomes)
  // Failures of one step count once, by their time.
  const begun = failures.map(({ at: when }) => when).toSorted((a, b) => a.getTime() - b.getTime())[0]
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
    failures: failures.map((failure) => ({ ...failure, at: begun ?? failure.at })),
    audit,
    messages: notes,
    workflows: moved.workflows,
    session: { entities: known.entities },
  })
  parts.notices.changed(at.sessionId)
}

/** What a result names: what the tool says it is about, and ids that stand in its text. */
function namedBy(
  parts: AgentParts,
  at: TurnContext,
  tool: Tool,
  tended: Tended,
  text: string,
): readonly KnownEntity[] {
  const named = entitiesOf(tended)
  if (!named) return []
  const by = tool.title('en')
  const now = parts.clock.now()
  // What was made or changed lasts like what people named: a long list of a later look does not push it out.
  const lasting = tool.effect === 'read' ? {} : { said: true as const }
  const own = asList(named.map((one) => ({ ...one, at: now.toISOString(), by, ...lasting })))
  const inText = entitiesIn(text.slice(0, 4_000), { now, timeZone: at.person.timeZone, by }).filter(
    (one) =>
      one.type !== 'date' &&
      // A thing's own page is no other thing.
      !own.some((other) => other.id === one.id || (one.type === 'link' && one.id.endsWith(`/${other.id}`))),
  )
  const mentioned = own.length > 1 ? inText.slice(0, 20) : asList(inText.slice(0, 20)).toReversed()
  return [...mentioned, ...own.toReversed()]
}

const revoked =
  'What allowed it without asking was revoked before it ran. It was not done; propose it again for a confirmation.'

/**
 * Refuses a call whose standing grant was revoked while it was being marked as begun: from here on a revocation comes
 * too late, up to here none is missed. Such calls run one at a time.
 */
async function revokedMeanwhile(
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
  })
  return true
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

/** What a result says itself that it is about; `undefined` where there is none. */
function entitiesOf(tended: Tended): readonly Entity[] | undefined {
  if (tended.kind === 'instead') return 'copy' in tended.by ? [] : (tended.by.entities ?? [])
  if (tended.kind === 'own' && tended.outcome.kind === 'succeeded')
    return tended.outcome.result.entities ?? []
  return undefined
}

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

/** What a tool may know of the call that it runs. */
export function callContext(parts: AgentParts, owner: TurnContext, call: LedgerCall): CallContext {
  return {
    callId: call.id,
    turnId: call.turnId,
    session: { id: owner.sessionId, thread: owner.thread, kind: owner.kind },
    person: {
      id: owner.person.id,
      name: owner.person.name,
      timeZone: owner.person.timeZone,
      language: owner.language,
    },
    now: parts.clock.now(),
    signal: owner.lease.signal,
    mounts: (tool) => parts.profiles.mounts(owner.profile, tool),
    memory: owner.profile.memory,
    progress: (line) => void parts.speaker(owner.thread).showActivity(owner.target, line),
  }
}

function tellActivity(parts: AgentParts, at: TurnContext, tool: Tool): void {
  void parts.speaker(at.thread).showActivity(at.target, `${tool.activity(at.language)}…`)
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

function auditOf(parts: AgentParts, call: LedgerCall, action: string, data: object): NewAudit {
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

/** What the thinking line says. */
export function thinkingLine(at: Pick<TurnContext, 'language'>): string {
  return `${phrases(at.language).thinking}…`
}
