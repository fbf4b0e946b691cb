import { HermesError } from '../../base/errors.ts'
import { type ChannelName, identitySpace, type ThreadRef } from '../../channel/events.ts'
import { isSameName } from '../../channel/names.ts'
import type { Speaker } from '../../channel/port.ts'
import { roomThread } from '../../channel/view.ts'
import type { KnownAddress } from '../../session/people.ts'
import type { RoomEntry } from './entries.ts'

/**
 * Rooms of that name: of the asker's own workspace first, then those that the operator names, then, where a platform
 * is named, those of the asker's workspaces there. Who can't read a room does not find it, unless the operator has
 * named it.
 */
export async function roomsFor(
  name: string,
  at: {
    readonly thread: ThreadRef
    readonly named: ChannelName | undefined
    readonly own: readonly KnownAddress[]
    /** Discord servers in which the asker has written. */
    readonly guilds: () => Promise<readonly string[]>
    readonly rooms: readonly RoomEntry[]
    readonly connected: ReadonlySet<ChannelName>
    readonly speaker: (thread: ThreadRef) => Speaker
  },
): Promise<readonly ThreadRef[]> {
  const { thread, named, own, connected, speaker } = at
  const roomOf = (channel: ChannelName, workspace: string, room: string, askerId?: string) =>
    speaker({ channel, workspace, room: '', thread: '' }).findRoom(workspace, room, askerId)

  if (named === undefined || named === thread.channel) {
    const here = own.find(
      (one) => one.channel === thread.channel && identitySpace(one) === identitySpace(thread),
    )
    const room = await roomOf(thread.channel, thread.workspace, name, here?.userId)
    if (room) return [room]
  }
  const entries = at.rooms.filter(
    ({ channel, names }) =>
      connected.has(channel) &&
      (named === undefined || channel === named) &&
      names.some((one) => isSameName(one, name)),
  )
  const configured = await Promise.all(
    entries.map(async ({ channel, workspace, room }) => {
      if (channel === 'web') return roomThread(room)
      return roomOf(channel, workspace, room).catch(ignored)
    }),
  )
  const known = configured.filter((room) => room !== undefined)
  if (known.length > 0 || named === undefined) return known
  const there = await Promise.all(
    own
      .filter(({ channel }) => channel === named && named !== 'web')
      .flatMap(async (one) => {
        const workspaces = one.channel === 'discord' ? await at.guilds() : [one.workspace]
        return Promise.all(
          workspaces.map((workspace) => roomOf(one.channel, workspace, name, one.userId).catch(ignored)),
        )
      }),
  )
  const found = there.flat().filter((room) => room !== undefined)
  return [...new Map(found.map((room) => [`${room.workspace}:${room.room}`, room])).values()]
}

/** A platform that does not answer for one of several places: as if there were no such room. */
function ignored(error: unknown): undefined {
  if (error instanceof HermesError) return undefined
  throw error
}
