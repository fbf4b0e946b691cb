import type { AddressInfo } from 'node:net'
import { ChannelType } from 'discord.js'
import { Faults } from './faults.ts'
import { GatewayServer } from './gateway.ts'
import { Hands } from './hands.ts'
import { Person, type Place, placeId } from './people.ts'
import { Posts } from './posts.ts'
import { type ChannelLimit, RestServer, type SeenRequest } from './rest.ts'
import { applicationRoutes } from './routes/applications.ts'
import { channelRoutes } from './routes/channels.ts'
import { interactionRoutes } from './routes/interactions.ts'
import { messageRoutes } from './routes/messages.ts'
import { Screen } from './screen.ts'
import { type Denial, World, type WorldChannel, type WorldGuild, type WorldMessage } from './world.ts'

export interface StandInOptions {
  /** Milliseconds after which an interaction is unknown; Discord's are 3,000. */
  readonly lateAfter?: number
  /** Milliseconds after which a link is unfolded. */
  readonly unfurlAfter?: number
  readonly heartbeatInterval?: number
  /** Is the message content intent switched on? */
  readonly messageContent?: boolean
  /** The bucket of new messages in one channel; without it nothing is limited. */
  readonly channelLimit?: ChannelLimit
  /** How many shards the gateway recommends. */
  readonly shards?: number
}

/** A Discord on loopback: give its `url` and `token` to the bot, act as people, look at the screen. */
export class StandInDiscord {
  readonly world = new World()
  readonly screen = new Screen(this.world)
  readonly faults = new Faults()
  readonly gateway: GatewayServer
  readonly hands: Hands
  readonly posts: Posts
  /** The guild that is there from the start, with the channels `general` and `support`, and the forum `ideas`. */
  readonly guild: WorldGuild
  /** What the bot must show. Change it, and the bot's is wrong. */
  token = 'stand-in-token.for-tests.only'
  /** Milliseconds after which an interaction is unknown. */
  lateAfter: number
  /** Messages older than this many ms take only so many edits. */
  oldEdits = { after: 3_600_000, allowed: 3 }
  private readonly rest: RestServer
  private readonly timers = new Set<NodeJS.Timeout>()
  private readonly unfurlAfter: number
  private port = 0

  constructor(options: StandInOptions = {}) {
    this.lateAfter = options.lateAfter ?? 3_000
    this.unfurlAfter = options.unfurlAfter ?? 100
    this.gateway = new GatewayServer(this.world, {
      token: () => this.token,
      url: () => this.gatewayUrl,
      heartbeatInterval: options.heartbeatInterval ?? 41_250,
      messageContent: options.messageContent ?? true,
    })
    this.posts = new Posts(this.world, this.gateway, () => `http://127.0.0.1:${this.port}/cdn`)
    this.hands = new Hands(this.posts, () => this.lateAfter, this.timers)
    this.rest = new RestServer(this.world, this.faults, {
      token: () => this.token,
      channelLimit: options.channelLimit,
    })
    this.rest.use([
      ...messageRoutes(this.posts, { oldEdits: () => this.oldEdits }),
      ...channelRoutes(this.posts, () => this.gatewayUrl, options.shards ?? 1),
      ...interactionRoutes(this.posts, { lateAfter: () => this.lateAfter }),
      ...applicationRoutes(this.world),
    ])
    this.rest.server.on('upgrade', (request, socket, head) => this.gateway.upgrade(request, socket, head))
    this.guild = this.world.addGuild('Acme')
    this.channel('general')
    this.channel('support')
    this.forum('ideas')
  }

  /** The value for `DISCORD_API_URL`. */
  get url(): string {
    return `http://127.0.0.1:${this.port}/api`
  }

  /** What the environment of a Hermes says that is on it. */
  variables(): { DISCORD_API_URL: string; DISCORD_TOKEN: string } {
    return { DISCORD_API_URL: this.url, DISCORD_TOKEN: this.token }
  }

  private get gatewayUrl(): string {
    return `ws://127.0.0.1:${this.port}/gateway`
  }

  get requests(): readonly SeenRequest[] {
    return this.rest.requests
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.rest.server.listen(this.port, '127.0.0.1', resolve))
    this.port = (this.rest.server.address() as AddressInfo).port
    return this
  }

  /** Takes the whole platform off the network; `start` brings it back on the same port. */
  async goDark(): Promise<void> {
    this.gateway.outage()
    this.rest.server.closeAllConnections()
    await new Promise<void>((resolve) => this.rest.server.close(() => resolve()))
  }

  /** Back after `goDark`. */
  async comeBack(): Promise<void> {
    this.gateway.restore()
    await this.start()
  }

  async stop(): Promise<void> {
    for (const timer of this.timers) clearTimeout(timer)
    this.rest.stopTimers()
    await this.gateway.stop()
    this.rest.server.closeAllConnections()
    if (this.rest.server.listening) {
      await new Promise<void>((resolve) => this.rest.server.close(() => resolve()))
    }
  }

  /** A text channel of the guild, made at the first call. */
  channel(name: string): WorldChannel {
    return this.named(name, ChannelType.GuildText)
  }

  /** A forum of the guild, made at the first call. */
  forum(name: string): WorldChannel {
    return this.named(name, ChannelType.GuildForum)
  }

  /** Somebody new. */
  person(name: string): Person {
    return this.someone(name, false)
  }

  /** Another bot. */
  bot(name: string): Person {
    return this.someone(name, true)
  }

  /** Takes permissions from the bot in a channel, as an administrator would. */
  deny(place: Place, ...what: readonly Denial[]): void {
    const channel = this.world.channels.get(placeId(this.world, place))!
    for (const one of what) channel.denied.add(one)
  }

  allow(place: Place, ...what: readonly Denial[]): void {
    const channel = this.world.channels.get(placeId(this.world, place))!
    for (const one of what) channel.denied.delete(one)
  }

  /** The last message by the bot in a place, once there is one that fits. */
  async answer(
    place: Place,
    fits: (text: string) => boolean = () => true,
    ms?: number,
  ): Promise<WorldMessage> {
    const id = placeId(this.world, place)
    return this.screen.until(
      () => this.screen.answers(id).findLast((message) => fits(this.screen.text(message))),
      ms,
    )
  }

  private named(name: string, type: ChannelType): WorldChannel {
    return (
      [...this.world.channels.values()].find((channel) => channel.name === name && channel.type === type) ??
      this.world.addChannel({ type, name, guildId: this.guild.id })
    )
  }

  private someone(name: string, bot: boolean): Person {
    return new Person(this.world.addUser(name, bot), this.posts, this.hands, {
      after: this.unfurlAfter,
      timers: this.timers,
    })
  }
}

/** Starts a stand-in Discord on a free port of the loopback address. */
export async function startDiscord(options: StandInOptions = {}): Promise<StandInDiscord> {
  return new StandInDiscord(options).start()
}
