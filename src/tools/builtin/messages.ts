import { z } from 'zod'
import { HermesError } from '../../base/errors.ts'
import type { Language } from '../../base/words.ts'
import { readAddress } from '../../channel/address.ts'
import type { ChannelName } from '../../channel/events.ts'
import { labelOf } from '../arguments/forms.ts'
import { defineTool } from '../definition.ts'
import {
  type ArgumentProblem,
  type CallContext,
  type CheckContext,
  type Checked,
  type Tool,
  ToolFailure,
  type ToolResult,
} from '../tool.ts'
import { messageWords } from './message-words.ts'

/** A person or room that a message can go to. */
export interface Recipient {
  /** What finds exactly the same again: `person:slack:T1:U2`, `room:slack:T1:C3:main`. */
  readonly address: string
  readonly name: string
  readonly channel: ChannelName
}

/** What a name came to. */
export type Finding =
  | { readonly kind: 'found'; readonly recipient: Recipient }
  | { readonly kind: 'several'; readonly recipients: readonly Recipient[] }
  /** Nobody and nothing of that name, there where a channel was named. */
  | { readonly kind: 'none'; readonly name: string; readonly wanted?: ChannelName }
  /** Known, but not on the channel that was named. */
  | {
      readonly kind: 'elsewhere'
      readonly name: string
      readonly wanted: ChannelName
      readonly channels: readonly ChannelName[]
    }
  /** The channel that was named, or the only one of that person, is not connected. */
  | { readonly kind: 'off'; readonly channel: ChannelName; readonly name?: string }

/** What `send_message` asks of the rest of Hermes. */
export interface Post {
  /** Whom or what a name means for this person from here. */
  find(to: string, context: CheckContext, channel?: ChannelName): Promise<Finding>
  /** Sends once, however often it is called with the same call id. `unknown`: it may have arrived. */
  send(
    address: string,
    text: string,
    context: CallContext,
  ): Promise<{ kind: 'sent' } | { kind: 'failed'; sentence: string } | { kind: 'unknown'; sentence: string }>
  /** Looks whether the message of that call was sent, wholly; `unclear`: it may have been. */
  wasSent(address: string, text: string, context: CallContext): Promise<'sent' | 'not sent' | 'unclear'>
}

/** Messages to people and rooms outside this thread, on whatever channel they are. */
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
        channel: z
          .enum(['slack', 'discord', 'web'])
          .optional()
          .describe('Only where the person says on which platform'),
      }),
      async settle(args, context) {
        const words = messageWords(context.language)
        let found: Finding
        try {
          found = await post.find(args.to, context, args.channel)
        } catch (error) {
          if (!(error instanceof HermesError)) throw error
          return wrong(words.noLook(args.to, error.message))
        }
        if (found.kind !== 'found')
          return wrong(problemOf(found, args.to, context.language), optionsOf(found))
        const { name, address, channel } = found.recipient
        // Said where it matters: the card tells the channel in any case.
        const there = channel !== context.thread.channel || args.channel !== undefined ? { channel } : {}
        return { ok: true, arguments: { to: name, text: args.text, ...there, recipient: address } }
      },
      card(args, language) {
        const target = shown(args, language)
        return {
          target,
          fields: [
            { label: labelOf('to', language), value: target },
            { label: labelOf('text', language), value: args.text },
          ],
        }
      },
      async run(args, context) {
        const sent = await post.send(addressIn(args), args.text, context)
        if (sent.kind === 'failed') throw new ToolFailure('permanent', sent.sentence)
        if (sent.kind === 'unknown') throw new ToolFailure('unknown', sent.sentence)
        return sentTo(args, context)
      },
      async checkOutcome(args, context) {
        const found = await post.wasSent(addressIn(args), args.text, context)
        if (found === 'sent') return { kind: 'done', result: sentTo(args, context) }
        if (found === 'not sent') return { kind: 'not done' }
        return { kind: 'unclear', sentence: 'the message is not to be found where it was sent' }
      },
    }),
  ]
}

interface Arguments {
  readonly to: string
  readonly text: string
  readonly channel?: ChannelName | undefined
}

function wrong(problem: string, options: ArgumentProblem['options'] = []): Checked<never> {
  const found = options.length > 0 ? { options } : {}
  return { ok: false, problems: [{ field: 'to', problem, missing: false, ...found }] }
}

/** Those who may be meant, where a name finds each of them again. */
function optionsOf(found: Finding): ArgumentProblem['options'] {
  if (found.kind !== 'several') return []
  const names = found.recipients.map(({ name }) => name)
  return new Set(names).size === names.length ? names.map((name) => ({ id: name, label: name })) : []
}

function problemOf(
  found: Exclude<Finding, { readonly kind: 'found' }>,
  to: string,
  language: Language,
): string {
  const words = messageWords(language)
  switch (found.kind) {
    case 'none': {
      const isRoom = found.name.startsWith('#')
      if (found.wanted === undefined) return isRoom ? words.noRoom(found.name) : words.nobody(found.name)
      const on = words.channels[found.wanted]
      return isRoom ? words.noRoomOn(found.name, on) : words.nobodyOn(found.name, on)
    }
    case 'several': {
      const across = new Set(found.recipients.map((one) => one.channel)).size > 1
      const names = found.recipients.map((one) =>
        across ? words.room(one.name, words.channels[one.channel]) : one.name,
      )
      return words.several(to, names.join(words.or))
    }
    case 'elsewhere': {
      const on = found.channels.map((one) => words.channels[one]).join(words.or)
      return words.elsewhere(found.name, words.channels[found.wanted], on)
    }
    case 'off': {
      const on = words.channels[found.channel]
      return found.name === undefined ? words.off(on) : words.offFor(found.name, on)
    }
    default:
      return found satisfies never
  }
}

/** Exactly where it goes: "Zhang Wei · Discord, direct message". */
function shown(args: Arguments, language: Language): string {
  const words = messageWords(language)
  const recipient = readAddress(addressIn(args))
  if (!recipient) return args.to
  if (recipient.kind === 'room') return words.room(args.to, words.channels[recipient.thread.channel])
  return words.direct(args.to, words.channels[recipient.channel])
}

function addressIn(args: Arguments): string {
  return String((args as { recipient?: unknown }).recipient ?? '')
}

function sentTo(args: Arguments, context: CallContext): ToolResult {
  const words = messageWords(context.person.language)
  const recipient = readAddress(addressIn(args))
  const channel = recipient?.kind === 'room' ? recipient.thread.channel : recipient?.channel
  const isHere = channel === undefined || channel === context.session.thread.channel
  return {
    content: { sent: true, to: args.to, ...(channel === undefined ? {} : { channel }) },
    told: isHere ? words.sent(args.to) : words.sentOn(args.to, words.channels[channel]),
  }
}
