import { afterAll, beforeAll, describe } from 'vitest'
import { openTown, type Town } from '../contract/town.ts'
import { type Cast, castOf } from './cast.ts'
import { linking } from './linking.ts'
import { telling } from './telling.ts'

// One start of Hermes on Slack, Discord and the web for all that people do across them.
describe('people on several platforms', { timeout: 90_000 }, () => {
  let town: Town
  let cast: Cast
  beforeAll(async () => {
    town = await openTown((standIns) => {
      const made = castOf(standIns)
      cast = made.cast
      return { ...made.directory, approvals: approvalsAt(standIns.slack.workspace.teamId) }
    })
  }, 120_000)
  afterAll(async () => {
    await town?.stop()
  }, 60_000)
  linking(() => ({ ...town, cast }))
  telling(() => ({ ...town, cast }))
})

/** Cards about tickets that are labelled so go to a room of Slack, and are decided by somebody else. */
function approvalsAt(workspace: string) {
  return {
    rules: [
      {
        tool: 'create_ticket',
        when: { labels: 'four-eyes' },
        approvers: ['requester', 'Fay', 'group:everyone'],
        notRequester: true,
        room: { channel: 'slack', workspace, room: 'approvers' },
      },
    ],
    groups: { everyone: ['Sid', 'Sol'] },
  }
}
