import { examineDiscordRooms } from '../../../adapters/discord/doctor.ts'
import { examineSlackRooms } from '../../../adapters/slack/doctor.ts'
import type { Settings } from '../../config/environment.ts'
import type { Config } from '../../config/file.ts'
import { type Finding, fail, ok } from './finding.ts'

const limitMs = 10_000

/** A room of the settings: what it is for, and where it stands there. */
interface Room {
  readonly part: 'Desk' | 'Approvals' | 'Rooms'
  readonly setting: string
  readonly channel: 'slack' | 'discord' | 'web'
  readonly workspace: string | undefined
  readonly room: string
}

/** Do the rooms exist that the settings name (of the desk, of approvers, for messages), and may Hermes write there? */
export async function checkRooms(settings: Settings, config: Config): Promise<readonly Finding[]> {
  const rooms = roomsOf(config)
  const findings = await Promise.all(rooms.map((room) => checkRoom(settings, room)))
  return findings.flat()
}

function roomsOf({ desk, approvals, rooms }: Config): readonly Room[] {
  const ofRules = approvals.rules.flatMap(({ room }, index): Room[] =>
    room
      ? [{ part: 'Approvals', setting: `approvals.rules.${index}.room`, workspace: undefined, ...room }]
      : [],
  )
  const named = rooms.map(({ name, channel, workspace, room = name }, index): Room => {
    return { part: 'Rooms', setting: `rooms.${index}`, channel, workspace, room }
  })
  return [
    ...(desk ? [{ part: 'Desk', setting: 'desk.room', workspace: undefined, ...desk } as const] : []),
    ...ofRules,
    ...named,
  ]
}

async function checkRoom({ slack, discord }: Settings, room: Room): Promise<readonly Finding[]> {
  const { part, setting, channel } = room
  const name = `#${room.room.replace(/^#/, '')}`
  if (channel === 'web') return [ok(part, `the thread ${room.room} of the web chat`)]
  const off = fail(part, `${setting} is on ${channel}, which is not set up. Set it up, or name another room.`)
  if (channel === 'slack') {
    if (slack.state !== 'socket' && slack.state !== 'http') return [off]
    const found = (
      await examineSlackRooms(
        {
          botToken: slack.botToken,
          limitMs,
          ...(slack.apiUrl === undefined ? {} : { apiUrl: slack.apiUrl }),
        },
        [room.room],
      )
    ).get(room.room)!
    if (found === 'ready') return [ok(part, `${name} on Slack`)]
    if (found === 'not_member')
      return [fail(part, `Hermes is not in ${name} (${setting}). Write /invite @hermes there.`)]
    if (found === 'archived') return [fail(part, `${name} (${setting}) is archived. Name another channel.`)]
    if (found === 'missing')
      return [
        fail(
          part,
          `Slack shows no channel ${name} (${setting}). Make it, or invite Hermes where it is private.`,
        ),
      ]
    return [fail(part, `Slack does not tell its channels (${found.code}). See the line about Slack.`)]
  }
  if (discord.state !== 'on') return [off]
  // Without a server of its own a card goes to the room of that name in its thread's server.
  if (room.workspace === undefined)
    return [ok(part, `${name} of each Discord server, which is not looked for here`)]
  const found = (
    await examineDiscordRooms(
      { token: discord.token, limitMs, ...(discord.apiUrl === undefined ? {} : { apiUrl: discord.apiUrl }) },
      room.workspace,
      [room.room],
    )
  ).get(room.room)!
  if (found === 'ready') return [ok(part, `${name} on Discord`)]
  if (found === 'missing')
    return [
      fail(part, `the Discord server has no text channel ${name} (${setting}). Make it, or mend the name.`),
    ]
  if ('lacks' in found)
    return [
      fail(
        part,
        `Hermes may not write in ${name} (${setting}): it lacks ${found.lacks.join(', ')}. Allow it in the channel's settings, page "Permissions".`,
      ),
    ]
  return [fail(part, `Discord does not tell its channels (${found.reason}). See the lines about Discord.`)]
}
