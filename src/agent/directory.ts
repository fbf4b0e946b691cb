import { HermesError } from '../base/errors.ts'
import { readEntities } from '../session/entities.ts'
import type { Snapshot } from '../session/transcript.ts'
import type { Directory } from '../tools/references.ts'
import type { AgentParts, TurnContext } from './parts.ts'

/** Where names in a turn's arguments are looked up: what the conversation has named, and the people of this place. */
export function directoryOf(
  parts: Pick<AgentParts, 'people' | 'speaker'>,
  at: Pick<TurnContext, 'thread' | 'person'>,
  snapshot: Pick<Snapshot, 'entities'>,
): Directory {
  const { thread, person } = at
  return {
    named: (type) => readEntities(snapshot.entities).filter((one) => one.type === type),
    async people(name) {
      if (/^(?:me|myself|i|我|我自己|本人)$/i.test(name)) {
        return person.userId === undefined ? [] : [{ id: person.userId, label: person.name }]
      }
      const known = await parts.people.named(name, thread)
      if (known.length > 0) return known.map((one) => ({ id: one.identity.userId, label: one.name }))
      try {
        const listed = (await parts.speaker(thread).findPeople?.(thread.workspace, name, person.userId)) ?? []
        // A platform without a list of people gives the name back: that is nobody whom it knows.
        return listed
          .filter((one) => one.userId !== one.name)
          .map((one) => ({ id: one.userId, label: one.name }))
      } catch (error) {
        // The platform does not answer: as if it knew nobody, which is asked about.
        if (error instanceof HermesError) return []
        throw error
      }
    },
  }
}
