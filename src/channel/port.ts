import type { Card, CardAction, Form } from './card.ts'
import type { ChannelName, InboundEvent, ThreadRef } from './events.ts'
import type { Named } from './names.ts'

/** What the gateway made of an event; the adapter shows it at once, with the interaction's own token. */
export type Receipt =
  /** In the inbox, committed. A turn will answer; the adapter shows a sign of life. */
  | { readonly kind: 'accepted'; readonly sessionId: string }
  /** Known already. Nothing to show. */
  | { readonly kind: 'repeated' }
  /** Not for Hermes (an unaddressed post in a thread that is no session). Nothing to show. */
  | { readonly kind: 'ignored' }
  /** Decided on the spot. Every part is optional, but a click always gets at least one of them. */
  | {
      readonly kind: 'answered'
      /** Markdown, to the person who acted alone. */
      readonly notice?: string
      /** What history keeps of the notice, where that holds a secret. */
      readonly kept?: string
      /** Buttons below the notice. */
      readonly actions?: readonly CardAction[]
      /** The clicked card as it looks now: replaces the message that holds the button. */
      readonly card?: Card
      /**
       * How that card looks by now. Asked after it was shown: a turn may have drawn it anew meanwhile, and then what
       * was shown last is old.
       */
      readonly latest?: () => Promise<Card | undefined>
      /** To open, or to show again with what is wrong about it. */
      readonly form?: Form
    }

/** The way in: what adapters hand events to. It rejects only where nothing was committed (the platform should deliver again). */
export interface Gateway {
  receive(event: InboundEvent): Promise<Receipt>
}

/** Where an answer goes. */
export interface ReplyTarget {
  readonly thread: ThreadRef
  /** The person who is answered: Slack's streams want it, and it is who may be mentioned. */
  readonly recipientId?: string
  /** The post that is answered, where the platform can refer to it. */
  readonly postId?: string
}

/** A file of our own that goes into a thread: a text that is too long for messages, or what a tool gave. */
export type OwnFile = { readonly name: string } & (
  | { readonly text: string }
  | { readonly bytes: Uint8Array; readonly mediaType: string }
)

/** What a message of a reply holds. */
export interface Part {
  /** Markdown, within the surface's limit. */
  readonly text: string
  /** No more changes will come (in this attempt). */
  readonly final: boolean
  /** Small buttons under the finished text. */
  readonly actions?: readonly CardAction[]
}

/**
 * The messages of one reply on one platform, as the reply driver (`reply.ts`) needs them. Calls come one at a
 * time. Errors are `ChannelError`s.
 */
export interface Surface {
  /** The most characters (UTF-16 units) of Markdown in one message. */
  readonly characters: number
  /** The least time between two edits of one message, in ms. */
  readonly interval: number
  /** Sends a new message and gives its id. The nonce makes a repeat recognisable (`Speaker.ownMessages`). */
  create(part: Part, nonce: string): Promise<string>
  /** Replaces the text of a message, also of one that another process made. */
  edit(messageId: string, part: Part): Promise<void>
  remove(messageId: string): Promise<void>
  /** Sends a file as a message of its own. */
  attach(file: OwnFile, nonce: string): Promise<string>
  /** Stops whatever runs beside (a stream, a typing timer). Never rejects. */
  close(): Promise<void>
}

/** A message of our own, found in a thread's history. */
export interface OwnMessage {
  readonly messageId: string
  readonly at: Date
  /** Where the platform gives it back. */
  readonly nonce?: string
}

/** What someone said before Hermes came in; untrusted. */
export interface PastMessage {
  /** The platform's id of the post. */
  readonly id: string
  readonly author: string
  readonly text: string
  readonly at: Date
  readonly own: boolean
  /** Did another bot write it? */
  readonly bot: boolean
}

/** The way out. Works in any process: it needs no socket to the platform, only its HTTP interface. */
export interface Speaker {
  /** A sign of life: a status line or typing. `null` takes it away. Best effort: never rejects. */
  showActivity(target: ReplyTarget, line: string | null): Promise<void>
  /** The messages of one reply. */
  surface(target: ReplyTarget): Surface
  /** Posts a card as a message of its own and gives the message's id. */
  postCard(target: ReplyTarget, card: Card, nonce: string): Promise<string>
  updateCard(target: ReplyTarget, messageId: string, card: Card): Promise<void>
  /** Own messages in the thread since then, oldest first: for adopting one whose id was lost in a crash. */
  ownMessages(thread: ThreadRef, since: Date): Promise<readonly OwnMessage[]>
  /**
   * What was said in the thread, oldest first, the newest posts of it. Where the thread begins with a reply to a post
   * of the room (`repliesTo`), that post and those that it replies to come first.
   */
  history(
    thread: ThreadRef,
    limit: number,
    more?: { readonly repliesTo?: string; readonly signal?: AbortSignal },
  ): Promise<readonly PastMessage[]>
  /**
   * People of the workspace by (part of) a name, for someone who never wrote to Hermes. At most 10, each with
   * another name. The asker's id tells who can be meant where the workspace does not (direct messages on Discord).
   */
  findPeople?(workspace: string, name: string, askerId?: string): Promise<readonly Named[]>
  /** The direct thread with a person. */
  directThread(workspace: string, userId: string): Promise<ThreadRef>
  /**
   * The room of that name (without `#`) or id, as a thread to post into at top level. One that not everyone of the
   * workspace can read is found only for an asker who is in it.
   */
  findRoom(workspace: string, name: string, askerId?: string): Promise<ThreadRef | undefined>
}

/** How a channel stands, as `/readyz` and the start's lines tell it. */
export interface ChannelHealth {
  readonly state: 'starting' | 'up' | 'down'
  /** One sentence, where it is down. */
  readonly reason?: string
}

/** One chat platform. */
export interface Channel {
  readonly name: ChannelName
  readonly speaker: Speaker
  /** Starts receiving; resolves when started trying, not when connected. Never rejects for a platform's refusal: see `health`. */
  listen(gateway: Gateway): Promise<void>
  /** Stops receiving and closes sockets, within 5 s. */
  stop(): Promise<void>
  health(): ChannelHealth
}
