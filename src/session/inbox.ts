import type { Clock } from '../base/clock.ts'
import type { Ids } from '../base/ids.ts'
import type {
  Attachment,
  EditEvent,
  InboundEvent,
  MessageEvent,
  OpenedEvent,
  RemovalEvent,
} from '../channel/events.ts'
import type { Database } from '../store/client.ts'
import { insertEvent, type NewEvent } from './accepting.ts'
import { storable } from './storable.ts'

/** What the inbox keeps of an event besides its columns. */
export interface EventPayload {
  readonly text?: string
  readonly attachments?: readonly Attachment[]
  /** When the platform says it happened. */
  readonly at?: string
  /** The post of the room that a message replies to, where it begins a thread. */
  readonly repliesTo?: string
  /** What a `timer` asks for: the reminder that is due, … */
  readonly reminderId?: string
  /** … the turn whose cards have to be drawn again, the approval to remind of, the call to look after, … */
  readonly cardsOf?: string
  readonly remindOf?: string
  readonly check?: string
  /** … the call of which nobody knows whether it was done, to tell whoever asked. */
  readonly unknownOf?: string
  /** The case of the desk that something became of, for `timer`, and what. */
  readonly handOverId?: string
  readonly desk?: 'begun' | 'claimed' | 'released'
  /** The workflow whose time in a state is over, and which step of it that was, for `timer`. */
  readonly workflowId?: string
  readonly visit?: number
  readonly action?: string
  readonly value?: string
  /** The call whose question a message answers, where it was answered on its card. */
  readonly answers?: string
}

/** An event of the inbox that no turn has taken yet. */
export interface PendingEvent {
  readonly id: string
  readonly kind: 'message' | 'edit' | 'removal' | 'action' | 'opened' | 'timer'
  readonly personId: string | null
  /** The person's name, where it was read along. */
  readonly author?: string | null
  readonly postId: string | null
  readonly payload: EventPayload
  readonly receivedAt: Date
}

/** What became of an event that was handed to the inbox. */
export type Acceptance =
  | {
      readonly kind: 'accepted'
      readonly sessionId: string
      readonly personId: string
      readonly eventId: string
    }
  | { readonly kind: 'repeated' }
  /** An unaddressed post in a thread that is no session. */
  | { readonly kind: 'ignored' }

type InboxEvent = MessageEvent | EditEvent | RemovalEvent | OpenedEvent

/** The way into a session: what is in here is safe, whatever dies. */
export interface Inbox {
  /** Commits an event, with its person and session where they are new, in one statement. */
  accept(event: InboxEvent): Promise<Acceptance>
  /** A click that concerns the running turn (stop). The thread must be a session already. */
  acceptAction(event: Extract<InboundEvent, { kind: 'action' }>): Promise<Acceptance>
  /** What waits, oldest first. */
  pending(sessionId: string): Promise<readonly PendingEvent[]>
  /** Does anything wait that came after the turn took its inbox last? Only this person's, where one is given. */
  hasPending(sessionId: string, personId?: string): Promise<boolean>
}

export function createInbox(parts: { db: Database; ids: Ids; clock: Clock }): Inbox {
  const { db, ids } = parts

  const take = async (event: InboundEvent, as: NewEvent & { payload: EventPayload }): Promise<Acceptance> => {
    const eventId = ids('evt')
    const row = await insertEvent(parts, eventId, event, as)
    if (!row) return { kind: 'ignored' }
    const { sessionId, personId, fresh } = row
    return fresh ? { kind: 'accepted', sessionId, personId, eventId } : { kind: 'repeated' }
  }

  return {
    async accept(event) {
      const at = event.at.toISOString()
      switch (event.kind) {
        case 'message':
          return take(event, {
            key: event.dedupeKey,
            kind: 'message',
            postId: event.postId,
            payload: {
              text: storable(event.text),
              attachments: event.attachments,
              at,
              ...(event.repliesTo === undefined ? {} : { repliesTo: event.repliesTo }),
            },
            opens: event.addressed,
          })
        case 'edit':
          return take(event, {
            key: event.dedupeKey,
            kind: 'edit',
            postId: event.postId,
            payload: { text: storable(event.text), attachments: event.attachments, at },
            opens: false,
          })
        case 'removal':
          return take(event, {
            key: event.dedupeKey,
            kind: 'removal',
            postId: event.postId,
            payload: { at },
            opens: false,
          })
        case 'opened':
          return take(event, {
            key: event.dedupeKey,
            kind: 'opened',
            postId: null,
            payload: { at },
            opens: true,
          })
        default:
          return event satisfies never
      }
    },
    acceptAction(event) {
      return take(event, {
        key: event.dedupeKey,
        kind: 'action',
        postId: null,
        payload: { action: event.action, ...(event.value === undefined ? {} : { value: event.value }) },
        opens: false,
      })
    },
    async pending(sessionId) {
      const rows = await db.inboundEvent.findMany({
        where: { sessionId, status: 'new' },
        orderBy: { id: 'asc' },
        take: 200,
        select: { id: true, kind: true, personId: true, postId: true, payload: true, receivedAt: true },
      })
      return rows.map((row) => ({
        ...row,
        kind: row.kind as PendingEvent['kind'],
        payload: row.payload as EventPayload,
      }))
    },
    async hasPending(sessionId, personId) {
      const row = await db.inboundEvent.findFirst({
        where: { sessionId, status: 'new', ...(personId ? { personId } : {}) },
        select: { id: true },
      })
      return row !== null
    },
  }
}
