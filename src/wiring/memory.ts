import type { CommandAsker, CommandMemory } from '../agent/commands/asker.ts'
import type { PrepareRecall, Recall } from '../agent/parts.ts'
import type { Memory } from '../memory/memory.ts'
import type { Asker, MemoryRecord, Place } from '../memory/record.ts'
import { teamOf } from '../session/people.ts'
import type { MemoryStore, ToldMemory } from '../tools/builtin/memory.ts'
import type { CallContext } from '../tools/tool.ts'
import type { Account, Meter } from './meter.ts'

/** Recall's longest part begins while the turn is still being begun. */
export function prepareRecallOf(memory: Memory, meter: Pick<Meter, 'charge'>): PrepareRecall {
  return (query, asked) => {
    if (query.trim() === '') return
    meter.charge(recallOf(asked), () =>
      memory.prepare({
        asker: { personId: asked.personId, timeZone: asked.timeZone },
        place: { workspace: teamOf(asked, asked.personId), shared: asked.kind === 'shared' },
        query,
      }),
    )
  }
}

/** Recall for the agent: each memory as a line with its date. */
export function recallFrom(
  memory: Memory,
  meter: Pick<Meter, 'charge'>,
  limits: { limit: number; tokens: number; count: (text: string) => number },
): Recall {
  return async (query, asked) => {
    if (query.trim() === '') return []
    const recalled = await meter.charge(recallOf(asked), () =>
      memory.recall({
        asker: { personId: asked.personId, timeZone: asked.timeZone },
        place: {
          workspace: teamOf(asked, asked.personId),
          shared: asked.kind === 'shared',
          sessionId: asked.sessionId,
          reads: asked.scopes,
        },
        query,
        limit: limits.limit,
        tokenBudget: limits.tokens,
        countTokens: limits.count,
        signal: asked.signal,
      }),
    )
    return recalled.map((one) => ({
      id: one.id,
      version: one.version,
      original: one.original,
      line: lineOf(one, one.doubtful, asked.personId),
    }))
  }
}

function recallOf(asked: Pick<Account, 'personId' | 'sessionId' | 'turnId'>): Account {
  return { task: 'recall', personId: asked.personId, sessionId: asked.sessionId, turnId: asked.turnId }
}

function lineOf(memory: MemoryRecord, doubtful: boolean, personId: string): string {
  const whose = memory.personId === personId ? '' : ` (from ${memory.by})`
  const ask = doubtful ? ' (old; ask whether it is still right before you use it)' : ''
  return `- [${day(memory.happenedAt)}]${whose} ${memory.text}${ask}`
}

function day(date: Date): string {
  return date.toISOString().slice(0, 10)
}

function told(memory: MemoryRecord): ToldMemory {
  return { id: memory.id, text: memory.text, since: day(memory.happenedAt) }
}

/** The memory tools' view of the memory layer. */
export function memoryStore(memory: Memory): MemoryStore {
  const who = (context: CallContext): { asker: Asker; place: Place } => ({
    asker: {
      personId: context.person.id,
      timeZone: context.person.timeZone,
      language: context.person.language,
    },
    place: {
      workspace: teamOf(context.session.thread, context.person.id),
      shared: context.session.kind === 'shared',
      sessionId: context.session.id,
      reads: context.memory.recall,
      writes: context.memory.learn,
    },
  })
  return {
    async remember(text, context) {
      const result = await memory.remember({
        ...who(context),
        text,
        sourceId: context.callId,
        turnId: context.turnId,
        signal: context.signal,
      })
      return {
        stored: result.stored.map((one) => told(one.memory)),
        replaced: result.stored.flatMap((one) => one.replaced.map(told)),
        ...(result.refused ? { sentence: result.refused.sentence } : {}),
      }
    },
    async recall(query, context) {
      const found = await memory.recall({ ...who(context), query, signal: context.signal })
      return found.map(told)
    },
    async list(context) {
      return (await memory.list({ ...who(context), limit: 50 })).memories.map(told)
    },
    async preview(query, context) {
      const preview = await memory.forgetPreview({ ...who(context), what: { query }, signal: context.signal })
      return preview.candidates.map(told)
    },
    async forget(ids, context) {
      const gone = await memory.forget(who(context).asker, ids)
      return gone.map((one) => ({ id: one.id, text: one.text, since: day(context.now) }))
    },
    async takeBack(callId, context) {
      const written = await memory.writtenBy(who(context).asker, callId)
      return { restored: (await memory.undoRemember(who(context).asker, written)).map(told) }
    },
    async bringBack(ids, context) {
      return (await memory.undoForget(who(context).asker, ids)).map(told)
    },
    async correct(id, text, context) {
      const corrected = await memory.correct({
        ...who(context),
        id,
        ...(text === undefined ? {} : { text }),
        sourceId: context.callId,
        turnId: context.turnId,
      })
      switch (corrected.kind) {
        case 'replaced':
          return told(corrected.memory)
        case 'voided':
          return told(corrected.old)
        case 'refused':
          return { sentence: corrected.sentence }
        case 'not-found':
          return 'not_found'
        default:
          return corrected satisfies never
      }
    },
  }
}

/** The commands' view of the memory layer. */
export function commandMemory(memory: Memory): CommandMemory {
  const who = (asker: CommandAsker): { asker: Asker; place: Place } => ({
    asker: { personId: asker.personId, timeZone: asker.timeZone, language: asker.language },
    place: { workspace: asker.workspace, shared: asker.shared },
  })
  const line = (record: MemoryRecord) => ({
    id: record.id,
    text: `${record.text} (${day(record.happenedAt)})`,
  })
  return {
    async list(asker, search) {
      if (search !== '') {
        const found = await memory.recall({
          ...who(asker),
          query: search,
          limit: 20,
          standing: false,
          touch: false,
        })
        return { lines: found.filter((one) => one.personId === asker.personId).map(line), hidden: 0 }
      }
      const { memories, hidden } = await memory.list({ ...who(asker), limit: 50 })
      return { lines: memories.map(line), hidden }
    },
    async preview(asker, what) {
      const everything = /^(?:everything|all|全部|所有)$/i.test(what)
      const preview = await memory.forgetPreview({
        ...who(asker),
        what: everything ? 'everything' : { query: what },
      })
      return preview.candidates.map(line)
    },
    async forget(asker, ids) {
      return (await memory.forget(who(asker).asker, ids)).map((one) => ({ id: one.id, text: one.text }))
    },
    async restore(asker, ids) {
      return (await memory.undoForget(who(asker).asker, ids)).length
    },
    exportAll: (asker) => memory.exportAll(who(asker).asker),
    allIds: async (asker) => (await memory.exportAll(who(asker).asker)).map(({ id }) => id),
    async byIds(asker, ids) {
      const { asker: by, place } = who(asker)
      const found = await memory.byIds(by, place, ids)
      return found.map((one) => ({ id: one.id, text: one.text, own: one.personId === asker.personId }))
    },
    async correct(asker, id, text, sourceId) {
      const corrected = await memory.correct({ ...who(asker), id, text, sourceId })
      switch (corrected.kind) {
        case 'replaced':
          return { text: corrected.memory.text }
        case 'voided':
        case 'not-found':
          return undefined
        case 'refused':
          return { sentence: corrected.sentence }
        default:
          return corrected satisfies never
      }
    },
  }
}
