import type { Clock } from '../base/clock.ts'
import type { InboundEvent } from '../channel/events.ts'
import type { Gateway } from '../channel/port.ts'
import type { createMetrics } from '../observe/metrics.ts'

/** Counts how long events take from arrival to commit. */
export function measured(
  gateway: Gateway,
  histogram: ReturnType<typeof createMetrics>['accepted'],
  clock: Clock,
): Gateway {
  return {
    async receive(event: InboundEvent) {
      const started = clock.monotonic()
      try {
        return await gateway.receive(event)
      } finally {
        histogram.observe(
          { channel: event.thread.channel, kind: event.kind },
          (clock.monotonic() - started) / 1_000,
        )
      }
    },
  }
}
