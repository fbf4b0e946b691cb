import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { type CallContext, type Tool, ToolFailure } from '../tool.ts'

/** A memory, as the tools show it. */
export interface ToldMemory {
  readonly id: string
  readonly text: string
  /** ISO date of when it was said. */
  readonly since: string
}

/** What the memory tools ask of the memory layer. Who may see and change what is decided there, in the query. */
export interface MemoryStore {
  /** `sentence` says why, where nothing was stored. */
  remember(
    text: string,
    context: CallContext,
  ): Promise<{ stored: readonly ToldMemory[]; replaced: readonly ToldMemory[]; sentence?: string }>
  recall(query: string, context: CallContext): Promise<readonly ToldMemory[]>
  /** All of the speaker's own, as far as this place may show them. */
  list(context: CallContext): Promise<readonly ToldMemory[]>
  preview(query: string, context: CallContext): Promise<readonly ToldMemory[]>
  forget(ids: readonly string[], context: CallContext): Promise<readonly ToldMemory[]>
  correct(
    id: string,
    text: string | undefined,
    context: CallContext,
  ): Promise<ToldMemory | 'not_found' | { readonly sentence: string }>
  /** Takes back what a call of `remember` or `correct` wrote; what it had replaced holds again. */
  takeBack(callId: string, context: CallContext): Promise<{ readonly restored: readonly ToldMemory[] }>
  /** Brings back what was forgotten at most ten minutes ago. */
  bringBack(ids: readonly string[], context: CallContext): Promise<readonly ToldMemory[]>
}

/** Remember, recall, forget and correct: the speaker's own memories, at once and told. */
export function memoryTools(memory: MemoryStore): readonly Tool[] {
  const takeBack: Tool['undo'] = async (done, context) => {
    const { restored } = await memory.takeBack(done.id, context)
    return {
      content: { takenBack: true, ...(restored.length > 0 ? { holdsAgain: restored } : {}) },
      told:
        context.person.language === 'zh' ? '已撤销，不再记住' : 'Taken back: it is not remembered any more',
    }
  }
  return [
    defineTool({
      name: 'remember',
      title: { en: 'Remember', zh: '记住' },
      useWhen:
        'the person asks to remember something, or states a lasting preference, instruction or fact that later conversations need.',
      notWhen: 'it is small talk, a mood, a secret such as a password, or matters only for the task at hand.',
      returns: 'what was stored, and what it replaced.',
      failsWith: 'a sentence, where it holds a secret or says nothing that can be kept.',
      effect: 'own',
      idempotent: true,
      activity: { en: 'Remembering that', zh: '正在记录' },
      input: z.object({
        text: z.string().trim().min(2).max(1_500).describe("In the person's own words, one fact"),
      }),
      async run(args, context) {
        const { stored, replaced, sentence } = await memory.remember(args.text, context)
        if (sentence !== undefined) throw new ToolFailure('validation', sentence)
        return {
          content: {
            stored,
            ...(replaced.length > 0 ? { replaced } : {}),
            ...(stored.length === 0 ? { note: 'It was known already.' } : {}),
          },
          told: context.person.language === 'zh' ? '已记住' : 'Remembered',
          entities: stored.map((one) => ({ type: 'memory', id: one.id, label: one.text })),
        }
      },
      undo: takeBack,
    }),

    defineTool({
      name: 'recall',
      title: { en: 'Recall', zh: '回忆' },
      useWhen:
        'the answer depends on what was said in earlier conversations, or the person asks what you remember of something.',
      notWhen: 'it stands in this conversation, or in the memories above.',
      returns: 'memories with ids and dates, the best first.',
      failsWith: 'nothing; the list may be empty.',
      effect: 'read',
      idempotent: true,
      askless: true,
      activity: { en: 'Going through what I remember', zh: '正在回忆' },
      input: z.object({
        query: z
          .string()
          .trim()
          .max(500)
          .optional()
          .describe('What about; leave out for everything that the speaker told'),
      }),
      async run(args, context) {
        const memories = args.query ? await memory.recall(args.query, context) : await memory.list(context)
        return { content: { query: args.query ?? null, memories } }
      },
    }),

    defineTool({
      name: 'forget',
      title: { en: 'Forget', zh: '忘记' },
      useWhen:
        'the person asks to forget something that you remember. First with `query` to see what fits; then with `ids`, where the person was clear about it or has chosen.',
      notWhen: 'they want it changed: correct_memory does that.',
      returns:
        'with `query`: what would be forgotten. With `ids`: what was forgotten; it can be brought back for ten minutes.',
      failsWith: 'not found, where none of the speaker’s own memories fits.',
      effect: 'own',
      idempotent: true,
      askless: true,
      activity: { en: 'Forgetting that', zh: '正在忘记' },
      input: z.object({
        query: z.string().trim().min(1).max(500).optional().describe('What is to be forgotten, in words'),
        ids: z
          .array(z.string().max(60))
          .min(1)
          .max(50)
          .optional()
          .describe('Ids of memories from an earlier result'),
      }),
      settle: (args) =>
        args.query === undefined && args.ids === undefined
          ? { ok: false, problems: [{ field: 'query', problem: 'is missing', missing: true }] }
          : { ok: true, arguments: args },
      async run(args, context) {
        if (args.ids) {
          const forgotten = await memory.forget(args.ids, context)
          if (forgotten.length === 0)
            throw new ToolFailure('not_found', 'None of these is a memory of the speaker.')
          return {
            content: { forgotten: forgotten.map((one) => one.text) },
            told: context.person.language === 'zh' ? '已忘记' : 'Forgotten',
          }
        }
        const candidates = await memory.preview(args.query ?? '', context)
        return {
          content: {
            query: args.query,
            wouldForget: candidates,
            next: 'Call forget with the ids that are meant.',
          },
        }
      },
      async undo(done, context) {
        const ids = Array.isArray(done.arguments.ids) ? done.arguments.ids.map(String) : []
        const back = await memory.bringBack(ids, context)
        if (back.length === 0)
          throw new ToolFailure('not_found', 'It was forgotten too long ago to be brought back.')
        return {
          content: { broughtBack: back },
          told: context.person.language === 'zh' ? '已恢复' : 'Brought back',
        }
      },
    }),

    defineTool({
      name: 'correct_memory',
      title: { en: 'Correct memory', zh: '更正记忆' },
      useWhen: 'the person says that something you remember is wrong or has changed.',
      notWhen: 'its id is not known: recall finds it.',
      returns: 'the memory as it is now; the old one is kept as history.',
      failsWith: 'not found, where it is not the speaker’s to correct.',
      effect: 'own',
      idempotent: true,
      askless: true,
      activity: { en: 'Correcting that', zh: '正在更正' },
      input: z.object({
        id: z.string().max(60).describe('Of a memory from an earlier result'),
        text: z
          .string()
          .trim()
          .min(2)
          .max(1_500)
          .optional()
          .describe('What is right; leave out where it is only wrong'),
      }),
      async run(args, context) {
        const corrected = await memory.correct(args.id, args.text, context)
        if (corrected === 'not_found') throw new ToolFailure('not_found', 'The speaker has no such memory.')
        if ('sentence' in corrected) throw new ToolFailure('validation', corrected.sentence)
        return { content: corrected, told: context.person.language === 'zh' ? '已更正' : 'Corrected' }
      },
      undo: takeBack,
    }),
  ]
}
