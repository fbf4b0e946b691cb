import { createHash } from 'node:crypto'
import type { Card, CardAction } from './card.ts'
import type { ThreadRef } from './events.ts'

/** The thread of the web chat that has this name. */
export function roomThread(name: string): ThreadRef {
  return { channel: 'web', workspace: 'local', room: 'web', thread: name }
}

/** A file of an answer, which the server hands out by its reference. */
export interface ViewFile {
  readonly ref: string
  readonly name: string
  readonly mediaType: string
}

/** One message of a thread, as a viewer shows it. */
export interface ViewMessage {
  readonly id: string
  /** The post that it came by, where a person wrote it: what edits and removals name. */
  readonly postId?: string
  readonly role: 'user' | 'assistant' | 'note'
  /** The person's name, for `user`. */
  readonly author?: string
  /** Markdown. */
  readonly text: string
  readonly at: Date
  readonly cards: readonly Card[]
  /** Small buttons under a finished answer. */
  readonly actions: readonly CardAction[]
  /** Files that tools gave for this answer. */
  readonly files?: readonly ViewFile[]
  /** The turn that made it, for its trace. */
  readonly turnId?: string
}

/** A thread as it stands. */
export interface ThreadView {
  /** Grows with every change of messages, cards or state. */
  readonly seq: number
  readonly messages: readonly ViewMessage[]
  /** The session's state: idle, collecting, tool_executing, awaiting_confirmation, reviewing, done, archived. */
  readonly state: string
  /** What the running leg looks like so far. */
  readonly draft?: { readonly text: string; readonly status?: string }
}

/** A line of the list of threads. */
export interface ThreadLine {
  readonly thread: string
  /** The first words said in it. */
  readonly title: string
  readonly at: Date
  readonly state: string
}

/** One piece of a turn's trace. */
export interface TraceNode {
  readonly name: string
  /** ms since the turn began. */
  readonly startedMs: number
  readonly durationMs: number
  readonly outcome: string
  readonly attributes: Readonly<Record<string, unknown>>
  readonly children: readonly TraceNode[]
}

/** What a channel that shows whole threads (the web chat) reads. */
export interface ThreadReader {
  /** `undefined` where nothing was ever said there. */
  read(thread: ThreadRef): Promise<ThreadView | undefined>
  /** A person's threads on that channel, the latest first. */
  list(person: {
    readonly channel: ThreadRef['channel']
    readonly workspace: string
    readonly userId: string
  }): Promise<readonly ThreadLine[]>
  /** Yields whenever the thread may have changed, at least every 15 s, until the signal fires. */
  changes(thread: ThreadRef, signal: AbortSignal): AsyncIterable<void>
  /** The trace of a turn of that thread. */
  trace(thread: ThreadRef, turnId: string): Promise<readonly TraceNode[]>
}

/** Where a channel without messages of its own (the web chat) leaves what is being written. */
export interface DraftBoard {
  /** Shows text, a status line, or both; `null` clears. Never rejects. */
  show(thread: ThreadRef, draft: { readonly text: string; readonly status?: string } | null): Promise<void>
  /** Tells viewers that a card or message changed. */
  changed(thread: ThreadRef): void
}

/** Is it the name of such a thread as `directThreadName` gives? */
export function isDirectThread(name: string): boolean {
  return /^for-[0-9a-f]{12}$/.test(name)
}

/** The thread of the web chat that belongs to a person alone: what is sent to them is found there. */
export function directThreadName(userId: string): string {
  return `for-${createHash('sha256').update(userId).digest('hex').slice(0, 12)}`
}
