import { clockTime, type Language } from '../../base/words.ts'
import type { Card, CardAction } from '../../channel/card.ts'
import type { ThreadRef } from '../../channel/events.ts'
import type { DeskCase } from './desk.ts'
import { deskWords } from './words.ts'

/** How the desk's card is told: in the desk's language and time, not the person's. */
export interface DeskTelling {
  readonly now: Date
  readonly timeZone: string
  readonly language: Language
}

/** The card of a case, as it stands. */
export function deskCard(one: DeskCase, at: DeskTelling): Card {
  const words = deskWords(at.language)
  const time = (date: Date | undefined) => (date ? clockTime(date, at.now, at.timeZone, at.language) : '')
  const button = (label: string, action: string, style: CardAction['style']): CardAction => ({
    ...{ label, action, value: one.id },
    ...(style === undefined ? {} : { style }),
  })
  const footer = {
    open: words.open,
    claimed: words.claimed(one.claimedBy ?? '', time(one.claimedAt)),
    released: one.releasedBy ? words.released(one.releasedBy, time(one.releasedAt)) : words.dropped,
  }[one.status]
  return {
    id: one.id,
    title: words.caseOf(one.person),
    target: one.request.slice(0, 300),
    fields: [
      { label: words.person, value: one.person },
      { label: words.where, value: one.thread.channel },
      { label: words.reason, value: one.reason === 'asked' ? words.asked : words.kept(one.reason) },
      ...(one.failures.length > 0 ? [{ label: words.failures, value: one.failures.join('\n') }] : []),
      ...(one.deskThread?.channel === 'web' ? [{ label: words.thread, value: one.deskThread.thread }] : []),
    ],
    risk: words.privacy,
    footer,
    tone: one.status === 'open' ? 'open' : one.status === 'claimed' ? 'done' : 'void',
    actions: {
      open: [button(words.claim, 'desk.claim', 'primary')],
      claimed: [button(words.release, 'desk.release', undefined)],
      released: [],
    }[one.status],
  }
}

/**
 * The case's own thread: the one under its card. The web chat has threads only, so there the room is one, and the
 * case's is named after both.
 */
export function caseThread(room: ThreadRef, messageId: string): ThreadRef {
  if (room.channel === 'web') return { ...room, thread: `${room.thread}-${messageId.slice(-12)}` }
  return { ...room, thread: messageId }
}
