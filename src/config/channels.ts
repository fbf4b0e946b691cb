import type { Variables } from './variables.ts'

/** How Slack is reached; `half` means that a token's other half is missing, so that the channel is off. */
export type SlackSettings =
  | { readonly state: 'off' }
  | { readonly state: 'half'; readonly missing: readonly string[]; readonly sentence: string }
  | {
      readonly state: 'socket'
      readonly botToken: string
      readonly appToken: string
      readonly apiUrl?: string
      readonly oauth?: SlackOAuth
    }
  | {
      readonly state: 'http'
      readonly botToken: string
      readonly signingSecret: string
      readonly apiUrl?: string
      readonly oauth?: SlackOAuth
    }

/** What installing into further workspaces needs. */
export interface SlackOAuth {
  readonly clientId: string
  readonly clientSecret: string
}

/** How Discord is reached. */
export type DiscordSettings =
  | { readonly state: 'off' }
  | { readonly state: 'half'; readonly missing: readonly string[]; readonly sentence: string }
  | {
      readonly state: 'on'
      readonly token: string
      /** Absent only where the token does not tell it; the gateway does once connected. */
      readonly applicationId?: string
      readonly apiUrl?: string
    }

/** Slack's part of the variables. Where both ways are possible it is Socket Mode. */
export function slackSettings(given: Variables): SlackSettings {
  const { SLACK_BOT_TOKEN: botToken, SLACK_APP_TOKEN: appToken, SLACK_SIGNING_SECRET: secret } = given
  const { SLACK_CLIENT_ID: clientId, SLACK_CLIENT_SECRET: clientSecret } = given
  if (!botToken && !appToken && !secret && !clientId && !clientSecret) return { state: 'off' }
  if (!botToken) return half('Slack', ['SLACK_BOT_TOKEN'])
  if (!appToken && !secret)
    return half(
      'Slack',
      ['SLACK_APP_TOKEN', 'SLACK_SIGNING_SECRET'],
      'SLACK_APP_TOKEN (Socket Mode) or SLACK_SIGNING_SECRET (HTTP)',
    )
  if (clientId && !clientSecret) return half('Slack', ['SLACK_CLIENT_SECRET'])
  if (clientSecret && !clientId) return half('Slack', ['SLACK_CLIENT_ID'])
  const rest = {
    botToken,
    apiUrl: given.SLACK_API_URL,
    oauth: clientId && clientSecret ? { clientId, clientSecret } : undefined,
  }
  if (appToken) return { state: 'socket', appToken, ...rest }
  return { state: 'http', signingSecret: secret!, ...rest }
}

/** Discord's part of the variables. */
export function discordSettings(given: Variables): DiscordSettings {
  const token = given.DISCORD_TOKEN
  if (!token) return given.DISCORD_APPLICATION_ID ? half('Discord', ['DISCORD_TOKEN']) : { state: 'off' }
  return {
    state: 'on',
    token,
    applicationId: given.DISCORD_APPLICATION_ID ?? applicationIdOf(token),
    apiUrl: given.DISCORD_API_URL,
  }
}

// A bot token's first part is the Base64 of its user's id, which is the application's id for apps made
// since 2016.
function applicationIdOf(token: string): string | undefined {
  const id = Buffer.from(token.split('.')[0] ?? '', 'base64').toString('latin1')
  return /^\d{15,21}$/.test(id) ? id : undefined
}

function half(channel: string, missing: readonly string[], words = missing.join(', ')) {
  return {
    state: 'half' as const,
    missing,
    sentence: `${channel} is off, because it is only half set up: set ${words} as well.`,
  }
}
