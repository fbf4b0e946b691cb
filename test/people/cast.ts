import type { Guest } from '../contract/channel.ts'
import type { Town } from '../contract/town.ts'
import type { Room } from '../support/slack/workspace.ts'

/** Whom the operator's list names, and a room of it. */
export interface Cast {
  /** On both, and prefers Discord. */
  readonly zhang: { readonly slack: Guest; readonly discord: Guest }
  readonly sol: { readonly slack: Guest; readonly discord: Guest }
  /** On Slack alone, as is Chen Jing; Chen Hao is on Discord. */
  readonly li: Guest
  /** On Slack, and on nobody's list. */
  readonly stranger: Guest
  readonly ops: Room
}

/** Makes these people and that room, and gives the settings that list them. */
export function castOf({ slack, discord }: Town['standIns']): {
  readonly cast: Cast
  readonly directory: object
} {
  const team = slack.workspace.teamId
  const onSlack = (name: string) => {
    const person = slack.person(name.toLowerCase().replace(' ', '.'), { displayName: name })
    return { guest: { name, person } as Guest, address: `slack:${team}:${person.id}` }
  }
  const onDiscord = (name: string) => {
    const person = discord.person(name)
    return { guest: { name, person } as Guest, address: `discord:${person.id}` }
  }
  const zhang = [onSlack('zhangw'), onDiscord('zw_gamer')] as const
  const sol = [onSlack('Sol'), onDiscord('solaris')] as const
  const li = onSlack('Li Na')
  return {
    cast: {
      zhang: { slack: zhang[0].guest, discord: zhang[1].guest },
      sol: { slack: sol[0].guest, discord: sol[1].guest },
      li: li.guest,
      stranger: onSlack('Quentin Quill').guest,
      ops: slack.channel('ops-center', []),
    },
    directory: {
      people: [
        {
          name: 'Zhang Wei',
          aliases: ['张伟', 'Zhang'],
          addresses: zhang.map(({ address }) => address),
          prefers: 'discord',
        },
        { name: 'Sol', addresses: sol.map(({ address }) => address) },
        { name: 'Li Na', aliases: ['李娜'], addresses: [li.address], email: 'li.na@example.com' },
        { name: 'Chen Jing', aliases: ['陈静'], addresses: [onSlack('Chen Jing').address] },
        { name: 'Chen Hao', aliases: ['陈浩'], addresses: [onDiscord('Chen Hao').address] },
      ],
      rooms: [{ name: 'ops', aliases: ['运维'], channel: 'slack', workspace: team, room: 'ops-center' }],
    },
  }
}
