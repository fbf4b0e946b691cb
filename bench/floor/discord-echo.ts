// The least that a Discord bot can be: discord.js, and an answer in the channel.
import process from 'node:process'
import { Client, Events, GatewayIntentBits } from 'discord.js'
import { endMark, tokenIn } from '../chat.ts'

const client = new Client({
  intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMessages, GatewayIntentBits.MessageContent],
  rest: { api: process.env.DISCORD_API_URL ?? '', version: '10' },
})
client.on(Events.MessageCreate, async (message) => {
  const token = message.author.bot ? undefined : tokenIn(message.content)
  if (token) await message.channel.send(`${message.content} ${endMark(token)}`)
})
client.once(Events.ClientReady, () => console.error('ready'))
process.once('SIGTERM', () => process.exit(0))
await client.login(process.env.DISCORD_TOKEN)
