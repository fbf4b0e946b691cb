import { slackDriver } from '../contract/slack-driver.ts'
import { startSlack } from '../support/slack/server.ts'
import { founding } from './founding.ts'

founding('Slack', {
  model: 'scripted',
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
})
