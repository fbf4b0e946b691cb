import { type Channel, ChannelType, type Message, MessageType, type PartialMessage } from 'discord.js'
import {
  type Author,
  type EditEvent,
  editKey,
  type MessageEvent,
  postKey,
  type RemovalEvent,
  removalKey,
  type ThreadKind,
  type ThreadRef,
} from '../../src/channel/events.ts'
import { type AnnouncedFile, readAttachments } from './attachments.ts'
import { directWorkspace } from './places.ts'
import { namesBot, type ReadingContext, readText } from './reading.ts'

/** The place of a channel's message, and what kind of place it is. */
export interface MessagePlace {
  readonly thread: ThreadRef
  readonly threadKind: ThreadKind
  /** A guild channel's top level, where only what is addressed to Hermes begins anything. */
  readonly topLevel: boolean
}

/** What is needed of a channel to know where one is. */
interface ChannelFacts {
  readonly id: string
  readonly guildId: string | null
  readonly isThread: boolean
  readonly parentId: string | null
}

/** The thread that a message in a channel belongs to: a mention in a channel is the root of its own. */
export function placeOf(channel: ChannelFacts, rootId: string): MessagePlace {
  if (channel.guildId === null) {
    const thread = {
      channel: 'discord',
      workspace: directWorkspace,
      room: channel.id,
      thread: channel.id,
    } as const
    return { thread, threadKind: 'direct', topLevel: false }
  }
  const inGuild = { channel: 'discord', workspace: channel.guildId } as const
  if (channel.isThread) {
    const thread = { ...inGuild, room: channel.parentId ?? channel.id, thread: channel.id }
    return { thread, threadKind: 'shared', topLevel: false }
  }
  return { thread: { ...inGuild, room: channel.id, thread: rootId }, threadKind: 'shared', topLevel: true }
}

/** What a cached channel of discord.js tells of a place; a thread seen for the first time is asked for. */
async function factsOf(channel: Channel): Promise<ChannelFacts> {
  if (!channel.isThread()) {
    return {
      id: channel.id,
      guildId: 'guildId' in channel ? channel.guildId : null,
      isThread: false,
      parentId: null,
    }
  }
  const parentId = channel.parentId ?? (await channel.fetch().catch(() => channel)).parentId
  return { id: channel.id, guildId: channel.guildId, isThread: true, parentId }
}

/** Is it something that a person said: no bot, no webhook, no notice of the platform? */
function isFromPerson(message: Message): boolean {
  return (
    !message.author.bot &&
    message.webhookId === null &&
    (message.type === MessageType.Default || message.type === MessageType.Reply)
  )
}

function contextOf(message: Message): ReadingContext {
  const { client, guild } = message
  const botRoleId = guild?.roles.botRoleFor(client.user)?.id
  return {
    botId: client.user.id,
    ...(botRoleId === undefined ? {} : { botRoleId }),
    nameOfUser: (id) =>
      message.mentions.members?.get(id)?.displayName ?? message.mentions.users.get(id)?.displayName,
    nameOfRole: (id) => guild?.roles.cache.get(id)?.name,
    nameOfChannel: (id) => {
      const channel = client.channels.cache.get(id)
      return channel && 'name' in channel ? (channel.name ?? undefined) : undefined
    },
  }
}

function authorOf(message: Message): Author {
  return {
    userId: message.author.id,
    name: message.member?.displayName ?? message.author.displayName,
  }
}

/** The words of a message; of a forwarded one those of the original, as a quote. */
function wordsOf(message: Message, context: ReadingContext): string {
  const own = readText(message.content, context)
  const forwarded = [...message.messageSnapshots.values()]
    .map((snapshot) => readText(snapshot.content ?? '', context))
    .filter((text) => text !== '')
    .map((text) => text.replaceAll(/^/gm, '> '))
  const stickers = message.stickers.map((sticker) => `[sticker: ${sticker.name}]`)
  const poll = message.poll?.question.text ? [`[poll: ${message.poll.question.text}]`] : []
  return [own, ...forwarded, ...stickers, ...poll].filter((text) => text !== '').join('\n\n')
}

function filesOf(message: Message): AnnouncedFile[] {
  const files = [
    ...message.attachments.values(),
    ...[...message.messageSnapshots.values()].flatMap((snapshot) => [...snapshot.attachments.values()]),
  ]
  return files.map(({ name, contentType, size, url }) => ({ name, contentType, size, url }))
}

/** What a message says now. Read before anything is waited for: discord.js changes messages in their place. */
interface Said {
  readonly text: string
  readonly files: readonly AnnouncedFile[]
  readonly author: Author
  readonly addressed: boolean
}

function readMessage(message: Message): Said {
  const context = contextOf(message)
  return {
    text: wordsOf(message, context),
    files: filesOf(message),
    author: authorOf(message),
    // In a guild the text itself has to name the bot: a reply notifies it too, and so does @everyone.
    addressed: message.guildId === null || namesBot(message.content, context),
  }
}

/** A new message, or nothing where it is not for Hermes to read. */
export async function messageEvent(message: Message): Promise<MessageEvent | undefined> {
  if (!isFromPerson(message)) return undefined
  const { text, files, author, addressed } = readMessage(message)
  const place = placeOf(await factsOf(message.channel), message.id)
  if (place.topLevel && !addressed) return undefined
  if (text === '' && files.length === 0 && !addressed) return undefined
  return {
    kind: 'message',
    dedupeKey: postKey(place.thread, message.id),
    thread: place.thread,
    threadKind: place.threadKind,
    author,
    at: message.createdAt,
    postId: message.id,
    text,
    attachments: await readAttachments(files),
    addressed,
    ...(place.topLevel ? repliesTo(message) : {}),
  }
}

/** The post of the same channel that a reply answers. */
function repliesTo({ type, reference, channelId }: Message): { readonly repliesTo?: string } {
  const isReply = type === MessageType.Reply && reference?.channelId === channelId
  return isReply && reference.messageId !== undefined ? { repliesTo: reference.messageId } : {}
}

/**
 * A changed message. Unfolding a link and opening a thread are updates too; only a person's change has an edit
 * stamp that was not there before.
 */
export async function editEvent(
  before: Message | PartialMessage | undefined,
  message: Message,
): Promise<EditEvent | undefined> {
  const stamp = message.editedTimestamp
  if (stamp === null || !isFromPerson(message)) return undefined
  const known = before && !before.partial ? before : undefined
  if (known && known.content === message.content && sameFiles(known, message)) return undefined
  const { text, files, author, addressed } = readMessage(message)
  const concerned =
    addressed || message.hasThread || (known !== undefined && namesBot(known.content, contextOf(message)))
  const place = placeOf(await factsOf(message.channel), message.id)
  if (place.topLevel && !concerned) return undefined
  return {
    kind: 'edit',
    dedupeKey: editKey(place.thread, message.id, String(stamp)),
    thread: place.thread,
    threadKind: place.threadKind,
    author,
    at: new Date(stamp),
    postId: message.id,
    text,
    attachments: await readAttachments(files),
    addressed,
  }
}

function sameFiles(before: Message, after: Message): boolean {
  return [...before.attachments.keys()].join() === [...after.attachments.keys()].join()
}

/** A message that is gone, with what is remembered of it. */
export interface Removed {
  readonly id: string
  readonly channel: Channel
  readonly message?: Message
}

/**
 * A removed message. Discord tells neither who removed it nor who wrote it: the writer is remembered, or is the
 * other side of a direct message. Without either there is nobody whose message could be taken back.
 */
export async function removalEvent(removed: Removed, at: Date): Promise<RemovalEvent | undefined> {
  const { message, channel } = removed
  if (message && !isFromPerson(message)) return undefined
  const author = message ? authorOf(message) : otherSide(channel)
  if (!author) return undefined
  const { thread, threadKind } = placeOf(await factsOf(channel), removed.id)
  return {
    kind: 'removal',
    dedupeKey: removalKey(thread, removed.id),
    thread,
    threadKind,
    author,
    at,
    postId: removed.id,
  }
}

function otherSide(channel: Channel): Author | undefined {
  if (channel.type !== ChannelType.DM) return undefined
  return { userId: channel.recipientId, name: channel.recipient?.displayName ?? channel.recipientId }
}
