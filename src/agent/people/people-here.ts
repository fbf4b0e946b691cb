import { HermesError } from '../../base/errors.ts'
import type { Referent } from '../../tools/arguments/references.ts'
import type { Asker, Reach } from './reach.ts'

/** People of a place by a name, with the ids that its platform has for them. */
export async function peopleHere(
  reach: Pick<Reach, 'here'>,
  name: string,
  asker: Asker,
): Promise<readonly Referent[]> {
  try {
    const found = await reach.here(name, asker)
    // A platform without a list of people gives the name back: that is nobody whom it knows.
    return found.filter(({ isGuess }) => !isGuess).map((one) => ({ id: one.userId, label: one.name }))
  } catch (error) {
    // The platform does not answer: as if it knew nobody, which is asked about.
    if (error instanceof HermesError) return []
    throw error
  }
}
