import { OAuth2Scopes, PermissionFlagsBits } from 'discord.js'

/** What Hermes needs in a guild; nothing of an administrator's. */
const neededPermissions =
  PermissionFlagsBits.ViewChannel |
  PermissionFlagsBits.SendMessages |
  PermissionFlagsBits.SendMessagesInThreads |
  PermissionFlagsBits.CreatePublicThreads |
  PermissionFlagsBits.ReadMessageHistory |
  PermissionFlagsBits.AttachFiles |
  PermissionFlagsBits.EmbedLinks

/** The link that adds the bot to a guild, for somebody who manages it. */
export function inviteLink(applicationId: string): string {
  const link = new URL('https://discord.com/oauth2/authorize')
  link.searchParams.set('client_id', applicationId)
  link.searchParams.set('scope', `${OAuth2Scopes.Bot} ${OAuth2Scopes.ApplicationsCommands}`)
  link.searchParams.set('permissions', neededPermissions.toString())
  return link.href
}
