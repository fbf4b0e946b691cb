import { z } from 'zod'
import type { Database } from '../../store/client.ts'
import { defineTool } from '../definition.ts'
import { type Tool, ToolFailure } from '../tool.ts'

/** Taking back what waits for a confirmation. */
export function proposalTools(db: Database): readonly Tool[] {
  return [
    defineTool({
      name: 'withdraw',
      title: { en: 'Withdraw', zh: '撤回' },
      useWhen:
        'a proposal that waits for confirmation is no longer wanted, or has to be changed: withdraw it, then propose the new one.',
      notWhen: 'it has been confirmed already.',
      returns: 'that the proposal was withdrawn.',
      failsWith: 'not found, where nothing of that id waits for the speaker’s confirmation here.',
      effect: 'own',
      idempotent: true,
      askless: true,
      activity: { en: 'Withdrawing the proposal', zh: '正在撤回' },
      input: z.object({
        call: z.string().trim().max(60).describe('The id of the call, call_…, as the state names it'),
      }),
      async run(args, context) {
        // Call first, then approval: the order in which everything that decides locks them.
        const count = await db.$executeRaw`
          WITH place AS (
            SELECT id FROM session WHERE id = ${context.session.id} FOR UPDATE
          ), moved AS (
            UPDATE tool_call c SET status = 'withdrawn', ended_at = now() FROM place
            WHERE c.id = ${args.call} AND c.session_id = place.id AND c.person_id = ${context.person.id} AND c.status = 'proposed'
            RETURNING c.id
          )
          UPDATE approval SET status = 'changed', decided_at = now() FROM moved
          WHERE approval.call_id = moved.id AND approval.status = 'open'`
        if (count === 0) {
          const call = await db.toolCall.findFirst({
            where: { id: args.call, sessionId: context.session.id },
          })
          if (call?.status !== 'withdrawn')
            throw new ToolFailure('not_found', 'Nothing of that id waits for a confirmation here.')
        }
        return { content: { withdrawn: args.call } }
      },
    }),
  ]
}
