import type { Address } from '../../channel/address.ts'
import type { ChannelName, ThreadRef } from '../../channel/events.ts'

/** Somebody of the operator's list of people. */
export interface PersonEntry {
  readonly name: string
  /** Further names, and the mail address where it is given. */
  readonly others: readonly string[]
  readonly addresses: readonly Address[]
  /** Where they want to be written to. */
  readonly prefers?: ChannelName
}

/** A room that the operator names for everybody. */
export interface RoomEntry extends Pick<ThreadRef, 'channel' | 'workspace'> {
  readonly names: readonly string[]
  /** As the platform knows it: a name or an id. */
  readonly room: string
}
