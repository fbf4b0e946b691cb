import { ChannelType } from 'discord.js'
import { refusals } from '../api-error.ts'
import { flags } from '../check-message.ts'
import { Form } from '../form.ts'
import {
  activeThreads,
  channelPayload,
  guildChannels,
  guildPayload,
  isThread,
  memberPayload,
  userPayload,
} from '../payloads.ts'
import { type Posts, scope } from '../posts.ts'
import type { Route } from '../rest.ts'
import type { World, WorldChannel, WorldGuild, WorldUser } from '../world.ts'
import { existing, visibleChannel } from './messages.ts'

/** Channels, threads, direct messages, typing, guilds and users. */
export function channelRoutes(posts: Posts, gatewayUrl: () => string, shards: number): Route[] {
  const { world } = posts
  return [
    {
      method: 'GET',
      path: /^\/gateway\/bot$/,
      handle: () => ({
        url: gatewayUrl(),
        shards,
        session_start_limit: {
          total: 1000,
          remaining: 999,
          reset_after: 14_400_000,
          max_concurrency: shards,
        },
      }),
    },
    {
      method: 'GET',
      path: /^\/users\/@me$/,
      handle: () => userPayload(world.users.get(world.botId)!),
    },
    {
      method: 'GET',
      path: /^\/users\/(\d+)$/,
      handle: ({ params }) => {
        const user = world.users.get(params[0]!)
        if (!user) throw refusals.unknownUser()
        return userPayload(user)
      },
    },
    {
      method: 'POST',
      path: /^\/users\/@me\/channels$/,
      handle: ({ json }) => {
        const { recipient_id: recipient } = json as { recipient_id?: string }
        const user = recipient === undefined ? undefined : world.users.get(recipient)
        if (!user) throw refusals.unknownUser()
        if (user.bot) throw refusals.cannotMessageUser()
        return channelPayload(world, directChannel(world, user.id))
      },
    },
    {
      method: 'POST',
      path: /^\/channels\/(\d+)\/typing$/,
      handle: ({ params }) => {
        const channel = visibleChannel(world, params[0]!)
        if (world.denied(channel, isThread(channel) ? 'SendMessagesInThreads' : 'SendMessages')) {
          throw refusals.missingPermissions()
        }
        world.typing.push({ channelId: channel.id, at: world.now() })
        return undefined
      },
    },
    {
      method: 'GET',
      path: /^\/channels\/(\d+)$/,
      handle: ({ params }) => channelPayload(world, visibleChannel(world, params[0]!)),
    },
    {
      method: 'POST',
      path: /^\/channels\/(\d+)\/messages\/(\d+)\/threads$/,
      handle: ({ params, json }) => {
        const channel = visibleChannel(world, params[0]!)
        const message = existing(world, channel, params[1]!)
        const body = json as { name?: string; auto_archive_duration?: number }
        const form = new Form()
        form.text(['name'], body.name, { min: 1, max: 100 })
        if (
          body.auto_archive_duration !== undefined &&
          ![60, 1440, 4320, 10_080].includes(body.auto_archive_duration)
        ) {
          form.add(
            ['auto_archive_duration'],
            'BASE_TYPE_CHOICES',
            'Value must be one of {10080, 4320, 60, 1440}.',
          )
        }
        form.refuse()
        if (channel.type !== ChannelType.GuildText && channel.type !== ChannelType.GuildAnnouncement) {
          throw refusals.wrongChannelType()
        }
        if (world.denied(channel, 'CreatePublicThreads')) throw refusals.missingPermissions()
        if (message.threadId !== undefined) throw refusals.threadExists()
        if (channel.locked) throw refusals.threadLocked()
        if (channel.threadsFull) throw refusals.tooManyThreads()
        const thread = openThread(posts, channel, {
          id: message.id,
          name: body.name!.trim(),
          ownerId: world.botId,
        })
        message.threadId = thread.id
        message.flags |= flags.hasThread
        posts.tell('MESSAGE_UPDATE', message)
        // The system message that shows the starter inside the thread.
        posts.create({
          channelId: thread.id,
          authorId: message.authorId,
          type: 21,
          replyTo: message.id,
          allowed: { parse: [] },
        })
        return channelPayload(world, thread)
      },
    },
    {
      method: 'PATCH',
      path: /^\/channels\/(\d+)$/,
      handle: ({ params, json }) => {
        const channel = visibleChannel(world, params[0]!)
        const body = json as { name?: string; archived?: boolean; locked?: boolean }
        if (!isThread(channel) || channel.ownerId !== world.botId) throw refusals.missingPermissions()
        if (body.name !== undefined) channel.name = body.name
        if (body.archived !== undefined) channel.archived = body.archived
        posts.gateway.dispatch({ t: 'THREAD_UPDATE', d: channelPayload(world, channel), ...scope(channel) })
        return channelPayload(world, channel)
      },
    },
    {
      method: 'PUT',
      path: /^\/channels\/(\d+)\/thread-members\/@me$/,
      handle: ({ params }) => {
        visibleChannel(world, params[0]!)
        return undefined
      },
    },
    {
      method: 'GET',
      path: /^\/users\/@me\/guilds$/,
      handle: () =>
        [...world.guilds.values()].map((guild) => ({ id: guild.id, name: guild.name, owner: false })),
    },
    {
      method: 'GET',
      path: /^\/guilds\/(\d+)$/,
      handle: ({ params }) => guildPayload(world, guildOf(world, params[0]!)),
    },
    {
      method: 'GET',
      path: /^\/guilds\/(\d+)\/members\/search$/,
      handle: ({ params, query }) => {
        const guild = guildOf(world, params[0]!)
        const limit = Number(query.get('limit') ?? 1)
        const form = new Form()
        form.text(['query'], query.get('query') ?? '', { min: 1, max: 100 })
        form.number(['limit'], limit, { min: 1, max: 1000 })
        form.refuse()
        const wanted = query.get('query')!.toLowerCase()
        // By user name and nickname alone, as the documentation says.
        const fits = (user: WorldUser) =>
          [userPayload(user).username, guild.nicks.get(user.id) ?? ''].some((name) =>
            name.toLowerCase().startsWith(wanted),
          )
        return membersOf(world, guild)
          .filter(fits)
          .slice(0, limit)
          .map((user) => memberPayload(world, user, guild))
      },
    },
    {
      method: 'GET',
      path: /^\/guilds\/(\d+)\/members\/(\d+)$/,
      handle: ({ params }) => {
        const guild = guildOf(world, params[0]!)
        const user = membersOf(world, guild).find((one) => one.id === params[1])
        if (!user) throw refusals.unknownMember()
        return memberPayload(world, user, guild)
      },
    },
    {
      method: 'GET',
      path: /^\/guilds\/(\d+)\/channels$/,
      handle: ({ params }) =>
        guildChannels(world, guildOf(world, params[0]!).id).map((channel) => channelPayload(world, channel)),
    },
    {
      method: 'GET',
      path: /^\/guilds\/(\d+)\/threads\/active$/,
      handle: ({ params }) => ({
        threads: activeThreads(world, guildOf(world, params[0]!).id).map((thread) =>
          channelPayload(world, thread),
        ),
        members: [],
      }),
    },
  ]
}

function membersOf(world: World, guild: WorldGuild): WorldUser[] {
  return [...world.users.values()].filter((user) => guild.memberIds.has(user.id))
}

function guildOf(world: World, id: string) {
  const guild = world.guilds.get(id)
  if (!guild) throw refusals.unknownGuild()
  return guild
}

/** The DM channel of the bot with a person, made at the first need. */
export function directChannel(world: World, userId: string): WorldChannel {
  return (
    [...world.channels.values()].find(
      (channel) => channel.type === ChannelType.DM && channel.recipientId === userId,
    ) ?? world.addChannel({ type: ChannelType.DM, name: '', recipientId: userId })
  )
}

/** Makes a thread under a channel and tells of it. */
export function openThread(
  posts: Posts,
  parent: WorldChannel,
  fields: { readonly id?: string; readonly name: string; readonly ownerId: string },
): WorldChannel {
  const thread = posts.world.addChannel({
    type: ChannelType.PublicThread,
    guildId: parent.guildId!,
    parentId: parent.id,
    ...fields,
  })
  posts.tellThread(thread)
  return thread
}
