import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createIds } from '../../src/base/ids.ts'
import { silentLog } from '../../src/observe/log.ts'
import { type Database, openClient } from '../../src/store/client.ts'
import { runTool } from '../../src/tools/execution/execution.ts'
import { createTimeouts } from '../../src/tools/execution/timeouts.ts'
import { mcpTools } from '../../src/wiring/mcp-tools.ts'
import { anyTool, listed, oddServer, startMcp } from '../mcp/support/harness.ts'
import { startHttpServer } from '../mcp/support/http-server.ts'
import { callContext } from '../support/call-context.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'

const rule = { retries: 2, baseMs: 1, longestMs: 1_000, random: () => 0.5 }
const context = callContext()

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

/** A server that reads with `look`: it answers late, `wait-for-next`, or after `ms`. */
const servers: Record<string, (settings: object) => Promise<object>> = {
  stdio: async (settings) => oddServer({ pages: [[anyTool('look')]] }, settings),
  http: async (settings) => {
    let waiting: PromiseWithResolvers<void> | undefined
    const remote = await startHttpServer({
      tools: [{ name: 'look' }],
      async onCall(_, { arguments: args }) {
        if (args.do === 'wait-for-next') {
          const next = Promise.withResolvers<void>()
          const before = waiting
          waiting = before ? undefined : next
          before?.resolve()
          await next.promise
          return 'late, but here'
        }
        await delay(Number(args.ms))
        return 'slept'
      },
    })
    onTestFinished(() => remote.stop())
    return { type: 'http', url: remote.url, ...settings }
  },
}

describe.each(Object.keys(servers))('a tool of an MCP server over %s', (transport) => {
  async function open(settings: object) {
    const name = `far-${transport}`
    const entry = await servers[transport]!({ tools: { look: { effect: 'read' } }, ...settings })
    const mcp = startMcp({ [name]: entry })
    await listed(mcp, name)
    const [tool] = mcpTools(mcp)()
    const timeouts = createTimeouts({ db, ids: createIds(), log: silentLog })
    return {
      tool: tool!,
      timeouts,
      run: (args: object) => runTool(tool!, { ...args }, context, { rule, timeouts }),
    }
  }

  it('has its time raised after three answers that came late, and its own limit is no longer in the way', async () => {
    const late = await open({ timeoutMs: 150, longestTimeoutMs: 20_000 })
    for (const round of [1, 2, 3]) {
      expect(await late.timeouts.of(late.tool), `before round ${round}`).toBe(150)
      const outcome = await late.run({ do: 'wait-for-next' })
      expect(outcome).toMatchObject({ kind: 'succeeded', result: { content: 'late, but here' } })
    }
    await expect.poll(() => late.timeouts.of(late.tool)).toBe(180)
    expect(await db.auditEvent.findMany({ where: { subjectId: late.tool.name } })).toMatchObject([
      { action: 'timeout.raised', data: { fromMs: 150, toMs: 180, boundMs: 20_000 } },
    ])

    await db.state.update({
      where: { scope_key: { scope: 'tool.timeout', key: late.tool.name } },
      data: { value: 15_000 },
    })
    const raised = await open({ timeoutMs: 150, longestTimeoutMs: 20_000 })
    expect(await raised.run({ do: 'sleep', ms: 600, file: '/dev/null' })).toMatchObject({
      kind: 'succeeded',
      attempts: 1,
    })
    // The bound of the file is heard, also where more was granted before.
    const narrow = await open({ timeoutMs: 150, longestTimeoutMs: 300 })
    expect(await narrow.timeouts.of(narrow.tool)).toBe(300)
  })
})
