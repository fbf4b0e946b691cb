import type { LearnModel } from '../memory/learn.ts'
import type { Memory } from '../memory/memory.ts'
import type { ChatModel } from '../model/chat.ts'
import { type People, teamOf } from '../session/people.ts'
import type { Database } from '../store/client.ts'

/** The most turns of one session that one job learns from. */
const mostTurns = 20

/** Draws memories from the finished turns of a session, from each once. A failure leaves them for the next time. */
export function createLearning(parts: {
  db: Database
  memory: Memory
  people: People
}): (sessionId: string) => Promise<void> {
  const { db, memory, people } = parts
  return async (sessionId) => {
    const turns = await db.turn.findMany({
      where: { sessionId, status: 'done', learnedAt: null },
      orderBy: { id: 'asc' },
      take: mostTurns,
      include: { session: { select: { channel: true, workspace: true, kind: true } } },
    })
    for (const turn of turns) {
      const messages = await db.message.findMany({
        where: { turnId: turn.id, removedAt: null, role: { in: ['user', 'assistant'] } },
        orderBy: { seq: 'asc' },
        take: 40,
        include: { person: { select: { displayName: true } } },
      })
      const { channel, workspace, kind } = turn.session
      const person = await people.find(turn.personId, { channel, workspace })
      if (person) {
        await memory.learn({
          asker: { personId: person.id, timeZone: person.timeZone },
          place: { workspace: teamOf({ workspace }, person.id), shared: kind === 'shared', sessionId },
          turnId: turn.id,
          lines: messages.map((message) => ({
            role: message.role === 'user' ? 'person' : 'assistant',
            ...(message.personId ? { personId: message.personId } : {}),
            ...(message.person ? { name: message.person.displayName } : {}),
            text: message.text,
            at: message.createdAt,
          })),
        })
      }
      await db.turn.update({ where: { id: turn.id }, data: { learnedAt: new Date() } })
    }
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
