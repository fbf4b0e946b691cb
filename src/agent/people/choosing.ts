import type { Address } from '../../channel/address.ts'
import { type ChannelName, identitySpace, type ThreadRef } from '../../channel/events.ts'
import type { Candidate } from './candidates.ts'

/** Where somebody is written to, or why they can't be. */
export type Choice =
  | { readonly kind: 'there'; readonly address: Address }
  /** Not on the platform that was named, but on these. */
  | { readonly kind: 'elsewhere'; readonly channels: readonly ChannelName[] }
  /** Only on platforms that are not connected. */
  | { readonly kind: 'off'; readonly channel: ChannelName }

/**
 * The one address of several: on the platform that was named, else the asker's own, else the one that they prefer, else
 * the one that they wrote from last, else the first.
 */
export async function chooseAddress(
  one: Candidate,
  by: {
    readonly named?: ChannelName | undefined
    readonly own: Pick<ThreadRef, 'channel' | 'workspace'>
    readonly connected: ReadonlySet<ChannelName>
    readonly lastChannel: (
      personId: string,
      channels: readonly ChannelName[],
    ) => Promise<ChannelName | undefined>
  },
): Promise<Choice> {
  const { named, own, connected } = by
  const meant = named === undefined ? one.addresses : one.addresses.filter(({ channel }) => channel === named)
  if (meant.length === 0) return { kind: 'elsewhere', channels: channelsOf(one.addresses) }
  const open = meant.filter(({ channel }) => connected.has(channel))
  if (open.length === 0) return { kind: 'off', channel: meant[0]!.channel }
  // Of two addresses on one platform the one in the asker's own workspace.
  const near = open.filter((address) => isIn(address, own))
  const order = [...near, ...open.filter((address) => !near.includes(address))]
  const on = (channel: ChannelName | undefined) => order.find((address) => address.channel === channel)
  const chosen =
    on(own.channel) ?? on(one.prefers) ?? (await ofLast(one, order, by.lastChannel, on)) ?? order[0]!
  return { kind: 'there', address: chosen }
}

async function ofLast(
  one: Candidate,
  order: readonly Address[],
  lastChannel: (personId: string, channels: readonly ChannelName[]) => Promise<ChannelName | undefined>,
  on: (channel: ChannelName | undefined) => Address | undefined,
): Promise<Address | undefined> {
  const channels = channelsOf(order)
  if (channels.length < 2 || one.personId === undefined) return undefined
  return on(await lastChannel(one.personId, channels))
}

function isIn(address: Address, place: Pick<ThreadRef, 'channel' | 'workspace'>): boolean {
  return address.channel === place.channel && identitySpace(address) === identitySpace(place)
}

function channelsOf(addresses: readonly Address[]): readonly ChannelName[] {
  return [...new Set(addresses.map(({ channel }) => channel))]
}
