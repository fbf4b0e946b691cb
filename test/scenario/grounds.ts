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
      variables: slack.variables(),
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
      variables: discord.variables(),
      driver: () => discordDriver(discord),
    }
  },
}
