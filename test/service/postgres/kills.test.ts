import { describeKills } from '../../recovery/kills.ts'
import { freshDatabase } from '../../support/database.ts'

// A server finishes what a dead process has sent, beside what the next one does.
describeKills('with PostgreSQL', freshDatabase, [
  ['before step committed 5', 'before decision 1'],
  ['before ticket created 1', 'after ticket created 1'],
])
