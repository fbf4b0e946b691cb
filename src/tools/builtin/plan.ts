import { z } from 'zod'
import { changePlans, type PlanChange, planLines, readPlans } from '../../session/plan.ts'
import type { Database } from '../../store/client.ts'
import { defineTool } from '../definition.ts'
import type { Tool } from '../tool.ts'

/** Keeping the plan of the task in hand where it is never trimmed. */
export function planTools(db: Database): readonly Tool[] {
  return [
    defineTool({
      name: 'update_plan',
      title: { en: 'Update plan', zh: '更新计划' },
      useWhen:
        'a request has several steps or conditions, a step of the plan is done or dropped, the person sets or changes a condition that must hold, turns to something else (park), comes back (resume), or the task is over (end).',
      notWhen: 'the request is one question or one action.',
      returns: 'the plan as it is now.',
      failsWith: 'a sentence, where `set` names no goal.',
      effect: 'own',
      idempotent: true,
      askless: true,
      activity: { en: 'Planning', zh: '正在规划' },
      input: z.object({
        action: z.enum(['set', 'park', 'resume', 'end']),
        goal: z
          .string()
          .trim()
          .max(300)
          .optional()
          .describe('What the person wants in the end; for resume and end, words of it'),
        steps: z
          .array(
            z.object({
              text: z.string().trim().min(1).max(300),
              status: z.enum(['open', 'done', 'dropped']).default('open'),
              condition: z
                .string()
                .trim()
                .max(200)
                .optional()
                .describe('For example "if he has not submitted"'),
            }),
          )
          .max(20)
          .optional()
          .describe('With set: all steps, in order, as they stand now'),
        constraints: z
          .array(z.string().trim().min(1).max(300))
          .max(20)
          .optional()
          .describe("With set: what must hold, in the person's words; leave out to keep those there are"),
      }),
      settle(args) {
        if (args.action === 'set' && !args.goal) {
          return { ok: false, problems: [{ field: 'goal', problem: 'is missing', missing: true }] }
        }
        return { ok: true, arguments: args }
      },
      async run(args, context) {
        // The lease lets one turn of the session run, so what is read here is not changed by another.
        const row = await db.session.findUniqueOrThrow({
          where: { id: context.session.id },
          select: { plan: true },
        })
        const before = readPlans(row.plan)
        const same = before.current?.goal === args.goal ? before.current : undefined
        const change: PlanChange =
          args.action === 'set'
            ? {
                action: 'set',
                plan: {
                  goal: args.goal ?? '',
                  steps: args.steps ?? same?.steps ?? [],
                  constraints: args.constraints ?? same?.constraints ?? before.current?.constraints ?? [],
                  // A plan that code made of a message stays that message's, however far it is.
                  ...(same?.turnId === undefined ? {} : { turnId: same.turnId }),
                },
              }
            : args.action === 'park' || !args.goal
              ? { action: args.action }
              : { action: args.action, goal: args.goal }
        const plans = changePlans(before, change)
        await db.session.update({ where: { id: context.session.id }, data: { plan: plans as object } })
        return { content: planLines(plans).join('\n') || 'There is no plan now.' }
      },
    }),
  ]
}
