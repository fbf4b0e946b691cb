import type { LearnModel } from '../memory/learn.ts'
import type { Memory } from '../memory/memory.ts'
import type { ChatModel } from '../model/chat.ts'
import { type People, type PersonFacts, teamOf } from '../session/people.ts'
import type { Profiles } from '../session/profiles.ts'
import type { Database } from '../store/client.ts'
import type { AftercareTask, IsOver } from './aftercare.ts'
import type { Meter } from './meter.ts'

/** The most turns of one session that one job learns from. */
const mostTurns = 20
/** And the most that one of them says. */
const mostMessages = 40

/** Draws memories from the finished turns of a session, from each once. A failure leaves them for the next time. */
export function createLearning(parts: {
  db: Database
  memory: Memory
  people: People
  profiles: Profiles
  meter: Pick<Meter, 'charge'>
  /** Has the person, or have all together, used up the day? It is told where it is counted. */
  isOver: IsOver
}): AftercareTask {
  const { db, memory, people, profiles, meter, isOver } = parts
  return async (sessionId) => {
    const turns = await db.turn.findMany({
      where: { sessionId, status: 'done', learnedAt: null },
      orderBy: { id: 'asc' },
      take: mostTurns,
      include: { session: { select: { channel: true, workspace: true, kind: true, profile: true } } },
    })
    if (turns.length === 0) return 'done'
    const said = await db.message.findMany({
      where: {
        turnId: { in: turns.map(({ id }) => id) },
        removedAt: null,
        role: { in: ['user', 'assistant'] },
      },
      orderBy: { seq: 'asc' },
      include: { person: { select: { displayName: true } } },
    })
    const messagesOf = Map.groupBy(said, ({ turnId }) => turnId)
    const learned: string[] = []
    let isPutOff = false
    const askers = new Map<string, Promise<PersonFacts | undefined>>()
    try {
      for (const { id, personId, session } of turns) {
        const messages = messagesOf.get(id)?.slice(0, mostMessages) ?? []
        const { channel, workspace, kind, profile } = session
        const asked = askers.get(personId) ?? people.find(personId, { channel, workspace })
        askers.set(personId, asked)
        const person = await asked
        if (await isOver('learn', personId)) {
          isPutOff = true
          continue
        }
        const account = { task: 'learn', personId, sessionId, turnId: id } as const
        if (person) {
          await meter.charge(account, () =>
            memory.learn({
              asker: { personId: person.id, timeZone: person.timeZone },
              place: {
                workspace: teamOf({ workspace }, person.id),
                shared: kind === 'shared',
                sessionId,
                reads: profiles.named(profile).profile.memory.recall,
                writes: profiles.named(profile).profile.memory.learn,
              },
              turnId: id,
              lines: messages.map((message) => ({
                role: message.role === 'user' ? 'person' : 'assistant',
                ...(message.personId ? { personId: message.personId } : {}),
                ...(message.person ? { name: message.person.displayName } : {}),
                text: message.text,
                at: message.createdAt,
              })),
            }),
          )
        }
        learned.push(id)
      }
    } finally {
      if (learned.length > 0) {
        await db.turn.updateMany({ where: { id: { in: learned } }, data: { learnedAt: new Date() } })
      }
    }
    return isPutOff ? 'put off' : 'done'
  }
}

/** Asks the chat model what is worth keeping; the offline model leaves that to rules. */
export function learnModel(model: ChatModel): LearnModel | undefined {
  if (model.offline) return undefined
  return async ({ instructions, input }, signal) => {
    const reply = await model.complete(
      {
        messages: [
          { role: 'system', content: instructions },
          { role: 'user', content: input },
        ],
        tools: [],
        maxOutputTokens: 1_000,
      },
      { signal: signal ?? AbortSignal.timeout(60_000) },
    )
    return reply.text
  }
}
