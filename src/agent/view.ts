import type { Clock } from '../base/clock.ts'
import { pause } from '../base/wait.ts'
import { languageOf } from '../base/words.ts'
import type { Card } from '../channel/card.ts'
import type { ThreadRef } from '../channel/events.ts'
import {
  directThreadName,
  isDirectThread,
  type ThreadReader,
  type ThreadView,
  type TraceNode,
  type ViewMessage,
} from '../channel/view.ts'
import type { Drafts } from '../session/drafts.ts'
import type { Notices } from '../session/notices.ts'
import { createSessionIds } from '../session/session-ids.ts'
import { stateOf } from '../session/state.ts'
import { readShown, type Snapshot, type TranscriptMessage } from '../session/transcript.ts'
import type { Database } from '../store/client.ts'
import type { Approvals } from '../tools/approvals.ts'
import { drawCards } from './approving/cards.ts'
import { whyButton } from './commands/why-button.ts'
import { type DeskTelling, deskCard } from './desk/card.ts'
import type { DeskCases } from './desk/desk.ts'
import { givenFiles } from './files.ts'
import { choiceCard } from './workflows/choices.ts'

/** How often a viewer looks by itself, for changes of other processes, in ms. */
const lookInterval = 500
/** And how often it looks where nothing has changed for a while. */
const longestSilence = 15_000
/** How often it looks whether a thread has begun, in ms. */
const firstLook = 100
/** The least time between two looks of one viewer, in ms. */
const shortestLook = 60

/** Whole threads as the web chat shows them, read from the rows that turns commit. */
export function createThreadReader(parts: {
  db: Database
  approvals: Approvals
  drafts: Drafts
  notices: Notices
  clock: Clock
  /** Threads that stand for rooms of approvers. */
  rooms: ReadonlySet<string>
  desk: Pick<DeskCases, 'findAll'>
  /** How the desk is told. */
  telling: Omit<DeskTelling, 'now'>
}): ThreadReader {
  const { db, approvals, drafts, notices, clock, desk } = parts
  const idOf = createSessionIds(db)

  return {
    async read(thread) {
      const id = await idOf(thread)
      const snapshot = id === undefined ? undefined : await readShown(db, id)
      if (!snapshot) return undefined
      const hasCards = snapshot.messages.some((message) => message.calls.some((call) => call.approval))
      const facts = hasCards ? await approvals.facts({ sessionId: snapshot.id }) : []
      const isRoom = parts.rooms.has(thread.thread) || isDirectThread(thread.thread)
      const asked = isRoom ? await askedIn(thread) : []
      const cards = new Map<string, ViewMessage['cards'][number][]>()
      const drawn = drawCards(facts, clock.now())
      facts.forEach((fact, index) => {
        const list = cards.get(fact.messageId) ?? []
        list.push(drawn[index]!)
        cards.set(fact.messageId, list)
      })
      for (const [messageId, card] of await deskCards(snapshot)) cards.set(messageId, [card])
      for (const one of snapshot.workflows) {
        // Below the last words of the turn that came to the choice.
        const last = snapshot.messages.findLast(
          (message) => message.turnId === one.turnId && message.role === 'assistant',
        )
        const author = snapshot.messages.find((message) => message.personId === one.personId)?.author ?? ''
        const card = last?.final ? choiceCard(one, author) : undefined
        if (last && card) cards.set(last.id, [...(cards.get(last.id) ?? []), card])
      }
      const files = await givenFiles(
        db,
        snapshot.messages.flatMap((message) => message.calls),
      )
      const draft = await draftOf(snapshot)
      return {
        seq: snapshot.revision,
        messages: [...withFiles(viewMessages(snapshot, cards), files), ...asked].toSorted((one, other) =>
          asked.length > 0 ? one.at.getTime() - other.at.getTime() : 0,
        ),
        state: stateOf({
          archived: snapshot.archived,
          turns: snapshot.turns,
          calls: snapshot.openCalls,
          answered: snapshot.messages.some((message) => message.role === 'assistant' && message.final),
        }),
        ...(draft ? { draft } : {}),
      } satisfies ThreadView
    },

    async list({ channel, workspace, userId }) {
      const rows = await db.session.findMany({
        where: {
          channel,
          workspace,
          OR: [
            { events: { some: { person: { identities: { some: { channel, workspace, userId } } } } } },
            { thread: directThreadName(userId) },
          ],
        },
        orderBy: { lastActivityAt: 'desc' },
        take: 50,
        include: {
          messages: { where: { removedAt: null }, orderBy: { seq: 'asc' }, take: 1, select: { text: true } },
          turns: { where: { status: { in: ['running', 'waiting'] } } },
          calls: { where: { status: { in: ['proposed', 'approved', 'executing', 'unknown'] } } },
        },
      })
      return rows.map((row) => ({
        thread: row.thread,
        title: [...(row.messages[0]?.text ?? row.thread).replace(/\s+/g, ' ')].slice(0, 80).join(''),
        at: row.lastActivityAt,
        state: stateOf({
          archived: row.archivedAt !== null,
          turns: row.turns,
          calls: row.calls,
          answered: row.seq > 0,
        }),
      }))
    },

    async *changes(thread, signal) {
      let id = await idOf(thread)
      let seen = ''
      let wake: () => void = () => {}
      let rung = false
      let hurried = false
      let hurry: () => void = () => {}
      const ring = (wanted: boolean) => {
        rung = true
        hurried ||= wanted
        wake()
        if (wanted) hurry()
      }
      let off = id === undefined ? () => {} : notices.onChanged(id, ring)
      let quietSince = clock.monotonic()
      try {
        while (!signal.aborted) {
          if (!rung) {
            const rest = new AbortController()
            wake = () => rest.abort()
            // Of a thread that does not exist yet no notice comes.
            await pause(id === undefined ? firstLook : lookInterval, AbortSignal.any([signal, rest.signal]))
            wake = () => {}
          }
          if (signal.aborted) return
          const wasRung = rung
          rung = false
          hurried = false
          if (id === undefined) {
            id = await idOf(thread)
            if (id === undefined) continue
            off = notices.onChanged(id, ring)
          }
          const version = wasRung ? undefined : await versionOf(id)
          if (wasRung || version !== seen || clock.monotonic() - quietSince > longestSilence) {
            if (version !== undefined) seen = version
            quietSince = clock.monotonic()
            yield
            // A turn changes many things at once; a viewer sees them in one look, and what is waited for at once.
            const rest = new AbortController()
            hurry = () => rest.abort()
            if (!hurried) await pause(shortestLook, AbortSignal.any([signal, rest.signal]))
            hurry = () => {}
          }
        }
      } finally {
        off()
      }
    },

    async trace(thread, turnId) {
      const id = await idOf(thread)
      if (id === undefined) return []
      const spans = await db.span.findMany({ where: { turnId, sessionId: id }, orderBy: { id: 'asc' } })
      return traceTree(spans)
    },
  }

  /** Cards of other threads that are decided in this one. */
  async function askedIn(thread: ThreadRef): Promise<readonly ViewMessage[]> {
    const { channel, workspace } = thread
    const facts = await approvals.placedIn({ channel, workspace, room: thread.thread })
    const cards = drawCards(facts, clock.now(), () => 'decision')
    return cards.map((card, index) => ({
      id: `asked_${card.id}`,
      role: 'assistant',
      text: '',
      at: facts[index]!.askedAt,
      cards: [card],
      actions: [],
    }))
  }

  /** The cards of the desk's cases, in the threads of the desk. */
  async function deskCards(snapshot: Snapshot): Promise<readonly (readonly [string, Card])[]> {
    const places = snapshot.messages.flatMap(({ id }) => {
      const caseId = /^msg_(hand_[0-9a-f]+)(?:_case)?$/.exec(id)?.[1]
      return caseId === undefined ? [] : [{ id, caseId }]
    })
    if (places.length === 0) return []
    const found = await desk.findAll(places.map(({ caseId }) => caseId))
    return places.flatMap(({ id, caseId }) => {
      const one = found.find((each) => each.id === caseId)
      return one ? [[id, deskCard(one, { now: clock.now(), ...parts.telling })] as const] : []
    })
  }

  async function versionOf(sessionId: string): Promise<string> {
    const rows = await db.rows<{ version: string }>`
      SELECT s.revision || ':' || COALESCE(d.sequence, 0) || ':' || COALESCE(d.status, '') AS version
      FROM session s LEFT JOIN draft d ON d.session_id = s.id WHERE s.id = ${sessionId}`
    return rows[0]?.version ?? ''
  }

  async function draftOf(snapshot: Snapshot): Promise<ThreadView['draft'] | undefined> {
    const here = drafts.current(snapshot.id)
    if (here !== undefined) return here ?? undefined
    const running = snapshot.turns.find((turn) => turn.status === 'running')
    if (!running) return undefined
    const row = await db.draft.findUnique({ where: { sessionId: snapshot.id } })
    // A row from before the turn was left by a process that died.
    return row && row.updatedAt >= running.startedAt
      ? { text: row.text, ...(row.status === null ? {} : { status: row.status }) }
      : undefined
  }
}

/** Messages as people see them: one for each leg, whatever tools ran in between. */
function viewMessages(
  snapshot: Snapshot,
  cards: ReadonlyMap<string, readonly ViewMessage['cards'][number][]>,
): readonly ViewMessage[] {
  const shown: ViewMessage[] = []
  const legs = new Map<string, number>()
  for (const message of snapshot.messages) {
    // A note of a person was passed on from elsewhere; those of Hermes are for the model.
    if (message.removed || (message.role === 'note' && message.personId === null)) continue
    const own = cards.get(message.id) ?? []
    const leg =
      message.role === 'assistant' && message.turnId ? `${message.turnId}:${message.leg}` : undefined
    const place = leg === undefined ? undefined : legs.get(leg)
    if (place !== undefined) {
      const before = shown[place]!
      shown[place] = {
        ...before,
        text: [before.text, message.text].filter((text) => text.trim() !== '').join('\n\n'),
        cards: [...before.cards, ...own],
      }
      continue
    }
    const running = snapshot.turns.find((turn) => turn.id === message.turnId && turn.status === 'running')
    // While the leg is being written, its draft shows it.
    if (leg !== undefined && running?.leg === message.leg && !message.final && own.length === 0) continue
    if (leg !== undefined) legs.set(leg, shown.length)
    shown.push(viewOf(message, own))
  }
  return [...shown.map((message) => explained(message, snapshot)), ...waitingMessages(snapshot)].filter(
    (message) => message.text.trim() !== '' || message.cards.length > 0 || message.role === 'user',
  )
}

/** Files stand below the last words of their turn. */
function withFiles(
  messages: readonly ViewMessage[],
  files: Awaited<ReturnType<typeof givenFiles>>,
): readonly ViewMessage[] {
  if (files.length === 0) return messages
  return messages.map((message, index) => {
    const isLast =
      message.role === 'assistant' &&
      message.turnId !== undefined &&
      !messages
        .slice(index + 1)
        .some((later) => later.turnId === message.turnId && later.role === 'assistant')
    const own = isLast ? files.filter(({ turnId }) => turnId === message.turnId) : []
    return own.length === 0
      ? message
      : { ...message, files: own.map(({ ref, name, mediaType }) => ({ ref, name, mediaType })) }
  })
}

/** An answer whose turn is over says on demand what shaped it. */
function explained(message: ViewMessage, snapshot: Snapshot): ViewMessage {
  const { turnId, role, text, cards } = message
  const isAnswer = role === 'assistant' && turnId !== undefined && text.trim() !== '' && cards.length === 0
  if (!isAnswer || snapshot.turns.some((turn) => turn.id === turnId)) return message
  return { ...message, actions: [...message.actions, whyButton(turnId, languageOf(text))] }
}

/** What was said while a turn is at work, and is not taken into one yet. */
function waitingMessages(snapshot: Snapshot): readonly ViewMessage[] {
  const waiting = new Map<string, ViewMessage>()
  for (const { id, kind, postId, author, payload, receivedAt } of snapshot.pending) {
    const known = waiting.get(postId ?? id)
    const text = payload.text ?? ''
    if (kind === 'message') {
      const own = { id, ...(postId ? { postId } : {}), ...(author ? { author } : {}) }
      waiting.set(postId ?? id, { ...own, role: 'user', text, at: receivedAt, cards: [], actions: [] })
    } else if (known && kind === 'edit') waiting.set(postId ?? id, { ...known, text })
    else if (known && kind === 'removal') waiting.delete(postId ?? id)
  }
  return [...waiting.values()]
}

function viewOf(message: TranscriptMessage, cards: readonly ViewMessage['cards'][number][]): ViewMessage {
  const files = message.attachments.map((file) => `*${file.name}*`).join(', ')
  return {
    id: message.id,
    ...(message.postId === null ? {} : { postId: message.postId }),
    role: message.role === 'note' ? 'assistant' : message.role,
    ...(message.author ? { author: message.author } : {}),
    text: [message.text, files].filter((text) => text !== '').join('\n\n'),
    at: message.createdAt,
    cards,
    actions: [],
    ...(message.turnId ? { turnId: message.turnId } : {}),
  }
}

interface SpanLike {
  readonly id: string
  readonly parentId: string | null
  readonly name: string
  readonly startedAt: Date
  readonly endedAt: Date | null
  readonly outcome: string
  readonly attributes: unknown
}

/** Spans as a tree, with times relative to the first. */
export function traceTree(spans: readonly SpanLike[]): readonly TraceNode[] {
  const start = Math.min(...spans.map((span) => span.startedAt.getTime()))
  const known = new Set(spans.map((span) => span.id))
  const below = (parent: string | null): readonly TraceNode[] =>
    spans
      .filter((span) =>
        parent === null ? span.parentId === null || !known.has(span.parentId) : span.parentId === parent,
      )
      .map((span) => ({
        name: span.name,
        startedMs: span.startedAt.getTime() - start,
        durationMs: span.endedAt ? span.endedAt.getTime() - span.startedAt.getTime() : 0,
        outcome: span.outcome,
        attributes: (span.attributes ?? {}) as Record<string, unknown>,
        children: below(span.id),
      }))
  return below(null)
}
