import {
  type APIChannel,
  type APIGuildMember,
  type APIRole,
  type APIUser,
  ChannelType,
  type GatewayGuildCreateDispatchData,
  OverwriteType,
  PermissionFlagsBits,
} from 'discord.js'
import type { Denial, World, WorldChannel, WorldGuild, WorldUser } from './world.ts'

/** No flags set; typed as a number, since the flag types have no name for zero. */
const none: number = 0

const joinedAt = '2026-01-05T09:00:00.000000+00:00'

/** What the bot's role allows where nothing denies it: the permissions that an invite link asks for. */
export const botPermissions =
  PermissionFlagsBits.ViewChannel |
  PermissionFlagsBits.SendMessages |
  PermissionFlagsBits.SendMessagesInThreads |
  PermissionFlagsBits.CreatePublicThreads |
  PermissionFlagsBits.ReadMessageHistory |
  PermissionFlagsBits.AttachFiles |
  PermissionFlagsBits.EmbedLinks

export function isThread(channel: { readonly type: ChannelType }): boolean {
  return (
    channel.type === ChannelType.PublicThread ||
    channel.type === ChannelType.PrivateThread ||
    channel.type === ChannelType.AnnouncementThread
  )
}

export function userPayload(user: WorldUser): APIUser {
  return {
    id: user.id,
    username: user.name.toLowerCase().replaceAll(/[^a-z0-9_.]/g, '_'),
    discriminator: user.bot ? '0001' : '0',
    global_name: user.bot ? null : user.name,
    avatar: null,
    ...(user.bot ? { bot: true } : {}),
    public_flags: none,
  }
}

/** A member as it comes inside message events: without the user. */
export function partialMember(
  world: World,
  user: WorldUser,
  guild: WorldGuild,
): Omit<APIGuildMember, 'user'> {
  const own = user.id === world.botId
  return {
    roles: own ? guild.roles.filter((role) => role.botId === world.botId).map((role) => role.id) : [],
    joined_at: joinedAt,
    deaf: false,
    mute: false,
    flags: none,
    nick: guild.nicks.get(user.id) ?? null,
    avatar: null,
    banner: null,
    pending: false,
    premium_since: null,
    communication_disabled_until: null,
  }
}

export function memberPayload(world: World, user: WorldUser, guild: WorldGuild): APIGuildMember {
  return { ...partialMember(world, user, guild), user: userPayload(user) }
}

function rolePayload(guild: WorldGuild, index: number): APIRole {
  const role = guild.roles[index]!
  return {
    id: role.id,
    name: role.name,
    color: 0,
    colors: { primary_color: 0, secondary_color: null, tertiary_color: null },
    hoist: false,
    position: index,
    permissions: (role.botId ? botPermissions : PermissionFlagsBits.ViewChannel).toString(),
    managed: role.botId !== undefined,
    mentionable: role.mentionable,
    flags: none,
    ...(role.botId ? { tags: { bot_id: role.botId } } : {}),
  }
}

const denialBits: Readonly<Record<Denial, bigint>> = {
  ViewChannel: PermissionFlagsBits.ViewChannel,
  SendMessages: PermissionFlagsBits.SendMessages,
  SendMessagesInThreads: PermissionFlagsBits.SendMessagesInThreads,
  CreatePublicThreads: PermissionFlagsBits.CreatePublicThreads,
  ReadMessageHistory: PermissionFlagsBits.ReadMessageHistory,
  AttachFiles: PermissionFlagsBits.AttachFiles,
  ManageMessages: PermissionFlagsBits.ManageMessages,
}

function lastMessageId(world: World, channelId: string): string | null {
  return world.messagesIn(channelId).at(-1)?.id ?? null
}

export function channelPayload(world: World, channel: WorldChannel): APIChannel {
  if (channel.type === ChannelType.DM) {
    const recipient = world.users.get(channel.recipientId!)!
    return {
      id: channel.id,
      type: ChannelType.DM,
      name: null,
      last_message_id: lastMessageId(world, channel.id),
      flags: none,
      recipients: [userPayload(recipient)],
    }
  }
  if (isThread(channel)) {
    const count = world.messagesIn(channel.id).length
    return {
      id: channel.id,
      type: ChannelType.PublicThread,
      guild_id: channel.guildId!,
      parent_id: channel.parentId!,
      owner_id: channel.ownerId!,
      name: channel.name,
      last_message_id: lastMessageId(world, channel.id),
      rate_limit_per_user: 0,
      message_count: count,
      member_count: 2,
      total_message_sent: count,
      flags: none,
      thread_metadata: {
        archived: channel.archived,
        archive_timestamp: new Date(channel.createdAt).toISOString(),
        auto_archive_duration: 1440,
        locked: channel.locked,
        create_timestamp: new Date(channel.createdAt).toISOString(),
      },
    }
  }
  const guild = world.guilds.get(channel.guildId!)!
  const deny = [...channel.denied].reduce((bits, denial) => bits | denialBits[denial], 0n)
  const shared = {
    id: channel.id,
    guild_id: guild.id,
    name: channel.name,
    position: 0,
    nsfw: false,
    parent_id: null,
    topic: null,
    last_message_id: lastMessageId(world, channel.id),
    rate_limit_per_user: 0,
    flags: none,
    permission_overwrites: [
      ...(deny === 0n
        ? []
        : [
            {
              id: guild.roles.find((role) => role.botId === world.botId)!.id,
              type: OverwriteType.Role,
              allow: '0',
              deny: deny.toString(),
            },
          ]),
      ...(channel.visibleTo
        ? [
            // The role of everyone has the guild's own id.
            {
              id: guild.id,
              type: OverwriteType.Role,
              allow: '0',
              deny: PermissionFlagsBits.ViewChannel.toString(),
            },
            ...[world.botId, ...channel.visibleTo].map((id) => ({
              id,
              type: OverwriteType.Member,
              allow: PermissionFlagsBits.ViewChannel.toString(),
              deny: '0',
            })),
          ]
        : []),
    ],
  }
  if (channel.type === ChannelType.GuildForum) {
    return {
      ...shared,
      type: ChannelType.GuildForum,
      available_tags: [],
      default_reaction_emoji: null,
      default_sort_order: null,
      default_forum_layout: 0,
    }
  }
  return { ...shared, type: ChannelType.GuildText }
}

/** The channels of a guild that are no threads. */
export function guildChannels(world: World, guildId: string): WorldChannel[] {
  return [...world.channels.values()].filter((channel) => channel.guildId === guildId && !isThread(channel))
}

/** The active threads of a guild that the bot can see. */
export function activeThreads(world: World, guildId: string): WorldChannel[] {
  return [...world.channels.values()].filter(
    (channel) =>
      channel.guildId === guildId &&
      isThread(channel) &&
      !channel.archived &&
      !world.denied(channel, 'ViewChannel'),
  )
}

/** The fields of a guild, also what `GET /guilds/{id}` needs. */
export function guildPayload(world: World, guild: WorldGuild) {
  return {
    id: guild.id,
    name: guild.name,
    icon: null,
    splash: null,
    discovery_splash: null,
    owner_id: [...guild.memberIds][0] ?? world.botId,
    region: 'deprecated',
    afk_channel_id: null,
    afk_timeout: 300,
    verification_level: 0,
    default_message_notifications: 1,
    explicit_content_filter: 0,
    roles: guild.roles.map((_, index) => rolePayload(guild, index)),
    emojis: [],
    features: [],
    mfa_level: 0,
    application_id: null,
    system_channel_id: null,
    system_channel_flags: 0,
    rules_channel_id: null,
    vanity_url_code: null,
    description: null,
    banner: null,
    premium_tier: 0,
    preferred_locale: 'en-US',
    public_updates_channel_id: null,
    nsfw_level: 0,
    premium_progress_bar_enabled: false,
    safety_alerts_channel_id: null,
    hub_type: null,
    incidents_data: null,
    stickers: [],
  } as const
}

export function guildCreatePayload(world: World, guild: WorldGuild): GatewayGuildCreateDispatchData {
  return {
    ...(guildPayload(world, guild) as unknown as GatewayGuildCreateDispatchData),
    joined_at: joinedAt,
    large: false,
    unavailable: false,
    member_count: guild.memberIds.size,
    voice_states: [],
    members: [memberPayload(world, world.users.get(world.botId)!, guild)],
    channels: guildChannels(world, guild.id).map(
      (channel) => channelPayload(world, channel) as GatewayGuildCreateDispatchData['channels'][number],
    ),
    threads: activeThreads(world, guild.id).map(
      (thread) => channelPayload(world, thread) as GatewayGuildCreateDispatchData['threads'][number],
    ),
    presences: [],
    stage_instances: [],
    guild_scheduled_events: [],
    soundboard_sounds: [],
  }
}
