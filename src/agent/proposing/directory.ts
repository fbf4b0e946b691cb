import { HermesError } from '../../base/errors.ts'
import { readEntities } from '../../session/entities.ts'
import type { Snapshot } from '../../session/transcript.ts'
import type { Directory } from '../../tools/arguments/references.ts'
import type { AgentParts, TurnContext } from '../parts.ts'
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
    async people(name) {
      try {
        const found = await parts.reach.here(name, { personId: at.person.id, thread: at.thread })
        // A platform without a list of people gives the name back: that is nobody whom it knows.
        return found
          .filter(({ isGuess }) => !isGuess)
          .map(({ userId, name }) => ({ id: userId, label: name }))
      } catch (error) {
        // The platform does not answer: as if it knew nobody, which is asked about.
        if (error instanceof HermesError) return []
        throw error
      }
    },
  }
}
