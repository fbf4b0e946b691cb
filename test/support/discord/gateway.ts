import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { GatewayIntentBits, GatewayOpcodes } from 'discord.js'
import { type WebSocket, WebSocketServer } from 'ws'
import { guildCreatePayload, userPayload } from './payloads.ts'
import type { World } from './world.ts'

interface Dispatch {
  readonly t: string
  readonly d: object
  /** Where it belongs, for sharding and intents; absent for what every session gets. */
  readonly guildId?: string
  readonly direct?: boolean
}

interface Session {
  readonly id: string
  readonly intents: number
  readonly shard: readonly [number, number]
  readonly events: { readonly s: number; readonly t: string; readonly d: object }[]
  seq: number
  socket: WebSocket | undefined
  /** How many events before the client's own count are sent again at the next resume. */
  rewind: number
}

interface GatewayOptions {
  readonly token: () => string
  readonly url: () => string
  readonly heartbeatInterval: number
  /** Privileged intents that are switched on in the developer portal. */
  readonly messageContent: boolean
}

/** The intents that an event needs, any of them; events not named here go to everyone. */
const neededIntents: Readonly<Record<string, { guild?: number; direct?: number }>> = {
  MESSAGE_CREATE: { guild: GatewayIntentBits.GuildMessages, direct: GatewayIntentBits.DirectMessages },
  MESSAGE_UPDATE: { guild: GatewayIntentBits.GuildMessages, direct: GatewayIntentBits.DirectMessages },
  MESSAGE_DELETE: { guild: GatewayIntentBits.GuildMessages, direct: GatewayIntentBits.DirectMessages },
  THREAD_CREATE: { guild: GatewayIntentBits.Guilds },
  THREAD_UPDATE: { guild: GatewayIntentBits.Guilds },
  CHANNEL_CREATE: { guild: GatewayIntentBits.Guilds },
  GUILD_CREATE: { guild: GatewayIntentBits.Guilds },
}

/** The socket side: hello, identify, ready, heartbeats, resume with replay, and every way it can break. */
export class GatewayServer {
  /** Sessions begun, with what the bot asked for. */
  readonly identifies: { readonly intents: number; readonly shard: readonly [number, number] }[] = []
  /** Sessions taken up again. */
  resumes = 0
  private readonly world: World
  private readonly options: GatewayOptions
  private readonly server = new WebSocketServer({ noServer: true })
  private readonly sessions = new Map<string, Session>()
  private readonly sockets = new Set<WebSocket>()
  private refusing = false
  private frozen = false

  constructor(world: World, options: GatewayOptions) {
    this.world = world
    this.options = options
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (this.refusing) {
      socket.destroy()
      return
    }
    this.server.handleUpgrade(request, socket, head, (connection) => this.attach(connection))
  }

  /** The sockets that are open now. */
  get connections(): number {
    return this.sockets.size
  }

  /** Sends an event to each session whose shard and intents it belongs to, and keeps it for replay. */
  dispatch(event: Dispatch): void {
    for (const session of this.sessions.values()) {
      if (this.wanted(session, event)) this.push(session, event.t, this.filtered(session, event))
    }
    this.world.changed()
  }

  /** Sends the last events again, numbered anew: Discord delivers at least once. */
  redeliver(count: number): void {
    for (const session of this.sessions.values()) {
      for (const event of session.events.slice(-count)) this.push(session, event.t, event.d)
    }
  }

  /** Sends any frame's dispatch to every session, also a malformed one. */
  dispatchRaw(t: string, d: unknown): void {
    for (const session of this.sessions.values()) this.push(session, t, d as object)
  }

  /**
   * Breaks every connection without a goodbye. The client resumes, and gets what it missed; with `rewind` also
   * that many events again that it had already. With `forget` the sessions are gone and it must begin anew.
   */
  drop(options: { rewind?: number; forget?: boolean } = {}): void {
    for (const session of this.sessions.values()) session.rewind = options.rewind ?? 0
    if (options.forget) this.sessions.clear()
    for (const socket of this.sockets) socket.terminate()
  }

  /** Closes every connection with one of Discord's codes. */
  close(code: number): void {
    for (const socket of this.sockets) socket.close(code)
  }

  /** Asks clients to reconnect, as Discord does before maintenance. */
  askToReconnect(): void {
    for (const socket of this.sockets) send(socket, { op: GatewayOpcodes.Reconnect, d: null })
  }

  /** New connections are refused and open ones broken, until `restore`. */
  outage(): void {
    this.refusing = true
    for (const socket of this.sockets) socket.terminate()
  }

  restore(): void {
    this.refusing = false
    this.frozen = false
  }

  /** The connection stays open but nothing comes any more, not even the answer to a heartbeat. */
  freeze(): void {
    this.frozen = true
  }

  async stop(): Promise<void> {
    this.refusing = true
    for (const socket of this.sockets) socket.terminate()
    await new Promise<void>((resolve) => this.server.close(() => resolve()))
  }

  private attach(socket: WebSocket): void {
    this.sockets.add(socket)
    let session: Session | undefined
    socket.on('close', () => {
      this.sockets.delete(socket)
      if (session?.socket === socket) session.socket = undefined
      this.world.changed()
    })
    socket.on('error', () => socket.terminate())
    socket.on('message', (data) => {
      if (this.frozen) return
      const frame = JSON.parse(String(data)) as { op: number; d: Record<string, unknown> | number | null }
      switch (frame.op) {
        case GatewayOpcodes.Heartbeat:
          send(socket, { op: GatewayOpcodes.HeartbeatAck })
          return
        case GatewayOpcodes.Identify:
          session = this.identify(socket, frame.d as Record<string, unknown>)
          return
        case GatewayOpcodes.Resume:
          session = this.resume(socket, frame.d as { token: string; session_id: string; seq: number })
          return
        default:
      }
    })
    send(socket, { op: GatewayOpcodes.Hello, d: { heartbeat_interval: this.options.heartbeatInterval } })
    this.world.changed()
  }

  private identify(socket: WebSocket, d: Record<string, unknown>): Session | undefined {
    if (d.token !== this.options.token()) {
      socket.close(4004, 'Authentication failed.')
      return undefined
    }
    const intents = d.intents as number
    if (intents & GatewayIntentBits.MessageContent && !this.options.messageContent) {
      socket.close(4014, 'Disallowed intent(s).')
      return undefined
    }
    const shard = (d.shard as [number, number] | undefined) ?? [0, 1]
    this.identifies.push({ intents, shard })
    const session: Session = {
      id: `session-${this.world.snowflake()}`,
      intents,
      shard,
      events: [],
      seq: 0,
      socket,
      rewind: 0,
    }
    this.sessions.set(session.id, session)
    const guilds = [...this.world.guilds.values()].filter((guild) => ownsGuild(session, guild.id))
    this.push(session, 'READY', {
      v: 10,
      user: {
        ...userPayload(this.world.users.get(this.world.botId)!),
        verified: true,
        mfa_enabled: false,
        email: null,
      },
      guilds: guilds.map((guild) => ({ id: guild.id, unavailable: true })),
      session_id: session.id,
      resume_gateway_url: this.options.url(),
      shard,
      application: { id: this.world.applicationId, flags: 1 << 18 },
      private_channels: [],
      relationships: [],
      user_settings: {},
    })
    for (const guild of guilds) this.push(session, 'GUILD_CREATE', guildCreatePayload(this.world, guild))
    this.world.changed()
    return session
  }

  private resume(
    socket: WebSocket,
    d: { token: string; session_id: string; seq: number },
  ): Session | undefined {
    const session = this.sessions.get(d.session_id)
    if (!session || d.token !== this.options.token()) {
      send(socket, { op: GatewayOpcodes.InvalidSession, d: false })
      return undefined
    }
    session.socket = socket
    this.resumes += 1
    for (const event of session.events.filter((event) => event.s > d.seq - session.rewind)) {
      // READY and guilds come once; a replay holds what happened after.
      if (event.t === 'READY' || event.t === 'GUILD_CREATE') continue
      send(socket, { op: GatewayOpcodes.Dispatch, ...event })
    }
    session.rewind = 0
    this.push(session, 'RESUMED', {})
    this.world.changed()
    return session
  }

  private push(session: Session, t: string, d: object): void {
    session.seq += 1
    const event = { s: session.seq, t, d }
    session.events.push(event)
    if (session.events.length > 2_000) session.events.shift()
    if (session.socket && !this.frozen) send(session.socket, { op: GatewayOpcodes.Dispatch, ...event })
  }

  private wanted(session: Session, event: Dispatch): boolean {
    if (event.guildId !== undefined && !ownsGuild(session, event.guildId)) return false
    if (event.direct && session.shard[0] !== 0) return false
    const needed = neededIntents[event.t]
    const bit = event.direct ? needed?.direct : needed?.guild
    return bit === undefined || (session.intents & bit) !== 0
  }

  /** Without the message content intent, other people's guild posts come empty unless they mention the bot. */
  private filtered(session: Session, event: Dispatch): object {
    if (!event.t.startsWith('MESSAGE_') || event.direct) return event.d
    if (session.intents & GatewayIntentBits.MessageContent) return event.d
    const message = event.d as { author?: { id: string }; mentions?: readonly { id: string }[] }
    if (message.author === undefined || message.author.id === this.world.botId) return event.d
    if (message.mentions?.some((user) => user.id === this.world.botId)) return event.d
    return { ...event.d, content: '', embeds: [], attachments: [], components: [] }
  }
}

function ownsGuild(session: Session, guildId: string): boolean {
  return Number((BigInt(guildId) >> 22n) % BigInt(session.shard[1])) === session.shard[0]
}

function send(socket: WebSocket, frame: object): void {
  if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(frame))
}
