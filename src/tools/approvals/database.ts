import type { Ids } from '../../base/ids.ts'
import type { Database } from '../../store/client.ts'
import type { Approvals } from './approvals.ts'
import { createChanging } from './changing.ts'
import { createDeciding } from './deciding.ts'
import { createExpiring } from './expiring.ts'
import { createReading } from './reading.ts'
import { createResolving } from './resolving.ts'
import { createClickStatements } from './statement.ts'

/** Approvals as rows of the database, which decides every race about them. */
export function createApprovals(parts: { db: Database; ids: Ids }): Approvals {
  const statements = createClickStatements(parts)
  return {
    ...createDeciding(parts, statements),
    ...createChanging(parts, statements),
    ...createResolving(parts, statements),
    ...createReading(parts.db),
    ...createExpiring(parts),
  }
}
