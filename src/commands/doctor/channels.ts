import { type DiscordFindings, examineDiscord } from '../../../adapters/discord/doctor.ts'
import { examineSlack, type SlackFindings } from '../../../adapters/slack/doctor.ts'
import type { DiscordSettings, SlackSettings } from '../../config/channels.ts'
import { counted, type Finding, fail, ok, warn } from './finding.ts'

/** For one request to a platform, ms. */
const limitMs = 10_000

/** Slack: the bot token and its scopes, and the app token of Socket Mode. */
export async function checkSlack(slack: SlackSettings): Promise<readonly Finding[]> {
  switch (slack.state) {
    case 'off':
      return [
        ok(
          'Slack',
          'off. Make an app with npm run slack:manifest, then set SLACK_BOT_TOKEN and SLACK_APP_TOKEN.',
        ),
      ]
    case 'half':
      return [fail('Slack', slack.sentence)]
    case 'socket':
    case 'http': {
      const { bot, app } = await examineSlack({
        botToken: slack.botToken,
        ...(slack.state === 'socket' ? { appToken: slack.appToken } : {}),
        ...(slack.apiUrl === undefined ? {} : { apiUrl: slack.apiUrl }),
        limitMs,
      })
      return [slackBot(bot), app === undefined ? signedHttp() : slackApp(app)]
    }
    default:
      return slack satisfies never
  }
}

function slackBot(bot: SlackFindings['bot']): Finding {
  if ('code' in bot) {
    return fail(
      'Slack',
      `the bot token does not work (${bot.code}). ${slackMend(bot.code, 'SLACK_BOT_TOKEN')}`,
    )
  }
  const who = `@${bot.user} in ${bot.workspace}`
  if (bot.missingScopes.length === 0) return ok('Slack', `${who}, with every scope`)
  return fail(
    'Slack',
    `${who} lacks ${bot.missingScopes.join(', ')}. Add them at api.slack.com/apps under "OAuth & Permissions" (npm run slack:manifest prints all of them) and install the app again.`,
  )
}

function slackApp(app: NonNullable<SlackFindings['app']>): Finding {
  if (app === 'accepted') return ok('Socket Mode', 'the app token works')
  const code = app.code
  return fail('Socket Mode', `the app token does not work (${code}). ${slackMend(code, 'SLACK_APP_TOKEN')}`)
}

function signedHttp(): Finding {
  return ok(
    'Signed HTTP',
    'at POST /slack/events. Only an event from Slack shows whether SLACK_SIGNING_SECRET is right.',
  )
}

function slackMend(code: string, variable: 'SLACK_BOT_TOKEN' | 'SLACK_APP_TOKEN'): string {
  if (code === 'not_a_bot') return 'It is a person\'s token. Copy the "Bot User OAuth Token" instead.'
  if (/^[A-Z_]+$|^HTTP/.test(code) || code === 'ratelimited') return 'Slack could not be asked; try again.'
  return variable === 'SLACK_BOT_TOKEN'
    ? 'Copy SLACK_BOT_TOKEN anew from "OAuth & Permissions".'
    : 'Make an app-level token with connections:write under "Basic Information", and set SLACK_APP_TOKEN.'
}

/** Discord: the token, the intent and the servers. */
export async function checkDiscord(discord: DiscordSettings): Promise<readonly Finding[]> {
  switch (discord.state) {
    case 'off':
      return [ok('Discord', 'off. Set DISCORD_TOKEN, then invite the bot with npm run discord:invite.')]
    case 'half':
      return [fail('Discord', discord.sentence)]
    case 'on': {
      const found = await examineDiscord({
        token: discord.token,
        ...(discord.apiUrl === undefined ? {} : { apiUrl: discord.apiUrl }),
        limitMs,
      })
      return discordFindings(found, discord.applicationId)
    }
    default:
      return discord satisfies never
  }
}

function discordFindings(found: DiscordFindings, configured: string | undefined): readonly Finding[] {
  if ('reason' in found) {
    const mend =
      found.status === 401
        ? 'Make a new token in the Discord developer portal, page "Bot", and set DISCORD_TOKEN.'
        : 'Discord could not be asked; try again.'
    return [fail('Discord', `the bot token was not taken (${found.reason}). ${mend}`)]
  }
  const { user, applicationId, messageContent, guilds } = found
  return [
    guilds > 0
      ? ok('Discord', `${user}, in ${counted(guilds, 'server')}`)
      : warn('Discord', `${user} is in no server. Invite it with: npm run discord:invite`),
    ...(messageContent
      ? []
      : [
          fail(
            'Discord',
            'the bot may not read messages. Switch on "Message Content Intent" in the Discord developer portal, page "Bot".',
          ),
        ]),
    ...(configured === undefined || configured === applicationId
      ? []
      : [
          warn(
            'Discord',
            `the application is ${applicationId}, not ${configured}. Mend or remove DISCORD_APPLICATION_ID.`,
          ),
        ]),
  ]
}
