import { asList, entitiesIn, type KnownEntity } from '../../session/entities.ts'
import type { Entity, Tool } from '../../tools/tool.ts'
import type { AgentParts, TurnContext } from '../parts.ts'
import type { Tended } from './tending.ts'

/** What a result names: what the tool says it is about, and ids that stand in its text. */
export function namedBy(
  parts: AgentParts,
  at: TurnContext,
  tool: Tool,
  tended: Tended,
  text: string,
): readonly KnownEntity[] {
  const named = entitiesOf(tended)
  if (!named) return []
  const by = tool.title('en')
  const now = parts.clock.now()
  // What was made or changed lasts like what people named: a long list of a later look does not push it out.
  const lasting = tool.effect === 'read' ? {} : { said: true as const }
  const own = asList(named.map((one) => ({ ...one, at: now.toISOString(), by, ...lasting })))
  const inText = entitiesIn(text.slice(0, 4_000), { now, timeZone: at.person.timeZone, by }).filter(
    (one) =>
      one.type !== 'date' &&
      // A thing's own page is no other thing.
      !own.some((other) => other.id === one.id || (one.type === 'link' && one.id.endsWith(`/${other.id}`))),
  )
  const mentioned = own.length > 1 ? inText.slice(0, 20) : asList(inText.slice(0, 20)).toReversed()
  return [...mentioned, ...own.toReversed()]
}

/** What a result says itself that it is about; `undefined` where there is none. */
function entitiesOf(tended: Tended): readonly Entity[] | undefined {
  if (tended.kind === 'instead') return 'copy' in tended.by ? [] : (tended.by.entities ?? [])
  if (tended.kind === 'own' && tended.outcome.kind === 'succeeded')
    return tended.outcome.result.entities ?? []
  return undefined
}
