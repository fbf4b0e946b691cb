import process from 'node:process'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pause } from '../../src/base/wait.ts'
import { allowances, type SessionState } from '../../src/session/state.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { freshEmbedded, type TestDatabase } from '../support/database.ts'
import { type DatabaseProxy, startDatabaseProxy } from '../support/database-proxy.ts'
import { type ModelStandIn, startModel } from '../support/model.ts'
import { plainModel } from '../support/recovery/plain-model.ts'
import { overlapsOf } from '../support/recovery/stage.ts'
import { cardsOf, type SteadyClient, steadyClient } from '../support/recovery/steady-client.ts'
import { openRowsOf, type Rows } from '../support/rows.ts'

/** How many interleavings are lived through; each takes a second or two. */
const runs = Number(process.env.HERMES_PROPERTY_RUNS ?? 3)
const seed = Number(process.env.HERMES_PROPERTY_SEED ?? 20_261_130)

/** What happens, and how long after what happened before, in ms. */
type Happening = { readonly after: number } & (
  | { readonly kind: 'say'; readonly by: 'Ann' | 'Bo'; readonly text: 'hello' | 'slowly' | 'ticket' }
  | { readonly kind: 'stop' | 'edit' | 'remove'; readonly by: 'Ann' | 'Bo' }
  | { readonly kind: 'click'; readonly by: 'Ann' | 'Bo'; readonly label: 'Confirm' | 'Cancel' }
  /** The database is cut off: what runs loses its lease, as a process that is killed does. */
  | { readonly kind: 'cut'; readonly ms: number }
  /** A lease runs out though its turn is at work, as where a process stood still. */
  | { readonly kind: 'lapse' }
  /** The process ends, and another one begins on the same rows. */
  | { readonly kind: 'restart' }
)

const after = fc.constantFrom(0, 0, 5, 20, 60, 150)
const by = fc.constantFrom('Ann' as const, 'Bo' as const)
const happening: fc.Arbitrary<Happening> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('say' as const),
      after,
      by,
      text: fc.constantFrom('hello' as const, 'slowly' as const, 'ticket' as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('click' as const),
      after,
      by,
      label: fc.constantFrom('Confirm' as const, 'Cancel' as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('stop' as const, 'edit' as const, 'remove' as const),
      after,
      by,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('cut' as const), after, ms: fc.constantFrom(0, 50, 300) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('lapse' as const), after }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const), after }) },
)

describe('whatever happens in whatever order', { timeout: 120_000 + runs * 60_000 }, () => {
  let database: TestDatabase
  let proxy: DatabaseProxy
  let model: ModelStandIn
  let app: TestApp
  let rows: Rows
  let threads = 0

  beforeAll(async () => {
    database = await freshEmbedded()
    proxy = await startDatabaseProxy(database.url)
    model = await startModel()
    model.script((body) => (body.tools === undefined ? { text: '[]' } : plainModel(body)))
    app = await startTestApp({
      variables: {
        DATABASE_URL: proxy.url,
        ...model.variables(),
        HERMES_MODEL: 'plain',
      },
    })
    rows = await openRowsOf(database.url)
  }, 120_000)
  afterAll(async () => {
    await rows?.close()
    await app?.end()
    await proxy?.close()
    await database?.close()
    // Fails where a request was one that the API would have refused.
    await model?.stop()
  }, 60_000)

  it('turns do not overlap, no message is lost, no effect happens twice, and the state is a legal one', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(happening, { minLength: 6, maxLength: 14 }), async (happenings) => {
        await live(`life-${++threads}`, happenings)
      }),
      { numRuns: runs, seed, endOnFailure: true },
    )
  })

  async function live(thread: string, happenings: readonly Happening[]): Promise<void> {
    const client = (name: string): SteadyClient => steadyClient(app.address, name, thread)
    const said: { readonly by: string; readonly text: string; readonly id: string; removed: boolean }[] = []
    const pending: Promise<unknown>[] = []
    const states = new Set<string>()
    for (const [index, one] of happenings.entries()) {
      await pause(one.after)
      switch (one.kind) {
        case 'say': {
          const text = `${one.text} ${thread} item ${index}`
          const { body } = await client(one.by).say(text)
          said.push({ by: one.by, text, id: body.id, removed: false })
          break
        }
        case 'stop':
          pending.push(client(one.by).press('turn.stop'))
          break
        case 'edit':
        case 'remove': {
          const last = said.findLast((each) => each.by === one.by && !each.removed)
          if (!last) break
          if (one.kind === 'remove') last.removed = true
          const person = client(one.by)
          pending.push(change(person, one.kind, last))
          break
        }
        case 'click': {
          const view = await client(one.by)
            .read()
            .catch(() => undefined)
          if (view) states.add(view.state)
          const card = view && cardsOf(view).findLast(({ tone }) => tone === 'open')
          if (card) pending.push(client(one.by).pressLabel(card, one.label))
          break
        }
        case 'cut':
          await proxy.cut()
          await pause(one.ms)
          await proxy.mend()
          await lapse()
          break
        case 'lapse':
          await lapse()
          break
        case 'restart':
          await Promise.all(pending)
          app = await app.restart()
          break
        default:
          one satisfies never
      }
    }
    await Promise.all(pending)
    await settle(thread)
    const view = await client('Ann').read()
    states.add(view.state)
    for (const state of states) expect(Object.keys(allowances)).toContain(state as SessionState)
    await check(thread, said)
  }

  // That a lease ends by itself is shown elsewhere; here nobody waits for it.
  const lapse = () =>
    rows.query(
      `UPDATE session SET lease_expires_at = now() - interval '1 second' WHERE lease_owner IS NOT NULL`,
    )

  async function change(
    person: SteadyClient,
    kind: 'edit' | 'remove',
    post: { readonly id: string; readonly text: string },
  ): Promise<unknown> {
    return kind === 'edit' ? person.edit(post.id, `${post.text} changed`) : person.remove(post.id)
  }

  /** Cancels what is still open, until nothing is left to do. */
  async function settle(thread: string): Promise<void> {
    for (let round = 0; round < 20; round++) {
      await rows.quiet(30_000).catch(async (error: Error) => {
        const left = await rows.query(
          `SELECT s.lease_owner, s.lease_expires_at - now() AS lease, s.fence, t.id, t.status::text, t.outcome,
             (SELECT json_agg(json_build_object('kind', e.kind, 'status', e.status, 'at', e.received_at)) FROM inbound_event e WHERE e.session_id = s.id) AS events
           FROM session s LEFT JOIN turn t ON t.session_id = s.id WHERE s.thread = $1`,
          thread,
        )
        throw new Error(`${error.message}: ${JSON.stringify(left)}`)
      })
      const open = cardsOf(await steadyClient(app.address, 'Ann', thread).read()).filter(
        ({ tone }) => tone === 'open',
      )
      if (open.length === 0) return
      for (const card of open)
        for (const name of ['Ann', 'Bo'])
          await steadyClient(app.address, name, thread).pressLabel(card, 'Cancel')
    }
    throw new Error('Cards stay open.')
  }

  async function check(
    thread: string,
    said: readonly { readonly id: string; readonly text: string; readonly removed: boolean }[],
  ): Promise<void> {
    const of = `JOIN session s ON s.id = x.session_id WHERE s.thread = $1`
    // Every event was taken or dropped, and what was said stands in the transcript once, unless it was removed.
    expect(await rows.query(`SELECT x.id FROM inbound_event x ${of} AND x.status = 'new'`, thread)).toEqual(
      [],
    )
    const kept = await rows.query<{ text: string; removed: boolean }>(
      `SELECT x.text, x.removed_at IS NOT NULL AS removed FROM message x ${of} AND x.role = 'user'`,
      thread,
    )
    for (const one of said) {
      const found = kept.filter((each) => !each.removed && each.text.startsWith(one.text))
      // An edit of what was answered already counts as said again.
      if (!one.removed) expect([one.text, found.length > 0]).toEqual([one.text, true])
    }
    // Every turn has ended, none ran beside another.
    const turns = await rows.query<{ status: string }>(`SELECT x.status::text FROM turn x ${of}`, thread)
    expect(turns.filter(({ status }) => !['done', 'stopped', 'failed'].includes(status))).toEqual([])
    if (turns.length > 0) expect(await overlapsOf(rows, thread)).toEqual([])
    // Nothing was done that nobody confirmed, and nothing twice.
    const calls = await rows.query<{ status: string; title: string; approval: string | null }>(
      `SELECT x.status::text, x.arguments->>'title' AS title, a.status::text AS approval
       FROM tool_call x LEFT JOIN approval a ON a.call_id = x.id ${of} AND x.tool = 'create_ticket'`,
      thread,
    )
    const tickets = await rows.query<{ title: string }>(`SELECT x.title FROM ticket x ${of}`, thread)
    const done = calls.filter(({ status }) => status === 'succeeded')
    expect(tickets.map(({ title }) => title).sort()).toEqual(done.map(({ title }) => title).sort())
    for (const call of done) expect(call.approval).toBe('confirmed')
    const settled = ['succeeded', 'failed', 'refused', 'cancelled', 'expired', 'withdrawn']
    expect(calls.filter(({ status }) => !settled.includes(status))).toEqual([])
    // No answer is half sent.
    expect(
      await rows.query(
        `SELECT x.id FROM delivery x JOIN turn t ON t.id = x.turn_id JOIN session s ON s.id = t.session_id WHERE s.thread = $1 AND x.status = 'sending'`,
        thread,
      ),
    ).toEqual([])
  }
})
