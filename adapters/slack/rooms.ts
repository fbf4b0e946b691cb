import type { Clock } from '../../src/base/clock.ts'
import type { SlackClient } from './client.ts'
import { codeIn } from './refusal.ts'

/** Channels by name. */
export interface Rooms {
  /** The id of a channel of that name (with or without `#`) or id. */
  find(name: string): Promise<string | undefined>
}

const keepMs = 600_000
const pages = 20

export function createRooms(client: SlackClient, clock: Clock): Rooms {
  let known: { readonly byName: ReadonlyMap<string, string>; readonly until: number } | undefined

  async function list(): Promise<ReadonlyMap<string, string>> {
    const byName = new Map<string, string>()
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
      for (const { id, name } of answer.channels ?? []) if (id && name) byName.set(name, id)
      cursor = answer.response_metadata?.next_cursor || undefined
      if (cursor === undefined) break
    }
    return byName
  }

  async function byId(id: string): Promise<string | undefined> {
    try {
      const { channel } = await client.call('conversations.info', 'repeatable', (web) =>
        web.conversations.info({ channel: id }),
      )
      return channel?.id
    } catch (error) {
      if (codeIn(error) === 'channel_not_found') return undefined
      throw error
    }
  }

  return {
    async find(name) {
      const wanted = name.replace(/^#/, '').trim()
      if (/^[CG][A-Z0-9]{7,}$/.test(wanted)) return byId(wanted)
      const lower = wanted.toLowerCase()
      if (known && known.until > clock.monotonic() && known.byName.has(lower)) return known.byName.get(lower)
      // A name that was not there a moment ago may be there now.
      known = { byName: await list(), until: clock.monotonic() + keepMs }
      return known.byName.get(lower)
    },
  }
}
