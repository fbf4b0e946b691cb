import { HermesError } from '../../base/errors.ts'
import type { Language } from '../../base/words.ts'
import { type Address, type Recipient, readAddress } from '../../channel/address.ts'
import type { ThreadRef } from '../../channel/events.ts'
import type { Speaker } from '../../channel/port.ts'
import { splitMarkdown } from '../../channel/split.ts'
import type { Post } from '../../tools/builtin/messages.ts'
import type { CallContext } from '../../tools/tool.ts'
import type { Reach } from '../people/reach.ts'
import { peopleWords } from '../people/words.ts'
import type { Deliveries } from './delivery.ts'
import type { Keep } from './keeping.ts'

/**
 * Messages to people and rooms outside the thread, each sent once and kept in the recipient's own thread. A long one
 * goes in several pieces, each a delivery of its own, so that one that broke off goes on where it stopped.
 */
export function createPost(parts: {
  reach: Reach
  deliveries: Deliveries
  keep: Keep
  speaker: (thread: ThreadRef) => Speaker
}): Post {
  const { deliveries, speaker, reach } = parts

  return {
    find: (to, { personId, thread }, channel) => reach.find(to, { personId, thread }, channel),

    async send(address, text, context) {
      const recipient = readAddress(address)
      if (!recipient) return { kind: 'failed', sentence: noRecipient[context.person.language] }
      let target: Target
      try {
        target = await targetOf(recipient)
      } catch (error) {
        if (!(error instanceof HermesError && error.code === 'channel.off')) throw error
        const words = peopleWords(context.person.language)
        const { channel } = recipient.kind === 'room' ? recipient.thread : recipient
        return { kind: 'failed', sentence: words.off(words.channels[channel]) }
      }
      const { thread, recipientId } = target
      const whole = letter(text, thread, context)
      const id = `msg_${context.callId}`
      // The recipient may answer in their thread: there, too, it is part of the history. The web chat shows nothing else.
      if (recipientId !== undefined)
        await parts.keep({ id, thread, kind: 'direct', personId: null, text: whole })
      else if (thread.channel === 'web')
        await parts.keep({ id, thread, kind: 'shared', personId: null, text: whole })
      for (const [index, piece] of pieces(whole, target).entries()) {
        const sent = await deliveries.once(
          {
            key: keyOf(context.callId, index),
            sessionId: context.session.id,
            turnId: context.turnId,
            purpose: 'message',
            target,
          },
          piece,
          context.signal,
        )
        if (sent.kind === 'failed') {
          // What has been sent already is not sent again by whoever goes on.
          const kind = sent.uncertain || index > 0 ? 'unknown' : 'failed'
          return { kind, sentence: sent.reason }
        }
      }
      return { kind: 'sent' }
    },

    async wasSent(address, text, context) {
      // Without a row nothing was begun: it is written before the message goes out.
      if ((await deliveries.look(keyOf(context.callId, 0))) === 'none') return 'not sent'
      const recipient = readAddress(address)
      const target = recipient && (await targetOf(recipient))
      const count = target ? pieces(letter(text, target.thread, context), target).length : 1
      for (let index = 0; index < count; index += 1) {
        const found = await deliveries.look(keyOf(context.callId, index))
        if (found !== 'sent') return found === 'none' ? 'not sent' : found
      }
      return 'sent'
    },
  }

  async function targetOf(recipient: Recipient): Promise<Target> {
    if (recipient.kind === 'room') return { thread: recipient.thread }
    return { thread: await directThread(recipient), recipientId: recipient.userId }
  }

  function directThread({ channel, workspace, userId }: Address): Promise<ThreadRef> {
    return speaker({ channel, workspace, room: '', thread: '' }).directThread(workspace, userId)
  }

  function pieces(text: string, target: Target): readonly string[] {
    return splitMarkdown(text, speaker(target.thread).surface(target).characters)
  }
}

interface Target {
  readonly thread: ThreadRef
  readonly recipientId?: string
}

const noRecipient: Readonly<Record<Language, string>> = {
  en: 'The message has no recipient.',
  zh: '消息没有收件人。',
}

function keyOf(callId: string, index: number): string {
  return index === 0 ? `message:${callId}` : `message:${callId}:${index + 1}`
}

/** The message with the name of the one who has it sent, and where that is elsewhere, the place. */
function letter(text: string, to: ThreadRef, { person, session }: CallContext): string {
  const words = peopleWords(person.language)
  const { channel } = session.thread
  const sender = channel === to.channel ? person.name : words.from(person.name, words.channels[channel])
  return `${words.asked(sender)}\n\n${text}`
}
