import type { ChannelName } from '../channel/events.ts'
import type { Channel } from '../channel/port.ts'
import type { Settings } from '../config/environment.ts'
import type { HealthParts } from '../console/health.ts'
import type { Bells } from '../jobs/queue.ts'
import type { Metrics } from '../observe/metrics.ts'
import type { Database } from '../store/client.ts'

/** What the readiness of the process is made of. */
export function healthParts(parts: {
  settings: Settings
  db: Database
  turns: Bells
  channels: ReadonlyMap<ChannelName, Channel>
  metrics: Metrics
  /** Does this process hear the channels? */
  listens: boolean
}): HealthParts {
  const { settings, db, turns, channels, metrics, listens } = parts
  return {
    database: () => db.$queryRaw`SELECT 1`,
    queue: () => turns.check(),
    channels: () => ({
      ...Object.fromEntries(
        [...channels].map(([name, channel]) => [
          name,
          listens ? channel.health() : { state: 'off' as const },
        ]),
      ),
      ...(settings.slack.state === 'half'
        ? { slack: { state: 'off' as const, reason: settings.slack.sentence } }
        : {}),
      ...(settings.discord.state === 'half'
        ? { discord: { state: 'off' as const, reason: settings.discord.sentence } }
        : {}),
    }),
    metrics: metrics.registry,
  }
}
