import { DateTime } from 'luxon'
import { type AssembledContext, assembleContext } from '../../session/context.ts'
import { entityLines, readEntities } from '../../session/entities.ts'
import { intentLines } from '../../session/intent/lines.ts'
import { readIntents } from '../../session/intent/stored.ts'
import { planLines, readPlans } from '../../session/plan.ts'
import { allowances, stateOf } from '../../session/state.ts'
import { type Snapshot, settled } from '../../session/transcript.ts'
import { workflowLines } from '../../session/workflows/lines.ts'
import { askedLines } from '../asking/opening.ts'
import type { AgentParts, Recalled, TurnContext } from '../parts.ts'

/** Recalls what fits what was asked, once for each wording of it. */
export async function recallFor(parts: AgentParts, at: TurnContext, query: string): Promise<void> {
  if (at.memory?.query === query) return
  await at.trace.root.span('recall', {}, async (span) => {
    const recalled = await parts.recall(query, {
      personId: at.person.id,
      timeZone: at.person.timeZone,
      workspace: at.thread.workspace,
      sessionId: at.sessionId,
      turnId: at.turnId,
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
export function assemble(
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
    asked: snapshot.questions.some((question) => question.status === 'open'),
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
    ...askedLines(snapshot, at.person.id),
    ...workflowLines(snapshot.workflows, { id: at.turnId, personId: at.person.id }),
    ...planLines(readPlans(snapshot.plan)),
    ...intentLines(readIntents(snapshot.turns.find((turn) => turn.id === at.turnId)?.intent)),
    ...(action === undefined ? [] : [action]),
    ...entityLines(readEntities(snapshot.entities)),
  ].join('\n')
}

/** What "do it again" is about: the last thing that was done or tried, where the turn asks for that. */
function lastAction(snapshot: Snapshot, turnId: string): string | undefined {
  const intents = readIntents(snapshot.turns.find((turn) => turn.id === turnId)?.intent)
  if (!intents.some((intent) => intent.modifiers.includes('rerun'))) return undefined
  const last = snapshot.messages
    .flatMap((message) => message.calls)
    .findLast((call) => call.effect === 'write' && call.turnId !== turnId && settled.has(call.status))
  if (!last) return undefined
  const given = JSON.stringify(last.arguments)
  return `The last action: ${last.tool} ${given.length > 600 ? `${given.slice(0, 600).toWellFormed()}…` : given} (${last.status}).`
}
