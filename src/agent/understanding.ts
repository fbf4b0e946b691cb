import { readEntities } from '../session/entities.ts'
import type { Folded } from '../session/fold.ts'
import type { Intent } from '../session/intent/intent.ts'
import { planned } from '../session/intent/planning.ts'
import { readIntent } from '../session/intent/read.ts'
import type { PersonFacts } from '../session/people.ts'
import { readPlans } from '../session/plan.ts'
import type { Snapshot } from '../session/transcript.ts'
import type { AgentParts } from './parts.ts'

/** What each message that joins a turn wants, by rules, from what the session knows at that moment. */
export function intentsOf(
  parts: AgentParts,
  snapshot: Snapshot,
  folded: Folded,
  person: Pick<PersonFacts, 'id' | 'timeZone'>,
): readonly Intent[] {
  if (folded.joining.length === 0) return []
  const entities = readEntities(snapshot.entities)
  const authors = snapshot.messages.flatMap((message) => (message.author ? [message.author] : []))
  const named = entities.flatMap((one) => (one.type === 'person' ? [one.label] : []))
  const facts = {
    entities,
    people: [...new Set([...authors, ...named])],
    now: parts.clock.now(),
    timeZone: person.timeZone,
    approvalOpen: snapshot.openCalls.some(
      (call) => call.status === 'proposed' && call.personId === person.id,
    ),
    running: snapshot.turns.some((turn) => turn.status === 'running'),
  }
  return folded.joining.map((message) => readIntent(message.text, facts))
}

/** The plans of the session after the messages that begin a turn; nothing where they stay as they are. */
export function planOf(snapshot: Snapshot, folded: Folded, intents: readonly Intent[]): unknown {
  const at = intents.findIndex((intent) => intent.requests.length > 1)
  const intent = intents[at]
  const message = folded.joining[at]
  return intent && message ? planned(readPlans(snapshot.plan), message.text, intent) : undefined
}
