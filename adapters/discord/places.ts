import { type APIMessage, type REST, RESTJSONErrorCodes, Routes, ThreadAutoArchiveDuration } from 'discord.js'
import type { ThreadRef } from '../../src/channel/events.ts'
import type { Log } from '../../src/observe/log.ts'
import { channelError, discordCode } from './refusal.ts'
import { threadName } from './text.ts'

/** The workspace of direct messages. */
export const directWorkspace = '@me'

/** Where to write on Discord. */
export interface Spot {
  readonly channelId: string
  /** The message that is answered, where no thread may be opened under it. */
  readonly replyTo?: string
}

/** Is it what is said directly in a room (a direct message, or a channel's top level)? */
export function isRoomItself(thread: ThreadRef): boolean {
  return thread.workspace === directWorkspace || thread.thread === thread.room
}

const remembered = 5_000

// No thread can be had here; the channel itself has to do.
const noThreads: ReadonlySet<number | undefined> = new Set([
  RESTJSONErrorCodes.MissingPermissions,
  RESTJSONErrorCodes.MissingAccess,
  RESTJSONErrorCodes.CannotExecuteActionOnThisChannelType,
  RESTJSONErrorCodes.ThreadLocked,
  RESTJSONErrorCodes.MaximumActiveThreads,
])

/**
 * Finds where a thread's messages go. A thread under a message has that message's id, so its name is known
 * before it exists; it is opened at the first need, by whichever process comes first.
 */
export class Places {
  readonly #rest: REST
  readonly #log: Log
  readonly #opening = new Map<string, Promise<Spot>>()
  /** Threads that could not be opened: answered in the channel. */
  readonly #replies = new Map<string, Spot>()

  constructor(parts: { readonly rest: REST; readonly log: Log }) {
    this.#rest = parts.rest
    this.#log = parts.log
  }

  /** Does something in the thread, opening it (or taking it out of the archive) where that is needed. */
  async act<T>(thread: ThreadRef, what: string, does: (spot: Spot) => Promise<T>): Promise<T> {
    try {
      const known = (await this.#opening.get(thread.thread)) ?? this.#replies.get(thread.thread)
      const spot = known ?? { channelId: thread.thread }
      try {
        return await does(spot)
      } catch (error) {
        const code = discordCode(error)
        if (code === RESTJSONErrorCodes.UnknownChannel && !known && !isRoomItself(thread)) {
          return await does(await this.open(thread))
        }
        if (code === RESTJSONErrorCodes.InvalidActionOnArchivedThread && !isRoomItself(thread)) {
          await this.#rest.patch(Routes.channel(spot.channelId), { body: { archived: false } })
          return await does(spot)
        }
        throw error
      }
    } catch (error) {
      throw channelError(what, error)
    }
  }

  /** Opens the thread under its message; one that exists already is as good. */
  async open(thread: ThreadRef, text?: string): Promise<Spot> {
    const id = thread.thread
    const running = this.#opening.get(id)
    if (running) return await running
    const opening = this.#open(thread, text).finally(() => this.#opening.delete(id))
    this.#opening.set(id, opening)
    return await opening
  }

  async #open(thread: ThreadRef, text: string | undefined): Promise<Spot> {
    const name = threadName(text ?? (await this.#said(thread)))
    try {
      await this.#rest.post(Routes.threads(thread.room, thread.thread), {
        body: { name, auto_archive_duration: ThreadAutoArchiveDuration.OneDay },
      })
      return { channelId: thread.thread }
    } catch (error) {
      const code = discordCode(error)
      if (code === RESTJSONErrorCodes.ThreadAlreadyCreatedForMessage) return { channelId: thread.thread }
      if (!noThreads.has(code)) throw error
      this.#log.info(
        { room: thread.room, code },
        'No thread may be opened here; the answer goes into the channel.',
      )
      const spot = { channelId: thread.room, replyTo: thread.thread }
      this.#replies.set(thread.thread, spot)
      if (this.#replies.size > remembered) this.#replies.delete(this.#replies.keys().next().value ?? '')
      return spot
    }
  }

  async #said(thread: ThreadRef): Promise<string> {
    const message = (await this.#rest.get(Routes.channelMessage(thread.room, thread.thread))) as APIMessage
    return message.content
  }
}
