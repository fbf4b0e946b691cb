import { z } from 'zod'
import type { Database } from '../../store/client.ts'
import { defineTool } from '../definition.ts'
import { type CheckContext, type Tool, ToolFailure } from '../tool.ts'

/** Taking back what was done at once: effects of the speaker's own need no confirmation, so they can be undone. */
export function undoTools(parts: { db: Database; tools: () => readonly Tool[] }): readonly Tool[] {
  const { db, tools } = parts
  const undoable = () => tools().filter((tool) => tool.undo !== undefined)

  /** The last thing that was done for this person in this thread and not taken back, or the one that is named. */
  const lastOf = async (context: CheckContext, named: string | undefined): Promise<string | undefined> => {
    const { channel, workspace, room, thread } = context.thread
    const rows = await db.$queryRaw<{ id: string }[]>`
      SELECT c.id FROM session s JOIN tool_call c ON c.session_id = s.id
      WHERE s.channel = ${channel}::channel_name AND s.workspace = ${workspace} AND s.room = ${room}
        AND s.thread = ${thread} AND c.person_id = ${context.personId} AND c.status = 'succeeded'
        AND c.tool = ANY(${undoable().map((tool) => tool.name)}::text[])
        AND (${named ?? null}::text IS NULL OR c.id = ${named ?? null})
        -- Looking what would be forgotten forgets nothing.
        AND NOT (c.tool = 'forget' AND NOT c.arguments ? 'ids')
        AND NOT EXISTS (SELECT 1 FROM tool_call u WHERE u.session_id = s.id AND u.tool = 'undo'
          AND u.status = 'succeeded' AND u.arguments->>'call' = c.id)
      ORDER BY c.ended_at DESC, c.id DESC LIMIT 1`
    return rows[0]?.id
  }

  return [
    defineTool({
      name: 'undo',
      title: { en: 'Undo', zh: '撤销' },
      useWhen:
        'the person wants the last memory, correction, forgetting or reminder of this thread taken back ("undo that").',
      notWhen:
        'a proposal waits for confirmation: withdraw takes it back. What was confirmed can not be undone.',
      returns: 'what was taken back.',
      failsWith: 'a sentence, where there is nothing of the speaker’s own to take back here.',
      effect: 'own',
      idempotent: true,
      askless: true,
      activity: { en: 'Taking that back', zh: '正在撤销' },
      input: z.object({
        call: z
          .string()
          .trim()
          .max(60)
          .optional()
          .describe('The id of the call to take back, call_…; leave out for the last one'),
      }),
      async settle(args, context) {
        const call = await lastOf(context, args.call)
        return call === undefined
          ? {
              ok: false,
              problems: [
                { field: 'call', problem: 'there is nothing here that could be taken back', missing: false },
              ],
            }
          : { ok: true, arguments: { call } }
      },
      async run(args, context) {
        const done = await db.toolCall.findFirst({
          where: { id: args.call ?? '', sessionId: context.session.id, personId: context.person.id },
        })
        const undo = tools().find((tool) => tool.name === done?.tool)?.undo
        if (!done || !undo)
          throw new ToolFailure('not_found', 'There is nothing here that could be taken back.')
        return undo({ id: done.id, arguments: done.arguments as Record<string, unknown> }, context)
      },
    }),
  ]
}
