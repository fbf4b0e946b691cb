import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createIds } from '../../src/base/ids.ts'
import { createWords } from '../../src/search/words.ts'
import { type Database, openClient } from '../../src/store/client.ts'
import { ticketTools } from '../../src/tools/builtin/tickets.ts'
import { createTicketBook } from '../../src/tools/ticket-book.ts'
import { callContext } from '../support/call-context.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'

let fresh: TestDatabase
let db: Database
beforeAll(async () => {
  fresh = await freshDatabase()
  db = openClient(fresh.url, { connections: 2 })
})
afterAll(async () => {
  await db.$disconnect()
  await fresh.close()
})

const context = (callId: string) => ({ ...callContext(), callId })

// Messages are shown to be sent once by the tests of recovery.
describe('a write of the tickets', () => {
  const cases: readonly (readonly [string, Readonly<Record<string, unknown>>, () => Promise<number>])[] = [
    [
      'create_ticket',
      { title: 'A lamp', priority: 'low' },
      () => db.ticket.count({ where: { title: 'A lamp' } }),
    ],
    ['comment_ticket', { text: 'A word' }, () => db.ticketComment.count({ where: { text: 'A word' } })],
    [
      'update_ticket',
      { status: 'resolved', clear: ['labels'], due: '2026-12-01T12:00:00.000Z' },
      () => db.ticketChange.count({ where: { field: 'status', after: 'resolved' } }),
    ],
  ]

  it('is each of those that there are', () => {
    expect(
      tools()
        .filter((tool) => tool.effect === 'write')
        .map((tool) => tool.name)
        .toSorted(),
    ).toEqual(cases.map(([name]) => name).toSorted())
  })

  it.each(cases)('%s is done once by one key, and can be looked after', async (name, args, count) => {
    const tool = tools().find((one) => one.name === name)!
    const { number } = await db.ticket.create({
      data: {
        id: `tkt_of_${name}`,
        workspace: 'local',
        title: `For ${name}`,
        labels: ['lamp'],
        createdBy: 'per_1',
        sessionId: 'sess_1',
        callId: `call_before_${name}`,
      },
    })
    const given = name === 'create_ticket' ? args : { ticket: `T-${number}`, ...args }
    const call = context(`call_${name}`)
    expect(await tool.checkOutcome!(given, call)).toEqual({ kind: 'not done' })
    const first = await tool.run(given, call)
    const second = await tool.run(given, call)
    expect(second.told).toBe(first.told)
    expect(await count()).toBe(1)
    expect(await tool.checkOutcome!(given, call)).toMatchObject({
      kind: 'done',
      result: { told: first.told },
    })
  })

  it('that found a ticket as it was to be is told as done, since nothing is left to do', async () => {
    const update = tools().find((one) => one.name === 'update_ticket')!
    const { number } = await db.ticket.findUniqueOrThrow({ where: { id: 'tkt_of_update_ticket' } })
    const found = (status: string) =>
      update.checkOutcome!({ ticket: `T-${number}`, status }, context('call_without_a_trace'))
    expect(await found('resolved')).toMatchObject({ kind: 'done' })
    expect(await found('closed')).toEqual({ kind: 'not done' })
  })
})

function tools() {
  const book = createTicketBook({ db, ids: createIds(), words: createWords() })
  return ticketTools({ book, address: () => undefined })
}
