import type { ChannelName, ThreadRef } from '../channel/events.ts'
import { type Named, peopleNamed } from '../channel/names.ts'
import type { Speaker } from '../channel/port.ts'
import type { People, Reachable } from '../session/people.ts'
import type { Post, Recipient } from '../tools/builtin/messages.ts'
import type { Deliveries } from './delivery.ts'
import type { Keep } from './keeping.ts'

/** Messages to people and rooms outside the thread, each sent once and kept in the recipient's own thread. */
export function createPost(parts: {
  people: People
  deliveries: Deliveries
  keep: Keep
  speaker: (thread: ThreadRef) => Speaker
}): Post {
  const { people, deliveries, speaker } = parts

  return {
    async find(to, context) {
      const { thread, personId } = context
      const here = speaker(thread)
      if (/^(?:me|myself|我|我自己)$/i.test(to.trim())) {
        const me = await people.find(personId, thread)
        return me?.userId ? [person(thread, me.userId, me.name)] : []
      }
      const asker = await people.find(personId, thread)
      if (to.startsWith('#')) {
        const room = await here.findRoom(thread.workspace, to.slice(1).trim(), asker?.userId)
        return room
          ? [{ address: `room:${room.channel}:${room.workspace}:${room.room}:${room.thread}`, name: to }]
          : []
      }
      const listed = (await here.findPeople?.(thread.workspace, to, asker?.userId)) ?? []
      // The platform's own list knows everyone, and tells two of one name apart. The web chat has none and gives
      // the name back: there, whoever is known by it is meant first.
      const isList = listed.some(({ userId, name }) => userId !== name)
      const known = isList ? [] : knownAs(await people.named(to, thread), to)
      const found = known.length > 0 ? known : listed
      return unique(found.map(({ userId, name }) => person(thread, userId, name)))
    },

    async send(address, text, context) {
      const [kind, channel, workspace, ...rest] = address.split(':')
      const here = { channel: channel as ChannelName, workspace: workspace ?? '' }
      if (kind === 'room') {
        const [room = '', thread = ''] = rest
        return post({ ...here, room, thread }, undefined, text, context)
      }
      if (kind !== 'person') return { kind: 'failed', sentence: 'The message has no recipient.' }
      const userId = rest.join(':')
      const thread = await speaker({ ...here, room: '', thread: '' }).directThread(here.workspace, userId)
      return post(thread, userId, text, context)
    },

    async wasSent(callId) {
      const found = await deliveries.look(`message:${callId}`)
      // Without a row nothing was begun: it is written before the message goes out.
      return found === 'none' ? 'not sent' : found
    },
  }

  async function post(
    thread: ThreadRef,
    userId: string | undefined,
    text: string,
    context: Parameters<Post['send']>[2],
  ): ReturnType<Post['send']> {
    const said =
      context.person.language === 'zh'
        ? `${context.person.name} 让我转告：`
        : `${context.person.name} asked me to tell you:`
    const whole = `${said}\n\n${text}`
    // The recipient may answer in their thread: there, too, it is part of the history.
    if (userId !== undefined) {
      const id = `msg_${context.callId}`
      await parts.keep({ id, thread, kind: 'direct', personId: null, text: whole })
    }
    const sent = await deliveries.once(
      {
        key: `message:${context.callId}`,
        sessionId: context.session.id,
        turnId: context.turnId,
        purpose: 'message',
        target: { thread, ...(userId === undefined ? {} : { recipientId: userId }) },
      },
      whole,
      context.signal,
    )
    return sent.kind === 'sent' ? { kind: 'sent' } : { kind: 'failed', sentence: sent.reason }
  }
}

function knownAs(people: readonly Reachable[], name: string): readonly Named[] {
  const nameable = people.map((one) => ({ ...one.identity, name: one.name, handle: one.identity.userId }))
  return peopleNamed(nameable, name)
}

function person(thread: Pick<ThreadRef, 'channel' | 'workspace'>, userId: string, name: string): Recipient {
  return { address: `person:${thread.channel}:${thread.workspace}:${userId}`, name }
}

function unique(recipients: readonly Recipient[]): readonly Recipient[] {
  return [...new Map(recipients.map((recipient) => [recipient.address, recipient])).values()]
}
