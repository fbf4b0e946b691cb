import type { DiscordChannel } from '../../adapters/discord/adapter.ts'
import type { SlackChannel } from '../../adapters/slack/adapter.ts'
import { HermesError } from '../base/errors.ts'
import type { ChannelName, ThreadRef } from '../channel/events.ts'
import type { Channel, Speaker } from '../channel/port.ts'
import type { Config } from '../config/file.ts'
import type { Database } from '../store/client.ts'
import { discordPast } from './discord-past.ts'
import type { AppOptions } from './options.ts'

// The platforms' own packages take half a second and 75 MB: they are loaded only where they are used.

/** Slack, where its tokens are set. */
export async function slackChannel({ settings, clock, log }: AppOptions): Promise<SlackChannel | undefined> {
  const { slack } = settings
  if (slack.state !== 'socket' && slack.state !== 'http') return undefined
  const { createSlack } = await import('../../adapters/slack/adapter.ts')
  return createSlack({
    botToken: slack.botToken,
    ...(slack.state === 'socket' ? { appToken: slack.appToken } : { signingSecret: slack.signingSecret }),
    ...(slack.apiUrl === undefined ? {} : { apiUrl: slack.apiUrl }),
    clock,
    log,
  })
}

/** Discord, where its token is set. */
export async function discordChannel(
  { settings, clock, log }: AppOptions,
  db: Database,
): Promise<DiscordChannel | undefined> {
  const { discord } = settings
  if (discord.state !== 'on') return undefined
  const { DiscordChannel } = await import('../../adapters/discord/adapter.ts')
  return new DiscordChannel({
    token: discord.token,
    ...(discord.applicationId === undefined ? {} : { applicationId: discord.applicationId }),
    ...(discord.apiUrl === undefined ? {} : { apiUrl: discord.apiUrl }),
    clock,
    log,
    past: discordPast(db),
  })
}

/** Threads of the web chat to which cards go for a decision. */
export function webRooms(config: Config): ReadonlySet<string> {
  const rooms = config.approvals.rules.flatMap(({ room }) => (room?.channel === 'web' ? [room.room] : []))
  return new Set(rooms)
}

/** Whoever speaks in a thread: its channel. */
export function speakerAmong(channels: ReadonlyMap<ChannelName, Channel>): (thread: ThreadRef) => Speaker {
  return (thread) => {
    const channel = channels.get(thread.channel)
    if (!channel) throw new HermesError('channel.off', `The channel ${thread.channel} is not configured.`)
    return channel.speaker
  }
}
