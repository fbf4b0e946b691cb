import { inviteLink } from '../../adapters/discord/invite.ts'
import { buildManifest } from '../../adapters/slack/manifest.ts'
import type { Settings } from '../config/environment.ts'

/** Prints the manifest of a Slack app, to paste at api.slack.com/apps. `http <address>` for signed HTTP. */
export async function slackManifest(input: { readonly rest: readonly string[] }): Promise<number> {
  const [mode, address] = input.rest
  if (mode === 'http' && !address) {
    console.error('Name the public address: npm run slack:manifest -- http https://hermes.example.com')
    return 1
  }
  console.log(
    JSON.stringify(
      buildManifest(mode === 'http' && address ? { mode: 'http', url: address } : { mode: 'socket' }),
      null,
      2,
    ),
  )
  return 0
}

/** Prints the link that invites the bot to a Discord server. */
export async function discordInvite(input: { readonly settings: Settings }): Promise<number> {
  const { discord } = input.settings
  if (discord.state !== 'on' || !discord.applicationId) {
    console.error('Set DISCORD_TOKEN (and DISCORD_APPLICATION_ID) first; the link names the application.')
    return 1
  }
  console.log(inviteLink(discord.applicationId))
  return 0
}
