import { Hono } from 'hono'
import type { Registry } from 'prom-client'
import { messageOf } from '../base/errors.ts'
import { within } from '../base/wait.ts'
import type { ChannelHealth } from '../channel/port.ts'

/** A part of Hermes, as `/readyz` tells it. */
export interface PartHealth {
  readonly state: 'up' | 'down' | 'starting' | 'off'
  readonly reason?: string
}

/** What is asked to know whether Hermes is ready. */
export interface HealthParts {
  readonly database: () => Promise<unknown>
  readonly queue: () => Promise<unknown>
  readonly channels: () => Readonly<
    Record<string, ChannelHealth | { readonly state: 'off'; readonly reason?: string }>
  >
  /** Half configured channels count as not ready: somebody meant them to work. */
  readonly metrics: Registry
}

/** How long a part may take to answer, in ms. */
const patience = 2_500

/** Tells how each part stands right now. */
export async function readiness(
  parts: HealthParts,
): Promise<{ ready: boolean; parts: Record<string, PartHealth> }> {
  const probe = async (what: string, ask: () => Promise<unknown>): Promise<PartHealth> => {
    try {
      await within(patience, what, ask())
      return { state: 'up' }
    } catch (error) {
      return { state: 'down', reason: messageOf(error) }
    }
  }
  const [database, queue] = await Promise.all([
    probe('The database', parts.database),
    probe('The queue', parts.queue),
  ])
  const all: Record<string, PartHealth> = { database, queue, ...parts.channels() }
  const ready = Object.values(all).every(
    (part) => part.state === 'up' || (part.state === 'off' && part.reason === undefined),
  )
  return { ready, parts: all }
}

/** `/healthz`, `/readyz` and `/metrics`. */
export function healthRoutes(parts: HealthParts): Hono {
  return new Hono()
    .get('/healthz', (c) => c.json({ status: 'ok' }))
    .get('/readyz', async (c) => {
      const { ready, parts: all } = await readiness(parts)
      return c.json({ status: ready ? 'ready' : 'not ready', parts: all }, ready ? 200 : 503)
    })
    .get('/metrics', async (c) =>
      c.text(await parts.metrics.metrics(), 200, { 'Content-Type': parts.metrics.contentType }),
    )
}
