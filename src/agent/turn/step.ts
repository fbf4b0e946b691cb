import { phrases } from '../../base/words.ts'
import { ModelError } from '../../model/chat.ts'
import { costOf } from '../../model/prices.ts'
import { advance } from '../../session/advance.ts'
import { commitStep } from '../../session/commit.ts'
import { readIntents } from '../../session/intent/stored.ts'
import type { Step } from '../../session/step.ts'
import type { OpenTurn, Snapshot } from '../../session/transcript.ts'
import { labelOf } from '../../tools/arguments/forms.ts'
import { outageOf } from '../../tools/execution/circuit.ts'
import { notesBelow, refusedWhileDown } from '../../tools/execution/failures.ts'
import type { Tool } from '../../tools/tool.ts'
import { answeredBy, questionsAtEnd, secretsOf } from '../asking/opening.ts'
import { showQuestions } from '../asking/showing.ts'
import type { AgentParts, TurnContext } from '../parts.ts'
import { directoryOf } from '../proposing/directory.ts'
import { propose } from '../proposing/proposal.ts'
import { rejectedIn } from '../proposing/rejection.ts'
import { assistantMessage, noteOf } from '../sending/own-messages.ts'
import { doubtOf } from '../thinking/offering.ts'
import { think } from '../thinking/thinking.ts'
import { gateOf } from '../workflows/steps.ts'
import { untrueIn, withoutUntrue } from './claiming.ts'
import { endWith, type TurnEnd } from './ending.ts'
import type { Leg } from './legs.ts'
import { legText } from './move.ts'
import { madeAlready } from './understanding.ts'

/**
 * One request to the model and what comes of it. Gives an end where the turn can't go on, else how the session
 * stands after it, where that is known.
 */
export async function step(
  parts: AgentParts,
  at: TurnContext,
  snapshot: Snapshot,
  turn: OpenTurn,
  leg: Leg,
): Promise<TurnEnd | Snapshot | undefined> {
  const { reply } = leg
  const before = legText(snapshot, turn)
  const visible = (text: string) => [before, text].filter((part) => part.trim() !== '').join('\n\n')
  void parts.speaker(at.thread).showActivity(at.target, thinkingLine(at))
  let thought: Awaited<ReturnType<typeof think>>
  try {
    thought = await think(parts, at, snapshot, (textSoFar) => reply.write(visible(textSoFar)))
  } catch (error) {
    at.lease.signal.throwIfAborted()
    if (!(error instanceof ModelError)) throw error
    parts.log.warn({ turn: turn.id, failure: error.failure, error: error.message }, 'The model gave no reply')
    return endWith(parts, at, turn, leg, visible(modelSentence(error, at)), 'failed', error.code)
  }
  if (thought === 'interrupted') {
    // The half answer is no history; what comes next replaces it where it is visible.
    reply.restart()
    return undefined
  }

  const { toolCalls, usage } = thought.reply
  const cost = costOf(usage, thought.reply.model, parts.settings.spending.prices)
  const spent = {
    id: turn.id,
    step: turn.step + 1,
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
    cost,
  }
  const messageId = parts.ids('msg')
  const claims = toolCalls.length > 0 ? [] : untrueIn(thought.reply.text, snapshot, turn, at)
  if (claims.length > 0 && !wasTold(snapshot, turn)) {
    // What the ledger does not hold was not done. The model gets one chance to do it or to say so.
    reply.restart()
    await commitStep(parts.db, at.lease, {
      messages: [
        noteOf(
          parts,
          at,
          `${claimNote} ${claims.map((claim) => `"${claim.words}"`).join(' ')} ${claimAdvice}`,
        ),
      ],
      turn: spent,
    })
    return undefined
  }
  const below = toolCalls.length > 0 ? '' : troubleNotes(snapshot, turn)
  const said =
    toolCalls.length > 0 ? withoutUntrue(thought.reply.text, snapshot, turn, at) : thought.reply.text
  const secrets = toolCalls.length > 0 ? '' : secretSentence(secretsOf(snapshot, turn), at)
  const text = [said, claims.length > 0 ? phrases(at.language).notDone : '', below, secrets]
    .filter((part) => part !== '')
    .join('\n\n')
  const earlier = madeAlready(snapshot, turn)
  const proposal = await propose(toolCalls, {
    turnId: turn.id,
    messageId,
    personId: turn.personId,
    earlier,
    rejected: rejectedIn(snapshot, turn.id),
    grants: snapshot.grants,
    find: (name) => unlessDown(parts, at, snapshot, name),
    lasting: wantsFresh(turn) ? [] : snapshot.messages.flatMap((message) => message.calls),
    mounts: (tool) => parts.profiles.mounts(at.profile, tool),
    gate: gateOf(snapshot, turn.personId),
    check: {
      now: parts.clock.now(),
      timeZone: at.person.timeZone,
      language: at.language,
      personId: turn.personId,
      thread: at.thread,
    },
    policies: parts.settings.approvals,
    directory: directoryOf(parts, at, snapshot),
    doubt: (tool, args) => doubtOf(parts, at, snapshot, tool, args),
    ids: parts.ids,
  })
  for (const { tool, callId, of, ageSeconds } of proposal.reused) {
    await at.trace.root.span(`tool ${tool}`, { call: callId, reused: of, ageSeconds }, async () => {})
  }
  const isAnswer = toolCalls.length === 0
  const questions = isAnswer
    ? questionsAtEnd(snapshot, turn)
    : answeredBy(proposal.calls, snapshot, turn.personId)
  const change: Step = {
    messages: [assistantMessage(messageId, turn, text, isAnswer)],
    calls: proposal.calls,
    approvals: proposal.approvals,
    questions,
    audit: proposal.approvals
      .filter((approval) => approval.grantId !== null)
      .map(({ id, callId, personId, argumentsHash, grantId }) => ({
        id: parts.ids('aud'),
        action: 'approval.granted',
        personId,
        subjectId: id,
        data: {
          call: callId,
          tool: proposal.calls.find((call) => call.id === callId)?.tool,
          argumentsHash,
          grant: grantId,
        },
      })),
    turn: {
      ...spent,
      recalled: (at.memory?.recalled ?? []).map(({ id, version }) => ({ id, version })),
    },
  }
  const committed = isAnswer
    ? await leg.journal.withFirst((sending) => commitStep(parts.db, at.lease, { ...change, sending }))
    : await commitStep(parts.db, at.lease, change)
  parts.notices.changed(at.sessionId, isAnswer)
  const moved = questions.filter(({ to }) => to !== 'open')
  await showQuestions(
    parts,
    at,
    moved.map(({ callId }) => callId),
  )
  return advance(snapshot, change, committed, at.person, parts.clock.now())
}

/** What is said below an answer where a secret would have been needed. */
function secretSentence(fields: readonly string[], at: TurnContext): string {
  const labels = fields.map((field) => labelOf(field, at.language))
  return labels.length === 0 ? '' : phrases(at.language).secretNotAsked(labels)
}

/** A tool as it may be proposed: nobody is asked to confirm what a service that is down can't do. */
export function unlessDown(
  parts: AgentParts,
  at: TurnContext,
  snapshot: Snapshot,
  name: string,
): Tool | undefined {
  const tool = parts.registry.find(name)
  const outage = tool?.effect === 'write' && outageOf(snapshot.failures, tool.name, parts.clock.now())
  if (!tool || !outage) return tool
  const telling = { now: parts.clock.now(), timeZone: at.person.timeZone, language: 'en' } as const
  return { ...tool, blocked: refusedWhileDown(outage, telling, false) }
}

/** What is added below an answer about tools that did not answer in this turn, where the thread does not know yet. */
function troubleNotes(snapshot: Snapshot, turn: OpenTurn): string {
  const own = snapshot.messages.filter((message) => message.turnId === turn.id)
  const notes = own
    .flatMap((message) => message.calls)
    .filter((call) => call.told && (call.failureCode === 'degraded' || call.status !== 'succeeded'))
    .map((call) => call.told!)
  const said = snapshot.messages.filter((message) => message.role === 'assistant').map(({ text }) => text)
  return notesBelow(notes, said)
}

/** Has the person asked to have it looked up anew? */
function wantsFresh(turn: OpenTurn): boolean {
  return readIntents(turn.intent).some(({ modifiers }) => modifiers.includes('refresh'))
}

const claimNote = 'Your answer was not shown, since it says that something was done which no tool call did:'
const claimAdvice = 'Call the tool that does it, or answer without claiming it.'

/** Has the model been told in this turn that it claimed too much? */
function wasTold(snapshot: Snapshot, turn: OpenTurn): boolean {
  return snapshot.messages.some(
    (message) => message.turnId === turn.id && message.role === 'note' && message.text.startsWith(claimNote),
  )
}

function modelSentence(error: ModelError, at: TurnContext): string {
  const words = phrases(at.language)
  switch (error.failure) {
    case 'down':
      return words.modelDown
    case 'timeout':
      return words.modelSlow
    case 'rate_limited':
      return words.modelBusy
    case 'unauthorized':
      return words.modelUnauthorized
    case 'context_length':
      return words.modelTooLong
    case 'empty':
      return words.modelEmpty
    case 'refused':
      return words.modelRefused
    case 'invalid_request':
      return words.modelInvalid
    default:
      return error.failure satisfies never
  }
}

/** What the thinking line says. */
function thinkingLine(at: Pick<TurnContext, 'language'>): string {
  return `${phrases(at.language).thinking}…`
}
