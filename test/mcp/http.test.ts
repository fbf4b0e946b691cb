import { spawn } from 'node:child_process'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import process from 'node:process'
import { expect, onTestFinished, test } from 'vitest'
import { everythingEntry, listed, startMcp, stateOf, toolOf, until } from './support/harness.ts'
import { type HttpBehaviour, startHttpServer } from './support/http-server.ts'

async function server(behaviour: HttpBehaviour = {}) {
  const started = await startHttpServer(behaviour)
  onTestFinished(() => started.stop().catch(() => {}))
  return started
}

/** A bare HTTP server, for answers that no proper server gives. */
async function bareServer(listener: RequestListener): Promise<string> {
  const http = createServer(listener)
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    http.closeAllConnections()
    http.close()
  })
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`
}

async function freePort(): Promise<number> {
  const http = createServer()
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const { port } = http.address() as AddressInfo
  await new Promise((resolve) => http.close(resolve))
  return port
}

function everything(kind: 'streamableHttp' | 'sse', port: number) {
  const child = spawn(process.execPath, [everythingEntry, kind], {
    env: { ...process.env, PORT: String(port) },
    stdio: 'ignore',
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const end = async () => {
    child.kill('SIGKILL')
    await ended
  }
  onTestFinished(end)
  return { end }
}

const confirmed = (mcp: Parameters<typeof toolOf>[0], name: string) => ({
  approval: { definitionHash: toolOf(mcp, name).definitionHash },
})

test('a server with streamable HTTP is connected, listed and called, with the headers of the file', async () => {
  const remote = await server()
  const mcp = startMcp({
    far: { type: 'http', url: remote.url, headers: { 'X-Team': 'orchard' }, trusted: true },
  })
  await listed(mcp, 'far', 2)
  expect(await mcp.call('mcp__far__look', {})).toMatchObject({ outcome: 'succeeded', text: 'did look' })
  expect(remote.headers()).toMatchObject({ 'x-team': 'orchard' })
  expect((await mcp.call('mcp__far__change', {}, confirmed(mcp, 'mcp__far__change'))).text).toBe('did change')
})

test.each([404, 400] as const)(
  'when a server answers %s to a session that it forgot, a read is sent again in a new one',
  async (unknownSession) => {
    const remote = await server({ unknownSession })
    const mcp = startMcp({ far: { type: 'http', url: remote.url, trusted: true } })
    await listed(mcp, 'far', 2)
    await mcp.call('mcp__far__look', {})
    remote.forget()
    expect(await mcp.call('mcp__far__look', {})).toMatchObject({ outcome: 'succeeded', text: 'did look' })
    expect(remote.calls).toEqual(['look', 'look'])
    expect(remote.sessions()).toBe(2)
  },
)

test('a read right after a restart succeeds, and a write succeeds or surely did nothing', async () => {
  const remote = await server()
  const mcp = startMcp({ far: { type: 'http', url: remote.url, trusted: true } }, { limits: { freshMs: 0 } })
  await listed(mcp, 'far', 2)
  await mcp.call('mcp__far__look', {})
  await remote.restart()
  expect((await mcp.call('mcp__far__look', {})).outcome).toBe('succeeded')
  await remote.restart()
  const options = confirmed(mcp, 'mcp__far__change')
  expect((await mcp.call('mcp__far__change', {}, options)).outcome).not.toBe('unknown')
})

test('a write that meets a forgotten session is not sent again, and surely did nothing', async () => {
  const remote = await server()
  const mcp = startMcp(
    { far: { type: 'http', url: remote.url, trusted: true } },
    { limits: { freshMs: 60_000 } },
  )
  await listed(mcp, 'far', 2)
  const options = confirmed(mcp, 'mcp__far__change')
  remote.forget()
  expect(await mcp.call('mcp__far__change', {}, options)).toMatchObject({ outcome: 'failed' })
  expect(remote.calls).toEqual([])
  await until(
    'there is a new session',
    () => stateOf(mcp, 'far').status === 'connected' && remote.sessions() === 2,
  )
  expect((await mcp.call('mcp__far__change', {}, options)).outcome).toBe('succeeded')
})

test('a server that restarts while nobody calls it is found again without a call', async () => {
  const remote = await server()
  const mcp = startMcp({ far: { type: 'http', url: remote.url, trusted: true } }, { limits: { pingMs: 300 } })
  await listed(mcp, 'far', 2)
  await remote.restart()
  await until('there is a new session', () => remote.sessions() === 2)
  await until('it is connected', () => stateOf(mcp, 'far').status === 'connected')
})

test('a server that goes is unavailable soon, and connected again when it comes back', async () => {
  const remote = await server()
  const mcp = startMcp({ far: { type: 'http', url: remote.url, trusted: true } }, { limits: { pingMs: 300 } })
  await listed(mcp, 'far', 2)
  await remote.stop()
  const state = await until('its absence is noticed', () =>
    stateOf(mcp, 'far').status === 'unavailable' ? stateOf(mcp, 'far') : undefined,
  )
  expect(state.reason).toMatch(/ECONNREFUSED|no longer/)
  const refused = await mcp.call('mcp__far__change', {}, confirmed(mcp, 'mcp__far__change'))
  expect(refused).toMatchObject({ outcome: 'failed', failure: { kind: 'transient' } })
  await remote.again()
  await until('it is connected', () => stateOf(mcp, 'far').status === 'connected')
  expect((await mcp.call('mcp__far__look', {})).outcome).toBe('succeeded')
})

test('when the connection breaks in the middle of a call, nobody waits for the time-out', async () => {
  const remote = await server({
    onCall: async (_name, { socket }) => {
      setTimeout(() => socket.destroy(), 100)
      await new Promise(() => {})
      return ''
    },
  })
  const mcp = startMcp({ far: { type: 'http', url: remote.url, trusted: true, timeoutMs: 20_000 } })
  await listed(mcp, 'far', 2)
  const before = performance.now()
  expect(await mcp.call('mcp__far__change', {}, confirmed(mcp, 'mcp__far__change'))).toMatchObject({
    outcome: 'unknown',
  })
  expect(await mcp.call('mcp__far__look', {})).toMatchObject({
    outcome: 'failed',
    failure: { kind: 'transient' },
  })
  expect(performance.now() - before).toBeLessThan(8000)
})

test('a result beyond the limit is refused in a sentence, and the connection lives on', async () => {
  const remote = await server({ onCall: (name) => (name === 'look' ? 'x'.repeat(10_000_000) : 'small') })
  const mcp = startMcp({ far: { type: 'http', url: remote.url, trusted: true, maxResultBytes: 1_000_000 } })
  await listed(mcp, 'far', 2)
  expect(await mcp.call('mcp__far__look', {})).toMatchObject({
    outcome: 'failed',
    failure: { kind: 'validation', message: expect.stringContaining('1000000 bytes') },
  })
  expect((await mcp.call('mcp__far__change', {}, confirmed(mcp, 'mcp__far__change'))).text).toBe('small')
  expect(remote.sessions()).toBe(1)
})

test.each([401, 403])('a server that answers %s is blocked until its credentials are set', async (refuse) => {
  const remote = await server({ refuse })
  const mcp = startMcp({
    far: { type: 'http', url: remote.url, headers: { Authorization: 'Bearer wrong-token-wrong' } },
  })
  const state = await until('it is blocked', () =>
    stateOf(mcp, 'far').status === 'blocked' ? stateOf(mcp, 'far') : undefined,
  )
  expect(state.reason).toContain(`HTTP ${refuse}`)
  expect(JSON.stringify(state)).not.toContain('wrong-token')
})

test('an address that nobody listens on, or that hangs, delays nothing and says why', async () => {
  const hanging = await bareServer(() => {})
  const mcp = startMcp(
    {
      nobody: { type: 'http', url: `http://127.0.0.1:${await freePort()}/mcp` },
      hangs: { type: 'http', url: hanging },
      waits: { type: 'sse', url: hanging },
    },
    { limits: { connectMs: 700 } },
  )
  expect(mcp.startMs).toBeLessThan(20)
  await until('all are given up', () => mcp.states().every(({ status }) => status === 'unavailable'))
  expect(stateOf(mcp, 'nobody').reason).toContain('ECONNREFUSED')
  expect(stateOf(mcp, 'hangs').reason).toMatch(/did not answer/)
  expect(stateOf(mcp, 'waits').reason).toMatch(/did not answer/)
})

test('an address that is a website and no MCP server says something sensible', async () => {
  const url = await bareServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end('<h1>Hello</h1>'),
  )
  const mcp = startMcp({ far: { type: 'http', url } })
  const state = await until('it is given up', () =>
    stateOf(mcp, 'far').status === 'unavailable' ? stateOf(mcp, 'far') : undefined,
  )
  expect(state.reason).toContain('text/html')
})

test('stopping does not wait for a server that hangs', async () => {
  let asked = 0
  const hanging = await bareServer(() => {
    asked++
  })
  const mcp = startMcp({ a: { type: 'http', url: hanging }, b: { type: 'sse', url: hanging } })
  await until('both are waiting', () => asked === 2)
  const before = performance.now()
  await mcp.stop()
  expect(performance.now() - before).toBeLessThan(2000)
})

test('the real server works over streamable HTTP, also after it was killed and started anew', async () => {
  const port = await freePort()
  const first = everything('streamableHttp', port)
  const mcp = startMcp(
    { every: { type: 'http', url: `http://127.0.0.1:${port}/mcp`, trusted: true } },
    { limits: { pingMs: 500 } },
  )
  await listed(mcp, 'every', 12)
  const steps: number[] = []
  const long = await mcp.call(
    'mcp__every__trigger-long-running-operation',
    { duration: 1, steps: 4 },
    { onProgress: ({ progress }) => steps.push(progress) },
  )
  expect(long.outcome).toBe('succeeded')
  expect(steps).toEqual([1, 2, 3, 4])
  expect((await mcp.call('mcp__every__get-sum', { a: 2, b: 3 })).text).toContain('5')

  await first.end()
  everything('streamableHttp', port)
  // It answers 400 "No valid session ID provided" to the old session.
  await until(
    'it answers again',
    async () => (await mcp.call('mcp__every__get-sum', { a: 20, b: 22 })).text.includes('42'),
    25_000,
  )
})

test('the real server works over the older SSE, named in the file or found out', async () => {
  const port = await freePort()
  everything('sse', port)
  const url = `http://127.0.0.1:${port}/sse`
  const mcp = startMcp({ named: { type: 'sse', url, trusted: true }, found: { url, trusted: true } })
  await listed(mcp, 'named', 12)
  await listed(mcp, 'found', 12)
  expect((await mcp.call('mcp__named__get-sum', { a: 2, b: 3 })).text).toContain('5')
  expect((await mcp.call('mcp__found__echo', { message: '你好' })).text).toContain('你好')
})
