import { readEntities } from '../../session/entities.ts'
import type { Snapshot } from '../../session/transcript.ts'
import type { Directory } from '../../tools/arguments/references.ts'
import type { AgentParts, TurnContext } from '../parts.ts'
import { peopleHere } from '../people/people-here.ts'
import { lookingUp } from './looking-up.ts'

/** Where names in a turn's arguments are looked up: what the conversation has named, and the people of this place. */
export function directoryOf(
  parts: AgentParts,
  at: TurnContext,
  snapshot: Pick<Snapshot, 'entities'>,
): Directory {
  return {
    lookedUp: lookingUp(parts, at),
    named: (type) => readEntities(snapshot.entities).filter((one) => one.type === type),
    people: (name) => peopleHere(parts.reach, name, { personId: at.person.id, thread: at.thread }),
  }
}
