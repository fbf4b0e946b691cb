import { type ChannelName, identitySpace, type ThreadRef } from './events.ts'

/** Where a person can be written to. */
export interface Address {
  readonly channel: ChannelName
  /** As in threads: Slack team, Discord guild or `@me`, `local`. */
  readonly workspace: string
  readonly userId: string
}

/** A recipient in one string: `person:slack:T1:U2`, `room:slack:T1:C3:main`. */
export type Recipient =
  | ({ readonly kind: 'person' } & Address)
  | { readonly kind: 'room'; readonly thread: ThreadRef }

export function personAddress({ channel, workspace, userId }: Address): string {
  return `person:${channel}:${workspace}:${userId}`
}

export function roomAddress({ channel, workspace, room, thread }: ThreadRef): string {
  return `room:${channel}:${workspace}:${room}:${thread}`
}

/** `undefined` where it is no recipient. */
export function readAddress(address: string): Recipient | undefined {
  const [kind, channel, workspace = '', ...rest] = address.split(':')
  if (channel !== 'slack' && channel !== 'discord' && channel !== 'web') return undefined
  if (kind === 'person') return { kind, channel, workspace, userId: rest.join(':') }
  const [room = '', thread = ''] = rest
  return kind === 'room' ? { kind, thread: { channel, workspace, room, thread } } : undefined
}

/** The same for all ways to write one identity's address. */
export function addressKey(address: Address): string {
  return JSON.stringify([address.channel, identitySpace(address), address.userId])
}
