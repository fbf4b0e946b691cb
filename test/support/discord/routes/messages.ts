import { ChannelType } from 'discord.js'
import { refusals } from '../api-error.ts'
import { checkMessage, flags, type MessageBody } from '../check-message.ts'
import { Form } from '../form.ts'
import { isThread } from '../payloads.ts'
import type { Posts } from '../posts.ts'
import type { RestRequest, Route } from '../rest.ts'
import type { World, WorldChannel, WorldMessage } from '../world.ts'

const nonceMemory = 5 * 60_000
const settable = flags.suppressEmbeds | 4096 | flags.layout

/** What the bot can do with messages: write, change, remove, read. */
export function messageRoutes(
  posts: Posts,
  options: { readonly oldEdits: () => { readonly after: number; readonly allowed: number } },
): Route[] {
  const { world } = posts
  const oldEdits = new Map<string, number>()
  return [
    {
      method: 'POST',
      path: /^\/channels\/(\d+)\/messages$/,
      handle: (request) => create(posts, request),
    },
    {
      method: 'PATCH',
      path: /^\/channels\/(\d+)\/messages\/(\d+)$/,
      handle: (request) => {
        const channel = visibleChannel(world, request.params[0]!)
        const message = existing(world, channel, request.params[1]!)
        if (message.authorId !== world.botId) throw refusals.cannotEditOthers()
        if (channel.archived) throw refusals.archivedThread()
        const cap = options.oldEdits()
        if (world.now() - message.at > cap.after) {
          const done = oldEdits.get(message.id) ?? 0
          if (done >= cap.allowed) throw refusals.oldEdits()
          oldEdits.set(message.id, done + 1)
        }
        edit(posts, message, request)
        return posts.payload(message)
      },
    },
    {
      method: 'DELETE',
      path: /^\/channels\/(\d+)\/messages\/(\d+)$/,
      handle: ({ params }) => {
        const channel = visibleChannel(world, params[0]!)
        const message = existing(world, channel, params[1]!)
        if (message.authorId !== world.botId) throw refusals.missingPermissions()
        if (channel.archived) throw refusals.archivedThread()
        posts.remove(message)
        return undefined
      },
    },
    {
      method: 'GET',
      path: /^\/channels\/(\d+)\/messages\/(\d+)$/,
      handle: ({ params }) => {
        const channel = visibleChannel(world, params[0]!)
        if (world.denied(channel, 'ReadMessageHistory')) throw refusals.missingPermissions()
        return posts.payload(existing(world, channel, params[1]!))
      },
    },
    {
      method: 'GET',
      path: /^\/channels\/(\d+)\/messages$/,
      handle: ({ params, query }) => list(posts, visibleChannel(world, params[0]!), query),
    },
  ]
}

/** The channel, where the bot may see it. */
export function visibleChannel(world: World, id: string): WorldChannel {
  const channel = world.channels.get(id)
  if (!channel) throw refusals.unknownChannel()
  if (world.denied(channel, 'ViewChannel')) throw refusals.missingAccess()
  return channel
}

export function existing(world: World, channel: WorldChannel, id: string): WorldMessage {
  const message = world.messages.get(id)
  if (
    !message ||
    message.channelId !== channel.id ||
    message.removedAt !== undefined ||
    message.ephemeralFor
  ) {
    throw refusals.unknownMessage()
  }
  return message
}

function create(posts: Posts, request: RestRequest): object {
  const { world } = posts
  const channel = visibleChannel(world, request.params[0]!)
  const body = (request.json ?? {}) as MessageBody
  if (channel.type === ChannelType.DM) {
    if (!world.users.get(channel.recipientId!)!.takesDms) throw refusals.cannotMessageUser()
  } else if (channel.type === ChannelType.GuildForum) {
    throw refusals.wrongChannelType()
  } else if (world.denied(channel, isThread(channel) ? 'SendMessagesInThreads' : 'SendMessages')) {
    throw refusals.missingPermissions()
  }
  if (request.files.length > 0 && world.denied(channel, 'AttachFiles')) throw refusals.missingPermissions()
  if (isThread(channel) && channel.locked) throw refusals.archivedThread()
  const attachments = posts.store(request.files, body.attachments ?? [])
  const draft = {
    content: body.content ?? '',
    embeds: body.embeds ?? [],
    components: body.components ?? [],
    attachments,
    flags: (body.flags ?? 0) & settable,
  }
  checkMessage(body, draft)
  const replyTo = checkedReference(world, channel, body)
  const repeated = sameNonce(world, channel, body)
  if (repeated) return { ...posts.payload(repeated), nonce: repeated.nonce }
  // A message in an archived thread that is not locked opens the thread again.
  channel.archived = false
  const message = posts.create({
    channelId: channel.id,
    authorId: world.botId,
    ...draft,
    allowed: body.allowed_mentions ?? undefined,
    ...(replyTo === undefined ? {} : { replyTo }),
    ...(body.nonce === undefined ? {} : { nonce: body.nonce }),
  })
  return { ...posts.payload(message), ...(body.nonce === undefined ? {} : { nonce: body.nonce }) }
}

function sameNonce(world: World, channel: WorldChannel, body: MessageBody): WorldMessage | undefined {
  if (!body.enforce_nonce || body.nonce === undefined) return undefined
  const since = world.now() - nonceMemory
  const same = [...world.messages.values()].find(
    (message) =>
      message.authorId === world.botId &&
      message.channelId === channel.id &&
      message.at >= since &&
      message.nonce === body.nonce,
  )
  // The message was made and then removed: it is not made again.
  if (same?.removedAt !== undefined) throw refusals.unknownMessage()
  return same
}

function checkedReference(world: World, channel: WorldChannel, body: MessageBody): string | undefined {
  const id = body.message_reference?.message_id
  if (id === undefined) return undefined
  const message = world.messages.get(id)
  if (message && message.channelId === channel.id && message.removedAt === undefined) return id
  if (body.message_reference?.fail_if_not_exists === false) return undefined
  const form = new Form()
  form.add(['message_reference'], 'MESSAGE_REFERENCE_UNKNOWN_MESSAGE', 'Unknown message')
  form.refuse()
  return undefined
}

/** Carries out a change of a message by the bot, from whichever route. */
export function edit(
  posts: Posts,
  message: WorldMessage,
  request: Pick<RestRequest, 'json' | 'files'>,
): void {
  const body = (request.json ?? {}) as MessageBody
  // The flag for the layout components stays for good.
  const nextFlags =
    body.flags === undefined
      ? message.flags
      : (message.flags & ~settable) | (body.flags & settable) | (message.flags & flags.layout)
  const kept = body.attachments
    ? message.attachments.filter((file) => body.attachments?.some((one) => String(one.id) === file.id))
    : message.attachments
  const attachments = [...kept, ...posts.store(request.files, body.attachments ?? [])]
  const draft = {
    content: body.content === undefined ? message.content : (body.content ?? ''),
    embeds: body.embeds === undefined ? message.embeds : (body.embeds ?? []),
    components: body.components === undefined ? message.components : (body.components ?? []),
    attachments,
    flags: nextFlags,
  } as Parameters<typeof checkMessage>[1]
  checkMessage(body, draft)
  posts.change(message, { ...draft, flags: nextFlags & ~flags.loading }, true)
}

function list(posts: Posts, channel: WorldChannel, query: URLSearchParams): object {
  const { world } = posts
  if (channel.type === ChannelType.GuildForum) throw refusals.wrongChannelType()
  if (world.denied(channel, 'ReadMessageHistory')) return []
  const limit = Number(query.get('limit') ?? 50)
  const form = new Form()
  form.number(['limit'], limit, { min: 1, max: 100 })
  form.refuse()
  const all = world.messagesIn(channel.id).sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1))
  const after = query.get('after')
  const before = query.get('before')
  const page =
    after === null
      ? all.filter((message) => before === null || BigInt(message.id) < BigInt(before)).slice(-limit)
      : all.filter((message) => BigInt(message.id) > BigInt(after)).slice(0, limit)
  // Newest first, whichever way was asked.
  return page.reverse().map((message) => posts.payload(message))
}
