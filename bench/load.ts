import { randomBytes } from 'node:crypto'
import process from 'node:process'
import { type Conversation, type Platform, request, type Turn } from './chat.ts'
import { type Spread, spreadOf } from './figures.ts'
import type { InstantModel } from './instant-model.ts'
import type { Subject } from './subject.ts'

/** How long a conversation goes on before the person begins another one. */
const turnsPerConversation = 10

/** What one load on one platform gave. */
export interface Measured {
  readonly platform: string
  readonly sessions: number
  readonly turns: number
  readonly failures: number
  readonly perSecond: number
  readonly ack?: Spread
  readonly sign?: Spread
  readonly finished?: Spread
  /** Beside the time that the model took. */
  readonly added?: Spread
  /** From the message to the first request to the model, and from its last word to the finished answer. */
  readonly before?: Spread
  readonly after?: Spread
  /** Processor time per turn of the measured process and of this one (people, platform and model), ms. */
  readonly cpu: number
  readonly ownCpu: number
  /** Calls of the platform per turn. */
  readonly calls?: number
}

/** So many people each say something, wait for the whole answer, and go on at once, for so long. */
export async function measure(
  platform: Platform,
  subject: Subject,
  model: InstantModel | undefined,
  options: { readonly sessions: number; readonly seconds: number },
): Promise<Measured> {
  const { sessions, seconds } = options
  const turns: Turn[] = []
  let failures = 0
  const [cpu, ownCpu, calls] = [subject.cpu(), ownCpuMs(), platform.calls?.() ?? 0]
  const started = performance.now()
  const end = started + seconds * 1_000
  const person = async () => {
    while (performance.now() < end) {
      const conversation = await platform.open()
      try {
        for (let turn = 0; turn < turnsPerConversation && performance.now() < end; turn += 1) {
          turns.push(await said(conversation))
        }
      } catch {
        failures += 1
      } finally {
        await conversation.end()
      }
    }
  }
  await Promise.all(Array.from({ length: sessions }, person))
  const took = performance.now() - started
  const modelTimes = turns.flatMap((turn) => {
    const time = model?.timeOf(turn.token)
    return time ? [{ turn, time }] : []
  })
  const count = Math.max(turns.length, 1)
  return {
    platform: platform.name,
    sessions,
    turns: turns.length,
    failures,
    perSecond: (turns.length / took) * 1_000,
    ...spreads({
      ack: turns.flatMap(({ acks }) => acks),
      sign: turns.flatMap(({ sign }) => sign ?? []),
      finished: turns.map(({ finished }) => finished),
      added: modelTimes.map(({ turn, time }) => turn.finished - time.busy),
      before: modelTimes.map(({ turn, time }) => time.from - turn.sentAt),
      after: modelTimes.map(({ turn, time }) => turn.sentAt + turn.finished - time.to),
    }),
    cpu: (subject.cpu() - cpu) / count,
    ownCpu: (ownCpuMs() - ownCpu) / count,
    ...(platform.calls ? { calls: (platform.calls() - calls) / count } : {}),
  }
}

// What the team of the workspace knows, so that turns there have memories to look through.
const facts = [
  'The release train leaves every Friday at noon',
  'The gateway project is called Atlas',
  'Maria owns the contracts with the two large customers',
  'The staging cluster is rebuilt on the first Monday of a month',
  'The printer on floor 3 only takes recycled paper',
]

/** A few turns that are not counted, so that code is compiled, connections are open, and facts are known. */
export async function warmUp(platform: Platform, turns: number): Promise<void> {
  const conversation = await platform.open()
  for (const fact of facts.slice(0, turns)) {
    const token = newToken()
    await conversation.turn(token, request(token, fact))
  }
  for (let turn = 0; turn < turns; turn += 1) await said(conversation)
  await conversation.end()
}

function said(conversation: Conversation): Promise<Turn> {
  return conversation.turn(newToken())
}

function newToken(): string {
  return `bench-${randomBytes(5).toString('hex')}`
}

function spreads<K extends string>(times: Record<K, readonly number[]>): Partial<Record<K, Spread>> {
  const entries = Object.entries<readonly number[]>(times)
  return Object.fromEntries(
    entries.flatMap(([name, values]) => {
      const spread = spreadOf(values)
      return spread ? [[name, spread]] : []
    }),
  ) as Partial<Record<K, Spread>>
}

function ownCpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}
