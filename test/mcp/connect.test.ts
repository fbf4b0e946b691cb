// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the variables of a configuration file
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import {
  anyTool,
  everythingEntry,
  folder,
  listed,
  oddServer,
  runs,
  startMcp,
  stateOf,
  toolOf,
  until,
} from './support/harness.ts'

const runMcp = fileURLToPath(new URL('./support/run-mcp.ts', import.meta.url))

test('a hanging, a dead and a missing server neither delay the start nor the server that works', async () => {
  const mcp = startMcp(
    {
      hanging: oddServer({ hangs: true }),
      dead: oddServer({ dies: 'Error: set API_KEY' }),
      missing: { command: 'no-such-command-anywhere' },
      works: oddServer({ pages: [[anyTool('echo')]] }),
    },
    { limits: { connectMs: 60_000 } },
  )
  await listed(mcp, 'works')
  expect(mcp.startMs).toBeLessThan(20)
  expect(stateOf(mcp, 'hanging')).toMatchObject({ status: 'connecting' })
  const dead = await until('the dead server is given up', () => {
    const state = stateOf(mcp, 'dead')
    return state.status === 'unavailable' ? state : undefined
  })
  expect(dead.reason).toBe('Its process ended with code 3. It said: Error: set API_KEY')
  expect(dead.nextAttemptAt).toBeInstanceOf(Date)
  expect(stateOf(mcp, 'missing').reason).toContain('"no-such-command-anywhere" was not found')
  expect((await mcp.call(toolOf(mcp, 'mcp__works__echo').name, {}, approved(mcp))).outcome).toBe('succeeded')
})

const approved = (mcp: Parameters<typeof toolOf>[0], name = 'mcp__works__echo') => ({
  approval: { definitionHash: toolOf(mcp, name).definitionHash },
})

test('a server that never answers the handshake is given up within the limit, and its process is ended', async () => {
  const mcp = startMcp(
    { hanging: oddServer({ hangs: true, ignoresEnd: true }) },
    { limits: { connectMs: 800, retryMs: 60_000, retryMaxMs: 60_000 } },
  )
  const children = join(mcp.home, 'mcp-children')
  const pid = await until('its process is on record', () =>
    existsSync(children) ? Number(readdirSync(children)[0]?.split('.')[0]) : 0,
  )
  const state = await until('it is given up', () =>
    stateOf(mcp, 'hanging').status === 'unavailable' ? stateOf(mcp, 'hanging') : undefined,
  )
  expect(state.reason).toMatch(/did not answer/)
  expect(runs(pid)).toBe(false)
  expect(readdirSync(children)).toEqual([])
})

test('a server that crashes is connected again, with its reason kept and secrets taken out of it', async () => {
  const mcp = startMcp({
    odd: oddServer({ pages: [[anyTool('act')]] }, { trusted: true, tools: { act: { effect: 'read' } } }),
  })
  await listed(mcp, 'odd')
  const seen: (string | undefined)[] = []
  mcp.onChange(() => seen.push(stateOf(mcp, 'odd').reason))
  const crashed = await mcp.call('mcp__odd__act', { do: 'die' })
  expect(crashed.text).toContain('Its process ended with code 7')
  await until('it is connected again', () => stateOf(mcp, 'odd').status === 'connected' && seen.length > 2)
  const reason = seen.find((each) => each !== undefined)
  expect(reason).toContain('panic: out of memory, token=[redacted]')
  expect((await mcp.call('mcp__odd__act', {})).outcome).toBe('succeeded')
})

test('a server that stands still without ending is noticed, ended and started again', async () => {
  const limits = { pingMs: 200, pingTimeoutMs: 2_000, freshMs: 60_000 }
  const mcp = startMcp(
    { odd: oddServer({ pages: [[anyTool('act')]] }, { tools: { act: { effect: 'read' } } }) },
    { limits },
  )
  await listed(mcp, 'odd')
  const { pid } = JSON.parse((await mcp.call('mcp__odd__act', {})).text)
  const { since } = stateOf(mcp, 'odd')
  process.kill(pid, 'SIGSTOP')
  await until('it is noticed', () => !runs(pid))
  // Its process is gone before its state tells.
  await until('it is connected again', () => {
    const state = stateOf(mcp, 'odd')
    return state.status === 'connected' && state.since!.getTime() > since!.getTime()
  })
  expect(JSON.parse((await mcp.call('mcp__odd__act', {})).text).pid).not.toBe(pid)
})

test('a server that keeps crashing is tried less and less often', async () => {
  const mcp = startMcp({ dead: oddServer({ dies: 'no' }) }, { limits: { retryMs: 50, retryMaxMs: 60_000 } })
  const waits: number[] = []
  mcp.onChange(() => {
    const { nextAttemptAt, since } = stateOf(mcp, 'dead')
    if (nextAttemptAt && since) waits.push(nextAttemptAt.getTime() - since.getTime())
  })
  await until('three attempts were made', () => waits.length >= 3)
  expect(waits[1]! / waits[0]!).toBeGreaterThan(1.4)
  expect(waits[2]! / waits[1]!).toBeGreaterThan(1.4)
})

test('noise on standard output is kept as output and disturbs nothing', async () => {
  const mcp = startMcp({ noisy: oddServer({ noise: true, pages: [[anyTool('echo')]] }) })
  const state = await listed(mcp, 'noisy')
  expect(state.output).toContain('Starting up… {not json}')
  expect(state.output).toContain('a tool list was asked for')
})

test('a child gets the variables that are named for it, and no other of ours', async () => {
  process.env.HERMES_TEST_SECRET = 'do-not-pass-on'
  const mcp = startMcp(
    {
      every: {
        command: 'node',
        args: [everythingEntry, 'stdio'],
        trusted: true,
        env: { GIVEN: '${FROM_FILE}' },
      },
    },
    { variables: { FROM_FILE: 'given-value' } },
  )
  await listed(mcp, 'every')
  const { text } = await mcp.call('mcp__every__get-env', {})
  delete process.env.HERMES_TEST_SECRET
  expect(JSON.parse(text)).toMatchObject({
    GIVEN: 'given-value',
    PATH: expect.any(String),
    HERMES_MCP_CHILD: expect.any(String),
  })
  expect(text).not.toContain('do-not-pass-on')
})

test('values from the configuration never show in what a server printed', async () => {
  const mcp = startMcp({
    dead: oddServer({ dies: 'bad key hunter2-hunter2' }, { env: { KEY: 'hunter2-hunter2' } }),
  })
  const state = await until('it is given up', () =>
    stateOf(mcp, 'dead').status === 'unavailable' ? stateOf(mcp, 'dead') : undefined,
  )
  expect(state.output).toBe('bad key [redacted]')
  expect(JSON.stringify(mcp.states())).not.toContain('hunter2')
})

test('stopping ends a server with the processes that it started, even when they do not listen', async () => {
  const file = join(folder(), 'pid')
  const mcp = startMcp({ odd: oddServer({ pages: [[anyTool('env')]], grandchild: file, ignoresEnd: true }) })
  await listed(mcp, 'odd')
  const grandchild = Number(readFileSync(file, 'utf8'))
  const pid = Number(readdirSync(join(mcp.home, 'mcp-children'))[0]!.split('.')[0])
  expect([runs(pid), runs(grandchild)]).toEqual([true, true])
  const before = performance.now()
  await mcp.stop()
  expect(performance.now() - before).toBeLessThan(3000)
  expect([runs(pid), runs(grandchild)]).toEqual([false, false])
  expect(readdirSync(join(mcp.home, 'mcp-children'))).toEqual([])
})

test('what a crashed server started is ended before it is started again', async () => {
  const file = join(folder(), 'pid')
  const mcp = startMcp({
    odd: oddServer({ pages: [[anyTool('act')]], grandchild: file }, { tools: { act: { effect: 'read' } } }),
  })
  await listed(mcp, 'odd')
  const grandchild = Number(readFileSync(file, 'utf8'))
  await mcp.call('mcp__odd__act', { do: 'die' })
  await until('it has a new process', () => readFileSync(file, 'utf8') !== String(grandchild))
  expect(runs(grandchild)).toBe(false)
})

test('when Hermes is killed, its next start ends what stayed behind', async () => {
  const home = folder()
  const file = join(home, 'pid')
  const servers = { odd: oddServer({ pages: [[anyTool('act')]], grandchild: file, ignoresEnd: true }) }
  const first = spawn(process.execPath, [runMcp, home, JSON.stringify(servers)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise<void>((ready) => first.stdout.once('data', () => ready()))
  const pid = Number(readdirSync(join(home, 'mcp-children'))[0]!.split('.')[0])
  const grandchild = Number(readFileSync(file, 'utf8'))
  first.kill('SIGKILL')
  await new Promise((ended) => first.once('exit', ended))
  expect([runs(pid), runs(grandchild)]).toEqual([true, true])

  startMcp({}, { home })
  await until('the orphans are gone', () => !runs(pid) && !runs(grandchild))
  await until('they are off the record', () => readdirSync(join(home, 'mcp-children')).length === 0)
})

test('the children of another Hermes that still runs are left alone', async () => {
  const home = folder()
  const file = join(home, 'pid')
  const servers = { odd: oddServer({ pages: [[anyTool('act')]], grandchild: file }) }
  const other = spawn(process.execPath, [runMcp, home, JSON.stringify(servers)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise<void>((ready) => other.stdout.once('data', () => ready()))
  const pid = Number(readdirSync(join(home, 'mcp-children'))[0]!.split('.')[0])
  const mcp = startMcp({ mine: oddServer({ pages: [[anyTool('echo')]] }) }, { home })
  await listed(mcp, 'mine')
  expect(runs(pid)).toBe(true)
  other.kill('SIGTERM')
  await until('the other has ended its own', () => !runs(pid))
})

test('a server without a working folder or with one that is missing says which', async () => {
  const mcp = startMcp({ odd: oddServer({}, { cwd: '/no/such/folder' }) })
  const state = await until('it is given up', () =>
    stateOf(mcp, 'odd').status === 'unavailable' ? stateOf(mcp, 'odd') : undefined,
  )
  expect(state.reason).toBe('Its working folder /no/such/folder does not exist.')
})

test('servers that the file can not start are shown as blocked, with the reason', () => {
  const mcp = startMcp({
    bad: { command: 'node', env: { KEY: '${NOT_SET_ANYWHERE}' } },
    off: { command: 'node', disabled: true },
  })
  expect(stateOf(mcp, 'bad')).toMatchObject({
    status: 'blocked',
    reason: expect.stringContaining('NOT_SET_ANYWHERE'),
  })
  expect(stateOf(mcp, 'off')).toMatchObject({
    status: 'blocked',
    reason: expect.stringContaining('Switched off'),
  })
})

test('whoever waits for the servers is let go on when each has listed its tools or failed, or at the limit', async () => {
  const entry = oddServer({ pages: [[anyTool('echo')]] })
  const mcp = startMcp({ works: entry, dead: oddServer({ dies: 'no' }) })
  expect(await mcp.settled(15_000)).toBe(true)
  expect(mcp.tools()).toHaveLength(1)
  expect(stateOf(mcp, 'dead').status).toBe('unavailable')

  const slow = startMcp({ works: entry, hanging: oddServer({ hangs: true }) })
  expect(await slow.settled(300)).toBe(false)
})

test('a token in an argument is a secret too', async () => {
  const mcp = startMcp(
    {
      dead: {
        command: 'node',
        args: ['-e', 'console.error("cannot use", process.argv[1]); process.exit(1)', '${MY_TOKEN}'],
      },
    },
    { variables: { MY_TOKEN: 'abc-123-def-456' } },
  )
  await mcp.settled(15_000)
  expect(stateOf(mcp, 'dead').output).toBe('cannot use [redacted]')
})
