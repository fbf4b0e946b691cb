import { z } from 'zod'
import type { Grants } from '../approvals/grants.ts'
import { defineTool } from '../definition.ts'
import { type Tool, ToolFailure } from '../tool.ts'

/** What the speaker has allowed in this thread for good, and taking it back. */
export function grantTools(grants: Grants): readonly Tool[] {
  return [
    defineTool({
      name: 'list_permissions',
      title: { en: 'List permissions', zh: '列出许可' },
      useWhen: 'the person asks what you may do here without asking, or wants to revoke a permission.',
      notWhen: 'the person asks what waits for a decision: that is in the state.',
      returns:
        'what the speaker has allowed in this thread for good, with ids; everything else that changes something needs Confirm.',
      failsWith: 'nothing; an empty list means that every change needs Confirm.',
      effect: 'read',
      idempotent: true,
      activity: { en: 'Looking what is allowed', zh: '正在查看许可' },
      input: z.object({}),
      async run(_args, context) {
        const allowed = await grants.list({ personId: context.person.id }, context.session.id)
        return {
          content: {
            allowed: allowed.map(({ id, what, since }) => ({ id, what, since: since.toISOString() })),
            everythingElse: 'needs Confirm each time',
          },
        }
      },
    }),
    defineTool({
      name: 'revoke_permission',
      title: { en: 'Revoke permission', zh: '撤销许可' },
      useWhen: 'the person no longer wants something to be done here without asking.',
      notWhen: 'its id is not known: list_permissions gives it.',
      returns: 'what was revoked; from now on it needs Confirm again.',
      failsWith: 'not found, where the speaker has no such permission.',
      effect: 'own',
      idempotent: true,
      askless: true,
      activity: { en: 'Revoking the permission', zh: '正在撤销许可' },
      input: z.object({
        permission: z.string().trim().max(60).describe('The id, grant_…, as list_permissions gives it'),
      }),
      async run(args, context) {
        const what = await grants.revoke(args.permission, { personId: context.person.id })
        if (what === undefined)
          throw new ToolFailure('not_found', 'The speaker has no such permission that still counts.')
        return {
          content: { revoked: what },
          told: context.person.language === 'zh' ? `已撤销：${what}` : `Revoked: ${what}`,
        }
      },
    }),
  ]
}
