import type { APIInteraction, Client, REST } from 'discord.js'
import type { Clock } from '../../src/base/clock.ts'
import { messageOf } from '../../src/base/errors.ts'
import type { InboundEvent } from '../../src/channel/events.ts'
import type { Gateway } from '../../src/channel/port.ts'
import type { Log } from '../../src/observe/log.ts'
import { catchUp } from './catch-up.ts'
import { editEvent, messageEvent, removalEvent } from './events.ts'
import type { GatewayEvents } from './gateway.ts'
import { Interactions } from './interactions.ts'
import { Lanes } from './lanes.ts'
import { directWorkspace, isRoomItself, type Places } from './places.ts'
import type { Typing } from './typing.ts'

/** What is known of Discord from before this process started. */
export interface DiscordPast {
  /** When the last event from Discord was taken. */
  lastReceived(): Promise<Date | undefined>
  /** Ids of the DM channels that conversations were in; Discord does not list them. */
  directRooms(): Promise<readonly string[]>
}

/** The way in: what Discord tells, in order within each channel, to the gateway of the port. */
export class Inbound {
  readonly #gateway: Gateway
  readonly #places: Places
  readonly #typing: Typing
  readonly #clock: Clock
  readonly #log: Log
  readonly #past: DiscordPast | undefined
  readonly #lanes: Lanes
  readonly #interactions: Interactions
  readonly #directRooms = new Set<string>()
  readonly #ending = new AbortController()
  #client: Client<true> | undefined
  #behindSince: Date | undefined

  constructor(parts: {
    readonly gateway: Gateway
    readonly rest: REST
    readonly places: Places
    readonly typing: Typing
    readonly clock: Clock
    readonly log: Log
    readonly past: DiscordPast | undefined
  }) {
    this.#gateway = parts.gateway
    this.#places = parts.places
    this.#typing = parts.typing
    this.#clock = parts.clock
    this.#log = parts.log
    this.#past = parts.past
    const signal = this.#ending.signal
    this.#interactions = new Interactions({ ...parts, signal })
    this.#lanes = new Lanes({ log: parts.log, signal, overflow: () => this.#fallBehind() })
  }

  /** What the connection to Discord calls. */
  readonly events: GatewayEvents = {
    message: (message) => this.#hand(message.channelId, messageEvent(message)),
    edit: (before, after) => this.#hand(after.channelId, editEvent(before, after)),
    removal: (removed) => this.#hand(removed.channel.id, removalEvent(removed, this.#clock.now())),
    interaction: (interaction) => void this.#interaction(interaction),
    ready: (client) => {
      this.#client = client
      void this.#begin(client)
    },
    gap: (client, since) => this.#catchUp(client, since),
  }

  stop(): void {
    this.#ending.abort()
  }

  #hand(lane: string, making: Promise<InboundEvent | undefined>): void {
    this.#lanes.add(lane, this.#handing(making))
  }

  /** Reading begins at once, taking in its turn. Only taking is tried again; what can't be read never can. */
  #handing(making: Promise<InboundEvent | undefined>): () => Promise<void> {
    const read = making.catch((error: unknown) => {
      this.#log.error({ error: messageOf(error) }, 'An event from Discord could not be read.')
      return undefined
    })
    return async () => {
      const event = await read
      if (event) await this.#take(event)
    }
  }

  async #take(event: InboundEvent): Promise<void> {
    if (event.thread.workspace === directWorkspace) this.#directRooms.add(event.thread.room)
    const receipt = await this.#gateway.receive(event)
    if (receipt.kind !== 'accepted' || event.kind === 'removal') return
    const text = 'text' in event ? event.text : ''
    void this.#showLife(event, text)
  }

  /** The first sign: the thread, and that something is being written in it. */
  async #showLife(event: InboundEvent, text: string): Promise<void> {
    const { thread } = event
    try {
      // A thread under a message has the message's own id.
      const root = 'postId' in event && event.postId === thread.thread && !isRoomItself(thread)
      if (root) await this.#places.open(thread, text)
    } catch (error) {
      this.#log.warn({ error: messageOf(error) }, 'A thread could not be opened yet.')
    }
    await this.#typing.once(thread)
  }

  async #interaction(interaction: APIInteraction): Promise<void> {
    if (interaction.guild_id === undefined && interaction.channel)
      this.#directRooms.add(interaction.channel.id)
    await this.#interactions.take(interaction)
  }

  /** After a start: what was said while no process listened. */
  async #begin(client: Client<true>): Promise<void> {
    if (!this.#past) return
    try {
      const [since, rooms] = await Promise.all([this.#past.lastReceived(), this.#past.directRooms()])
      for (const room of rooms) this.#directRooms.add(room)
      if (since) this.#catchUp(client, since)
    } catch (error) {
      this.#log.warn({ error: messageOf(error) }, 'What was missed before the start is not known.')
    }
  }

  #catchUp(client: Client<true>, since: Date): void {
    if (this.#ending.signal.aborted) return
    catchUp(client, {
      since,
      now: this.#clock.now(),
      directRooms: this.#directRooms,
      lanes: this.#lanes,
      take: (message) => this.#handing(messageEvent(message))(),
      log: this.#log,
    })
  }

  /** Too much is held back to keep it all: the rest is read from the history once this is through. */
  #fallBehind(): void {
    if (this.#behindSince) return
    this.#behindSince = this.#clock.now()
    this.#log.error({}, 'Too many events wait to be taken; later ones are read again afterwards.')
    void this.#lanes.idle().then(() => {
      const since = this.#behindSince
      this.#behindSince = undefined
      if (since && this.#client) this.#catchUp(this.#client, since)
    })
  }
}
