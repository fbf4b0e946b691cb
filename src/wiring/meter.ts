import { AsyncLocalStorage } from 'node:async_hooks'
import type { Clock } from '../base/clock.ts'
import { messageOf } from '../base/errors.ts'
import type { Ids } from '../base/ids.ts'
import type { ChatModel, Usage } from '../model/chat.ts'
import { costOf, type Price } from '../model/prices.ts'
import type { Log } from '../observe/log.ts'
import type { Metrics } from '../observe/metrics.ts'
import type { Database } from '../store/client.ts'
import type { Tool } from '../tools/tool.ts'

/** What a model's endpoint is used for, and for whom, where it is for one person. */
export interface Account {
  readonly task: 'learn' | 'summary' | 'recall' | 'memory' | 'upkeep'
  readonly personId?: string | undefined
  readonly sessionId?: string | undefined
  readonly turnId?: string | undefined
}

/**
 * Keeps what endpoints are used for beside the requests of turns, so that limits, traces and metrics know of it. What
 * is used deep inside of a work is put to the account of that work, without every layer in between having to know.
 */
export interface Meter {
  charge<T>(account: Account, work: () => T): T
  used(model: string, usage: Usage): void
  /** The same model, with what it uses put to the account of whoever asks. */
  model(model: ChatModel): ChatModel
}

export function createMeter(parts: {
  db: Database
  ids: Ids
  clock: Clock
  log: Log
  metrics: Pick<Metrics, 'asideTokens'>
  prices: Readonly<Record<string, Price>>
}): Meter {
  const { db, ids, clock, log, metrics, prices } = parts
  const accounts = new AsyncLocalStorage<Account>()

  const used = (model: string, usage: Usage) => {
    const { task = 'upkeep', personId = null, sessionId = null, turnId = null } = accounts.getStore() ?? {}
    const { inputTokens, outputTokens } = usage
    metrics.asideTokens.inc({ task }, inputTokens + outputTokens)
    // Nobody waits for it, and a day's sum may lack what was used while the database was away.
    db.modelUse
      .create({
        data: {
          ...{
            id: ids('use'),
            at: clock.now(),
            task,
            model,
            personId,
            sessionId,
            turnId,
            inputTokens,
            outputTokens,
          },
          cost: costOf(usage, model, prices),
        },
      })
      .catch((error: unknown) =>
        log.warn({ error: messageOf(error) }, 'The use of a model could not be kept'),
      )
  }

  return {
    charge: (account, work) => accounts.run(account, work),
    used,
    model: (model) => ({
      name: model.name,
      contextWindow: model.contextWindow,
      offline: model.offline,
      async complete(request, options) {
        const reply = await model.complete(request, options)
        if (!model.offline) used(reply.model, reply.usage)
        return reply
      },
    }),
  }
}

/** Tools whose work is put to the account of whoever calls them. */
export function chargedTools(meter: Pick<Meter, 'charge'>, tools: readonly Tool[]): readonly Tool[] {
  return tools.map((tool) => ({
    ...tool,
    run: (args, context) => {
      const { person, session, turnId } = context
      const account = { task: 'memory', personId: person.id, sessionId: session.id, turnId } as const
      return meter.charge(account, () => tool.run(args, context))
    },
  }))
}
