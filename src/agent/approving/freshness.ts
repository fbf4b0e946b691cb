import type { Database } from '../../store/client.ts'
import type { ToolRegistry } from '../../tools/registry.ts'

/** Approvals by whether their tool is still what it was when their card was shown. */
interface Sorted {
  readonly fresh: readonly string[]
  readonly outdated: readonly string[]
  /** Why those of the fresh ones can't run whose tool is blocked, such as by a definition that nobody has accepted. */
  readonly blocked: readonly string[]
}

/** Asked before a click is taken. */
export interface Freshness {
  /** Of this approval; of all open ones of its message, where all are meant. */
  sort(approvalId: string, all: boolean): Promise<Sorted>
}

interface Bound {
  readonly id: string
  readonly tool: string
  readonly definitionHash: string
}

/** Definitions that approvals are bound to never change, so a storm of clicks reads them once. */
const kept = 500

export function createFreshness(parts: { db: Database; registry: ToolRegistry }): Freshness {
  const { db, registry } = parts
  const known = new Map<string, Promise<readonly Bound[]>>()

  const read = (approvalId: string, all: boolean): Promise<readonly Bound[]> =>
    db.$queryRaw<Bound[]>`
      SELECT a.id, c.tool, a.definition_hash AS "definitionHash" FROM approval a JOIN tool_call c ON c.id = a.call_id
      WHERE a.id = ${approvalId} OR (${all} AND a.status = 'open' AND c.message_id = (
        SELECT c2.message_id FROM approval a2 JOIN tool_call c2 ON c2.id = a2.call_id WHERE a2.id = ${approvalId}))`

  const one = (approvalId: string): Promise<readonly Bound[]> => {
    const before = known.get(approvalId)
    if (before) return before
    const reading = read(approvalId, false)
    known.set(approvalId, reading)
    if (known.size > kept) known.delete(known.keys().next().value!)
    // What is not there yet may be there later, and a failure is no answer.
    reading.then(
      (bound) => bound.length === 0 && known.delete(approvalId),
      () => known.delete(approvalId),
    )
    return reading
  }

  // Of one that is away or blocked, whether it has changed will show once it is called.
  const isOutdated = ({ tool, definitionHash }: Bound) => {
    const now = registry.find(tool)
    return now !== undefined && !now.blocked && now.definitionHash !== definitionHash
  }

  return {
    async sort(approvalId, all) {
      const bound = await (all ? read(approvalId, true) : one(approvalId))
      const outdated = bound.filter(isOutdated)
      const fresh = bound.filter((each) => !outdated.includes(each))
      return {
        outdated: outdated.map(({ id }) => id),
        fresh: fresh.map(({ id }) => id),
        blocked: fresh.flatMap(({ tool }) => registry.find(tool)?.blocked ?? []),
      }
    },
  }
}
