// The least that a Slack bot can be: Bolt, and an answer in the thread. What is faster than this is not Bolt.
import process from 'node:process'
import { App } from '@slack/bolt'
import { endMark, tokenIn } from '../chat.ts'

const app = new App({
  token: process.env.SLACK_BOT_TOKEN,
  appToken: process.env.SLACK_APP_TOKEN,
  socketMode: true,
  clientOptions: { slackApiUrl: process.env.SLACK_API_URL },
})
app.event('app_mention', async ({ event, say }) => {
  const token = tokenIn(event.text)
  if (token) await say({ text: `${event.text} ${endMark(token)}`, thread_ts: event.thread_ts ?? event.ts })
})
process.once('SIGTERM', () => process.exit(0))
await app.start()
console.error('ready')
