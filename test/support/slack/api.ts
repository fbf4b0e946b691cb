import { type Json, string } from './json.ts'
import type { Refusal } from './limits.ts'
import type { News } from './news.ts'
import type { Message, Room, Workspace } from './workspace.ts'

/** What the methods of the Web API work with. */
export interface ApiContext {
  readonly workspace: Workspace
  readonly news: News
  readonly origin: () => string
  readonly triggers: Triggers
  /** The scopes of the bot token, as `auth.test` tells them. */
  readonly scopes: () => readonly string[]
  readonly streamMaxAgeMs: number
}

/** Trigger ids: good for one use within a few seconds. */
export interface Triggers {
  issue(user: string): string
  use(id: string): { readonly user: string } | Refusal
}

/** One method of the Web API. Throws `Refused` for `{ok: false}`. */
export type Method = (args: Json, context: ApiContext) => Json

/** `{ok: false, error}` as an exception. */
export class Refused extends Error {
  readonly refusal: Refusal
  constructor(refusal: Refusal | string) {
    super(typeof refusal === 'string' ? refusal : refusal.error)
    this.refusal = typeof refusal === 'string' ? { error: refusal } : refusal
  }
}

export function orRefuse(refusal: Refusal | undefined): void {
  if (refusal) throw new Refused(refusal)
}

/** The room that a call names, as far as the app may write there. */
export function roomOf(args: Json, { workspace }: ApiContext, name = 'channel'): Room {
  const id = string(args[name])
  const room = id === undefined ? undefined : workspace.rooms.get(id)
  if (!room) throw new Refused('channel_not_found')
  return room
}

/** The same, for methods that only members may use. */
export function memberRoom(args: Json, context: ApiContext, name = 'channel'): Room {
  const room = roomOf(args, context, name)
  if (room.archived) throw new Refused('is_archived')
  if (!room.members.has(context.workspace.bot.id)) {
    throw new Refused(room.kind === 'channel' ? 'not_in_channel' : 'channel_not_found')
  }
  return room
}

/** The message as the API gives it back. */
export function messageJson(message: Message, withMetadata = false): Json {
  const root = message.threadTs ?? message.ts
  return {
    type: 'message',
    user: message.author,
    ...(message.botId ? { bot_id: message.botId } : {}),
    ts: message.ts,
    text: message.text,
    ...(message.blocks.length > 0 ? { blocks: message.blocks } : {}),
    ...(root !== message.ts ? { thread_ts: root } : {}),
    ...(message.edited ? { edited: message.edited } : {}),
    ...(message.files.length > 0
      ? { files: message.files.map((file) => ({ id: file.id, name: file.name })) }
      : {}),
    ...(withMetadata && message.metadata ? { metadata: message.metadata } : {}),
  }
}
