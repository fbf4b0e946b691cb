import { createHash } from 'node:crypto'
import type { Ids } from '../../src/base/ids.ts'
import type { Author, ThreadRef } from '../../src/channel/events.ts'

/** The one workspace and room of the web chat. */
export const workspace = 'local'

/** A thread of the web chat. */
export function threadRef(name: string): ThreadRef {
  return { channel: 'web', workspace, room: 'web', thread: name }
}

/** The author of a request. The name is the identity; see `guard.ts` for why it may be trusted. */
export function authorOf(body: {
  readonly user: string
  readonly timeZone?: string
  readonly language?: string
}): Author {
  const language = body.language?.slice(0, 2).toLowerCase()
  return {
    userId: body.user,
    name: body.user,
    ...(body.timeZone === undefined ? {} : { timeZone: body.timeZone }),
    ...(language === 'zh' || language === 'en' ? { language } : {}),
  }
}

/** The id of what a client sends: from its key, where it gives one, so that a repeat is known. */
export function sendingId(
  ids: Ids,
  place: string,
  body: { readonly user: string; readonly key?: string },
): string {
  if (body.key === undefined) return ids('evt')
  // A key is the client's own: another person's or thread's same key is another message.
  const whole = JSON.stringify([place, body.user, body.key])
  return `key_${createHash('sha256').update(whole).digest('hex').slice(0, 32)}`
}
