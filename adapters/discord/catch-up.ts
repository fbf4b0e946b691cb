import {
  ChannelType,
  type Client,
  type DMChannel,
  type Message,
  RESTJSONErrorCodes,
  SnowflakeUtil,
  type TextBasedChannel,
} from 'discord.js'
import type { Log } from '../../src/observe/log.ts'
import type { Lanes } from './lanes.ts'
import { discordCode } from './refusal.ts'

/** Clocks differ; what is read twice is recognised by its key. */
const margin = 60_000
/** No more than this is read back, whatever the reason. */
const longest = 24 * 60 * 60_000
const pageSize = 100
const mostPages = 10

const unreadable: ReadonlySet<number | undefined> = new Set([
  RESTJSONErrorCodes.MissingAccess,
  RESTJSONErrorCodes.MissingPermissions,
  RESTJSONErrorCodes.UnknownChannel,
])

/**
 * Reads what was said since then and not delivered: in guild channels and open threads where something was said
 * at all, and in the direct messages that are known. Each channel is read in its own lane, so that what comes in
 * meanwhile waits behind it.
 */
export function catchUp(
  client: Client<true>,
  parts: {
    readonly since: Date
    readonly now: Date
    /** Ids of DM channels; Discord does not list them. */
    readonly directRooms: Iterable<string>
    readonly lanes: Lanes
    readonly take: (message: Message) => Promise<void>
    readonly log: Log
  },
): void {
  const from = Math.max(parts.since.getTime() - margin, parts.now.getTime() - longest)
  const after = SnowflakeUtil.generate({ timestamp: from }).toString()
  const ids = new Set(parts.directRooms)
  for (const channel of client.channels.cache.values()) {
    if (channel.isDMBased()) ids.add(channel.id)
    else if ('lastMessageId' in channel && channel.isTextBased() && saidSince(channel.lastMessageId, from)) {
      ids.add(channel.id)
    }
  }
  for (const id of ids) {
    parts.lanes.add(id, async () => {
      const count = await readOn(client, id, after, parts.take)
      if (count > 0) parts.log.info({ channel: id, count }, 'Read what was missed.')
    })
  }
}

function saidSince(lastMessageId: string | null, from: number): boolean {
  return lastMessageId !== null && SnowflakeUtil.timestampFrom(lastMessageId) >= from
}

async function readOn(
  client: Client<true>,
  id: string,
  after: string,
  take: (message: Message) => Promise<void>,
): Promise<number> {
  let count = 0
  let last = after
  try {
    const channel = (await client.channels.fetch(id)) as TextBasedChannel | DMChannel | null
    if (!channel?.isTextBased() || channel.type === ChannelType.GroupDM) return 0
    for (let page = 0; page < mostPages; page += 1) {
      const found = await channel.messages.fetch({ after: last, limit: pageSize, cache: false })
      for (const message of [...found.values()].reverse()) {
        await take(message)
        last = message.id
        count += 1
      }
      if (found.size < pageSize) break
    }
  } catch (error) {
    // What may not be read was not said to us.
    if (!unreadable.has(discordCode(error))) throw error
  }
  return count
}
