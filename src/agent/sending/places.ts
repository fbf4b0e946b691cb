import { messageOf } from '../../base/errors.ts'
import type { ThreadRef } from '../../channel/events.ts'
import { ChannelError } from '../../channel/failure.ts'
import type { Speaker } from '../../channel/port.ts'
import { roomThread } from '../../channel/view.ts'
import type { Log } from '../../observe/log.ts'
import type { Place } from '../../tools/approvals/policies.ts'

/** Gives the thread at whose top a card for that room is posted; nothing where there is no such room. */
export type FindPlace = (place: Place) => Promise<ThreadRef | undefined>

/** Rooms do not move, so each is looked for once. */
export function createFindPlace(speaker: (thread: ThreadRef) => Speaker): FindPlace {
  const known = new Map<string, ThreadRef>()
  return async (place) => {
    // The web chat has threads only: there a room is one of them.
    if (place.channel === 'web') return roomThread(place.room)
    // Somebody's direct messages.
    const direct = /^@(.+)$/.exec(place.room)?.[1]
    const key = JSON.stringify([place.channel, place.workspace, place.room])
    const thread =
      known.get(key) ??
      (await (direct === undefined
        ? speaker({ ...place, thread: '' }).findRoom(place.workspace, place.room)
        : speaker({ ...place, thread: '' }).directThread(place.workspace, direct)))
    if (thread) known.set(key, thread)
    return thread
  }
}

/**
 * The room of a card, for what can be said in its thread as well: one that can't be looked up, after the platform's
 * client has tried as often as it does, is on record, and nothing waits for it.
 */
export async function reachedPlace(
  parts: { readonly findPlace: FindPlace; readonly log: Log },
  place: Place,
  card: string,
): Promise<ThreadRef | undefined> {
  const room = `${place.channel}:${place.workspace}:${place.room}`
  try {
    const thread = await parts.findPlace(place)
    if (!thread) parts.log.warn({ card, room }, 'The room for a card does not exist; it stays in its thread')
    return thread
  } catch (error) {
    if (!(error instanceof ChannelError)) throw error
    parts.log.warn({ card, room, error: messageOf(error) }, 'A room for cards could not be looked up')
    return undefined
  }
}

/** Did something happen where these cards are decided, and not in the thread that they belong to? */
export function isAt(place: Place | null, happened: ThreadRef, own: ThreadRef): boolean {
  if (place === null) return false
  if (place.channel !== happened.channel || place.workspace !== happened.workspace) return false
  if (place.channel === 'web') return happened.thread === place.room
  return !(happened.room === own.room && happened.thread === own.thread)
}
