import type { Clock } from '../../src/base/clock.ts'
import { ChannelError } from '../../src/channel/failure.ts'
import type { Speaker } from '../../src/channel/port.ts'
import type { Log } from '../../src/observe/log.ts'
import { createActivity } from './activity.ts'
import { cardMessage } from './blocks.ts'
import type { SlackClient } from './client.ts'
import type { Directory } from './directory.ts'
import type { Identity } from './identity.ts'
import { createMembers } from './members.ts'
import type { Past } from './past.ts'
import { threadIn, topLevel } from './place.ts'
import type { Posting } from './posting.ts'
import { createRooms } from './rooms.ts'
import { createSurface, type Streamless, type StreamTiming } from './stream.ts'

/** What the way out is made of. */
export interface SpeakerParts {
  readonly client: SlackClient
  readonly identity: () => Promise<Identity>
  readonly directory: Directory
  readonly past: Past
  readonly posting: Posting
  readonly clock: Clock
  readonly log: Log
  readonly timing: StreamTiming
}

/** The way out to Slack; needs the Web API only. */
export function createSpeaker(parts: SpeakerParts): Speaker {
  const { client, directory, past, posting, clock, log, timing } = parts
  const streamless: Streamless = new Map()
  const activity = createActivity(client, clock, log)
  const rooms = createRooms(client, clock)
  const members = createMembers(client, clock)

  return {
    showActivity: activity.show,
    surface(target) {
      return createSurface(target, {
        client,
        past,
        posting,
        clock,
        log,
        timing,
        streamless,
        activity,
        teamOf: (userId) => directory.peek(userId)?.teamId,
      })
    },
    postCard(target, card, nonce) {
      const { overflow, ...content } = cardMessage(card)
      return client.inOrder(target.thread, async () => {
        // What does not fit on the card can be read in full before it is decided.
        if (overflow !== undefined)
          await posting.share(target.thread, { name: 'arguments.txt', text: overflow })
        return posting.post(target.thread, content, nonce)
      })
    },
    updateCard(target, messageId, card) {
      const { text, blocks } = cardMessage(card)
      return client.inOrder(target.thread, async () => {
        await client.call('chat.update', 'repeatable', (web) =>
          web.chat.update({ channel: target.thread.room, ts: messageId, text, blocks }),
        )
      })
    },
    ownMessages: (thread, since) => past.own(thread, since),
    history: (thread, limit, more) => past.history(thread, limit, more?.signal),
    findPeople: (_workspace, name) => members.find(name),
    async directThread(workspace, userId) {
      const { channel } = await client.call('conversations.open', 'repeatable', (web) =>
        web.conversations.open({ users: userId }),
      )
      if (!channel?.id) throw new ChannelError('refused', 'Slack opened no direct message with that person.')
      return threadIn(workspace, channel.id, topLevel)
    },
    async findRoom(workspace, name, askerId) {
      const room = await rooms.find(name, askerId)
      return room === undefined ? undefined : threadIn(workspace, room, topLevel)
    },
  }
}
