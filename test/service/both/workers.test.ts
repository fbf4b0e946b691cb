import process from 'node:process'
import { describeWorkers } from '../../recovery/workers.ts'
import { freshDatabase } from '../../support/database.ts'

describeWorkers('on PostgreSQL and Redis', freshDatabase, { REDIS_URL: process.env.REDIS_URL ?? '' })
