import { z } from 'zod'
import type { Database } from '../../store/client.ts'
import { defineTool, type Tool, ToolFailure } from '../definition.ts'
import { pageOf } from '../results.ts'

/** Reading on in results that were too long to be told whole. */
export function resultTools(parts: { db: Database; pageTokens: number }): readonly Tool[] {
  return [
    defineTool({
      name: 'read_result',
      title: { en: 'Read result', zh: '阅读结果' },
      useWhen:
        'an earlier result was shortened and names a reference (ref_…), and the part that is needed is not shown.',
      notWhen: 'the shortened result holds what is needed.',
      returns: 'one page of the stored text, or the lines around a word, and how many pages there are.',
      failsWith: 'not found, where nothing is stored under that reference in this conversation.',
      effect: 'read',
      idempotent: true,
      activity: { en: 'Reading on', zh: '正在继续阅读' },
      input: z.object({
        ref: z.string().trim().max(60).describe('For example ref_0192…'),
        page: z.number().int().min(1).default(1).describe('From 1'),
        search: z.string().trim().max(100).optional().describe('Only lines around this text'),
      }),
      async run(args, context) {
        const stored = await parts.db.storedResult.findFirst({
          where: { id: args.ref, sessionId: context.session.id },
        })
        if (!stored)
          throw new ToolFailure(
            'not_found',
            'Nothing is stored under that reference here, or it has aged out.',
          )
        if (args.search) {
          const lines = stored.text.split('\n')
          const wanted = args.search.toLowerCase()
          const around = new Set(
            lines.flatMap((line, index) =>
              line.toLowerCase().includes(wanted) ? [index - 1, index, index + 1] : [],
            ),
          )
          const found = lines.filter((_, index) => around.has(index)).join('\n')
          const { text } = pageOf(found, 1, parts.pageTokens)
          return { content: text === '' ? `No line holds "${args.search}".` : text }
        }
        const { text, page, pages } = pageOf(stored.text, args.page, parts.pageTokens)
        return { content: `Page ${page} of ${pages}:\n${text}` }
      },
    }),
  ]
}
