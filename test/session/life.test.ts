import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { archiveIdle, eraseOld } from '../../src/session/archive.ts'
import { type Database, openClient } from '../../src/store/client.ts'
import { runningUrl } from '../../src/store/running.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { type ModelStandIn, startModel } from '../support/model.ts'
import { openRows, type Rows } from '../support/rows.ts'
import { type Scripts, scriptModel } from '../support/scripts.ts'
import { webClient } from '../support/web-client.ts'

describe('the life of a session', { timeout: 60_000 }, () => {
  let model: ModelStandIn
  let scripts: Scripts
  let app: TestApp
  let rows: Rows
  let db: Database

  const open = async () => {
    rows = await openRows(app.home)
    db = openClient(runningUrl(app.home)!, { connections: 1 })
  }
  const close = async () => {
    await rows.close()
    await db.$disconnect()
  }
  beforeAll(async () => {
    model = await startModel()
    scripts = scriptModel(model)
    app = await startTestApp({ variables: { OPENAI_BASE_URL: model.baseUrl } })
    await open()
  }, 60_000)
  afterAll(async () => {
    await close()
    await app.end()
    await model.stop()
  })

  const session = (thread: string) =>
    db.session.findFirstOrThrow({ where: { channel: 'web', thread }, select: { id: true, archivedAt: true } })
  const archived = async (thread: string) => (await session(thread)).archivedAt !== null
  const daysAgo = async (column: 'last_activity_at' | 'archived_at', thread: string, days: number) => {
    await rows.query(
      `UPDATE session SET ${column} = now() - $1 * interval '1 day' WHERE thread = $2`,
      days,
      thread,
    )
  }
  const learned = async () =>
    expect
      .poll(() => db.turn.count({ where: { status: 'done', learnedAt: null } }), { timeout: 20_000 })
      .toBe(0)

  it('is archived when it has been idle, but never while something is open or not learned from', async () => {
    const word = scripts.word()
    const ann = webClient(app.address, 'Ann', 'idle')
    scripts.on(
      word,
      { calls: [{ name: 'create_ticket', arguments: { title: `The ${word} lamp` } }] },
      { text: 'All right.' },
      { text: 'It was the lamp.' },
    )
    await ann.say(`Make a ticket for the ${word} lamp of order ORD-2024-0017`)
    const card = await ann.card()
    await rows.quiet()
    await daysAgo('last_activity_at', 'idle', 8)
    expect(await archiveIdle(db, 7)).toBe(0)
    expect(await archived('idle')).toBe(false)

    await ann.press('approval.cancel', card.id)
    await ann.answer()
    await learned()
    await rows.quiet()
    await daysAgo('last_activity_at', 'idle', 6)
    await archiveIdle(db, 7)
    expect(await archived('idle')).toBe(false)
    await daysAgo('last_activity_at', 'idle', 8)
    await db.turn.updateMany({ where: { status: 'done' }, data: { learnedAt: null } })
    await archiveIdle(db, 7)
    expect(await archived('idle')).toBe(false)
    await learned()
    await daysAgo('last_activity_at', 'idle', 8)
    await archiveIdle(db, 7)
    expect(await archived('idle')).toBe(true)
    expect((await ann.read()).state).toBe('archived')

    // A word brings it back, with all that it knew, and without a word about the archive.
    await ann.say('What was it about?')
    await expect.poll(async () => (await ann.read()).messages.at(-1)?.text).toBe('It was the lamp.')
    expect(await archived('idle')).toBe(false)
    const request = JSON.stringify(scripts.requests(word).at(-1)!.messages)
    expect(request).toContain(`The ${word} lamp`)
    expect(request).toContain('ORD-2024-0017')
    expect(request).not.toMatch(/archive/i)
  })

  it('shows all that was said to whoever looks, also what is in its summary', async () => {
    const [word, next] = [scripts.word(), scripts.word()]
    const ann = webClient(app.address, 'Ann', 'long')
    scripts.on(word, { text: 'Noted.' })
    await ann.say(`The key of ${word} is blue`)
    await ann.answer()
    await rows.quiet()
    await rows.query(
      `UPDATE session SET summary = 'The key is blue.', summary_seq = seq WHERE thread = 'long' AND seq > 0`,
    )
    scripts.on(next, { text: 'Blue.' })
    await ann.say(`Which colour, ${next}?`)
    await ann.answer(2)
    expect((await ann.read()).messages.map(({ text }) => text)).toEqual([
      `The key of ${word} is blue`,
      'Noted.',
      `Which colour, ${next}?`,
      'Blue.',
    ])
    const request = JSON.stringify(scripts.requests(next).at(-1)!.messages)
    expect(request).toContain('The key is blue.')
    expect(request).not.toContain(word)
  })

  it('is archived by the sweep itself, and what is due soon after is said there all the same', async () => {
    const word = scripts.word()
    const ann = webClient(app.address, 'Ann', 'swept')
    scripts.on(
      word,
      { calls: [{ name: 'set_reminder', arguments: { text: `feed the ${word}`, when: 'in 3 hours' } }] },
      { text: 'I will.' },
    )
    await ann.say(`Remind me in three hours to feed the ${word}`)
    await ann.answer()
    await learned()
    await rows.quiet()
    await daysAgo('last_activity_at', 'swept', 8)
    await close()
    app = await app.restart()
    await open()
    await expect.poll(() => archived('swept'), { timeout: 15_000 }).toBe(true)
    const moved = await rows.query(`UPDATE reminder SET due_at = now() - interval '1 s' RETURNING id`)
    expect(moved).toHaveLength(1)
    const again = webClient(app.address, 'Ann', 'swept')
    await again.until('the reminder', ({ messages }) =>
      messages.some(({ text }) => text.includes(`feed the ${word}`) && text.startsWith('Reminder')),
    )
    await rows.quiet()
    expect(await archived('swept')).toBe(false)
  })

  it('is emptied when it has been in the archive for long: memories and the audit log stay', async () => {
    const word = scripts.word()
    const ann = webClient(app.address, 'Ann', 'old')
    const fact = `Ann keeps the ${word} in Lyon`
    scripts.on(
      word,
      { calls: [{ name: 'remember', arguments: { text: fact } }] },
      { text: 'Kept.' },
      { text: 'Hello again.' },
    )
    await ann.say(`Remember that I keep the ${word} in Lyon`)
    await ann.answer()
    await learned()
    await rows.quiet()
    const { id } = await session('old')
    await daysAgo('archived_at', 'old', 364)
    await eraseOld(db, 365)
    expect(await db.message.count({ where: { sessionId: id } })).toBeGreaterThan(0)
    await daysAgo('archived_at', 'old', 366)
    expect(await eraseOld(db, 365)).toBe(1)
    expect(await eraseOld(db, 365)).toBe(0)
    const tables = (await tablesWithSession()).map(({ table }) => table)
    expect(tables).toEqual(expect.arrayContaining(['message', 'inbound_event', 'span', 'tool_call', 'turn']))
    for (const table of tables.filter(
      (one) => !['audit_event', 'memory', 'reminder', 'ticket'].includes(one),
    )) {
      expect(await rows.query(`SELECT 1 FROM ${table} WHERE session_id = $1`, id), table).toEqual([])
    }
    expect(await db.memory.count({ where: { sessionId: id, status: 'active' } })).toBe(1)
    expect(await db.auditEvent.count({ where: { sessionId: id } })).toBeGreaterThan(0)

    // The thread begins anew; what is remembered is known.
    await ann.say(`Hello, where is the ${word}?`)
    await ann.answer()
    const request = JSON.stringify(scripts.requests(word).at(-1)!.messages)
    expect(request).not.toContain('Remember that I keep')
    expect(request).toContain('Lyon')
    await rows.quiet()
  })

  const tablesWithSession = () =>
    rows.query<{ table: string }>(
      `SELECT table_name AS table FROM information_schema.columns
       WHERE table_schema = current_schema() AND column_name = 'session_id'`,
    )
})
