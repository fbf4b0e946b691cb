import { describeWorkers } from '../../recovery/workers.ts'
import { freshDatabase } from '../../support/database.ts'

describeWorkers('on PostgreSQL', freshDatabase)
