import { discordDriver } from '../contract/discord-driver.ts'
import { slackDriver } from '../contract/slack-driver.ts'
import { startDiscord } from '../support/discord/discord.ts'
import { startSlack } from '../support/slack/server.ts'
import type { Ground } from './founding.ts'

interface Where {
  readonly open: () => Promise<Ground>
  /** Does the platform tell where people are? */
  readonly tellsTimeZone: boolean
}

export const onSlack: Where = {
  tellsTimeZone: true,
  async open() {
    const slack = await startSlack()
    return {
      variables: {
        SLACK_API_URL: slack.apiUrl,
        SLACK_BOT_TOKEN: slack.botToken,
        SLACK_APP_TOKEN: slack.appToken,
      },
      driver: (app) => slackDriver(slack, 'socket', app),
    }
  },
}

export const onDiscord: Where = {
  // Discord tells no bot where people are.
  tellsTimeZone: false,
  async open() {
    const discord = await startDiscord()
    return {
      variables: { DISCORD_API_URL: discord.url, DISCORD_TOKEN: discord.token },
      driver: () => discordDriver(discord),
    }
  },
}
