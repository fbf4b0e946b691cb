/** The platforms that Hermes speaks on. */
export type ChannelName = 'slack' | 'discord' | 'web'

/** The place of one conversation. The four parts together are the key of its session. */
export interface ThreadRef {
  readonly channel: ChannelName
  /** Slack team, Discord guild (`@me` for direct messages), `local` on the web. */
  readonly workspace: string
  /** Slack channel or DM, Discord channel (the parent of a thread), `web`. */
  readonly room: string
  /** Slack `thread_ts`, Discord thread or DM channel id, the web client's thread name. */
  readonly thread: string
}

/**
 * Within what a platform's user ids are unique: a Slack team (ids of other teams come by Slack Connect with their own),
 * all of Discord, the web chat. A person has one identity there, whatever thread they write in.
 */
export function identitySpace(thread: Pick<ThreadRef, 'channel' | 'workspace'>): string {
  return thread.channel === 'discord' ? 'discord' : thread.workspace
}

/** Who can read a thread: one person and Hermes, or others too. */
export type ThreadKind = 'direct' | 'shared'

/** A human as the platform knows them. */
export interface Author {
  readonly userId: string
  /** As people see it; untrusted text. */
  readonly name: string
  /** IANA name, where the platform tells. */
  readonly timeZone?: string
  /** `en` or `zh`, where the platform tells. */
  readonly language?: string
}

/** A file that came with a message. Text-like content up to a limit is read by the adapter. */
export interface Attachment {
  readonly name: string
  readonly mediaType: string
  /** Bytes. */
  readonly size: number
  /** The content of a text-like file. */
  readonly text?: string
  /** An image as a `data:` URL. */
  readonly image?: string
  /** One sentence, where the content could not be read. */
  readonly problem?: string
}

interface EventBase {
  /** The same for every delivery of the same happening (see `postKey` and its siblings). */
  readonly dedupeKey: string
  readonly thread: ThreadRef
  readonly threadKind: ThreadKind
  readonly author: Author
  /** When it happened, by the platform's clock. */
  readonly at: Date
}

/** A person wrote something. */
export interface MessageEvent extends EventBase {
  readonly kind: 'message'
  readonly postId: string
  /** Markdown; mentions of Hermes taken out. May be empty where there are attachments. */
  readonly text: string
  readonly attachments: readonly Attachment[]
  /** Was it said to Hermes (a mention, a DM)? Else it counts only where the thread is a session already. */
  readonly addressed: boolean
  /** The post of the room that it replies to, where it begins a thread of its own. */
  readonly repliesTo?: string
}

/** A person changed what they wrote. */
export interface EditEvent extends EventBase {
  readonly kind: 'edit'
  readonly postId: string
  readonly text: string
  readonly attachments: readonly Attachment[]
  /** Does the new text mention Hermes? Then a post that was not accepted yet counts as a new message. */
  readonly addressed: boolean
}

/** A person removed what they wrote. */
export interface RemovalEvent extends EventBase {
  readonly kind: 'removal'
  readonly postId: string
}

/** A person pressed a button or chose from a select. */
export interface ActionEvent extends EventBase {
  readonly kind: 'action'
  /** As in the card's action, for example `approval.confirm`. */
  readonly action: string
  /** The action's value, or what was chosen. */
  readonly value?: string
  /** The platform's id of the message that holds the button. */
  readonly messageId?: string
}

/** A person sent a form. */
export interface FormEvent extends EventBase {
  readonly kind: 'form'
  /** As in the form's action, for example `approval.edit`. */
  readonly action: string
  readonly value?: string
  readonly fields: Readonly<Record<string, string>>
}

/** A slash command, or a choice of the web page's menu. */
export interface CommandEvent extends EventBase {
  readonly kind: 'command'
  /** The first word, for example `memory`. */
  readonly name: string
  /** The rest. */
  readonly text: string
}

/** A person opened a conversation that has nothing in it yet. */
export interface OpenedEvent extends EventBase {
  readonly kind: 'opened'
}

/** What an adapter makes of a platform's event. */
export type InboundEvent =
  | MessageEvent
  | EditEvent
  | RemovalEvent
  | ActionEvent
  | FormEvent
  | CommandEvent
  | OpenedEvent

/** The post's id is unique within its room only, so the room is part of every key. */
function place(thread: ThreadRef): string {
  return `${thread.channel}:${thread.workspace}:${thread.room}`
}

/** Dedupe key of a post, whichever events tell of it. */
export function postKey(thread: ThreadRef, postId: string): string {
  return `msg:${place(thread)}:${postId}`
}

/** Dedupe key of an edit: the post and the edit's stamp. */
export function editKey(thread: ThreadRef, postId: string, stamp: string): string {
  return `edit:${place(thread)}:${postId}:${stamp}`
}

/** Dedupe key of a removal. */
export function removalKey(thread: ThreadRef, postId: string): string {
  return `del:${place(thread)}:${postId}`
}

/** Dedupe key of a click, form or command: the interaction's own id, never the card's. */
export function interactionKey(channel: ChannelName, interactionId: string): string {
  return `act:${channel}:${interactionId}`
}
