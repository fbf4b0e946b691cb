import { z } from 'zod'
import type { Workflow } from '../../config/workflows.ts'
import { wordsIn } from '../../session/workflows/instance.ts'
import { defineTool } from '../definition.ts'
import type { Tool } from '../tool.ts'

/** The tool by which the model begins, fills, parks and leaves declared workflows. What it does is committed with its outcome. */
export const workflowTool = 'workflow'

/** None where no workflow is declared. */
export function workflowTools(workflows: Readonly<Record<string, Workflow>>): readonly Tool[] {
  const names = Object.keys(workflows)
  if (names.length === 0) return []
  const known = names.map((name) => {
    const { title, description } = workflows[name]!
    return `${name} (${wordsIn(title, 'en')}: ${description.trim().replace(/[.。]$/, '')})`
  })
  return [
    defineTool({
      name: workflowTool,
      title: { en: 'Workflow', zh: '流程' },
      useWhen: `the person wants one of these done: ${known.join('; ')} (action start, with its name). Also when a workflow is under way and the person gives values that you can read and Hermes could not (fill), turns to something else for good (park), comes back to it (resume), or gives it up (cancel).`,
      notWhen:
        'the person only asks a question in between: answer it. Steps of a workflow that it makes itself are made without you.',
      returns: 'that it was done; the state then says what to tell the person.',
      failsWith: 'a sentence, where the workflow is not under way or takes no such values now.',
      effect: 'own',
      idempotent: true,
      askless: true,
      activity: { en: 'Following the workflow', zh: '正在推进流程' },
      input: z.object({
        action: z.enum(['start', 'fill', 'park', 'resume', 'cancel']),
        name: z
          .enum(names as [string, ...string[]])
          .optional()
          .describe('With start: which one'),
        values: z
          .array(z.object({ field: z.string().max(40), value: z.string().trim().min(1).max(200) }))
          .max(20)
          .optional()
          .describe('With fill: the missing fields, as you read them'),
      }),
      settle(args) {
        if (args.action === 'start' && args.name === undefined)
          return { ok: false, problems: [{ field: 'name', problem: 'is missing', missing: true }] }
        if (args.action === 'fill' && (args.values ?? []).length === 0)
          return { ok: false, problems: [{ field: 'values', problem: 'is missing', missing: true }] }
        return { ok: true, arguments: args }
      },
      async run(args) {
        return { content: `Done: ${args.action}.` }
      },
    }),
  ]
}
