import process from 'node:process'
import { describe, expect, it } from 'vitest'
import { foldInbox } from '../../src/session/fold.ts'
import type { PendingEvent } from '../../src/session/inbox.ts'
import { allowances, stateOf } from '../../src/session/state.ts'
import type { OpenTurn, TranscriptMessage } from '../../src/session/transcript.ts'
import { CallStatus } from '../../src/store/prisma/client.ts'
import fc from '../support/properties.ts'
import { callWith, eventWith, messageWith, snapshotWith, turnWith } from './snapshots.ts'

const runs = Number(process.env.HERMES_PROPERTY_RUNS ?? 500)

const person = fc.constantFrom('per_ann', 'per_bo')
const post = fc.constantFrom('post_1', 'post_2', 'post_3', 'post_9')
const said = fc.constantFrom('hello', 'stop', '算了', '', 'ticket please', 'hello there')

const event = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('message' as const),
      personId: person,
      postId: post,
      text: said,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('edit' as const), personId: person, postId: post, text: said }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('removal' as const),
      personId: person,
      postId: post,
      text: said,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('action' as const),
      personId: person,
      postId: post,
      text: said,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom('opened' as const, 'timer' as const),
      personId: person,
      postId: post,
      text: said,
    }),
  },
)

const turn = fc.record({
  personId: person,
  status: fc.constantFrom('running' as const, 'waiting' as const, 'waiting' as const),
})
const transcript = fc.array(
  fc.record({
    personId: person,
    postId: post,
    turn: fc.integer({ min: 0, max: 4 }),
    text: said,
    removed: fc.boolean(),
  }),
  { maxLength: 6 },
)

const scene = fc
  .record({
    turns: fc.array(turn, { maxLength: 3 }),
    messages: transcript,
    events: fc.array(event, { maxLength: 12 }),
    proposed: fc.boolean(),
  })
  .map(({ turns, messages, events, proposed }) => {
    let running = false
    const open: OpenTurn[] = turns.map((one, index) => {
      // At most one turn of a session runs.
      const status = one.status === 'running' && !running ? 'running' : 'waiting'
      running ||= status === 'running'
      return turnWith(`turn_${index}`, { personId: one.personId, status })
    })
    const said: TranscriptMessage[] = messages.map((one, index) =>
      messageWith(index + 1, {
        role: 'user',
        text: one.text,
        personId: one.personId,
        postId: one.postId,
        turnId: `turn_${one.turn}`,
        removed: one.removed,
      }),
    )
    const pending: PendingEvent[] = events.map((one, index) =>
      eventWith(`evt_${String(index).padStart(3, '0')}`, {
        kind: one.kind,
        personId: one.personId,
        postId: one.postId,
        payload: { text: one.text, ...(one.kind === 'action' ? { action: 'turn.stop' } : {}) },
      } as Partial<PendingEvent> & Pick<PendingEvent, 'kind'>),
    )
    return snapshotWith({
      turns: open,
      messages: said,
      pending,
      openCalls: proposed && open[0] ? [callWith('1', { status: 'proposed', turnId: open[0].id })] : [],
    })
  })

describe('what waits in the inbox', () => {
  it('is folded so that nothing is taken twice, dropped and taken, or taken for somebody else', () => {
    fc.assert(
      fc.property(scene, (snapshot) => {
        const folded = foldInbox(snapshot)
        const taken = folded.joining.map((one) => one.eventId)
        expect(new Set(taken).size).toBe(taken.length)
        expect(new Set(folded.dropped).size).toBe(folded.dropped.length)
        expect(taken.filter((id) => folded.dropped.includes(id))).toEqual([])
        const known = new Set(snapshot.pending.map((one) => one.id))
        expect([...taken, ...folded.dropped].every((id) => known.has(id))).toBe(true)
        for (const one of folded.joining) expect(one.personId).toBe(folded.personId)
        const running = snapshot.turns.find((one) => one.status === 'running')
        if (!running) return
        // What a turn would be interrupted by it must be able to take: else it would begin anew for ever.
        expect(folded.personId).toBe(running.personId)
        const own = snapshot.pending.filter(
          ({ kind, personId }) => kind !== 'timer' && personId === running.personId,
        )
        const settled = new Set([...taken, ...folded.dropped])
        expect(own.filter(({ id }) => !settled.has(id))).toEqual([])
      }),
      { numRuns: runs, seed: 21 },
    )
  })

  it('loses no message: each is taken, waits for its turn, or was removed by who wrote it', () => {
    fc.assert(
      fc.property(scene, (snapshot) => {
        const folded = foldInbox(snapshot)
        const settled = new Set([...folded.joining.map((one) => one.eventId), ...folded.dropped])
        for (const one of snapshot.pending.filter((each) => each.kind === 'message')) {
          if (!folded.dropped.includes(one.id)) continue
          const removal = snapshot.pending.some(
            (later) =>
              later.kind === 'removal' &&
              later.postId === one.postId &&
              later.personId === one.personId &&
              settled.has(later.id),
          )
          expect(removal).toBe(true)
        }
        // What is taken has the text of the last edit that came with it.
        for (const one of folded.joining) {
          const own = snapshot.pending.find((each) => each.id === one.eventId)!
          if (own.kind !== 'message') continue
          const edits = snapshot.pending.filter(
            (each) => each.kind === 'edit' && each.postId === own.postId && folded.dropped.includes(each.id),
          )
          if (edits.length === 0) expect(one.text).toBe(own.payload.text)
        }
      }),
      { numRuns: runs, seed: 22 },
    )
  })

  it('lets nobody edit, remove or stop what is another person’s', () => {
    fc.assert(
      fc.property(scene, (snapshot) => {
        const folded = foldInbox(snapshot)
        for (const { messageId } of folded.rewritten) {
          const message = snapshot.messages.find((one) => one.id === messageId)!
          expect(
            snapshot.pending.some(
              (one) =>
                (one.kind === 'edit' || one.kind === 'removal') &&
                one.postId === message.postId &&
                one.personId === message.personId,
            ),
          ).toBe(true)
          expect(message.removed).toBe(false)
        }
        for (const { turnId } of folded.voided)
          expect(snapshot.turns.find((one) => one.id === turnId)?.status).toBe('waiting')
        if (folded.stop) {
          const by = snapshot.pending.filter((one) => one.personId === folded.personId)
          expect(by.length).toBeGreaterThan(0)
        }
      }),
      { numRuns: runs, seed: 23 },
    )
  })

  it('comes to an end: what is left after taking is taken in later rounds', () => {
    fc.assert(
      fc.property(scene, (first) => {
        // Every turn ends before the next round begins.
        let snapshot = { ...first, turns: first.turns.filter((one) => one.status === 'running') }
        for (let round = 0; round <= first.pending.length + 1; round++) {
          const folded = foldInbox(snapshot)
          const gone = new Set([...folded.joining.map((one) => one.eventId), ...folded.dropped])
          const left = snapshot.pending.filter((one) => !gone.has(one.id) && one.kind !== 'timer')
          if (left.length === 0) return
          snapshot = { ...snapshot, turns: [], pending: left }
        }
        expect(snapshot.pending).toEqual([])
      }),
      { numRuns: runs, seed: 24 },
    )
  })
})

describe('events that come in another order than they happened', () => {
  const post = (kind: 'message' | 'edit' | 'removal', text: string, personId = 'per_ann') => ({
    kind,
    personId,
    postId: 'post_1',
    payload: { text },
  })
  const folded = (...events: readonly ReturnType<typeof post>[]) =>
    foldInbox(snapshotWith({ pending: events.map((one, index) => eventWith(`evt_${index}`, one)) }))

  it('count by what they are about: an edit before its post, and a removal before it', () => {
    expect(folded(post('edit', 'new'), post('message', 'old')).joining).toMatchObject([{ text: 'new' }])
    expect(folded(post('removal', ''), post('message', 'old'))).toMatchObject({
      joining: [],
      dropped: ['evt_0', 'evt_1'],
    })
  })

  it('leave a post that was removed before anybody took it, whatever comes after', () => {
    const late = folded(post('message', 'old'), post('removal', ''), post('edit', 'new'), post('removal', ''))
    expect(late).toMatchObject({ joining: [], rewritten: [], dropped: ['evt_0', 'evt_1', 'evt_2', 'evt_3'] })
  })

  it('change nothing of another person’s', () => {
    const others = folded(
      post('message', 'old'),
      post('edit', 'new', 'per_bo'),
      post('removal', '', 'per_bo'),
    )
    expect(others.joining).toMatchObject([{ text: 'old' }])
    expect(folded(post('removal', '', 'per_bo'), post('message', 'old')).joining).toMatchObject([
      { text: 'old' },
    ])
  })
})

describe('the state of a session', () => {
  const status = fc.constantFrom(...Object.values(CallStatus))

  it('is one of the table, and says what the rows say', () => {
    fc.assert(
      fc.property(
        fc.array(turn, { maxLength: 3 }),
        fc.array(fc.record({ turn: fc.integer({ min: 0, max: 3 }), status }), { maxLength: 5 }),
        fc.boolean(),
        fc.boolean(),
        fc.boolean(),
        (turns, calls, archived, asked, answered) => {
          const state = stateOf({
            archived,
            asked,
            answered,
            turns: turns.map((one, index) => ({ id: `turn_${index}`, status: one.status })),
            calls: calls.map((one) => ({ turnId: `turn_${one.turn}`, status: one.status })),
          })
          const allowed = allowances[state]
          expect(allowed.line).not.toBe('')
          const runs = turns.some((one) => one.status === 'running')
          const executes = calls.some((one) => one.status === 'approved' || one.status === 'executing')
          if (executes) expect(state).toBe('tool_executing')
          else if (runs) expect(allowed.message).toMatch(/^restarts the step/)
          else expect(allowed.message).toMatch(/starts a turn$/)
          if (
            asked &&
            !executes &&
            !runs &&
            !calls.some(({ status: at }) => at === 'proposed' || at === 'unknown')
          )
            expect(state).toBe('collecting')
          if (!executes && !runs && calls.some((one) => one.status === 'proposed'))
            expect(state).toBe('awaiting_confirmation')
        },
      ),
      { numRuns: runs, seed: 25 },
    )
  })
})
