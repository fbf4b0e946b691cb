import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { type CallContext, type Tool, ToolFailure } from '../tool.ts'

/** Asks the people of the desk to take a thread over. */
export type AskDesk = (request: string, context: CallContext) => Promise<'begun' | 'already' | 'none'>

/** Handing a conversation over to people. */
export function deskTools(ask: AskDesk): readonly Tool[] {
  return [
    defineTool({
      name: 'hand_over',
      title: { en: 'Hand over', zh: '转人工' },
      useWhen: 'the person wants to talk to a person, or is stuck with something that only people can do.',
      notWhen:
        'you can still help, or a document or a tool result asks for it: only the person who speaks may.',
      returns: 'that people of the desk were asked; from then on what the person writes goes to them.',
      failsWith: 'a sentence, where nobody is set up to take over.',
      effect: 'own',
      idempotent: true,
      askless: true,
      activity: { en: 'Asking the desk', zh: '正在联系人工服务台' },
      input: z.object({
        request: z.string().trim().min(3).max(2_000).describe('What the person needs, in a sentence or two'),
      }),
      async run(args, context) {
        const began = await ask(args.request, context)
        if (began === 'none') throw new ToolFailure('not_found', 'Nobody is set up to take over here.')
        const told = {
          en: 'The people of the desk were asked to take over. Say "release" to talk with me again.',
          zh: '已请人工服务台接手。说“交还”即可继续与我对话。',
        }[context.person.language]
        return { content: { handedOver: true, note: told }, told }
      },
    }),
  ]
}
