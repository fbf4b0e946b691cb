import { readEntities } from '../../session/entities.ts'
import { readPlans } from '../../session/plan.ts'
import type { Snapshot } from '../../session/transcript.ts'
import { foundIn } from '../../tools/builtin/finding.ts'
import type { Tool } from '../../tools/definition.ts'
import {
  callConfidence,
  type Scored,
  type SelectionFacts,
  type SelectionRules,
  selectTools,
} from '../../tools/selection/selection.ts'
import type { AgentParts, TurnContext } from '../parts.ts'
import { refusedByWorkflow, wantedTools } from '../workflows/steps.ts'
import { queryOf } from './query.ts'

/** The tools of a request that may take so many tokens, with what spoke for each. */
export function offeredTools(
  parts: AgentParts,
  at: TurnContext,
  snapshot: Snapshot,
  query: string,
  inputLimit: number,
) {
  const open = mountedTools(parts, at).filter(
    (tool) => refusedByWorkflow(snapshot, at.person.id, tool.name) === undefined,
  )
  const rules = toolLimits(parts.settings.selection, inputLimit)
  return selectTools(open, selectionFacts(parts, at, snapshot, query), rules)
}

/** The tools that there are for this conversation. */
function mountedTools(parts: AgentParts, at: TurnContext): readonly Tool[] {
  return parts.registry.all().filter((tool) => parts.profiles.mounts(at.profile, tool))
}

/** What tools are chosen by for this turn. */
function selectionFacts(
  parts: AgentParts,
  at: TurnContext,
  snapshot: Snapshot,
  query: string,
): SelectionFacts {
  return {
    query: taskText(snapshot, at, query),
    used: new Set([...usedTools(snapshot, at), ...wantedTools(snapshot, at.person.id)]),
    known: new Set(readEntities(snapshot.entities).map((one) => one.type)),
    success: parts.success(),
  }
}

/**
 * Why a call is too doubtful to be put before the person: their words plainly ask for something else, and the tool was
 * not offered for them. Nothing where it is not.
 */
export function doubtOf(
  parts: AgentParts,
  at: TurnContext,
  snapshot: Snapshot,
  tool: Tool,
): string | undefined {
  const { selection } = parts.settings
  const confidence = callConfidence(
    tool,
    {
      ...selectionFacts(parts, at, snapshot, queryOf(snapshot, at.turnId)),
      tools: mountedTools(parts, at),
      offered: at.offered?.some(({ name }) => name === tool.name) ?? true,
    },
    selection,
  )
  if (confidence >= selection.call) return undefined
  at.trace.root.note({ doubted: `${tool.name} ${confidence.toFixed(2)} below ${selection.call}` })
  return [
    'It was not offered for this request, whose words ask for something else, so it was not called.',
    'If it is what they want, find it with find_tools first, or ask them in one question whether they want exactly this.',
  ].join(' ')
}

/** The best tools with what spoke for them, for the trace. */
export function scoreLines(scored: readonly Scored[]): readonly string[] {
  const two = (value: number) => value.toFixed(2)
  return scored
    .filter(({ score }) => score > 0)
    .slice(0, 12)
    .map(
      ({ tool, fit, readiness, success, score }) =>
        `${tool.name} ${two(score)} (fit ${two(fit)}, ready ${two(readiness)}, success ${two(success)})`,
    )
}

/** The request in its task: what was said just before counts for choosing tools, too. */
function taskText(snapshot: Snapshot, at: TurnContext, query: string): string {
  const before = snapshot.messages.filter(
    (message) => message.turnId !== at.turnId && message.role === 'user' && !message.removed,
  )
  return [
    query,
    ...before.slice(-2).map((message) => message.text.slice(0, 400)),
    readPlans(snapshot.plan).current?.goal ?? '',
  ].join('\n')
}

/** Tools that this turn and the last ones called, and those that were found by `find_tools`. */
function usedTools(snapshot: Snapshot, at: TurnContext): ReadonlySet<string> {
  const recent = snapshot.messages.filter((message) => message.role === 'assistant').slice(-8)
  const own = recent.filter((message) => message.turnId === at.turnId).flatMap((message) => message.calls)
  const found = foundIn(own.filter((call) => call.tool === 'find_tools').map((call) => call.resultText))
  // A shortened result names the tool that reads on in it.
  const shortened = snapshot.messages.some((message) => message.calls.some((call) => call.resultRef !== null))
  return new Set([
    ...(shortened ? ['read_result'] : []),
    ...own.map((call) => call.tool),
    ...found,
    ...recent.flatMap((message) => message.calls.map((call) => call.tool)),
  ])
}

// Of a small window tools must not take what the conversation needs: a usual one takes some 250 tokens.
const toolShare = 0.4

const usualToolTokens = 250

/** The rules of the choice, with as many tools as may be offered under a limit of input tokens. */
function toolLimits(rules: SelectionRules, inputLimit: number): SelectionRules {
  const usual = Math.min(rules.usual, Math.max(4, Math.floor((inputLimit * toolShare) / usualToolTokens)))
  return { ...rules, usual, most: Math.min(rules.most, usual * 2) }
}
