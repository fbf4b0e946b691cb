import { commitStep } from '../../session/commit.ts'
import { mergeEntities, readEntities } from '../../session/entities.ts'
import type { Folded } from '../../session/fold.ts'
import type { Intent } from '../../session/intent/intent.ts'
import { addIntents } from '../../session/intent/stored.ts'
import type { PersonFacts } from '../../session/people.ts'
import type { Step } from '../../session/step.ts'
import type { OpenTurn, Snapshot } from '../../session/transcript.ts'
import { closedByEdits } from '../asking/opening.ts'
import { showQuestions } from '../asking/showing.ts'
import type { AgentParts, TurnContext } from '../parts.ts'
import { closeChoices } from '../workflows/choices.ts'
import { flowOf } from '../workflows/workflows.ts'
import { nextMove } from './move.ts'
import { rewritingNotes } from './rewriting.ts'
import { peopleIn, saidIn, understand } from './understanding.ts'

/** Commits what the inbox brought to the running turn. */
export async function join(
  parts: AgentParts,
  at: TurnContext,
  turn: OpenTurn,
  snapshot: Snapshot,
  folded: Folded,
  /** Has it decided a card? Then it is nothing else. */
  decided: boolean,
): Promise<boolean> {
  if (folded.joining.length === 0 && folded.dropped.length === 0 && folded.rewritten.length === 0)
    return false
  const { intents, plan } = understand(parts, snapshot, folded, at.person, turn.id)
  const taken = joinStep(parts, turn, folded, snapshot, at.person, intents)
  const flow = decided ? undefined : await flowOf(parts, snapshot, folded, at.person, turn.id)
  await commitStep(parts.db, at.lease, {
    ...taken,
    ...flow?.step,
    ...(plan ? { session: { ...taken.session, plan } } : {}),
    ...(folded.joining.length > 0 || folded.stop
      ? {
          turn: {
            id: turn.id,
            // Committed with the word itself, so that a crash does not forget it.
            ...(folded.stop && !flow?.left ? { outcome: 'stopped' } : {}),
            intent: addIntents(turn.intent, intents),
            ...(folded.joining.length > 0 && answered(snapshot, turn) ? { leg: turn.leg + 1 } : {}),
          },
        }
      : {}),
  })
  parts.notices.changed(at.sessionId)
  await showQuestions(parts, at, taken.questions?.map(({ callId }) => callId) ?? [])
  if (flow?.step.workflows) await closeChoices(parts, at, snapshot.workflows, flow.step.workflows)
  return true
}

/** Has the running leg its answer already? Then what came meanwhile gets a leg of its own. */
export function answered(snapshot: Snapshot, turn: OpenTurn): boolean {
  return nextMove(snapshot, turn).kind === 'answer'
}

/** The part of a step that takes the inbox into a turn. */
export function joinStep(
  parts: AgentParts,
  turn: { readonly id: string; readonly leg: number; readonly step: number },
  folded: Folded,
  snapshot: Snapshot,
  person: Pick<PersonFacts, 'name' | 'timeZone'>,
  /** What the messages that join want, in their order. */
  intents: readonly Intent[],
): Step {
  const at = { now: parts.clock.now(), timeZone: person.timeZone, by: person.name }
  const named = folded.joining.flatMap((message, index) => [
    ...peopleIn(intents[index], at),
    ...saidIn(message.text, at),
  ])
  return {
    ...(named.length > 0
      ? { session: { entities: mergeEntities(readEntities(snapshot.entities), named) } }
      : {}),
    messages: [
      ...rewritingNotes(parts.ids, folded, snapshot),
      ...folded.joining.map((message) => ({
        id: parts.ids('msg'),
        turnId: turn.id,
        step: turn.step,
        leg: turn.leg,
        role: 'user' as const,
        personId: message.personId,
        eventId: message.eventId,
        postId: message.postId,
        text: message.text,
        attachments: message.attachments,
        final: true,
      })),
    ],
    taken: { turnId: turn.id, events: folded.joining.map((message) => message.eventId) },
    dropped: folded.dropped,
    rewritten: folded.rewritten,
    questions: closedByEdits(snapshot, folded),
  }
}
