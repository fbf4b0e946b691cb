import { freshEmbedded } from '../support/database.ts'
import { describeWorkers } from './workers.ts'

// The embedded database stays in this process; the others reach it by its address, as they would a server.
describeWorkers('on one database', freshEmbedded)
