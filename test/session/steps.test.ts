import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { createIds } from '../../src/base/ids.ts'
import type { MessageEvent } from '../../src/channel/events.ts'
import { silentLog } from '../../src/observe/log.ts'
import { advance } from '../../src/session/advance.ts'
import { commitStep } from '../../src/session/commit.ts'
import { createInbox } from '../../src/session/inbox.ts'
import { createLeases, type Lease, LeaseLost, type Taken } from '../../src/session/lease.ts'
import type { NewMessage, Step } from '../../src/session/step.ts'
import { readSnapshot, type Snapshot } from '../../src/session/transcript.ts'
import { type Database, openClient } from '../../src/store/client.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'

let database: TestDatabase
let db: Database
const ids = createIds(() => Date.now())
const clock = systemClock
const stopping = new AbortController()
const leases = () =>
  createLeases({ db, owner: 'this process', clock, log: silentLog, stopping: stopping.signal })

beforeAll(async () => {
  database = await freshDatabase()
  db = openClient(database.url)
})
afterAll(async () => {
  stopping.abort()
  await db.$disconnect()
  await database.close()
})

let said = 0

/** Ann says something in a thread. */
async function say(thread: string, text = 'hello'): Promise<string> {
  said += 1
  const event: MessageEvent = {
    kind: 'message',
    dedupeKey: `msg:${said}`,
    postId: `post-${said}`,
    thread: { channel: 'web', workspace: 'local', room: 'web', thread },
    threadKind: 'direct',
    author: { userId: 'ann', name: 'Ann', timeZone: 'Asia/Shanghai' },
    at: new Date(),
    text,
    attachments: [],
    addressed: true,
  }
  const acceptance = await createInbox({ db, ids, clock }).accept(event)
  if (acceptance.kind !== 'accepted') throw new Error(acceptance.kind)
  return acceptance.sessionId
}

async function take(sessionId: string): Promise<Taken> {
  const taken = await leases().take(sessionId)
  if (!taken) throw new Error('Somebody else has the lease.')
  return taken
}

const message = (turnId: string, more: Partial<NewMessage>): NewMessage => ({
  id: ids('msg'),
  turnId,
  step: 0,
  leg: 1,
  role: 'assistant',
  personId: null,
  eventId: null,
  postId: null,
  text: 'Hello Ann.',
  attachments: [],
  final: true,
  ...more,
})

/** The step that begins a turn with what waits. */
function beginning({ snapshot, speaker }: Taken, turnId: string): Step {
  const { id: personId } = speaker!
  return {
    messages: snapshot.pending.map((event) =>
      message(turnId, {
        role: 'user',
        personId,
        eventId: event.id,
        postId: event.postId,
        text: event.payload.text ?? '',
      }),
    ),
    taken: { turnId, events: snapshot.pending.map((event) => event.id) },
    turn: { id: turnId, begin: { personId, intent: [{ primary: 'ask' }] } },
    session: { entities: [{ type: 'ticket', value: 'T-1' }] },
  }
}

const answering = (turnId: string): Step => ({
  messages: [message(turnId, { step: 1 })],
  turn: { id: turnId, step: 1, inputTokens: 9, outputTokens: 5, recalled: [] },
})

async function commit(lease: Lease, before: Snapshot, step: Step) {
  const person = { id: before.pending[0]?.personId ?? '', name: 'Ann' }
  return advance(before, step, await commitStep(db, lease, step), person, clock.now())
}

/** Without the times, which the database and this process each take by themselves. */
function timeless(snapshot: Snapshot | undefined) {
  return JSON.parse(
    JSON.stringify(snapshot, (name, value) => (/^(?:createdAt|startedAt)$/.test(name) ? undefined : value)),
  )
}

describe('a lease', () => {
  it('comes with the session as it stands and with the one who speaks', async () => {
    const sessionId = await say('reads')
    const taken = await take(sessionId)
    expect(taken.snapshot).toEqual(await readSnapshot(db, sessionId))
    expect(taken.speaker).toMatchObject({
      display_name: 'Ann',
      time_zone: 'Asia/Shanghai',
      user_id: 'ann',
    })
    expect(await leases().take(sessionId)).toBeUndefined()
    await taken.lease.drop()
  })
})

describe('a step', () => {
  it('tells how the session stands after it, as it would be read', async () => {
    const sessionId = await say('advances')
    await say('advances', 'and more')
    const taken = await take(sessionId)
    const turnId = ids('turn')
    const begun = await commit(taken.lease, taken.snapshot, beginning(taken, turnId))
    expect(begun?.messages.map(({ text }) => text)).toEqual(['hello', 'and more'])
    expect(timeless(begun)).toEqual(timeless(await readSnapshot(db, sessionId)))
    const answered = await commit(taken.lease, begun!, answering(turnId))
    expect(answered?.turns).toMatchObject([{ id: turnId, step: 1, tokens: 14 }])
    expect(timeless(answered)).toEqual(timeless(await readSnapshot(db, sessionId)))
    await taken.lease.drop()
  })

  it('says nothing where something has come in since the session was read', async () => {
    const sessionId = await say('comes-in')
    const taken = await take(sessionId)
    await say('comes-in', 'wait')
    expect(await commit(taken.lease, taken.snapshot, beginning(taken, ids('turn')))).toBeUndefined()
    await taken.lease.drop()
  })

  it('gives the lease back with the end of its turn, and stores the trace and what was sent', async () => {
    const sessionId = await say('ends')
    const taken = await take(sessionId)
    const turnId = ids('turn')
    await commitStep(db, taken.lease, beginning(taken, turnId))
    const key = `reply:${turnId}:1:0`
    const sending = [{ id: ids('dlv'), key, turnId, target: {}, nonce: 'n' }]
    await commitStep(db, taken.lease, { ...answering(turnId), sending })
    const span = {
      id: ids('span'),
      turnId,
      sessionId,
      parentId: null,
      name: 'turn',
      startedAt: new Date(),
      endedAt: null,
      outcome: 'ok',
      attributes: { odd: 'a\u0000b\ud800' },
    }
    await commitStep(db, taken.lease, {
      turn: { id: turnId, status: 'done' },
      sent: [{ key, messageId: 'm1' }],
      spans: [span],
      release: true,
    })
    expect(taken.lease.ended).toBe(true)
    expect(await db.delivery.findUnique({ where: { key } })).toMatchObject({
      status: 'sent',
      messageId: 'm1',
    })
    expect(await db.span.findMany({ where: { turnId } })).toMatchObject([{ attributes: { odd: 'ab\ufffd' } }])
    await expect(commitStep(db, taken.lease, answering(turnId))).rejects.toThrow(LeaseLost)
    await (await take(sessionId)).lease.drop()
  })

  it('changes nothing once somebody else has taken the lease, whatever its holder still believes', async () => {
    const sessionId = await say('taken-over')
    const old = await take(sessionId)
    // As after a pause of the whole process that was longer than the lease.
    await db.session.update({ where: { id: sessionId }, data: { leaseExpiresAt: new Date(0) } })
    const next = await take(sessionId)
    expect(next.lease.fence).toBe(old.lease.fence + 1)
    const before = await readSnapshot(db, sessionId)
    const turnId = ids('turn')
    await expect(commitStep(db, old.lease, beginning(old, turnId))).rejects.toThrow(LeaseLost)
    expect(await old.lease.release()).toBe('lost')
    expect(timeless(await readSnapshot(db, sessionId))).toEqual(timeless(before))
    await commitStep(db, next.lease, beginning(next, turnId))
    expect((await readSnapshot(db, sessionId))?.turns).toMatchObject([{ id: turnId }])
    await next.lease.drop()
  })

  it('keeps the lease where something waits, so that nobody has to ring for it', async () => {
    const sessionId = await say('goes-on')
    const taken = await take(sessionId)
    const turnId = ids('turn')
    await commitStep(db, taken.lease, beginning(taken, turnId))
    await say('goes-on', 'one more thing')
    await commitStep(db, taken.lease, { turn: { id: turnId, status: 'done' }, release: true })
    expect(taken.lease.ended).toBe(false)
    expect(await taken.lease.release()).toBe('more')
    await taken.lease.drop()
  })
})
