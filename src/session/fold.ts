import type { Attachment } from '../channel/events.ts'
import type { PendingEvent } from './inbox.ts'
import type { Snapshot, TranscriptMessage } from './transcript.ts'

/** A message of the inbox that joins the transcript. */
export interface Joining {
  readonly eventId: string
  readonly personId: string
  readonly postId: string | null
  readonly text: string
  readonly attachments: readonly Attachment[]
  /** When it was said, by the platform's clock. */
  readonly at?: Date
  /** The post of the room that it replies to, where it begins a thread. */
  readonly repliesTo?: string
  /** The call whose question it answers, where that was done on its card. */
  readonly answers?: string
}

/** What the events of the inbox come to, for a running turn or for a new one. A pure function of the snapshot. */
export interface Folded {
  /** Whose turn it is or becomes. `undefined` where nobody asks for one. */
  readonly personId: string | undefined
  readonly joining: readonly Joining[]
  /** Posts of the transcript that were edited (`text`) or removed (`null`). */
  readonly rewritten: readonly { readonly messageId: string; readonly text: string | null }[]
  /** Events that are dealt with without becoming a message. */
  readonly dropped: readonly string[]
  /** The person wants the turn to end. */
  readonly stop: boolean
  /** Waiting turns whose question was edited or removed: their cards are void. */
  readonly voided: readonly { readonly turnId: string; readonly restart: boolean }[]
  /** Was something that the running turn answers edited? */
  readonly restart: boolean
}

// Whole messages that mean "stop", and nothing else.
const stopWords =
  /^(?:stop|stop it|stop that|halt|abort|never ?mind|forget it|停|停下|停下来|停止|停一下|算了|算了吧|别说了|别弄了|不用了)[\s.!。！~…]*$/i

/** Does a message say nothing but "stop"? */
function isStop(text: string): boolean {
  return stopWords.test(text.trim())
}

/**
 * Folds what waits in the inbox into a turn. A running turn takes what its own person sent; other people's
 * messages wait. Without a running turn, the first message decides whose turn it becomes.
 */
export function foldInbox(snapshot: Snapshot): Folded {
  const running = snapshot.turns.find((turn) => turn.status === 'running')
  let personId = running?.personId
  const joining = new Map<string, Joining>()
  const posts = new Map<string, { readonly eventId: string; readonly personId: string }>()
  // Removed before anybody took them; what comes after that is about nothing.
  const gone = new Set<string>()
  // What came before its post did: platforms keep no order among what they send again.
  const early = new Map<string, PendingEvent>()
  const rewritten = new Map<string, string | null>()
  const dropped: string[] = []
  const voided = new Map<string, boolean>()
  let stop = false
  let restart = false
  let closed = false

  /** The message that an edit or removal speaks of, where it waits and the same person wrote it. */
  const waitingFor = (event: PendingEvent): string | undefined => {
    const post = event.postId ? posts.get(event.postId) : undefined
    return post?.personId === event.personId ? post?.eventId : undefined
  }

  for (const event of snapshot.pending) {
    switch (event.kind) {
      case 'message': {
        if (event.personId === null) {
          dropped.push(event.id)
          break
        }
        personId ??= event.personId
        // Order is kept: after another person's message, the rest waits for the next turn. A turn that runs takes all
        // that its own person says, also after others have spoken: else it would be interrupted by it again and again.
        if (event.personId !== personId) {
          if (!running) closed = true
          break
        }
        if (closed) break
        const hurried = event.postId ? early.get(event.postId) : undefined
        if (hurried?.kind === 'removal' && hurried.personId === event.personId) {
          gone.add(event.postId!)
          dropped.push(event.id)
          break
        }
        const joins = hurried?.personId === event.personId ? { ...event, payload: hurried.payload } : event
        joining.set(event.id, joiningOf(joins, event.personId))
        if (event.postId) posts.set(event.postId, { eventId: event.id, personId: event.personId })
        break
      }
      case 'edit': {
        if (event.postId && gone.has(event.postId)) {
          dropped.push(event.id)
          break
        }
        const waiting = waitingFor(event)
        const text = event.payload.text ?? ''
        if (waiting) {
          joining.set(waiting, {
            ...joining.get(waiting)!,
            text,
            attachments: event.payload.attachments ?? [],
          })
          dropped.push(event.id)
          break
        }
        if (laterPending(snapshot.pending, event)) break
        const message = ownPost(snapshot.messages, event)
        if (!message || (rewritten.get(message.id) ?? message.text) === text) {
          if (!message && event.postId) early.set(event.postId, event)
          dropped.push(event.id)
          break
        }
        const turn = snapshot.turns.find((open) => open.id === message.turnId)
        if (
          !turn &&
          isLastSaid(snapshot.messages, message) &&
          event.personId &&
          (personId ?? event.personId) === event.personId &&
          !closed
        ) {
          // Answered already and the last thing said: the edit counts as something new.
          personId = event.personId
          joining.set(event.id, joiningOf(event, event.personId))
          break
        }
        rewritten.set(message.id, text)
        dropped.push(event.id)
        if (turn?.status === 'running') restart = true
        if (turn?.status === 'waiting') voided.set(turn.id, true)
        break
      }
      case 'removal': {
        if (event.postId && gone.has(event.postId)) {
          dropped.push(event.id)
          break
        }
        const waiting = waitingFor(event)
        if (waiting && event.postId) {
          joining.delete(waiting)
          posts.delete(event.postId)
          gone.add(event.postId)
          dropped.push(waiting, event.id)
          break
        }
        if (laterPending(snapshot.pending, event)) break
        const message = ownPost(snapshot.messages, event)
        dropped.push(event.id)
        if (!message) {
          if (event.postId) early.set(event.postId, event)
          break
        }
        rewritten.set(message.id, null)
        const turn = snapshot.turns.find((open) => open.id === message.turnId)
        if (turn?.status === 'running') restart = true
        if (turn?.status === 'waiting') voided.set(turn.id, false)
        break
      }
      case 'action': {
        if (event.payload.action === 'turn.stop' && running && event.personId === running.personId)
          stop = true
        dropped.push(event.id)
        break
      }
      case 'opened':
        dropped.push(event.id)
        break
      case 'timer':
        break
      default:
        event.kind satisfies never
    }
  }

  const list = [...joining.values()]
  const hasOpen =
    running !== undefined ||
    snapshot.openCalls.some((call) => call.status === 'proposed' && call.personId === personId) ||
    snapshot.questions.some((question) => question.status === 'open' && question.personId === personId)
  if (hasOpen && list.some((message) => isStop(message.text))) stop = true
  return {
    personId: list.length > 0 || running ? personId : undefined,
    joining: list,
    rewritten: [...rewritten].map(([messageId, text]) => ({ messageId, text })),
    dropped,
    stop,
    voided: [...voided].map(([turnId, again]) => ({ turnId, restart: again })),
    restart,
  }
}

function joiningOf(event: PendingEvent, personId: string): Joining {
  return {
    eventId: event.id,
    personId,
    postId: event.postId,
    text: event.payload.text ?? '',
    attachments: event.payload.attachments ?? [],
    ...(event.payload.at === undefined ? {} : { at: new Date(event.payload.at) }),
    ...(event.payload.repliesTo === undefined ? {} : { repliesTo: event.payload.repliesTo }),
    ...(event.payload.answers === undefined ? {} : { answers: event.payload.answers }),
  }
}

/** The post that an edit or removal speaks of, where the same person wrote it. */
function ownPost(messages: readonly TranscriptMessage[], event: PendingEvent): TranscriptMessage | undefined {
  return messages.findLast(
    (message) =>
      message.postId !== null &&
      message.postId === event.postId &&
      message.personId === event.personId &&
      !message.removed,
  )
}

/** Is the post among those that wait for a later turn? Then its edit waits with it. */
function laterPending(pending: readonly PendingEvent[], event: PendingEvent): boolean {
  return pending.some(
    (other) =>
      other.kind === 'message' &&
      other.postId === event.postId &&
      other.personId === event.personId &&
      other.id < event.id,
  )
}

function isLastSaid(messages: readonly TranscriptMessage[], message: TranscriptMessage): boolean {
  return messages.findLast((other) => other.role === 'user')?.id === message.id
}
