import { entityLines, readEntities } from '../../session/entities.ts'
import { readPlans } from '../../session/plan.ts'
import type { Snapshot } from '../../session/transcript.ts'
import { foundIn } from '../../tools/builtin/finding.ts'
import type { SelectionFacts } from '../../tools/selection/choosing.ts'
import { confidenceOf } from '../../tools/selection/confidence.ts'
import { groundingOf } from '../../tools/selection/grounding.ts'
import {
  commonTools,
  needsChoice,
  type Scored,
  type Selection,
  type SelectionRules,
} from '../../tools/selection/selection.ts'
import type { Tool } from '../../tools/tool.ts'
import type { AgentParts, TurnContext } from '../parts.ts'
import { refusedByWorkflow, wantedTools } from '../workflows/steps.ts'
import { queryOf } from './query.ts'

/** Begins with what takes longest of choosing tools, while memories are recalled. */
export function prepareOffer(parts: AgentParts, at: TurnContext, query: string): void {
  parts.choosing.prepare(query, mountedTools(parts, at), parts.settings.selection)
}

/**
 * The tools that the model is offered in this step, with what spoke for them.
 * @param inputLimit the most tokens that the request may take
 */
export function offeredTools(
  parts: AgentParts,
  at: TurnContext,
  snapshot: Snapshot,
  query: string,
  inputLimit: number,
): Promise<Selection> {
  return parts.choosing.select(
    mountedTools(parts, at).filter(
      (tool) => refusedByWorkflow(snapshot, at.person.id, tool.name) === undefined,
    ),
    {
      now: query,
      before: saidBefore(snapshot, at, query),
      used: new Set([...usedTools(snapshot, at), ...wantedTools(snapshot, at.person.id)]),
      known: new Set(readEntities(snapshot.entities).map((one) => one.type)),
      remembered: (at.memory?.recalled ?? []).map((memory) => memory.original),
      success: parts.success(),
      signal: at.lease.signal,
    } satisfies SelectionFacts,
    toolLimits(parts.settings.selection, inputLimit),
  )
}

/**
 * Why a call is too doubtful to be put before the person, with what is missing: their words plainly ask for something
 * else, nobody named what it is given, or it mostly fails. Nothing where it is not.
 */
export async function doubtOf(
  parts: AgentParts,
  at: TurnContext,
  snapshot: Snapshot,
  tool: Tool,
  args: Readonly<Record<string, unknown>>,
): Promise<string | undefined> {
  const { selection } = parts.settings
  const offered = commonTools.has(tool.name) || (at.offered?.some(({ name }) => name === tool.name) ?? true)
  const tools = mountedTools(parts, at).filter((one) => one.blocked === undefined)
  const best =
    offered || !needsChoice(tools, selection)
      ? []
      : await parts.choosing.score(
          tools,
          { now: queryOf(snapshot, at.turnId), signal: at.lease.signal },
          selection,
        )
  const { sure, against } = confidenceOf(
    tool,
    {
      best,
      grounding: groundingOf(tool, args, readByModel(at, snapshot)),
      success: parts.success().get(tool.name) ?? 1,
    },
    selection,
  )
  if (sure >= selection.call) return undefined
  at.trace.root.note({ doubted: `${tool.name} ${sure.toFixed(2)} below ${selection.call}` })
  return [
    ...against,
    'So it was not called. If it is what they want, find it with find_tools first, or ask them in one question whether they want exactly this and for what is missing.',
  ].join(' ')
}

/** The best tools with what spoke for them, for the trace. */
export function scoreLines(scored: readonly Scored[]): readonly string[] {
  const two = (value: number) => value.toFixed(2)
  return scored
    .filter(({ score }) => score > 0)
    .slice(0, 12)
    .map(({ tool, words, meaning, fit, readiness, success, score }) => {
      const parts = [`words ${two(words)}`, ...(meaning === undefined ? [] : [`meaning ${two(meaning)}`])]
      return `${tool.name} ${two(score)} (fit ${two(fit)} of ${parts.join(', ')}; ready ${two(readiness)}, success ${two(success)})`
    })
}

/** The tools that there are for this conversation. */
function mountedTools(parts: AgentParts, at: TurnContext): readonly Tool[] {
  return parts.registry.all().filter((tool) => parts.profiles.mounts(at.profile, tool))
}

/** A message of fewer characters says little by itself ("yes, do that"). */
const saysLittle = 60
const longestBefore = 400

/** The request in its task: what was said just before, and what was asked where this only agrees. */
function saidBefore(snapshot: Snapshot, at: TurnContext, query: string): readonly string[] {
  const before = snapshot.messages.filter((message) => message.turnId !== at.turnId && !message.removed)
  const asked = before.findLast((message) => message.role === 'assistant' && message.final)
  return [
    ...before
      .filter((message) => message.role === 'user')
      .slice(-2)
      .map((message) => message.text.slice(0, longestBefore)),
    ...(asked && query.length < saysLittle ? [asked.text.slice(-longestBefore)] : []),
    readPlans(snapshot.plan).current?.goal ?? '',
  ].filter((text) => text !== '')
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
    ...(snapshot.openCalls.some((call) => call.status === 'proposed') ? ['withdraw'] : []),
    ...own.map((call) => call.tool),
    ...found,
    ...recent.flatMap((message) => message.calls.map((call) => call.tool)),
  ])
}

/** What the model has read in this conversation. */
function readByModel(at: TurnContext, snapshot: Snapshot): string {
  return [
    snapshot.summary ?? '',
    ...snapshot.messages.flatMap((message) => [
      message.text,
      ...message.calls.flatMap((call) => [call.resultText ?? '', call.told ?? '']),
    ]),
    ...entityLines(readEntities(snapshot.entities)),
    ...(at.memory?.recalled ?? []).map((memory) => memory.line),
    readPlans(snapshot.plan).current?.goal ?? '',
  ].join('\n')
}

// Of a small window tools must not take what the conversation needs: a usual one takes some 250 tokens.
const toolShare = 0.4
const usualToolTokens = 250

/** The rules of the choice, with as many tools as may be offered under a limit of input tokens. */
function toolLimits(rules: SelectionRules, inputLimit: number): SelectionRules {
  const usual = Math.min(rules.usual, Math.max(4, Math.floor((inputLimit * toolShare) / usualToolTokens)))
  return { ...rules, usual, most: Math.min(rules.most, usual * 2) }
}
