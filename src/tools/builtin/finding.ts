import { z } from 'zod'
import { defineTool } from '../definition.ts'
import type { Scored } from '../selection/selection.ts'
import type { Tool } from '../tool.ts'

/** Scores tools for what is to be done, the best first. */
export type ScoreTools = (
  tools: readonly Tool[],
  query: string,
  signal: AbortSignal,
) => Promise<readonly Scored[]>

/** Finding tools that were not offered. */
export function findingTools(all: () => readonly Tool[], score: ScoreTools): readonly Tool[] {
  return [
    defineTool({
      name: 'find_tools',
      title: { en: 'Find tools', zh: '查找工具' },
      useWhen:
        'the request needs something that none of the offered tools does, or the person asks what you can do here.',
      notWhen: 'an offered tool does it.',
      returns:
        'names and purposes of up to eight tools; from the next step on they are offered for the rest of the task.',
      failsWith: 'nothing; the list may be empty, then it can not be done here.',
      effect: 'read',
      idempotent: true,
      askless: true,
      activity: { en: 'Looking what I can do', zh: '正在查找可用的工具' },
      input: z.object({ query: z.string().trim().min(1).max(300).describe('What is to be done, in words') }),
      async run(args, context) {
        const usable = all().filter(
          (tool) => tool.blocked === undefined && tool.name !== 'find_tools' && context.mounts(tool),
        )
        const found = (await score(usable, args.query, context.signal)).filter((one) => one.score > 0)
        const shown = (found.length > 0 ? found.map(({ tool }) => tool) : usable).slice(0, 8)
        return {
          content: {
            query: args.query,
            tools: shown.map((tool) => ({
              name: tool.name,
              does: tool.description
                .split('\n')[0]
                ?.replace(/^Use when: /, '')
                .slice(0, 200),
              changes: tool.effect === 'write',
            })),
          },
        }
      },
    }),
  ]
}

/** The tools that `find_tools` has named in results of this task. */
export function foundIn(results: readonly (string | null)[]): readonly string[] {
  return results.flatMap((result) =>
    [...(result ?? '').matchAll(/"name":"([a-zA-Z0-9_-]{1,64})"/g)].map((match) => match[1]!),
  )
}
