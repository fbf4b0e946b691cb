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
  const client = (token: string) => clientOf(token, settings)
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

/** How a channel that the settings name stands: may the bot write there? */
export type SlackRoomFinding = 'ready' | 'missing' | 'not_member' | 'archived' | { readonly code: string }

/** Looks for channels by name (with or without `#`) or id. Never rejects. */
export async function examineSlackRooms(
  settings: { readonly botToken: string; readonly apiUrl?: string; readonly limitMs: number },
  rooms: readonly string[],
): Promise<ReadonlyMap<string, SlackRoomFinding>> {
  const web = clientOf(settings.botToken, settings)
  const found = new Map<string, SlackRoomFinding>(rooms.map((room) => [room, 'missing']))
  try {
    let cursor: string | undefined
    for (let page = 0; page < mostPages; page += 1) {
      const answer = await web.conversations.list({
        types: 'public_channel,private_channel',
        limit: 1_000,
        ...(cursor === undefined ? {} : { cursor }),
      })
      for (const channel of answer.channels ?? []) {
        const named = rooms.filter((room) => [channel.id, channel.name].includes(room.replace(/^#/, '')))
        const state = channel.is_archived ? 'archived' : channel.is_member ? 'ready' : 'not_member'
        // An archived channel may have left its name to another one.
        for (const room of named)
          if (state !== 'archived' || found.get(room) === 'missing') found.set(room, state)
      }
      cursor = answer.response_metadata?.next_cursor || undefined
      if (cursor === undefined) break
    }
  } catch (error) {
    const { code } = refusalOf('conversations.list', error)
    return new Map(rooms.map((room) => [room, { code }]))
  }
  return found
}

/** 20,000 channels. */
const mostPages = 20

/** Which of these ids are nobody's in the workspace. What can't be asked counts as somebody. */
export async function unknownSlackUsers(
  settings: { readonly botToken: string; readonly apiUrl?: string; readonly limitMs: number },
  ids: readonly string[],
): Promise<readonly string[]> {
  const web = clientOf(settings.botToken, settings)
  const asked = await Promise.all(
    ids.map(async (id) => {
      try {
        const { user } = await web.users.info({ user: id })
        return user?.deleted ? [id] : []
      } catch (error) {
        return refusalOf('users.info', error).code === 'user_not_found' ? [id] : []
      }
    }),
  )
  return asked.flat()
}

function clientOf(
  token: string,
  settings: { readonly apiUrl?: string; readonly limitMs: number },
): webApi.WebClient {
  return new webApi.WebClient(token, {
    ...(settings.apiUrl === undefined ? {} : { slackApiUrl: settings.apiUrl }),
    logger: boltLogger(silentLog),
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: settings.limitMs,
  })
}
