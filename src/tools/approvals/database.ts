import type { Ids } from '../../base/ids.ts'
import type { Approvals } from './approvals.ts'
import { createChanging } from './changing.ts'
import { createDeciding } from './deciding.ts'
import { createExpiring } from './expiring.ts'
import type { FactsParts } from './facts.ts'
import { createReading } from './reading.ts'
import { createResolving } from './resolving.ts'
import { createClickStatements } from './statement.ts'

/** Approvals as rows of the database, which decides every race about them. */
export function createApprovals(parts: FactsParts & { readonly ids: Ids }): Approvals {
  const statements = createClickStatements(parts)
  return {
    ...createDeciding(parts, statements),
    ...createChanging(parts, statements),
    ...createResolving(parts, statements),
    ...createReading(parts),
    ...createExpiring(parts),
  }
}
