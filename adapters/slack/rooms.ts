import type { Clock } from '../../src/base/clock.ts'
import type { SlackClient } from './client.ts'
import { codeIn } from './refusal.ts'

/** Channels by name. */
export interface Rooms {
  /** The id of a channel of that name (with or without `#`) or id; of a private one only for those who are in it. */
  find(name: string, askerId: string | undefined): Promise<string | undefined>
}

interface Room {
  readonly id: string
  /** Can only its members read it? */
  readonly closed: boolean
}

const keepMs = 600_000
const pages = 20
/** 20,000 people in one private channel. */
const memberPages = 20

export function createRooms(client: SlackClient, clock: Clock): Rooms {
  let known: { readonly byName: ReadonlyMap<string, Room>; readonly until: number } | undefined

  async function list(): Promise<ReadonlyMap<string, Room>> {
    const byName = new Map<string, Room>()
    let cursor: string | undefined
    for (let page = 0; page < pages; page += 1) {
      const answer = await client.call('conversations.list', 'repeatable', (web) =>
        web.conversations.list({
          types: 'public_channel,private_channel',
          exclude_archived: true,
          limit: 1_000,
          ...(cursor === undefined ? {} : { cursor }),
        }),
      )
      for (const { id, name, is_private } of answer.channels ?? [])
        if (id && name) byName.set(name, { id, closed: is_private !== false })
      cursor = answer.response_metadata?.next_cursor || undefined
      if (cursor === undefined) break
    }
    return byName
  }

  async function byId(id: string): Promise<Room | undefined> {
    try {
      const { channel } = await client.call('conversations.info', 'repeatable', (web) =>
        web.conversations.info({ channel: id }),
      )
      return channel?.id === undefined ? undefined : { id: channel.id, closed: channel.is_private !== false }
    } catch (error) {
      if (codeIn(error) === 'channel_not_found') return undefined
      throw error
    }
  }

  async function called(wanted: string): Promise<Room | undefined> {
    if (/^[CG][A-Z0-9]{7,}$/.test(wanted)) return byId(wanted)
    const lower = wanted.toLowerCase()
    if (known && known.until > clock.monotonic() && known.byName.has(lower)) return known.byName.get(lower)
    // A name that was not there a moment ago may be there now.
    known = { byName: await list(), until: clock.monotonic() + keepMs }
    return known.byName.get(lower)
  }

  /** Asked each time: someone may have left since. */
  async function isMember(room: string, userId: string): Promise<boolean> {
    let cursor: string | undefined
    for (let page = 0; page < memberPages; page += 1) {
      const answer = await client.call('conversations.members', 'repeatable', (web) =>
        web.conversations.members({
          channel: room,
          limit: 1_000,
          ...(cursor === undefined ? {} : { cursor }),
        }),
      )
      if (answer.members?.includes(userId)) return true
      cursor = answer.response_metadata?.next_cursor || undefined
      if (cursor === undefined) break
    }
    return false
  }

  return {
    async find(name, askerId) {
      const room = await called(name.replace(/^#/, '').trim())
      if (!room?.closed) return room?.id
      return askerId !== undefined && (await isMember(room.id, askerId)) ? room.id : undefined
    },
  }
}
