import { webApi } from '@slack/bolt'
import { silentLog } from '../../src/observe/log.ts'
import { boltLogger } from './client.ts'
import { botScopes } from './manifest.ts'
import { refusalOf } from './refusal.ts'

/** What Slack says about the settings; a code is Slack's own, for example `invalid_auth`. */
export interface SlackFindings {
  /** The bot token: whose it is, and the scopes that it lacks. */
  readonly bot:
    | { readonly workspace: string; readonly user: string; readonly missingScopes: readonly string[] }
    | { readonly code: string }
  /** The app token of Socket Mode, where one is set. */
  readonly app?: 'accepted' | { readonly code: string }
}

/** Asks Slack about the tokens; changes nothing there and connects to nothing. Never rejects. */
export async function examineSlack(settings: {
  readonly botToken: string
  readonly appToken?: string
  readonly apiUrl?: string
  /** For one request, ms. */
  readonly limitMs: number
}): Promise<SlackFindings> {
  const client = (token: string) =>
    new webApi.WebClient(token, {
      ...(settings.apiUrl === undefined ? {} : { slackApiUrl: settings.apiUrl }),
      logger: boltLogger(silentLog),
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      timeout: settings.limitMs,
    })
  const { botToken, appToken } = settings
  const [bot, app] = await Promise.all([
    examineBot(client(botToken)),
    appToken === undefined ? undefined : examineApp(client(appToken)),
  ])
  return { bot, ...(app === undefined ? {} : { app }) }
}

async function examineBot(web: webApi.WebClient): Promise<SlackFindings['bot']> {
  try {
    const { team, user, bot_id: botId, response_metadata: metadata } = await web.auth.test()
    if (!botId) return { code: 'not_a_bot' }
    // The SDK reads the header `x-oauth-scopes` into the metadata.
    const granted = new Set(metadata?.scopes ?? [])
    return {
      workspace: team ?? '?',
      user: user ?? '?',
      missingScopes: botScopes.filter((scope) => !granted.has(scope)),
    }
  } catch (error) {
    return { code: refusalOf('auth.test', error).code }
  }
}

/** The address that this gives is never connected to, so events go on to where they go. */
async function examineApp(web: webApi.WebClient): Promise<SlackFindings['app']> {
  try {
    await web.apps.connections.open({})
    return 'accepted'
  } catch (error) {
    return { code: refusalOf('apps.connections.open', error).code }
  }
}
