import { expect } from 'vitest'
import { createSlack, type SlackChannel, type SlackOptions } from '../../adapters/slack/adapter.ts'
import { systemClock } from '../../src/base/clock.ts'
import type { InboundEvent } from '../../src/channel/events.ts'
import type { Gateway, Receipt, ReplyTarget } from '../../src/channel/port.ts'
import { openReply, type Reply } from '../../src/channel/reply.ts'
import { silentLog } from '../../src/observe/log.ts'
import type { Person } from '../support/slack/people.ts'
import { type StandInSlack, startSlack } from '../support/slack/server.ts'
import type { Message, Room } from '../support/slack/workspace.ts'

/** What tests of the adapter work with: Slack, the adapter, and a gateway that keeps what it is given. */
export interface Stage {
  readonly slack: StandInSlack
  readonly channel: SlackChannel
  readonly events: InboundEvent[]
  /** Decides what the gateway answers; the default is to accept what is new. */
  answer: (event: InboundEvent) => Receipt | Promise<Receipt>
  readonly ann: Person
  readonly bob: Person
  readonly general: Room
  /** Events of one kind, in order. */
  of<K extends InboundEvent['kind']>(kind: K): Extract<InboundEvent, { kind: K }>[]
  heard<K extends InboundEvent['kind']>(kind: K, count?: number): Promise<Extract<InboundEvent, { kind: K }>>
  /** Where the answer to a post goes. */
  target(post: Message, person?: Person): ReplyTarget
  /** A reply on the real driver, with a journal that only counts. */
  reply(target: ReplyTarget): Reply
  stop(): Promise<void>
}

export const quick = {
  appendMs: 20,
  updateMs: 20,
  backoffMs: 10,
  patienceMs: 8_000,
  retryMs: 20,
  retryMostMs: 100,
} as const

export async function openStage(
  by: 'socket' | 'http',
  options: {
    readonly slack?: Parameters<typeof startSlack>[0]
    readonly adapter?: Partial<SlackOptions>
    readonly listen?: boolean
  } = {},
): Promise<Stage> {
  const slack = await startSlack({ retryAfterMs: [30, 100, 300], ...options.slack })
  const channel = createSlack({
    botToken: slack.botToken,
    ...(by === 'socket' ? { appToken: slack.appToken } : { signingSecret: slack.signingSecret }),
    apiUrl: slack.apiUrl,
    clock: systemClock,
    log: silentLog,
    timing: quick,
    ...options.adapter,
  })
  if (by === 'http') slack.deliverTo((request) => channel.handle!(request))
  const events: InboundEvent[] = []
  const known = new Set<string>()
  const gateway: Gateway = {
    async receive(event) {
      const receipt = await stage.answer(event)
      events.push(event)
      return receipt
    },
  }
  const ann = slack.person('Ann', { timeZone: 'Asia/Shanghai' })
  const bob = slack.person('Bob')
  const general = slack.channel('general', [ann, bob])
  const stage: Stage = {
    slack,
    channel,
    events,
    answer(event) {
      if (known.has(event.dedupeKey)) return { kind: 'repeated' }
      known.add(event.dedupeKey)
      if (event.kind === 'message' && !event.addressed) return { kind: 'ignored' }
      return { kind: 'accepted', sessionId: 'sess_1' }
    },
    ann,
    bob,
    general,
    of: (kind) => events.filter((event) => event.kind === kind) as never,
    heard: (kind, count = 1) =>
      slack.until(`event ${count} of kind ${kind} came`, () => stage.of(kind)[count - 1]),
    target: (post, person = ann) => ({
      thread: {
        channel: 'slack',
        workspace: slack.workspace.teamId,
        room: post.room.id,
        thread: post.threadTs ?? (post.room.kind === 'im' ? 'main' : post.ts),
      },
      recipientId: person.id,
      postId: post.ts,
    }),
    reply(target) {
      let count = 0
      return openReply({
        surface: channel.speaker.surface(target),
        journal: {
          reserve: async () => {
            count += 1
            return { nonce: `dlv_${target.postId}_${count}` }
          },
          posted: async () => {},
          removed: async () => {},
        },
        clock: systemClock,
        log: silentLog,
        signal: new AbortController().signal,
        attachedSentence: 'The whole answer is attached.',
        backoff: 10,
      })
    },
    async stop() {
      await channel.stop()
      await slack.stop()
    },
  }
  if (options.listen !== false) {
    await channel.listen(gateway)
    await slack.until('Slack is up', () => channel.health().state === 'up')
  }
  return stage
}

/** The one answer in a thread. */
export function only(stage: Stage, root: Message): Message {
  const answers = stage.slack.answers(root)
  expect(answers).toHaveLength(1)
  return answers[0]!
}
