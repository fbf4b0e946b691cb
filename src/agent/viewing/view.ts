import type { Clock } from '../../base/clock.ts'
import { pause } from '../../base/wait.ts'
import type { Card } from '../../channel/card.ts'
import type { ThreadRef } from '../../channel/events.ts'
import {
  directThreadName,
  isDirectThread,
  type ThreadReader,
  type ThreadView,
  type ViewMessage,
} from '../../channel/view.ts'
import type { Drafts } from '../../session/drafts.ts'
import type { Notices } from '../../session/notices.ts'
import { createSessionIds } from '../../session/session-ids.ts'
import { stateOf, stateOfRow, stateRows } from '../../session/state.ts'
import { readShown, type Snapshot } from '../../session/transcript.ts'
import type { Database } from '../../store/client.ts'
import type { Approvals } from '../../tools/approvals/approvals.ts'
import { drawCards } from '../approving/cards.ts'
import { questionCard } from '../asking/card.ts'
import type { Questions } from '../asking/questions.ts'
import { type DeskTelling, deskCard } from '../desk/card.ts'
import type { DeskCases } from '../desk/desk.ts'
import { passedFiles } from '../desk/files.ts'
import { givenFiles } from '../sending/files.ts'
import { choiceCard } from '../workflows/choices.ts'
import { viewMessages, withFiles } from './messages.ts'
import { traceTree } from './trace-tree.ts'

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
  questions: Pick<Questions, 'of'>
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
      for (const facts of isAsking(snapshot) ? await parts.questions.of(snapshot.id) : []) {
        const list = cards.get(facts.messageId) ?? []
        cards.set(facts.messageId, [...list, questionCard(facts, clock.now())])
      }
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
      const passed = await passedFiles(
        db,
        snapshot.id,
        snapshot.messages.map((message) => message.id),
      )
      const draft = await draftOf(snapshot)
      return {
        seq: snapshot.revision,
        messages: [...withFiles(viewMessages(snapshot, cards), files, passed), ...asked].toSorted(
          (one, other) => (asked.length > 0 ? one.at.getTime() - other.at.getTime() : 0),
        ),
        state: stateOf({
          archived: snapshot.archived,
          turns: snapshot.turns,
          calls: snapshot.openCalls,
          asked: snapshot.questions.some((question) => question.status === 'open'),
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
          ...stateRows,
        },
      })
      return rows.map((row) => ({
        thread: row.thread,
        title: [...(row.messages[0]?.text ?? row.thread).replace(/\s+/g, ' ')].slice(0, 80).join(''),
        at: row.lastActivityAt,
        state: stateOfRow(row),
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

/** May there be questions with cards? Only a call that was refused has one. */
function isAsking(snapshot: Snapshot): boolean {
  return snapshot.messages.some((message) => message.calls.some((call) => call.status === 'refused'))
}
