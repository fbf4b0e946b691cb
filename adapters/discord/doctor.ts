import {
  type APIApplication,
  type APIChannel,
  type APIGuildMember,
  type APIUser,
  ApplicationFlags,
  ChannelType,
  DiscordAPIError,
  OverwriteType,
  PermissionFlagsBits,
  REST,
  Routes,
} from 'discord.js'
import { messageOf } from '../../src/base/errors.ts'
import { restOptions } from './rest.ts'

/** What Discord says about the settings. */
export type DiscordFindings =
  | {
      readonly user: string
      readonly applicationId: string
      /** Is "Message Content Intent" switched on? */
      readonly messageContent: boolean
      /** Servers that the bot is in, as Discord counts them. */
      readonly guilds: number
    }
  /** 401 means a wrong token. */
  | { readonly status?: number; readonly reason: string }

/** Asks Discord about the token; changes nothing there and does not connect to the gateway. Never rejects. */
export async function examineDiscord(settings: {
  readonly token: string
  readonly apiUrl?: string
  /** For one request, ms. */
  readonly limitMs: number
}): Promise<DiscordFindings> {
  const rest = new REST({ ...restOptions(settings.apiUrl), timeout: settings.limitMs, retries: 0 })
  rest.setToken(settings.token)
  try {
    const user = (await rest.get(Routes.user())) as APIUser
    const application = (await rest.get(Routes.currentApplication())) as APIApplication
    const flags = application.flags ?? 0
    return {
      user: user.username,
      applicationId: application.id,
      messageContent:
        (flags & (ApplicationFlags.GatewayMessageContent | ApplicationFlags.GatewayMessageContentLimited)) !==
        0,
      guilds: application.approximate_guild_count ?? 0,
    }
  } catch (error) {
    return error instanceof DiscordAPIError
      ? { status: error.status, reason: error.message }
      : { reason: messageOf(error) }
  } finally {
    rest.clearHashSweeper()
    rest.clearHandlerSweeper()
  }
}

/** How a channel that the settings name stands; `lacks` are permissions as Discord's settings call them. */
export type DiscordRoomFinding =
  | 'ready'
  | 'missing'
  | { readonly lacks: readonly string[] }
  | { readonly reason: string }

/** Looks for text channels of a server by name or id, and whether the bot may write there. Never rejects. */
export async function examineDiscordRooms(
  settings: { readonly token: string; readonly apiUrl?: string; readonly limitMs: number },
  guild: string,
  rooms: readonly string[],
): Promise<ReadonlyMap<string, DiscordRoomFinding>> {
  const rest = new REST({ ...restOptions(settings.apiUrl), timeout: settings.limitMs, retries: 0 })
  rest.setToken(settings.token)
  try {
    const channels = (await rest.get(Routes.guildChannels(guild))) as APIChannel[]
    const { id } = (await rest.get(Routes.user())) as APIUser
    const { roles } = (await rest.get(Routes.guildMember(guild, id))) as APIGuildMember
    return new Map(
      rooms.map((room): [string, DiscordRoomFinding] => {
        const wanted = room.replace(/^#/, '').toLowerCase()
        const channel = channels.find(
          (one) =>
            (one.type === ChannelType.GuildText || one.type === ChannelType.GuildAnnouncement) &&
            (one.id === wanted || one.name.toLowerCase() === wanted),
        )
        if (!channel) return [room, 'missing']
        const lacks = needed
          .filter(([, bit]) => isDenied(channel, bit, { guild, id, roles }))
          .map(([name]) => name)
        return [room, lacks.length > 0 ? { lacks } : 'ready']
      }),
    )
  } catch (error) {
    return new Map(rooms.map((room) => [room, { reason: messageOf(error) }]))
  } finally {
    rest.clearHashSweeper()
    rest.clearHandlerSweeper()
  }
}

const needed = [
  ['View Channel', PermissionFlagsBits.ViewChannel],
  ['Send Messages', PermissionFlagsBits.SendMessages],
  ['Send Messages in Threads', PermissionFlagsBits.SendMessagesInThreads],
  ['Create Public Threads', PermissionFlagsBits.CreatePublicThreads],
] as const

/** Does the channel take from the bot what the invite has given it? The more exact overwrite counts. */
function isDenied(
  channel: APIChannel,
  bit: bigint,
  bot: { readonly guild: string; readonly id: string; readonly roles: readonly string[] },
): boolean {
  const overwrites = ('permission_overwrites' in channel && channel.permission_overwrites) || []
  const own = overwrites.filter(({ id, type }) => type === OverwriteType.Member && id === bot.id)
  const ofRoles = overwrites.filter(
    ({ id, type }) => type === OverwriteType.Role && id !== bot.guild && bot.roles.includes(id),
  )
  const everyone = overwrites.filter(({ id }) => id === bot.guild)
  for (const level of [own, ofRoles, everyone]) {
    if (level.some(({ allow }) => (BigInt(allow) & bit) === bit)) return false
    if (level.some(({ deny }) => (BigInt(deny) & bit) === bit)) return true
  }
  return false
}
