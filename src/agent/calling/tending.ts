import type { Language } from '../../base/words.ts'
import type { LedgerCall, Snapshot } from '../../session/transcript.ts'
import { type Outage, outageOf } from '../../tools/execution/circuit.ts'
import { type Outcome, runTool } from '../../tools/execution/execution.ts'
import { insteadSentence, outageSentence, refusedWhileDown } from '../../tools/execution/failures.ts'
import {
  type CallContext,
  checkContextOf,
  type Entity,
  type FailureClass,
  type Tool,
} from '../../tools/tool.ts'
import type { AgentParts, TurnContext } from '../parts.ts'

/** What is recorded of a tool that did not do what it was asked. */
export interface Trouble {
  /** `down`: it was not asked, since it is known not to answer. */
  readonly code: FailureClass | 'down'
  readonly attempts: number
  readonly retryAfterMs?: number
  /** When it was asked. */
  readonly at: Date
}

/** How a call went, with all that is done about a tool that does not answer. */
export type Tended =
  /** As its tool did it, well or badly. */
  | { readonly kind: 'own'; readonly outcome: Outcome; readonly trouble?: Trouble }
  /** Something else was told in its place. */
  | {
      readonly kind: 'instead'
      readonly by:
        | { readonly content: unknown; readonly entities?: readonly Entity[] }
        | { readonly copy: { readonly text: string; readonly ref: string | null } }
      /** For the model, before the result. */
      readonly lead: string
      /** For people: the trouble, and in the next line where the result came from. */
      readonly note: string
      readonly trouble: Trouble
    }
  /** It was not asked, since it is down. */
  | { readonly kind: 'down'; readonly sentence: string; readonly trouble: Trouble }

/**
 * Runs a call. A tool that is down is not asked; what a read can't get from its own tool is looked for at its declared
 * fallback, then in the last good copy of the very same call.
 */
export async function tend(
  parts: AgentParts,
  owner: TurnContext,
  call: LedgerCall,
  tool: Tool,
  context: CallContext,
  snapshot: Snapshot,
): Promise<Tended> {
  const now = parts.clock.now()
  // What a person has confirmed is tried: they know of the trouble, or it may be over.
  const outage = call.effect === 'write' ? undefined : outageOf(snapshot.failures, call.tool, now)
  let trouble: Trouble
  let since: Date
  let own: Outcome | undefined
  if (outage) {
    trouble = { code: 'down', attempts: 0, at: now }
    since = outage.since
  } else {
    own = await runTool(tool, call.arguments, context, { timeouts: parts.timeouts })
    if (own.kind === 'succeeded') return { kind: 'own', outcome: own }
    const { attempts } = own
    const after = own.kind === 'failed' && own.retryAfterMs ? { retryAfterMs: own.retryAfterMs } : {}
    trouble = { code: own.kind === 'failed' ? own.failure : 'unknown', attempts, ...after, at: now }
    since = now
    if (call.effect !== 'read' || !worthAnother.has(trouble.code))
      return { kind: 'own', outcome: own, trouble }
  }
  const found = call.effect === 'read' ? await lookElsewhere(parts, call, tool, context, snapshot) : undefined
  if (found) return { kind: 'instead', ...found, ...told(owner, tool, since, now, found.from), trouble }
  if (own) return { kind: 'own', outcome: own, trouble }
  const at = telling(owner, now, 'en')
  return {
    kind: 'down',
    sentence: refusedWhileDown(outage!, at, toldBefore(snapshot, call, outage!)),
    trouble,
  }
}

/** Failures of the service, not of the request: only then somebody else may know the answer. */
const worthAnother: ReadonlySet<string> = new Set(['transient', 'rate_limit', 'permanent', 'unknown'])

type Source = Parameters<typeof insteadSentence>[0]

async function lookElsewhere(
  parts: AgentParts,
  call: LedgerCall,
  tool: Tool,
  context: CallContext,
  snapshot: Snapshot,
): Promise<{ by: Extract<Tended, { kind: 'instead' }>['by']; from: Source } | undefined> {
  const declared = parts.settings.fallbacks[tool.name] ?? tool.fallback
  const other = declared && parts.registry.find(declared.tool)
  if (other && other.effect !== 'read')
    parts.log.warn({ tool: tool.name, fallback: other.name }, 'A fallback that is no read is never used')
  const usable =
    other?.effect === 'read' &&
    other.blocked === undefined &&
    other.name !== tool.name &&
    context.mounts(other)
  if (declared && usable && !outageOf(snapshot.failures, other.name, context.now)) {
    const args = renamed(call.arguments, other, declared.arguments ?? {})
    const checked = await other.check(args, checkContextOf(context))
    const outcome = checked.ok
      ? await runTool(other, checked.arguments, context, { timeouts: parts.timeouts })
      : undefined
    if (outcome?.kind === 'succeeded')
      return { by: outcome.result, from: { title: other.title(context.person.language) } }
  }
  // Only of this very conversation: what may be known elsewhere need not be known here.
  const copy = await parts.db.toolCall.findFirst({
    where: {
      sessionId: context.session.id,
      tool: call.tool,
      argumentsHash: call.argumentsHash,
      definitionHash: call.definitionHash,
      status: 'succeeded',
      failureCode: null,
      endedAt: { gt: new Date(context.now.getTime() - parts.settings.resultLifeMs) },
    },
    orderBy: { id: 'desc' },
    select: { resultText: true, resultRef: true, endedAt: true },
  })
  if (!copy?.resultText || !copy.endedAt) return undefined
  return { by: { copy: { text: copy.resultText, ref: copy.resultRef } }, from: { copyOf: copy.endedAt } }
}

/** The call's arguments as the other tool names them; those that it does not know are left out. */
function renamed(
  args: Readonly<Record<string, unknown>>,
  other: Tool,
  names: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const known = Object.keys((other.parameters.properties ?? {}) as object)
  return Object.fromEntries(
    known.flatMap((name) => {
      const value = args[names[name] ?? name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

function told(
  owner: TurnContext,
  tool: Tool,
  since: Date,
  now: Date,
  from: Source,
): { readonly lead: string; readonly note: string } {
  const say = (language: Language) => {
    const at = telling(owner, now, language)
    return [outageSentence(tool.title(language), since, at), insteadSentence(from, at)]
  }
  return {
    lead: `[${say('en').join(' ')} A note that says so is added below your answer: do not write another one.]`,
    note: say(owner.language).join('\n'),
  }
}

function telling(owner: TurnContext, now: Date, language: Language) {
  return { now, timeZone: owner.person.timeZone, language }
}

/** Was the trouble met by an earlier turn? Then it was told. */
function toldBefore(snapshot: Snapshot, call: LedgerCall, outage: Outage): boolean {
  return snapshot.messages
    .filter((message) => message.turnId !== call.turnId)
    .flatMap((message) => message.calls)
    .some((other) =>
      snapshot.failures.some(
        (failure) => failure.callId === other.id && failure.tool === call.tool && failure.at >= outage.since,
      ),
    )
}
