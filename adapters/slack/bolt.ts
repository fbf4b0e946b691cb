import { App, type Receiver } from '@slack/bolt'
import { messageOf } from '../../src/base/errors.ts'
import type { Log } from '../../src/observe/log.ts'
import { boltLogger, type SlackClient } from './client.ts'
import type { Identity } from './identity.ts'
import type { Acknowledge, Intake } from './intake.ts'

/** Ties a receiver to the intake by Bolt. */
export function connectBolt(parts: {
  readonly receiver: Receiver
  readonly client: SlackClient
  readonly identity: Identity
  readonly intake: Intake
  readonly log: Log
}): void {
  const { receiver, client, identity, intake, log } = parts
  const { teamId, botId, botUserId } = identity
  const app = new App({
    receiver,
    authorize: async () => ({ botToken: client.token, botId, botUserId, teamId }),
    // Bolt would let our own message through where it has a bot id but no user; the intake knows all cases.
    ignoreSelf: false,
    convoStore: false,
    attachFunctionToken: false,
    logger: boltLogger(log),
    clientOptions: { slackApiUrl: client.apiUrl, retryConfig: { retries: 0 } },
  })

  // An answer that does not get through must not undo what is committed.
  const acknowledging =
    (ack: (answer?: never) => Promise<void>): Acknowledge =>
    async (answer) => {
      try {
        await ack(answer as never)
      } catch (error) {
        log.debug({ error: messageOf(error) }, 'An interaction could not be acknowledged')
      }
    }

  app.event('message', ({ event, body }) => (isOurs(body) ? intake.message(event) : Promise.resolve()))
  app.event('app_mention', ({ event, body }) => (isOurs(body) ? intake.message(event) : Promise.resolve()))
  app.event('app_home_opened', ({ event }) => intake.opened(event))
  // Younger than Bolt's types of events.
  app.event('agent_session_stopped' as 'message', ({ event }) => intake.stopped(event))
  app.action(/^/, ({ body, ack }) => intake.action(body, acknowledging(ack)))
  app.view(/^/, ({ body, ack }) =>
    body.type === 'view_submission' ? intake.form(body, acknowledging(ack)) : acknowledging(ack)(),
  )
  app.command(/^/, ({ command, ack }) => intake.command(command, acknowledging(ack)))
  app.shortcut(/^/, ({ ack }) => acknowledging(ack)())
  // The receiver has to see the error, to leave the event unacknowledged.
  app.error(async (error) => {
    throw error
  })

  /** An app can be installed in several workspaces; this token serves one. */
  function isOurs(body: { readonly authorizations?: unknown }): boolean {
    const list = Array.isArray(body.authorizations)
      ? (body.authorizations as { team_id?: string | null }[])
      : []
    return list.length === 0 || list.some(({ team_id: id }) => !id || id === teamId)
  }
}
