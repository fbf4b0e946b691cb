import { ChannelError } from '../../src/channel/failure.ts'
import type { SlackClient } from './client.ts'

/** Who we are in the workspace. */
export interface Identity {
  readonly teamId: string
  readonly teamName: string
  readonly botUserId: string
  readonly botId: string
}

/** Asks Slack who the token belongs to. Rejects with a `ChannelError` where it does not tell. */
export async function whoAmI(client: SlackClient): Promise<Identity> {
  const answer = await client.tryOnce('auth.test', (web) => web.auth.test())
  const { team_id: teamId, team, user_id: botUserId, bot_id: botId } = answer
  if (!teamId || !botUserId || !botId) {
    throw new ChannelError('refused', 'The Slack token is not a bot token: it belongs to a person.', {
      data: { method: 'auth.test', code: 'not_a_bot' },
    })
  }
  return { teamId, teamName: team ?? teamId, botUserId, botId }
}

/** The identity, asked for once; a failure is asked again next time. */
export function rememberIdentity(client: SlackClient): () => Promise<Identity> {
  let known: Promise<Identity> | undefined
  return () => {
    if (known) return known
    const asked = whoAmI(client)
    known = asked
    asked.catch(() => {
      if (known === asked) known = undefined
    })
    return asked
  }
}
