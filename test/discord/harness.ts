import { randomUUID } from 'node:crypto'
import { DiscordChannel, type DiscordOptions } from '../../adapters/discord/adapter.ts'
import { systemClock } from '../../src/base/clock.ts'
import type { InboundEvent, ThreadRef } from '../../src/channel/events.ts'
import type { Channel, Gateway, Receipt, ReplyTarget } from '../../src/channel/port.ts'
import { openReply, type Reply } from '../../src/channel/reply.ts'
import { silentLog } from '../../src/observe/log.ts'
import { type StandInDiscord, type StandInOptions, startDiscord } from '../support/discord/discord.ts'
import type { Person } from '../support/discord/people.ts'
import type { WorldMessage } from '../support/discord/world.ts'

/** What tests of the adapter work with: Discord, the adapter, and a gateway that keeps what it is given. */
export interface Stage extends AsyncDisposable {
  readonly discord: StandInDiscord
  readonly channel: Channel
  readonly events: InboundEvent[]
  /** Decides what the gateway answers; the default is to accept what is new. */
  answer: (event: InboundEvent) => Receipt | Promise<Receipt>
  readonly ann: Person
  readonly bob: Person
  of<K extends InboundEvent['kind']>(kind: K): Extract<InboundEvent, { kind: K }>[]
  heard<K extends InboundEvent['kind']>(kind: K, count?: number): Promise<Extract<InboundEvent, { kind: K }>>
  /** Lets everything that is under way come through, by a direct message that must arrive last. */
  settle(): Promise<void>
  /** A reply on the real driver, with a journal that only counts. */
  reply(target: ReplyTarget, options?: { readonly signal?: AbortSignal }): Reply
}

export interface StageOptions {
  readonly discord?: StandInOptions
  readonly adapter?: Partial<DiscordOptions>
  /** `false` where the test itself connects, or where nothing is to be received. */
  readonly listen?: boolean
  /** Before the adapter connects. */
  readonly before?: (discord: StandInDiscord) => void
}

export async function openStage(options: StageOptions = {}): Promise<Stage> {
  const discord = await startDiscord(options.discord)
  const ann = discord.person('Ann')
  const bob = discord.person('Bob')
  options.before?.(discord)
  const channel = new DiscordChannel({
    token: discord.token,
    applicationId: discord.world.applicationId,
    apiUrl: discord.url,
    clock: systemClock,
    log: silentLog,
    ...options.adapter,
  })
  const events: InboundEvent[] = []
  const known = new Set<string>()
  const stage: Stage = {
    discord,
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
    of: (kind) => events.filter((event) => event.kind === kind) as never,
    heard: (kind, count = 1) => discord.screen.until(() => stage.of(kind)[count - 1], 8_000),
    async settle() {
      const last = discord.person('Last').dm('done?')
      await discord.screen.until(() => events.some((event) => 'postId' in event && event.postId === last.id))
    },
    reply: (target, more = {}) => {
      const replyId = randomUUID()
      return openReply({
        surface: channel.speaker.surface(target),
        journal: {
          reserve: async (part) => ({ nonce: `${replyId}-${part}` }),
          posted: async () => {},
          removed: async () => {},
        },
        clock: systemClock,
        log: silentLog,
        signal: more.signal ?? new AbortController().signal,
        attachedSentence: 'All of it is in the attached file.',
        backoff: 20,
      })
    },
    async [Symbol.asyncDispose]() {
      await channel.stop()
      await discord.stop()
    },
  }
  if (options.listen !== false) {
    await channel.listen(gatewayOf(stage))
    await discord.screen.until(() => channel.health().state === 'up')
  }
  return stage
}

/** The gateway of a stage: asks the test what to answer, and keeps the event once that is known. */
export function gatewayOf(stage: Pick<Stage, 'answer' | 'events'>): Gateway {
  return {
    async receive(event) {
      const receipt = await stage.answer(event)
      stage.events.push(event)
      return receipt
    },
  }
}

/** The thread of a mention in a channel, whether it exists yet or not. */
export function threadUnder(discord: StandInDiscord, message: WorldMessage): ThreadRef {
  return { channel: 'discord', workspace: discord.guild.id, room: message.channelId, thread: message.id }
}

/** The thread of a person's direct messages. */
export function directThread(person: Person): ThreadRef {
  return { channel: 'discord', workspace: '@me', room: person.dmChannel, thread: person.dmChannel }
}
