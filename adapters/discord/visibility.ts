import {
  type APIChannel,
  type APIGuildMember,
  OverwriteType,
  PermissionFlagsBits,
  type REST,
  RESTJSONErrorCodes,
  Routes,
} from 'discord.js'
import { discordCode } from './refusal.ts'

const view = PermissionFlagsBits.ViewChannel

/**
 * May this person see the channel? Where everyone may: yes. Where not: only if the channel lets in them or one of
 * their roles by name. Administrators see all without that; they are refused here, which is the safe side.
 */
export async function maySee(
  rest: REST,
  guild: string,
  channel: APIChannel,
  askerId: string | undefined,
): Promise<boolean> {
  const overwrites = ('permission_overwrites' in channel && channel.permission_overwrites) || []
  const has = (bits: string) => (BigInt(bits) & view) === view
  // The role of everyone has the guild's own id.
  const everyone = overwrites.find(({ id }) => id === guild)
  const closed = everyone !== undefined && has(everyone.deny)
  const others = overwrites.filter(({ id }) => id !== guild)
  if (!closed && !others.some(({ deny }) => has(deny))) return true
  if (askerId === undefined) return false
  const own = others.find(({ id, type }) => type === OverwriteType.Member && id === askerId)
  if (own && has(own.deny)) return false
  if (own && has(own.allow)) return true
  const roles = new Set(await rolesOf(rest, guild, askerId))
  const theirs = others.filter(({ id, type }) => type === OverwriteType.Role && roles.has(id))
  if (theirs.some(({ allow }) => has(allow))) return true
  return !closed && !theirs.some(({ deny }) => has(deny))
}

async function rolesOf(rest: REST, guild: string, userId: string): Promise<readonly string[]> {
  try {
    return ((await rest.get(Routes.guildMember(guild, userId))) as APIGuildMember).roles
  } catch (error) {
    const code = discordCode(error)
    if (code === RESTJSONErrorCodes.UnknownMember || code === RESTJSONErrorCodes.UnknownUser) return []
    throw error
  }
}
