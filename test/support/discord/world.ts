import type { APIAllowedMentions, APIEmbed, APIMessageTopLevelComponent, ChannelType } from 'discord.js'
import { createSnowflakes } from './snowflake.ts'

/** What the bot may be denied in one channel. */
export type Denial =
  | 'ViewChannel'
  | 'SendMessages'
  | 'SendMessagesInThreads'
  | 'CreatePublicThreads'
  | 'ReadMessageHistory'
  | 'AttachFiles'
  | 'ManageMessages'

export interface WorldUser {
  readonly id: string
  readonly name: string
  readonly bot: boolean
  /** Does this person take DMs from the bot? */
  takesDms: boolean
}

interface WorldRole {
  readonly id: string
  readonly name: string
  /** The bot whose own role this is. */
  readonly botId?: string
  readonly mentionable: boolean
}

export interface WorldGuild {
  readonly id: string
  readonly name: string
  readonly roles: WorldRole[]
  readonly memberIds: Set<string>
  /** What members are called in this guild, by their ids. */
  readonly nicks: Map<string, string>
}

export interface WorldChannel {
  readonly id: string
  readonly type: ChannelType
  name: string
  readonly guildId?: string
  readonly parentId?: string
  readonly recipientId?: string
  readonly ownerId?: string
  readonly denied: Set<Denial>
  /** The people who see it, where not everyone of the guild does. */
  visibleTo?: ReadonlySet<string>
  archived: boolean
  locked: boolean
  /** A channel at its limit of active threads. */
  threadsFull: boolean
  readonly createdAt: number
}

export interface WorldAttachment {
  readonly id: string
  readonly filename: string
  readonly description?: string
  readonly contentType: string
  readonly bytes: Uint8Array
}

/** Who is notified by a message, as Discord would do it. */
export interface Pings {
  readonly everyone: boolean
  readonly users: readonly string[]
  readonly roles: readonly string[]
  /** The author of the message that is replied to, where the reply notifies. */
  readonly repliedUser?: string
}

/** One state that people saw a message in. */
export interface Look {
  readonly at: number
  readonly content: string
  readonly embeds: readonly APIEmbed[]
  readonly components: readonly APIMessageTopLevelComponent[]
}

export interface WorldMessage {
  readonly id: string
  readonly channelId: string
  readonly authorId: string
  readonly type: number
  readonly at: number
  content: string
  embeds: readonly APIEmbed[]
  components: readonly APIMessageTopLevelComponent[]
  attachments: readonly WorldAttachment[]
  flags: number
  editedAt?: number
  removedAt?: number
  /** Every state it had, the first included. */
  readonly looks: Look[]
  readonly pings: Pings
  readonly replyTo?: string
  readonly forwardOf?: WorldMessage
  readonly nonce?: string | number
  readonly allowedMentions?: APIAllowedMentions
  /** Only this user sees it. */
  readonly ephemeralFor?: string
  readonly interactionId?: string
  readonly webhookId?: string
  threadId?: string
}

/** A modal as one person has it on screen. */
export interface WorldModal {
  readonly id: string
  readonly title: string
  readonly customId: string
  readonly components: readonly object[]
  readonly userId: string
  readonly channelId: string
  /** The message whose button or select opened it. */
  readonly messageId?: string
  open: boolean
}

type InteractionAnswer =
  | { readonly kind: 'message'; readonly message: WorldMessage; readonly ephemeral: boolean }
  | { readonly kind: 'deferred'; readonly ephemeral: boolean }
  | { readonly kind: 'deferred-update' }
  | { readonly kind: 'update'; readonly message: WorldMessage }
  | { readonly kind: 'modal'; readonly modal: WorldModal }

/** A click, a choice, a sent form or a command, from the person's side. */
export interface WorldInteraction {
  readonly id: string
  readonly token: string
  readonly type: 2 | 3 | 5
  readonly userId: string
  readonly channelId: string
  readonly guildId?: string
  readonly messageId?: string
  readonly commandName?: string
  readonly at: number
  /** The first answer, which is what acknowledges. */
  answer?: InteractionAnswer
  answeredAt?: number
  /** Messages sent later with the interaction's token. */
  readonly followUps: WorldMessage[]
  /** "The application did not respond", as the person reads it. */
  failed: boolean
}

/** Everything that exists on the stand-in Discord, and a bell that rings at each change. */
export class World {
  readonly applicationId: string
  readonly botId: string
  readonly users = new Map<string, WorldUser>()
  readonly guilds = new Map<string, WorldGuild>()
  readonly channels = new Map<string, WorldChannel>()
  readonly messages = new Map<string, WorldMessage>()
  readonly interactions = new Map<string, WorldInteraction>()
  readonly modals: WorldModal[] = []
  readonly typing: { readonly channelId: string; readonly at: number }[] = []
  /** Registered application commands by scope: `global` or a guild's id. */
  readonly commands = new Map<string, readonly Record<string, unknown>[]>()
  readonly snowflake: (at?: number) => string
  readonly now: () => number
  private readonly listeners = new Set<() => void>()

  constructor(now: () => number = Date.now) {
    this.now = now
    this.snowflake = createSnowflakes(now)
    this.botId = this.snowflake()
    // Two ids, as for applications of before 2016, so that taking one for the other shows.
    this.applicationId = this.snowflake()
    this.users.set(this.botId, { id: this.botId, name: 'Hermes', bot: true, takesDms: true })
  }

  /** Calls the listener at each change; returns the way to stop. */
  onChange(listener: () => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  changed(): void {
    for (const listener of [...this.listeners]) listener()
  }

  addUser(name: string, bot = false): WorldUser {
    const user: WorldUser = { id: this.snowflake(), name, bot, takesDms: true }
    this.users.set(user.id, user)
    for (const guild of this.guilds.values()) guild.memberIds.add(user.id)
    return user
  }

  addGuild(name: string): WorldGuild {
    const id = this.snowflake()
    const guild: WorldGuild = {
      id,
      name,
      roles: [
        { id, name: '@everyone', mentionable: false },
        { id: this.snowflake(), name: 'Hermes', botId: this.botId, mentionable: false },
      ],
      memberIds: new Set(this.users.keys()),
      nicks: new Map(),
    }
    this.guilds.set(id, guild)
    return guild
  }

  addChannel(
    fields: Pick<WorldChannel, 'type' | 'name'> &
      Partial<Pick<WorldChannel, 'id' | 'guildId' | 'parentId' | 'recipientId' | 'ownerId'>>,
  ): WorldChannel {
    const channel: WorldChannel = {
      id: this.snowflake(),
      ...fields,
      denied: new Set(),
      archived: false,
      locked: false,
      threadsFull: false,
      createdAt: this.now(),
    }
    this.channels.set(channel.id, channel)
    return channel
  }

  /** The messages of a channel in order, without removed and without ephemeral ones. */
  messagesIn(channelId: string): WorldMessage[] {
    return [...this.messages.values()].filter(
      (message) =>
        message.channelId === channelId && message.removedAt === undefined && !message.ephemeralFor,
    )
  }

  /** Is the bot denied this in the channel, or, for a thread, in its parent? */
  denied(channel: WorldChannel, what: Denial): boolean {
    if (channel.denied.has(what)) return true
    const parent = channel.parentId === undefined ? undefined : this.channels.get(channel.parentId)
    return parent?.denied.has(what) ?? false
  }
}
