import {
  type APIInteraction,
  ChannelType,
  Client,
  type ClientOptions,
  DiscordjsError,
  DiscordjsErrorCodes,
  Events,
  GatewayCloseCodes,
  GatewayDispatchEvents,
  GatewayIntentBits,
  type Message,
  Options,
  type PartialMessage,
  Partials,
  SimpleShardingStrategy,
  Status,
} from 'discord.js'
import type { Clock } from '../../src/base/clock.ts'
import { messageOf } from '../../src/base/errors.ts'
import { pause, within } from '../../src/base/wait.ts'
import type { ChannelHealth } from '../../src/channel/port.ts'
import type { Log } from '../../src/observe/log.ts'
import type { Removed } from './events.ts'
import { type DiscordAddress, restOptions } from './rest.ts'

/** What comes in. None of these may throw. */
export interface GatewayEvents {
  readonly message: (message: Message) => void
  readonly edit: (before: Message | PartialMessage | undefined, after: Message) => void
  readonly removal: (removed: Removed) => void
  readonly interaction: (interaction: APIInteraction) => void
  /** Connected for the first time. */
  readonly ready: (client: Client<true>) => void
  /** Connected again with a new session: what happened since then was not delivered. */
  readonly gap: (client: Client<true>, since: Date) => void
}

/** Waits between tries to connect, in ms; the last one goes on. */
const waits = [1_000, 2_000, 5_000, 10_000, 30_000] as const
const closingTime = 3_000

const portal = 'in the Discord developer portal, page "Bot"'

/** Closings after which trying again is useless, with what to do about each. */
const hopeless: Readonly<Record<number, string>> = {
  [GatewayCloseCodes.AuthenticationFailed]: `Discord does not accept the bot token: make a new one ${portal}, and set DISCORD_TOKEN.`,
  [GatewayCloseCodes.DisallowedIntents]: `The bot may not read messages: switch on "Message Content Intent" ${portal}, and start again.`,
  [GatewayCloseCodes.InvalidIntents]: 'Discord does not know the intents that were asked for.',
  [GatewayCloseCodes.InvalidShard]: 'Discord refused the shard.',
  [GatewayCloseCodes.ShardingRequired]: 'Discord asks for more shards.',
  [GatewayCloseCodes.InvalidAPIVersion]: 'Discord no longer speaks this version of its interface.',
}

/** The connection to Discord's gateway: connects, stays connected, and says truly how it stands. */
export class GatewayConnection {
  readonly #address: DiscordAddress
  readonly #clock: Clock
  readonly #log: Log
  readonly #events: GatewayEvents
  readonly #ending = new AbortController()
  #client: Client | undefined
  #running: Promise<void> = Promise.resolve()
  #wasUp = false
  #hopeless: string | undefined
  #trouble: string | undefined
  /** When something last came; what came before is complete. */
  #lastEvent: Date | undefined
  #brokenSince: Date | undefined

  constructor(parts: {
    readonly address: DiscordAddress
    readonly clock: Clock
    readonly log: Log
    readonly events: GatewayEvents
  }) {
    this.#address = parts.address
    this.#clock = parts.clock
    this.#log = parts.log
    this.#events = parts.events
  }

  /** Begins to connect; never rejects. */
  start(): void {
    this.#running = this.#connect().catch((error: unknown) => {
      this.#trouble = messageOf(error)
      this.#log.error(
        { error: messageOf(error) },
        'Connecting to Discord failed in a way that was not foreseen.',
      )
    })
  }

  async stop(): Promise<void> {
    this.#ending.abort()
    const client = this.#client
    const ended = Promise.all([client?.destroy(), this.#running])
    // A peer that is gone answers no closing either.
    await within(closingTime, 'Closing the connection to Discord', ended).catch((error: unknown) => {
      this.#log.debug({ error: messageOf(error) }, 'The connection to Discord was left to end by itself.')
    })
  }

  health(): ChannelHealth {
    if (this.#ending.signal.aborted) return { state: 'down', reason: 'Discord is being stopped.' }
    if (this.#hopeless !== undefined) return { state: 'down', reason: this.#hopeless }
    const client = this.#client
    const up = client?.isReady() && client.ws.shards.every((shard) => shard.status === Status.Ready)
    if (up) return { state: 'up' }
    if (this.#trouble !== undefined) return { state: 'down', reason: this.#trouble }
    return this.#wasUp
      ? { state: 'down', reason: 'The connection to Discord broke; it is being made again.' }
      : { state: 'starting' }
  }

  async #connect(): Promise<void> {
    for (let attempt = 0; !this.#ending.signal.aborted; attempt += 1) {
      const client = this.#makeClient()
      this.#client = client
      try {
        await client.login(this.#address.token)
        return
      } catch (error) {
        if (this.#ending.signal.aborted) return
        const badToken = error instanceof DiscordjsError && error.code === DiscordjsErrorCodes.TokenInvalid
        if (badToken) this.#hopeless = hopeless[GatewayCloseCodes.AuthenticationFailed]
        if (this.#hopeless !== undefined) {
          this.#log.error({ reason: this.#hopeless }, 'Discord is down and stays down.')
          return
        }
        this.#trouble = `Discord can't be reached: ${messageOf(error)}. It is tried again.`
        this.#log.warn({ error: messageOf(error), attempt }, 'Discord could not be reached.')
      }
      await pause(waits[Math.min(attempt, waits.length - 1)]!, this.#ending.signal)
    }
  }

  #makeClient(): Client {
    const client = new Client(clientOptions(this.#address, this.#log))
    client.on(Events.Raw, (packet: RawPacket) => {
      this.#lastEvent = this.#clock.now()
      void this.#firstOfDirect(client, packet)
    })
    client.on(Events.MessageCreate, (message) => this.#events.message(message))
    client.on(Events.MessageUpdate, (before, after) => this.#events.edit(before, after))
    client.on(Events.MessageDelete, (message) => this.#events.removal(asRemoved(message)))
    client.on(Events.MessageBulkDelete, (messages) => {
      for (const message of messages.values()) this.#events.removal(asRemoved(message))
    })
    client.ws.on(GatewayDispatchEvents.InteractionCreate, (interaction: APIInteraction) =>
      this.#events.interaction(interaction),
    )
    client.once(Events.ClientReady, (ready) => this.#events.ready(ready))
    client.on(Events.ShardReady, (shard) => {
      this.#log.info({ shard }, 'Connected to Discord.')
      this.#connected(client, false)
    })
    client.on(Events.ShardResume, (shard, replayed) => {
      this.#log.info({ shard, replayed }, 'Connected to Discord again.')
      this.#connected(client, true)
    })
    client.on(Events.ShardReconnecting, (shard) => {
      this.#brokenSince ??= this.#lastEvent
      this.#log.warn({ shard }, 'The connection to Discord broke.')
    })
    client.on(Events.ShardDisconnect, ({ code }, shard) => {
      this.#hopeless = hopeless[code] ?? `Discord closed the connection (${code}).`
      this.#log.error({ shard, code, reason: this.#hopeless }, 'Discord closed the connection for good.')
    })
    client.on(Events.ShardError, (error) => {
      this.#log.warn({ error: messageOf(error) }, 'The connection to Discord has an error.')
    })
    // Without a listener an `error` event would end the process.
    client.on(Events.Error, (error) => {
      this.#log.warn({ error: messageOf(error) }, 'discord.js reports an error.')
    })
    return client
  }

  /**
   * discord.js drops changes and removals in a DM channel that it has not seen before, since these events do
   * not say what kind of channel it is: after a start that is every one until something new is said there.
   */
  async #firstOfDirect(client: Client, { t, d }: RawPacket): Promise<void> {
    const change = t === GatewayDispatchEvents.MessageUpdate
    if (!change && t !== GatewayDispatchEvents.MessageDelete) return
    const { id, channel_id: channelId, guild_id: guildId } = d ?? {}
    if (!id || !channelId || guildId !== undefined || client.channels.cache.has(channelId)) return
    try {
      const channel = await client.channels.fetch(channelId)
      if (channel?.type !== ChannelType.DM) return
      if (change) this.#events.edit(undefined, await channel.messages.fetch(id))
      else this.#events.removal({ id, channel })
    } catch (error) {
      this.#log.warn({ error: messageOf(error) }, 'A change in a direct message could not be read.')
    }
  }

  #connected(client: Client, resumed: boolean): void {
    const since = this.#brokenSince
    this.#trouble = undefined
    this.#wasUp = true
    this.#brokenSince = undefined
    if (!resumed && since !== undefined && client.isReady()) this.#events.gap(client, since)
  }
}

/** What is looked at of a frame before discord.js handles it. */
interface RawPacket {
  readonly t: string | null
  readonly d?: { readonly id?: string; readonly channel_id?: string; readonly guild_id?: string } | null
}

function asRemoved(message: Message | PartialMessage): Removed {
  return { id: message.id, channel: message.channel, ...(message.partial ? {} : { message }) }
}

function clientOptions(address: DiscordAddress, log: Log): ClientOptions {
  return {
    intents: [
      GatewayIntentBits.Guilds,
      GatewayIntentBits.GuildMessages,
      GatewayIntentBits.DirectMessages,
      GatewayIntentBits.MessageContent,
    ],
    // Direct messages come in channels, and edits to messages, that this process has not seen before.
    partials: [Partials.Channel, Partials.Message],
    allowedMentions: { parse: [], repliedUser: false },
    enforceNonce: true,
    shards: 'auto',
    rest: restOptions(address.apiUrl),
    makeCache: Options.cacheWithLimits({
      ...Options.DefaultMakeCacheSettings,
      MessageManager: 200,
      ReactionManager: 0,
      PresenceManager: 0,
      GuildMemberManager: { maxSize: 500, keepOverLimit: (member) => member.id === member.client.user.id },
    }),
    ws: { buildStrategy: (manager) => new SimpleShardingStrategy(guarded(manager, log)) },
  }
}

type Manager = ConstructorParameters<typeof SimpleShardingStrategy>[0]

/**
 * discord.js handles a frame inside a promise that nobody waits for: one that it can't read, or an error in a
 * listener, would be an unhandled rejection and end the process.
 */
function guarded(manager: Manager, log: Log): Manager {
  const emit = (...args: unknown[]): boolean => {
    try {
      return Reflect.apply(manager.emit, manager, args) as boolean
    } catch (error) {
      log.error({ error: messageOf(error) }, 'A frame from Discord could not be handled.')
      return false
    }
  }
  return Object.create(manager, { emit: { value: emit } }) as Manager
}
