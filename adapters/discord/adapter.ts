import type { Client, REST } from 'discord.js'
import { type Clock, systemClock } from '../../src/base/clock.ts'
import { messageOf } from '../../src/base/errors.ts'
import type { Channel, ChannelHealth, Gateway, Speaker } from '../../src/channel/port.ts'
import type { Log } from '../../src/observe/log.ts'
import { registerCommands } from './commands.ts'
import { GatewayConnection } from './gateway.ts'
import { type DiscordPast, Inbound } from './inbound.ts'
import { Places } from './places.ts'
import { createRest, type DiscordAddress } from './rest.ts'
import { createSpeaker } from './speaker.ts'
import { Typing } from './typing.ts'

export type { DiscordPast } from './inbound.ts'

export interface DiscordOptions {
  readonly token: string
  /** Asked from Discord where not given. */
  readonly applicationId?: string
  /** Another address of Discord's API, ending in `/api`. */
  readonly apiUrl?: string
  readonly log: Log
  readonly clock?: Clock
  /** Lets a start read what was said while no process listened. */
  readonly past?: DiscordPast
}

/** Discord: the gateway in, the HTTP interface out. Without `listen` it can still speak. */
export class DiscordChannel implements Channel {
  readonly name = 'discord'
  readonly speaker: Speaker
  readonly #options: DiscordOptions
  readonly #clock: Clock
  readonly #log: Log
  readonly #address: DiscordAddress
  readonly #rest: REST
  readonly #places: Places
  readonly #typing: Typing
  #connection: GatewayConnection | undefined
  #inbound: Inbound | undefined
  #stopped = false

  constructor(options: DiscordOptions) {
    this.#options = options
    this.#clock = options.clock ?? systemClock
    this.#log = options.log.child({ channel: 'discord' })
    this.#address = { token: options.token, ...(options.apiUrl ? { apiUrl: options.apiUrl } : {}) }
    this.#rest = createRest(this.#address)
    this.#places = new Places({ rest: this.#rest, log: this.#log })
    this.#typing = new Typing({
      rest: this.#rest,
      places: this.#places,
      clock: this.#clock,
      log: this.#log,
    })
    this.speaker = createSpeaker({
      rest: this.#rest,
      places: this.#places,
      typing: this.#typing,
      clock: this.#clock,
    })
  }

  async listen(gateway: Gateway): Promise<void> {
    const inbound = new Inbound({
      gateway,
      rest: this.#rest,
      places: this.#places,
      typing: this.#typing,
      clock: this.#clock,
      log: this.#log,
      past: this.#options.past,
    })
    const connection = new GatewayConnection({
      address: this.#address,
      clock: this.#clock,
      log: this.#log,
      events: {
        ...inbound.events,
        ready: (client) => {
          inbound.events.ready(client)
          void this.#register(client)
        },
      },
    })
    this.#inbound = inbound
    this.#connection = connection
    connection.start()
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#typing.stopAll()
    this.#inbound?.stop()
    await this.#connection?.stop()
    this.#rest.clearHashSweeper()
    this.#rest.clearHandlerSweeper()
  }

  health(): ChannelHealth {
    if (this.#connection) return this.#connection.health()
    return this.#stopped ? { state: 'down', reason: 'Discord is stopped.' } : { state: 'starting' }
  }

  async #register(client: Client<true>): Promise<void> {
    try {
      await registerCommands(this.#rest, this.#options.applicationId ?? client.application.id)
    } catch (error) {
      this.#log.warn({ error: messageOf(error) }, 'The command /hermes could not be registered.')
    }
  }
}
