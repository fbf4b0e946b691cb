import { asksForPerson } from '../../session/desk-words.ts'
import type { NewFailure } from '../../session/step.ts'
import type { LedgerCall, OpenTurn, Snapshot } from '../../session/transcript.ts'
import { failedSteps, isServiceFailure } from '../../tools/execution/circuit.ts'
import type { Tool } from '../../tools/tool.ts'
import type { AgentParts, TurnContext } from '../parts.ts'
import { deskWords } from './words.ts'

/** What is added to the outcome of a call whose tool failed too often: for the model, and for people. */
interface HandedNote {
  readonly resultText: string
  readonly told: string | null
}

/** Hands the case over where a tool was of no use too often, and gives what is to be said about it, by call. */
export async function handOverAfter(
  parts: AgentParts,
  snapshot: Snapshot,
  failures: readonly NewFailure[],
  calls: readonly { readonly call: LedgerCall; readonly tool: Tool; readonly owner: TurnContext }[],
): Promise<ReadonlyMap<string, HandedNote>> {
  const notes = new Map<string, HandedNote>()
  const { failures: most, windowMs } = parts.settings.handOver
  for (const { callId, tool: name, code, degraded } of failures) {
    if (degraded || !isServiceFailure(code)) continue
    if (failedSteps(snapshot.failures, name, parts.clock.now(), windowMs) < most) continue
    const { call, tool, owner } = calls.find((one) => one.call.id === callId)!
    const began = await parts.desk.begin({
      sessionId: snapshot.id,
      personId: call.personId,
      reason: name,
      request: lastSaid(snapshot, call.turnId),
      language: owner.language,
    })
    const often = `It failed ${most} times within ${Math.round(windowMs / 60_000)} minutes.`
    notes.set(call.id, {
      resultText:
        began === 'none'
          ? `${often} Nobody is set up to take over: say plainly that it does not work now, and what the person can do without it.`
          : `${often} The case was handed over to the people of the desk; a note that says so is added below your answer.`,
      told: began === 'none' ? null : deskWords(owner.language).keepsFailing(tool.title(owner.language)),
    })
  }
  return notes
}

/**
 * Hands the thread over where the turn's last message asks for a person, and gives the sentence that says so;
 * `undefined` where it does not ask. Needs no model.
 */
export async function handOverOnRequest(
  parts: AgentParts,
  at: TurnContext,
  snapshot: Snapshot,
  turn: OpenTurn,
): Promise<string | undefined> {
  const said = lastSaid(snapshot, turn.id)
  if (!asksForPerson(said)) return undefined
  const began = await parts.desk.begin({
    sessionId: snapshot.id,
    personId: turn.personId,
    reason: 'asked',
    request: requestBefore(snapshot, said),
    language: at.language,
  })
  const words = deskWords(at.language)
  return began === 'none' ? words.noDesk : words.handedOver
}

function lastSaid(snapshot: Snapshot, turnId: string): string {
  const own = snapshot.messages.filter((message) => message.turnId === turnId)
  return own.findLast((message) => message.role === 'user' && !message.removed)?.text ?? ''
}

/** What it is about: the last thing said before the word for a person, where there is one. */
function requestBefore(snapshot: Snapshot, said: string): string {
  const before = snapshot.messages.findLast(
    (message) => message.role === 'user' && !message.removed && !asksForPerson(message.text),
  )
  return before?.text ?? said
}
