import { afterAll, beforeAll, describe } from 'vitest'
import { openTown, type Town } from '../contract/town.ts'
import { linking } from './linking.ts'

// One start of Hermes on Slack, Discord and the web for all that people do across them.
describe('people on several platforms', { timeout: 90_000 }, () => {
  let town: Town
  beforeAll(async () => {
    town = await openTown(({ slack }) => ({
      approvals: {
        rules: [
          {
            tool: 'create_ticket',
            when: { labels: 'four-eyes' },
            approvers: ['requester', 'Fay', 'group:everyone'],
            notRequester: true,
            room: { channel: 'slack', workspace: slack.workspace.teamId, room: 'approvers' },
          },
        ],
        groups: { everyone: ['Sid'] },
      },
    }))
  }, 120_000)
  afterAll(async () => {
    await town?.stop()
  }, 60_000)
  linking(() => town)
})
