import type { PersonEntry, RoomEntry } from '../agent/people/entries.ts'
import type { LinkCommand } from '../agent/people/link-command.ts'
import { createLinkCommand } from '../agent/people/link-command.ts'
import type { Keep } from '../agent/sending/keeping.ts'
import { messageOf } from '../base/errors.ts'
import type { Ids } from '../base/ids.ts'
import type { Address } from '../channel/address.ts'
import type { ThreadRef } from '../channel/events.ts'
import type { Speaker } from '../channel/port.ts'
import type { Config } from '../config/file.ts'
import type { Log } from '../observe/log.ts'
import { createLinking } from '../session/linking.ts'
import { meet } from '../session/meeting.ts'
import type { Database } from '../store/client.ts'

/** The operator's list of people, as names are looked for in it. */
export function personEntries(people: Config['people']): readonly PersonEntry[] {
  return people.map(({ name, aliases, addresses, prefers, email }) => ({
    name,
    others: email === undefined ? aliases : [...aliases, email],
    addresses: addresses.map(addressOf),
    ...(prefers === undefined ? {} : { prefers }),
  }))
}

/** The rooms that the operator names for everybody. */
export function roomEntries(rooms: Config['rooms']): readonly RoomEntry[] {
  return rooms.map(({ name, aliases, channel, workspace, room }) => ({
    names: [name, ...aliases],
    channel,
    workspace: channel === 'web' ? 'local' : (workspace ?? ''),
    room: (room ?? name).replace(/^#/, ''),
  }))
}

/** `/hermes link`, with what it needs of the rest. */
export function linkCommand(parts: {
  readonly db: Database
  readonly ids: Ids
  readonly keep: Keep
  readonly speaker: (thread: ThreadRef) => Speaker
  readonly log: Log
}): LinkCommand {
  const { db, ids, keep, log } = parts
  return createLinkCommand({
    linking: createLinking({ db, ids }),
    meet: ({ thread, author }) => meet({ db, ids }, thread, author),
    async tell({ channel, workspace, userId }, text, key) {
      try {
        const speaker = parts.speaker({ channel, workspace, room: '', thread: '' })
        const thread = await speaker.directThread(workspace, userId)
        await keep({ id: `msg_${key}`, thread, kind: 'direct', personId: null, text })
        const surface = speaker.surface({ thread, recipientId: userId })
        await surface.create({ text, final: true }, key.slice(-24)).finally(() => surface.close())
      } catch (error) {
        log.warn({ error: messageOf(error) }, 'Whoever was shown a code could not be told that it was used')
      }
    },
  })
}

/** As the settings write it: `slack:T1:U2`, `discord:3`, `web:Ann`. */
function addressOf(text: string): Address {
  const [channel, ...rest] = text.split(':')
  switch (channel) {
    case 'slack':
      return { channel, workspace: rest[0] ?? '', userId: rest.slice(1).join(':') }
    case 'discord':
      return { channel, workspace: '@me', userId: rest.join(':') }
    default:
      return { channel: 'web', workspace: 'local', userId: rest.join(':') }
  }
}
