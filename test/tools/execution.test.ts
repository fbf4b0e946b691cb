import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createIds } from '../../src/base/ids.ts'
import { silentLog } from '../../src/observe/log.ts'
import { type Database, openClient } from '../../src/store/client.ts'
import { defineTool, type ToolDefinition } from '../../src/tools/definition.ts'
import { runTool } from '../../src/tools/execution/execution.ts'
import { createTimeouts } from '../../src/tools/execution/timeouts.ts'
import { createRegistry } from '../../src/tools/registry.ts'
import { type FailureClass, ToolFailure } from '../../src/tools/tool.ts'
import { until } from '../contract/waiting.ts'
import { callContext } from '../support/call-context.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'

const rule = { retries: 2, baseMs: 1, longestMs: 1_000, random: () => 0.5 }

type Definition = ToolDefinition<Record<string, never>>

function tool(more: Partial<Definition> & Pick<Definition, 'name' | 'run'>) {
  return defineTool({
    title: { en: 'Look up', zh: '查询' },
    useWhen: 'a test needs it.',
    notWhen: 'no test needs it.',
    returns: 'whatever the test says.',
    failsWith: 'whatever the test says.',
    effect: 'read',
    idempotent: true,
    activity: { en: 'Looking', zh: '正在查询' },
    risk: { en: 'Something changes.', zh: '会有更改。' },
    input: z.object({}),
    ...more,
  })
}

describe('a call that fails', () => {
  it.each([
    ['transient', 'read', true, 3],
    ['rate_limit', 'write', true, 3],
    ['transient', 'read', false, 1],
    ['validation', 'read', true, 1],
    ['permission', 'read', true, 1],
    ['not_found', 'read', true, 1],
    ['permanent', 'write', true, 1],
  ] as const)(
    '%s, of a %s with idempotent %s, is tried %i times',
    async (failure, effect, idempotent, tries) => {
      const keys: string[] = []
      const failing = tool({
        name: 'failing',
        effect,
        idempotent,
        async run(_, { callId }) {
          keys.push(callId)
          throw new ToolFailure(
            failure as FailureClass,
            'The service is busy, Bearer abcdefghijklmnop said so.',
          )
        },
      })
      expect(await runTool(failing, {}, callContext(), { rule })).toEqual({
        kind: 'failed',
        failure,
        sentence: 'The service is busy, Bearer [redacted] said so.',
        attempts: tries,
      })
      expect(keys).toEqual(Array.from({ length: tries }, () => 'call_1'))
    },
  )

  it('is not repeated where it may have changed something', async () => {
    const breaking = tool({
      name: 'breaking',
      effect: 'write',
      idempotent: false,
      run: () => Promise.reject(new Error('socket hang up')),
    })
    expect(await runTool(breaking, {}, callContext(), { rule })).toMatchObject({
      kind: 'unknown',
      attempts: 1,
    })
  })

  it('stays unknown where a write was repeated as often as it may, and nobody knows yet', async () => {
    const silent = tool({
      name: 'silent',
      effect: 'write',
      idempotent: true,
      run: () => Promise.reject(new ToolFailure('unknown', 'The connection broke.')),
    })
    expect(await runTool(silent, {}, callContext(), { rule })).toEqual({
      kind: 'unknown',
      sentence: 'The connection broke.',
      attempts: 3,
    })
  })

  it('waits as long as the service asks, and no longer than makes sense', async () => {
    const times: number[] = []
    const asking = (retryAfterMs: number) =>
      tool({
        name: 'asking',
        async run() {
          times.push(performance.now())
          throw new ToolFailure('rate_limit', 'Too many requests.', { retryAfterMs })
        },
      })
    expect(await runTool(asking(120), {}, callContext(), { rule })).toMatchObject({ attempts: 3 })
    expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(118)
    times.length = 0
    const long = await runTool(asking(60_000), {}, callContext(), { rule })
    expect(long).toMatchObject({ kind: 'failed', failure: 'rate_limit', attempts: 1, retryAfterMs: 60_000 })
  })

  it('is left as it is when the lease goes', async () => {
    const lease = new AbortController()
    const hanging = tool({ name: 'hanging', run: () => new Promise(() => {}) })
    const running = runTool(hanging, {}, callContext(lease.signal), { rule })
    lease.abort(new Error('gone'))
    await expect(running).rejects.toThrow('gone')
  })
})

describe('a time that is too short', () => {
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

  /** A service that answers the first of its requests only once it was asked again. */
  function lateService(name: string, longestMs: number) {
    let answers: (() => void)[] = []
    return tool({
      name,
      timeoutMs: 50,
      longestMs,
      run() {
        const answer = Promise.withResolvers<{ content: string }>()
        answers.push(() => answer.resolve({ content: 'late, but here' }))
        if (answers.length > 1) {
          answers[0]!()
          answers = []
        }
        return answer.promise
      },
    })
  }

  it('takes the late answer, and raises the time after three in a row, for all processes and within the bound', async () => {
    const timeouts = createTimeouts({ db, ids: createIds(), log: silentLog })
    const service = lateService('late_service', 20_000)
    const audits = () =>
      db.auditEvent.findMany({ where: { action: 'timeout.raised', subjectId: 'late_service' } })
    for (const round of [1, 2, 3]) {
      expect(await timeouts.of(service), `before round ${round}`).toBe(50)
      const outcome = await runTool(service, {}, callContext(), { rule, timeouts })
      expect(outcome).toMatchObject({ kind: 'succeeded', result: { content: 'late, but here' } })
      if (round === 3) await until('the time to be raised', async () => (await audits()).length > 0)
    }
    expect(await timeouts.of(service)).toBe(60)
    expect(await audits()).toMatchObject([
      { data: { tool: 'late_service', fromMs: 50, toMs: 60, boundMs: 20_000 } },
    ])
    const another = createTimeouts({ db, ids: createIds(), log: silentLog })
    expect(await another.of(service)).toBe(60)
    // Whoever declares a narrower bound later is heard.
    expect(await another.of(lateService('late_service', 55))).toBe(55)
  })

  it('stays as it is where answers come in time in between', async () => {
    const timeouts = createTimeouts({ db, ids: createIds(), log: silentLog })
    const service = lateService('sometimes_late', 20_000)
    const quick = tool({
      name: 'sometimes_late',
      timeoutMs: 50,
      longestMs: 20_000,
      run: async () => ({ content: 1 }),
    })
    for (const one of [service, service, quick, service, service])
      await runTool(one, {}, callContext(), { rule, timeouts })
    expect(await timeouts.of(service)).toBe(50)
  })
})

describe('a declared fallback', () => {
  it('is a read, of a tool that is a read, and there is one of that name', () => {
    const look = (more: object) => tool({ name: 'look', run: async () => ({ content: 1 }), ...more })
    const other = tool({ name: 'other', run: async () => ({ content: 1 }) })
    const writing = tool({
      name: 'writing',
      effect: 'write',
      run: async () => ({ content: 1, told: 'Done' }),
    })
    const registry = (name: string) =>
      createRegistry([look({ fallback: { tool: name } }), other, writing], () => [])
    expect(registry('other').find('look')?.fallback).toEqual({ tool: 'other' })
    expect(registry('mcp__docs__search').all()).toHaveLength(3)
    expect(() => registry('writing')).toThrow('The fallback writing of look is no read of ours.')
    expect(() => registry('nobody')).toThrow('The fallback nobody of look')
    expect(() => look({ effect: 'write', fallback: { tool: 'other' } })).toThrow("can't have a fallback")
  })
})
