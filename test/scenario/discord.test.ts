import { discordDriver } from '../contract/discord-driver.ts'
import { startDiscord } from '../support/discord/discord.ts'
import { founding } from './founding.ts'

founding('Discord', {
  model: 'scripted',
  // Discord tells no bot where people are.
  tellsTimeZone: false,
  async open() {
    const discord = await startDiscord()
    return {
      variables: { DISCORD_API_URL: discord.url, DISCORD_TOKEN: discord.token },
      driver: () => discordDriver(discord),
    }
  },
})
