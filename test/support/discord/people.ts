import { ChannelType } from 'discord.js'
import type { CommandOption, Hands } from './hands.ts'
import type { NewMessage, Posts } from './posts.ts'
import { directChannel, openThread } from './routes/channels.ts'
import type { World, WorldChannel, WorldInteraction, WorldMessage, WorldModal } from './world.ts'

/** A file that a person sends along. */
interface SentFile {
  readonly name: string
  readonly contentType: string
  readonly content: string | Uint8Array
}

/** How a person sends something. */
interface PostOptions {
  readonly files?: readonly SentFile[]
  /** Does a reply notify the author of the message it answers? */
  readonly ping?: boolean
  /** Said while nobody listens: it is in the history, but no event tells of it. */
  readonly silent?: boolean
  /** Said at an earlier time. */
  readonly at?: number
}

/** A channel by name, by id, or a thread that a call gave. */
export type Place = string | { readonly id: string }

/** Somebody on Discord, seen from their chair: what they can do. */
export class Person {
  readonly id: string
  readonly name: string
  private readonly posts: Posts
  private readonly hands: Hands
  private readonly unfurlAfter: number
  private readonly timers: Set<NodeJS.Timeout>

  constructor(
    user: { readonly id: string; readonly name: string },
    posts: Posts,
    hands: Hands,
    unfurl: { readonly after: number; readonly timers: Set<NodeJS.Timeout> },
  ) {
    this.id = user.id
    this.name = user.name
    this.posts = posts
    this.hands = hands
    this.unfurlAfter = unfurl.after
    this.timers = unfurl.timers
  }

  private get world(): World {
    return this.posts.world
  }

  /** The id of the DM channel with the bot. */
  get dmChannel(): string {
    return directChannel(this.world, this.id).id
  }

  /** Writes to the bot directly. */
  dm(text: string, options: PostOptions = {}): WorldMessage {
    return this.write(this.dmChannel, text, options)
  }

  /** Writes in a channel, thread or forum post. */
  post(place: Place, text: string, options: PostOptions = {}): WorldMessage {
    return this.write(placeId(this.world, place), text, options)
  }

  /** Writes with the bot's name in front. */
  mention(place: Place, text: string, options: PostOptions = {}): WorldMessage {
    return this.post(place, `<@${this.world.botId}> ${text}`, options)
  }

  /** Writes with the bot's own role in front, which the client offers beside the name. */
  mentionRole(place: Place, text: string, options: PostOptions = {}): WorldMessage {
    const channel = this.world.channels.get(placeId(this.world, place))!
    const role = this.world.guilds.get(channel.guildId!)!.roles.find((one) => one.botId === this.world.botId)!
    return this.post(place, `<@&${role.id}> ${text}`, options)
  }

  /** Replies to a message; without `ping` its author is not notified. */
  reply(message: WorldMessage, text: string, options: PostOptions = {}): WorldMessage {
    return this.write(message.channelId, text, options, {
      replyTo: message.id,
      allowed: { parse: ['users', 'roles', 'everyone'] as never, replied_user: options.ping ?? true },
    })
  }

  /** Forwards a message: the new one is empty and carries a snapshot. */
  forward(message: WorldMessage, place: Place): WorldMessage {
    return this.posts.create({
      channelId: placeId(this.world, place),
      authorId: this.id,
      forwardOf: message,
      flags: 1 << 14,
    })
  }

  edit(message: WorldMessage, text: string): void {
    if (message.authorId !== this.id) throw new Error('People change their own messages only.')
    this.posts.change(message, { content: text }, true)
  }

  remove(message: WorldMessage): void {
    this.posts.remove(message)
  }

  /** A notice of the platform in this person's name, for example "pinned a message" (type 6). */
  system(place: Place, type: number): WorldMessage {
    return this.posts.create({ channelId: placeId(this.world, place), authorId: this.id, type })
  }

  /** Opens a thread of one's own under a channel. */
  thread(place: Place, name: string): WorldChannel {
    return openThread(this.posts, this.world.channels.get(placeId(this.world, place))!, {
      name,
      ownerId: this.id,
    })
  }

  /** Writes a post in a forum: a thread whose first message has the thread's own id. */
  forumPost(place: Place, title: string, text: string): { thread: WorldChannel; message: WorldMessage } {
    const forum = this.world.channels.get(placeId(this.world, place))!
    if (forum.type !== ChannelType.GuildForum) throw new Error(`${forum.name} is no forum.`)
    const id = this.world.snowflake()
    const thread = openThread(this.posts, forum, { id, name: title, ownerId: this.id })
    return { thread, message: this.write(id, text, {}, { id }) }
  }

  /** Presses a button by its label. */
  click(message: WorldMessage, label: string): WorldInteraction {
    return this.hands.click(this.id, message, label)
  }

  /** Chooses from a select by the labels of options. */
  select(message: WorldMessage, labels: string | readonly string[]): WorldInteraction {
    return this.hands.select(this.id, message, typeof labels === 'string' ? [labels] : labels)
  }

  /** Fills in an open modal by label, leaving the rest as it is, and sends it. */
  submit(modal: WorldModal, values: Readonly<Record<string, string>>): WorldInteraction {
    return this.hands.submit(this.id, modal, values)
  }

  /** Runs a slash command, for example `command('general', 'hermes memory', { text: 'search' })`. */
  command(
    place: Place,
    path: string,
    options: Readonly<Record<string, CommandOption>> = {},
  ): WorldInteraction {
    return this.hands.command(this.id, placeId(this.world, place), path, options)
  }

  private write(
    channelId: string,
    text: string,
    options: PostOptions,
    more: Partial<NewMessage> = {},
  ): WorldMessage {
    const message = this.posts.create({
      channelId,
      authorId: this.id,
      content: text,
      attachments: (options.files ?? []).map((file) => ({
        id: this.world.snowflake(),
        filename: file.name,
        contentType: file.contentType,
        bytes: typeof file.content === 'string' ? new TextEncoder().encode(file.content) : file.content,
      })),
      ...(options.at === undefined ? {} : { at: options.at }),
      ...(options.silent === undefined ? {} : { silent: options.silent }),
      ...more,
    })
    const link = /https?:\/\/\S+/.exec(text)?.[0]
    if (link !== undefined) this.unfurl(message, link)
    return message
  }

  /** Discord unfolds a link a moment later: an update without a new edit stamp. */
  private unfurl(message: WorldMessage, url: string): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer)
      if (message.removedAt !== undefined) return
      this.posts.change(message, { embeds: [{ type: 'link' as never, url, title: 'A page' }] }, false)
    }, this.unfurlAfter)
    this.timers.add(timer)
  }
}

/** The id of a channel given by name, id or itself. */
export function placeId(world: World, place: Place): string {
  if (typeof place !== 'string') return place.id
  if (world.channels.has(place)) return place
  const named = [...world.channels.values()].find((channel) => channel.name === place)
  if (!named) throw new Error(`There is no channel ${place}.`)
  return named.id
}
