import { afterAll, beforeAll, expect, it } from 'vitest'
import { createKeep } from '../../../src/agent/sending/keeping.ts'
import { systemClock } from '../../../src/base/clock.ts'
import { createIds } from '../../../src/base/ids.ts'
import type { Author, MessageEvent, ThreadRef } from '../../../src/channel/events.ts'
import { createInbox } from '../../../src/session/inbox.ts'
import { createLinking } from '../../../src/session/linking.ts'
import { meet } from '../../../src/session/meeting.ts'
import { type Database, openClient } from '../../../src/store/client.ts'
import { freshDatabase, type TestDatabase } from '../../support/database.ts'

let database: TestDatabase
let db: Database

beforeAll(async () => {
  database = await freshDatabase()
  db = openClient(database.url)
}, 120_000)
afterAll(async () => {
  await db?.$disconnect()
  await database?.close()
})

const ids = createIds()
const author = (userId: string): Author => ({ userId, name: userId })
const slackThread: ThreadRef = { channel: 'slack', workspace: 'T1', room: 'D1', thread: 'main' }
const discordThread: ThreadRef = { channel: 'discord', workspace: '@me', room: '7', thread: '7' }

// The server runs statements side by side, which the embedded database does not.
it('links and parts while both write: nothing is lost, nothing stays with a person who is part of another one', {
  timeout: 120_000,
}, async () => {
  const linking = createLinking({ db, ids })
  const inbox = createInbox({ db, ids, clock: systemClock })
  const keep = createKeep({ db, ids })
  const said = (thread: ThreadRef, userId: string, count: number): MessageEvent => ({
    kind: 'message',
    dedupeKey: `msg:${userId}:${count}`,
    thread,
    threadKind: 'direct',
    author: author(userId),
    at: new Date(),
    postId: `${count}`,
    text: 'Hello',
    attachments: [],
    addressed: true,
  })
  const people = [
    [slackThread, 'U1'],
    [discordThread, '1001'],
  ] as const
  const written = { events: 0, messages: 0, reminders: 0 }
  let over = false
  const writers = people.flatMap(([thread, userId]) => [
    (async () => {
      for (let count = 1; !over; count += 1) {
        const accepted = await inbox.accept(said(thread, userId, count))
        expect(accepted.kind).toBe('accepted')
        written.events += 1
      }
    })(),
    (async () => {
      while (!over) {
        // What a turn writes that knows the person from its start.
        const { personId } = await meet({ db, ids }, thread, author(userId))
        await keep({ id: ids('msg'), thread, kind: 'direct', personId, text: 'Said' })
        written.messages += 1
        const session = await db.session.findFirstOrThrow({ where: { channel: thread.channel } })
        await db.reminder.create({
          data: {
            id: ids('rem'),
            personId,
            sessionId: session.id,
            text: 'Tea',
            dueAt: new Date(),
            timeZone: 'UTC',
            callId: ids('call'),
          },
        })
        written.reminders += 1
      }
    })(),
  ])
  const [slack, discord] = [
    await meet({ db, ids }, slackThread, author('U1')),
    await meet({ db, ids }, discordThread, author('1001')),
  ]
  try {
    for (let round = 0; round < 20; round += 1) {
      const [from, to] = round % 2 === 0 ? [slack, discord] : [discord, slack]
      // Attempts are counted: this is one and the same human over and over.
      await db.linkAttempt.deleteMany({})
      expect((await linking.claim(to.identityId, await linking.issue(from.identityId))).kind).toBe('found')
      const confirmed = await Promise.all([1, 2, 3].map(() => linking.confirm(to.identityId)))
      expect(confirmed.map(({ kind }) => kind).toSorted()).toEqual(['gone', 'gone', 'linked'])
      if (round < 19)
        expect(await linking.part(round % 3 === 0 ? from.identityId : to.identityId)).toBeDefined()
    }
  } finally {
    over = true
  }
  await Promise.all(writers)
  const persons = await db.identity.findMany({
    where: { id: { in: [slack.identityId, discord.identityId] } },
  })
  const [one] = new Set(persons.map(({ personId }) => personId))
  expect(persons.every(({ personId }) => personId === one)).toBe(true)
  const counts = await Promise.all([
    db.inboundEvent.count({ where: { personId: one! } }),
    db.message.count({ where: { personId: one! } }),
    db.reminder.count({ where: { personId: one! } }),
  ])
  // What a person of its own wrote between a parting and the next link has followed as well.
  expect(counts).toEqual([written.events, written.messages, written.reminders])
  expect(written.events).toBeGreaterThan(40)
})
