import { phrases } from '../../base/words.ts'
import { readEntities } from '../../session/entities.ts'
import type { Database } from '../../store/client.ts'
import type { ApprovalFacts } from '../../tools/approvals/facts.ts'
import { shownValue } from '../../tools/arguments/forms.ts'
import { type Lookup, nameOf, type Resolved, resolveReferences } from '../../tools/arguments/references.ts'
import type { ArgumentProblem, Tool } from '../../tools/tool.ts'
import { peopleHere } from '../people/people-here.ts'
import type { Reach } from '../people/reach.ts'

/** Replaces the names that somebody wrote into a card's form by ids; what was there before stays as it is. */
export type ResolveNames = (
  facts: ApprovalFacts,
  tool: Tool,
  args: Readonly<Record<string, unknown>>,
) => Promise<Pick<Resolved, 'args' | 'problems'>>

/** Names mean what was named in the conversation, and the people of its place. */
export function createResolveNames(parts: {
  readonly db: Pick<Database, 'session'>
  readonly reach: Pick<Reach, 'here'>
  readonly lookups: readonly Lookup[]
}): ResolveNames {
  return async (facts, tool, args) => {
    const { sessionId, personId, thread, approval } = facts
    const session = await parts.db.session.findUnique({
      where: { id: sessionId },
      select: { entities: true },
    })
    const known = readEntities(session?.entities)
    const kept = Object.keys(args).filter((name) => same(args[name], facts.arguments[name]))
    const words = phrases(approval.snapshot.language)
    const { problems, ...resolved } = await resolveReferences(
      tool,
      args,
      {
        named: (type) => known.filter((one) => one.type === type),
        people: (name) => peopleHere(parts.reach, name, { personId, thread }),
        // A click has no time to ask another system.
        lookedUp: async (_, type, server) =>
          server !== undefined && parts.lookups.some((lookup) => lookup.type === type)
            ? { problem: '' }
            : undefined,
      },
      kept,
    )
    const forPeople = ({ field, missing, options }: ArgumentProblem): ArgumentProblem => ({
      field,
      missing,
      problem: options ? words.severalCalled(options.map(nameOf)) : words.isNotKnown(shownValue(args[field])),
    })
    return { args: resolved.args, problems: problems.map(forPeople) }
  }
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
