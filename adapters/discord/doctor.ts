import {
  type APIApplication,
  type APIUser,
  ApplicationFlags,
  DiscordAPIError,
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
