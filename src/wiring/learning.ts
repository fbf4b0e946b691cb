import type { LearnModel } from '../memory/learn.ts'
import type { Memory } from '../memory/memory.ts'
import type { ChatModel } from '../model/chat.ts'
import { type People, teamOf } from '../session/people.ts'
import type { Database } from '../store/client.ts'

/** Draws memories from a finished turn, once. A failure leaves the turn for the next sweep. */
export function createLearning(parts: {
  db: Database
  memory: Memory
  people: People
}): (turnId: string) => Promise<void> {
  const { db, memory, people } = parts
  return async (turnId) => {
    const turn = await db.turn.findUnique({
      where: { id: turnId },
      include: { session: true },
    })
    if (!turn || turn.learnedAt !== null || turn.status === 'running' || turn.status === 'waiting') return
    const messages = await db.message.findMany({
      where: { turnId, removedAt: null, role: { in: ['user', 'assistant'] } },
      orderBy: { seq: 'asc' },
      take: 40,
      include: { person: { select: { displayName: true } } },
    })
    const { channel, workspace, kind } = turn.session
    const person = await people.find(turn.personId, { channel, workspace })
    if (person) {
      await memory.learn({
        asker: { personId: person.id, timeZone: person.timeZone },
        place: {
          workspace: teamOf({ workspace }, person.id),
          shared: kind === 'shared',
          sessionId: turn.sessionId,
        },
        turnId,
        lines: messages.map((message) => ({
          role: message.role === 'user' ? 'person' : 'assistant',
          ...(message.personId ? { personId: message.personId } : {}),
          ...(message.person ? { name: message.person.displayName } : {}),
          text: message.text,
          at: message.createdAt,
        })),
      })
    }
    await db.turn.update({ where: { id: turnId }, data: { learnedAt: new Date() } })
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
