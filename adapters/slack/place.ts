import type { ThreadKind, ThreadRef } from '../../src/channel/events.ts'

/**
 * The `thread` of what is said at the top level of a room: a direct message is one long conversation unless
 * someone opens a thread in it, and `send_message` posts into a channel at its top level.
 */
export const topLevel = 'main'

/** The thread of a post in a room. */
export function threadIn(workspace: string, room: string, thread: string): ThreadRef {
  return { channel: 'slack', workspace, room, thread }
}

/** Slack's `thread_ts` of a thread; undefined at the top level. */
export function threadTs(thread: ThreadRef): string | undefined {
  return thread.thread === topLevel ? undefined : thread.thread
}

/** Ids of direct messages begin with D. */
export function isDirect(room: string): boolean {
  return room.startsWith('D')
}

export function kindOf(room: string): ThreadKind {
  return isDirect(room) ? 'direct' : 'shared'
}

/** The time in a `ts` such as `1700000000.123456`. */
export function timeOf(ts: string): Date {
  return new Date(Number(ts) * 1000)
}
