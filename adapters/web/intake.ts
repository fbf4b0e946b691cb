import type { Context } from 'hono'
import type { Clock } from '../../src/base/clock.ts'
import { messageOf } from '../../src/base/errors.ts'
import type { Ids } from '../../src/base/ids.ts'
import { within } from '../../src/base/wait.ts'
import type { InboundEvent } from '../../src/channel/events.ts'
import type { Gateway, Receipt } from '../../src/channel/port.ts'
import type { ThreadReader } from '../../src/channel/view.ts'
import type { Log } from '../../src/observe/log.ts'
import type { MarkdownHtml } from './html.ts'
import { answerProblem, type Problem } from './problem.ts'

/** What the routes of the web chat work with. */
export interface WebParts {
  readonly reader: ThreadReader
  readonly html: MarkdownHtml
  readonly log: Log
  readonly clock: Clock
  readonly ids: Ids
  /** The way in, once the channel listens. */
  readonly gateway: () => Gateway | undefined
  /** Fires when the channel stops. */
  readonly stopping: AbortSignal
}

const patience = 8_000

/** Hands an event to the gateway; where that fails, the client is told to send it again. */
export async function receive(parts: WebParts, event: InboundEvent): Promise<Receipt | Problem> {
  const gateway = parts.gateway()
  if (!gateway) return unavailable('Hermes is starting or stopping. Send it again in a moment.')
  try {
    return await within(patience, 'Keeping the event', gateway.receive(event))
  } catch (error) {
    parts.log.error({ error: messageOf(error), event: event.kind }, 'An event of the web chat was not kept.')
    return unavailable('It could not be kept just now. Send it again with the same key; it counts once.')
  }
}

function unavailable(detail: string): Problem {
  return { status: 503, code: 'web.unavailable', title: 'Not available', detail }
}

/** Tells a refusal from a receipt. */
export function isProblem(outcome: Receipt | Problem): outcome is Problem {
  return 'status' in outcome
}

/** Answers with a problem that says when to try again. */
export function answerUnavailable(c: Context, problem: Problem): Response {
  c.header('Retry-After', '2')
  return answerProblem(c, problem)
}
