import {
  type APIChannel,
  type APIMessage,
  type APIUser,
  ChannelType,
  MessageType,
  makeURLSearchParams,
  type REST,
  RESTJSONErrorCodes,
  Routes,
  SnowflakeUtil,
} from 'discord.js'
import type { Clock } from '../../src/base/clock.ts'
import type { ThreadRef } from '../../src/channel/events.ts'
import type { OwnMessage, PastMessage, Speaker } from '../../src/channel/port.ts'
import { drawCard } from './components.ts'
import { createMembers } from './members.ts'
import { cardBody, change, send } from './messages.ts'
import { directWorkspace, type Places } from './places.ts'
import { plainText, readText } from './reading.ts'
import { channelError, discordCode } from './refusal.ts'
import { createSurface } from './surface.ts'
import type { Typing } from './typing.ts'
import { maySee } from './visibility.ts'

/** Clocks differ: own messages are looked for from a little before. */
const skew = 2_000
const pageSize = 100
const mostPages = 10
/** Replies to replies that are followed back. */
const mostReplies = 10

/** The way out to Discord, by its HTTP interface alone. */
export function createSpeaker(parts: {
  readonly rest: REST
  readonly places: Places
  readonly typing: Typing
  readonly clock: Clock
}): Speaker {
  const { rest, places, typing } = parts
  const members = createMembers(rest, parts.clock)
  let own: Promise<string> | undefined

  /** The bot's own user id, asked once. */
  const ownId = async (): Promise<string> => {
    own ??= (rest.get(Routes.user()) as Promise<APIUser>).then((user) => user.id)
    return await own.catch((error: unknown) => {
      own = undefined
      throw channelError('its own name', error)
    })
  }

  const page: ReadPage = async (channelId, query, signal) =>
    (await rest.get(Routes.channelMessages(channelId), {
      query: makeURLSearchParams({ limit: pageSize, ...query }),
      ...(signal ? { signal } : {}),
    })) as APIMessage[]

  /** What was said after an id, oldest first. */
  const readOn = async (channelId: string, after: string): Promise<APIMessage[]> => {
    const found: APIMessage[] = []
    for (let pages = 0; pages < mostPages; pages += 1) {
      const messages = await page(channelId, { after: found.at(-1)?.id ?? after })
      found.push(...messages.toReversed())
      if (messages.length < pageSize) break
    }
    return found
  }

  return {
    async showActivity({ thread }, line) {
      if (line === null) typing.stop(thread)
      else await typing.start(thread)
    },

    surface: (target) => createSurface(parts, target),

    async postCard({ thread }, card, nonce) {
      const { body, files } = cardBody(drawCard(card))
      return await places.act(thread, 'a card', (spot) => send(rest, spot, { body, nonce, files }))
    },

    async updateCard({ thread }, messageId, card) {
      const { body, files } = cardBody(drawCard(card))
      await places.act(thread, 'the change of a card', (spot) =>
        change(rest, spot.channelId, messageId, { body, files }),
      )
    },

    async ownMessages(thread, since) {
      const id = await ownId()
      const own = (message: APIMessage) => message.author.id === id && isSaid(message)
      const after = SnowflakeUtil.generate({ timestamp: since.getTime() - skew }).toString()
      try {
        return (await readOn(thread.thread, after)).filter(own).map(asOwn)
      } catch (error) {
        if (discordCode(error) !== RESTJSONErrorCodes.UnknownChannel)
          throw channelError('what was said', error)
      }
      // No thread was opened: an answer can only stand in the channel, as a reply to the message itself.
      try {
        const messages = await readOn(thread.room, after)
        return messages
          .filter((message) => own(message) && message.message_reference?.message_id === thread.thread)
          .map(asOwn)
      } catch (error) {
        throw channelError('what was said', error)
      }
    },

    async history(thread, limit, more = {}) {
      const { repliesTo, signal } = more
      const id = await ownId()
      const answered = repliesTo === undefined ? [] : await repliedTo(rest, thread.room, repliesTo, signal)
      const messages = [...answered, ...(await readBack(rest, thread, limit, page, signal))]
      return messages.slice(-limit).map((message) => pastOf(message, id))
    },

    findPeople: (workspace, name, askerId) => members.find(workspace, name, askerId),

    async directThread(_workspace, userId) {
      try {
        const channel = (await rest.post(Routes.userChannels(), {
          body: { recipient_id: userId },
        })) as APIChannel
        return { channel: 'discord', workspace: directWorkspace, room: channel.id, thread: channel.id }
      } catch (error) {
        throw channelError('a direct message', error)
      }
    },

    async findRoom(workspace, name, askerId) {
      if (workspace === directWorkspace) return undefined
      const wanted = name
        .replace(/^<#(\d+)>$/, '$1')
        .replace(/^#/, '')
        .toLowerCase()
      try {
        const channels = (await rest.get(Routes.guildChannels(workspace))) as APIChannel[]
        const found = channels.find(
          (channel) =>
            (channel.type === ChannelType.GuildText || channel.type === ChannelType.GuildAnnouncement) &&
            (channel.id === wanted || channel.name.toLowerCase() === wanted),
        )
        if (!found || !(await maySee(rest, workspace, found, askerId))) return undefined
        return { channel: 'discord', workspace, room: found.id, thread: found.id }
      } catch (error) {
        throw channelError('the list of channels', error)
      }
    },
  }
}

type ReadPage = (
  channelId: string,
  query: Record<string, string | number>,
  signal?: AbortSignal,
) => Promise<APIMessage[]>

function pastOf(message: APIMessage, ownId: string): PastMessage {
  const own = message.author.id === ownId
  const names = new Map(message.mentions.map((user) => [user.id, user.global_name ?? user.username]))
  return {
    id: message.id,
    author: message.author.global_name ?? message.author.username,
    text: readText(plainText(message), {
      botId: ownId,
      nameOfUser: (id) => names.get(id),
      nameOfRole: () => undefined,
      nameOfChannel: () => undefined,
    }),
    at: new Date(message.timestamp),
    own,
    bot: !own && (message.author.bot === true || message.webhook_id !== undefined),
  }
}

/** The post that was replied to, and those that it replies to itself, oldest first. What is gone ends the chain. */
async function repliedTo(
  rest: REST,
  room: string,
  postId: string,
  signal: AbortSignal | undefined,
): Promise<APIMessage[]> {
  const chain: APIMessage[] = []
  let wanted: string | undefined = postId
  while (wanted !== undefined && chain.length < mostReplies) {
    try {
      const message = (await rest.get(Routes.channelMessage(room, wanted), {
        ...(signal ? { signal } : {}),
      })) as APIMessage
      if (isSaid(message) && plainText(message) !== '') chain.unshift(message)
      const reference: APIMessage['message_reference'] = message.message_reference
      wanted = reference?.channel_id === room ? reference.message_id : undefined
    } catch (error) {
      if (discordCode(error) === RESTJSONErrorCodes.UnknownMessage) break
      throw channelError('what was replied to', error)
    }
  }
  return chain
}

function asOwn(message: APIMessage): OwnMessage {
  return { messageId: message.id, at: new Date(message.timestamp) }
}

/** Was it said, by a person or by us, and not made by the platform or shown to one person alone? */
function isSaid(message: APIMessage): boolean {
  return (
    (message.type === MessageType.Default || message.type === MessageType.Reply) &&
    message.interaction_metadata === undefined
  )
}

/** The last messages of a thread, oldest first, with the message that the thread hangs on. */
async function readBack(
  rest: REST,
  thread: ThreadRef,
  limit: number,
  page: ReadPage,
  signal: AbortSignal | undefined,
): Promise<APIMessage[]> {
  const messages: APIMessage[] = []
  try {
    while (messages.length < limit) {
      const before = messages.at(-1)?.id
      const query = {
        limit: Math.min(pageSize, limit - messages.length),
        ...(before === undefined ? {} : { before }),
      }
      const more = await page(thread.thread, query, signal)
      messages.push(...more)
      if (more.length < pageSize) break
    }
  } catch (error) {
    if (discordCode(error) !== RESTJSONErrorCodes.UnknownChannel) throw channelError('what was said', error)
    // Not opened yet: all there is is the message that asks for it.
    const starter = await rest
      .get(Routes.channelMessage(thread.room, thread.thread))
      .catch((problem: unknown) => {
        throw channelError('what was said', problem)
      })
    return [starter as APIMessage]
  }
  return messages
    .toReversed()
    .map((message) =>
      message.type === MessageType.ThreadStarterMessage ? (message.referenced_message ?? message) : message,
    )
    .filter((message) => isSaid(message) && plainText(message) !== '')
}
