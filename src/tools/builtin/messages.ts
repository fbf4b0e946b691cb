import { z } from 'zod'
import { HermesError } from '../../base/errors.ts'
import {
  type CallContext,
  type CheckContext,
  defineTool,
  type Tool,
  ToolFailure,
  type ToolResult,
} from '../definition.ts'
import { labelOf } from '../forms.ts'

/** A person or room that a message can go to. */
export interface Recipient {
  /** What the card shows, and what finds exactly the same again: `person:slack:T1:U2`, `room:slack:T1:C3`. */
  readonly address: string
  readonly name: string
}

/** What `send_message` asks of the rest of Hermes. */
export interface Post {
  /** Whom or what a name means from here. */
  find(to: string, context: CheckContext): Promise<readonly Recipient[]>
  /** Sends once, however often it is called with the same call id. `unknown`: it may have arrived. */
  send(
    address: string,
    text: string,
    context: CallContext,
  ): Promise<{ kind: 'sent' } | { kind: 'failed'; sentence: string } | { kind: 'unknown'; sentence: string }>
  /** Looks whether the message of that call was sent; `unclear`: it may have been. */
  wasSent(callId: string): Promise<'sent' | 'not sent' | 'unclear'>
}

/** Messages to people and rooms outside this thread. */
export function messageTools(post: Post): readonly Tool[] {
  return [
    defineTool({
      name: 'send_message',
      title: { en: 'Send message', zh: '发送消息' },
      useWhen: 'the person wants something to be told to another person or channel.',
      notWhen: 'the answer is for this thread: just answer.',
      returns: 'that the message was sent.',
      failsWith: 'a sentence, where nobody of that name is known here, or several are.',
      effect: 'write',
      idempotent: true,
      timeoutMs: 20_000,
      activity: { en: 'Sending the message', zh: '正在发送消息' },
      risk: {
        en: 'The message is sent in your name by Hermes; it cannot be taken back.',
        zh: '消息将由 Hermes 代您发出，发出后无法撤回。',
      },
      input: z.object({
        to: z.string().trim().min(1).max(100).describe('A person by name, or a channel such as #general'),
        text: z.string().trim().min(1).max(6_000).describe('The message, in Markdown, ready to be sent'),
      }),
      async settle(args, context) {
        let found: readonly Recipient[]
        try {
          found = await post.find(args.to, context)
        } catch (error) {
          if (!(error instanceof HermesError)) throw error
          const problem = `"${args.to}" can't be looked up right now: ${error.message} Nothing was sent`
          return { ok: false, problems: [{ field: 'to', problem, missing: false }] }
        }
        const [recipient] = found
        if (!recipient) {
          return {
            ok: false,
            problems: [{ field: 'to', problem: `I know nobody called "${args.to}" here`, missing: false }],
          }
        }
        if (found.length > 1) {
          const names = found.map((one) => one.name).join(', ')
          return {
            ok: false,
            problems: [
              { field: 'to', problem: `"${args.to}" may be any of: ${names}. Ask which one`, missing: false },
            ],
          }
        }
        return { ok: true, arguments: { to: recipient.name, text: args.text, recipient: recipient.address } }
      },
      card: (args, language) => ({
        target: args.to,
        fields: [
          { label: labelOf('to', language), value: args.to },
          { label: labelOf('text', language), value: args.text },
        ],
      }),
      async run(args, context) {
        const address = String((args as { recipient?: unknown }).recipient ?? '')
        const sent = await post.send(address, args.text, context)
        if (sent.kind === 'failed') throw new ToolFailure('permanent', sent.sentence)
        if (sent.kind === 'unknown') throw new ToolFailure('unknown', sent.sentence)
        return sentTo(args.to, context)
      },
      async checkOutcome(args, context) {
        const found = await post.wasSent(context.callId)
        if (found === 'sent') return { kind: 'done', result: sentTo(args.to, context) }
        if (found === 'not sent') return { kind: 'not done' }
        return { kind: 'unclear', sentence: 'the message is not to be found where it was sent' }
      },
    }),
  ]
}

function sentTo(name: string, context: CallContext): ToolResult {
  return {
    content: { sent: true, to: name },
    told: context.person.language === 'zh' ? `已发送给 ${name}` : `Message sent to ${name}`,
  }
}
