import { DateTime } from 'luxon'
import { pause } from '../base/wait.ts'
import { type ChatReply, ModelError } from '../model/chat.ts'
import { type AssembledContext, assembleContext } from '../session/context.ts'
import { entityLines, readEntities } from '../session/entities.ts'
import { intentLines } from '../session/intent/lines.ts'
import { readIntents } from '../session/intent/stored.ts'
import { planLines, readPlans } from '../session/plan.ts'
import { allowances, stateOf } from '../session/state.ts'
import { type Snapshot, settled } from '../session/transcript.ts'
import { workflowLines } from '../session/workflows/lines.ts'
import { foundIn } from '../tools/builtin/finding.ts'
import type { Tool } from '../tools/definition.ts'
import {
  callConfidence,
  type Scored,
  type SelectionFacts,
  type SelectionRules,
  selectTools,
} from '../tools/selection.ts'
import type { AgentParts, Recalled, TurnContext } from './parts.ts'
import { lastAction } from './understanding.ts'
import { refusedByWorkflow, wantedTools } from './workflows/steps.ts'

/** How often the inbox is looked at while the model writes, for messages that came in through another process. */
const watchInterval = 500

/** Thrown inside a step when the person has said something new meanwhile. */
class Interrupted extends Error {}

/** Asks the model, and gives up its reply as soon as the person says something new. */
export async function think(
  parts: AgentParts,
  at: TurnContext,
  snapshot: Snapshot,
  onText: (textSoFar: string) => void,
  /** A share of the usual context, for a model that found it too long. */
  shrink = 1,
): Promise<{ readonly reply: ChatReply; readonly assembled: AssembledContext } | 'interrupted'> {
  const query = queryOf(snapshot, at.turnId)
  await recallFor(parts, at, query)
  const model = parts.modelOf(at.profile)
  const { tools, scored } = selectTools(
    mountedTools(parts, at).filter(
      (tool) => refusedByWorkflow(snapshot, at.person.id, tool.name) === undefined,
    ),
    selectionFacts(parts, at, snapshot, query),
    toolLimits(parts.settings.selection, model.contextWindow * parts.settings.inputShare * shrink),
  )
  at.offered = tools
  const offers = tools.map(({ name, description, parameters }) => ({ name, description, parameters }))
  const assembled = assemble(parts, at, snapshot, shrink, parts.countTools(offers))
  for (const warning of assembled.warnings) parts.log.warn({ turn: at.turnId }, warning)

  const watch = new AbortController()
  const signal = AbortSignal.any([at.lease.signal, watch.signal])
  const stopWatching = watchInbox(parts, at, () => watch.abort(new Interrupted()))
  try {
    return await at.trace.root.span(
      'model',
      {
        model: model.name,
        sections: assembled.tokens,
        offered: tools.length,
        scores: scoreLines(scored),
      },
      async (span) => {
        const reply = await model.complete(
          {
            messages: assembled.messages,
            tools: offers,
            maxOutputTokens: Math.floor(model.contextWindow * parts.settings.outputShare),
          },
          { signal, onText },
        )
        span.note({
          model: reply.model,
          attempts: reply.attempts,
          inputTokens: reply.usage.inputTokens,
          outputTokens: reply.usage.outputTokens,
          cachedTokens: reply.usage.cachedTokens,
          finish: reply.finish,
          calls: reply.toolCalls.map((call) => call.name),
          leftOut: assembled.leftOut,
        })
        return { reply, assembled }
      },
    )
  } catch (error) {
    if (watch.signal.aborted && !at.lease.signal.aborted) return 'interrupted'
    // A window that is smaller than we believe: half of what was too long, once.
    if (error instanceof ModelError && error.failure === 'context_length' && shrink === 1) {
      stopWatching()
      const usual = model.contextWindow * parts.settings.inputShare
      return think(parts, at, snapshot, onText, Math.min(0.4, (assembled.tokens.input / usual) * 0.5))
    }
    throw error
  } finally {
    stopWatching()
  }
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
function scoreLines(scored: readonly Scored[]): readonly string[] {
  const two = (value: number) => value.toFixed(2)
  return scored
    .filter(({ score }) => score > 0)
    .slice(0, 12)
    .map(
      ({ tool, fit, readiness, success, score }) =>
        `${tool.name} ${two(score)} (fit ${two(fit)}, ready ${two(readiness)}, success ${two(success)})`,
    )
}

/** What the turn is about: everything that its person has said in it. */
function queryOf(snapshot: Snapshot, turnId: string): string {
  return queryIn(
    snapshot.messages.filter(
      (message) => message.turnId === turnId && message.role === 'user' && !message.removed,
    ),
  )
}

/** What is recalled for, of what was said. */
export function queryIn(said: readonly { readonly text: string }[]): string {
  return said
    .map((message) => message.text)
    .join('\n')
    .slice(0, 4_000)
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

async function recallFor(parts: AgentParts, at: TurnContext, query: string): Promise<void> {
  if (at.memory?.query === query) return
  await at.trace.root.span('recall', {}, async (span) => {
    const recalled = await parts.recall(query, {
      personId: at.person.id,
      timeZone: at.person.timeZone,
      workspace: at.thread.workspace,
      sessionId: at.sessionId,
      kind: at.kind,
      scopes: at.profile.memory.recall,
      now: parts.clock.now(),
      signal: at.lease.signal,
    })
    at.memory = { query, recalled }
    span.note({ memories: recalled.map((memory) => `${memory.id}@${memory.version}`) })
  })
}

/** The request's messages for the snapshot, under the budget of the model's window. */
function assemble(
  parts: AgentParts,
  at: TurnContext,
  snapshot: Snapshot,
  shrink: number,
  toolTokens: number,
): AssembledContext {
  const { settings } = parts
  return assembleContext(
    snapshot,
    {
      rules: [parts.rules, settings.instructions, at.profile.instructions]
        .map((text) => text.trim())
        .filter((text) => text !== '')
        .join('\n\n'),
      abilities: '',
      state: stateText(parts, at, snapshot),
      memories: notSaid(at.memory?.recalled ?? [], snapshot).map((memory) => memory.line),
      toolTokens,
    },
    {
      window: parts.modelOf(at.profile).contextWindow,
      inputShare: settings.inputShare * shrink,
      toolResultShare: settings.toolResultShare,
      memoryShare: settings.memoryShare,
      systemTokens: settings.systemTokens,
    },
    parts.count,
  )
}

/** As many of the newest messages are looked at for what memories say; they are in nearly every request. */
const lately = 12
/** Fewer characters stand in messages by chance. */
const leastWords = 6

/** Memories without those whose words stand in the conversation itself: nothing enters a request twice. */
function notSaid(recalled: readonly Recalled[], snapshot: Snapshot): readonly Recalled[] {
  const said = snapshot.messages
    .slice(-lately)
    .filter((message) => message.role === 'user' && !message.removed)
    .map((message) => message.text)
  return recalled.filter(
    ({ original }) =>
      original.trim().length < leastWords || !said.some((text) => text.includes(original.trim())),
  )
}

/** Who asks, when and where, and how the session stands: a few lines. */
function stateText(parts: AgentParts, at: TurnContext, snapshot: Snapshot): string {
  const now = DateTime.fromJSDate(parts.clock.now(), { zone: at.person.timeZone })
  const state = stateOf({
    archived: snapshot.archived,
    turns: snapshot.turns,
    calls: snapshot.openCalls.filter((call) => !settled.has(call.status)),
    answered: snapshot.messages.some((message) => message.role === 'assistant' && message.final),
  })
  const open = snapshot.openCalls.filter((call) => call.status === 'proposed')
  const action = lastAction(snapshot, at.turnId)
  return [
    `Now: ${now.toFormat("yyyy-MM-dd'T'HH:mmZZ")} (${at.person.timeZone}), ${now.setLocale('en').toFormat('cccc')}`,
    `Speaking: ${at.person.name}, ${at.kind === 'direct' ? 'in a private thread' : 'in a thread that others read too'}, on ${at.thread.channel}.`,
    `State: ${state}. ${allowances[state].line}`,
    ...(open.length > 0
      ? [`Waiting for confirmation: ${open.map((call) => `${call.tool} (${call.id})`).join(', ')}.`]
      : []),
    ...workflowLines(snapshot.workflows, { id: at.turnId, personId: at.person.id }),
    ...planLines(readPlans(snapshot.plan)),
    ...intentLines(readIntents(snapshot.turns.find((turn) => turn.id === at.turnId)?.intent)),
    ...(action === undefined ? [] : [action]),
    ...entityLines(readEntities(snapshot.entities)),
  ].join('\n')
}

/** Calls back once when something of this person arrives in the inbox. Gives a function that ends the watch. */
function watchInbox(parts: AgentParts, at: TurnContext, interrupt: () => void): () => void {
  const ended = new AbortController()
  let looking = false
  const look = async () => {
    if (looking || ended.signal.aborted) return
    looking = true
    try {
      // An edit that changes nothing, as when a platform tells of one in two ways, is no reason to start again.
      const rows = await parts.db.rows`
        SELECT 1 FROM inbound_event e
        WHERE e.session_id = ${at.sessionId} AND e.person_id = ${at.person.id} AND e.status = 'new' AND e.kind <> 'timer'
          AND NOT (e.kind = 'edit' AND EXISTS (SELECT 1 FROM message m
            WHERE m.session_id = e.session_id AND m.post_id = e.post_id AND m.text = e.payload->>'text'))
        LIMIT 1`
      if (rows.length > 0 && !ended.signal.aborted) interrupt()
    } catch {
      // The database is away; the step's commit will tell.
    } finally {
      looking = false
    }
  }
  const off = parts.notices.onArrived(at.sessionId, () => void look())
  void (async () => {
    while (!ended.signal.aborted) {
      await pause(watchInterval, ended.signal)
      if (!ended.signal.aborted) await look()
    }
  })()
  return () => {
    off()
    ended.abort()
  }
}
