import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { McpCallOptions } from '../../src/mcp/call.ts'
import type { McpLimits } from '../../src/mcp/limits.ts'
import {
  anyTool,
  everythingEntry,
  filesystemEntry,
  folder,
  listed,
  oddServer,
  startMcp,
  stateOf,
  toolOf,
  until,
} from './support/harness.ts'

const reads = { tools: { look: { effect: 'read' } } }

/** A server with a tool that reads, `look`, and one that writes, `change`. */
async function both(more: object = {}, behaviour: object = {}, limits: Partial<McpLimits> = {}) {
  const pages = [[anyTool('look'), anyTool('change')]]
  const mcp = startMcp({ odd: oddServer({ pages, ...behaviour }, { ...reads, ...more }) }, { limits })
  await listed(mcp, 'odd', 2)
  return {
    mcp,
    look: (args: object, options?: McpCallOptions) => mcp.call('mcp__odd__look', { ...args }, options),
    change: (args: object, options?: McpCallOptions) =>
      mcp.call(
        'mcp__odd__change',
        { ...args },
        {
          approval: { definitionHash: toolOf(mcp, 'mcp__odd__change').definitionHash },
          ...options,
        },
      ),
  }
}

test('a tool that writes runs only with a confirmation, and one that reads runs without', async () => {
  const { mcp, look, change } = await both()
  expect(await mcp.call('mcp__odd__change', {})).toMatchObject({
    outcome: 'failed',
    failure: { kind: 'permission' },
  })
  expect((await change({})).outcome).toBe('succeeded')
  expect((await look({})).outcome).toBe('succeeded')
})

test('files are listed, read and written through the real filesystem server', async () => {
  const documents = folder()
  writeFileSync(join(documents, '会议纪要.md'), '# 结论\n继续')
  const mcp = startMcp({ docs: { command: 'node', args: [filesystemEntry, documents], trusted: true } })
  await listed(mcp, 'docs')
  expect((await mcp.call('mcp__docs__list_directory', { path: '.' })).text).toBe('[FILE] 会议纪要.md')
  expect((await mcp.call('mcp__docs__read_text_file', { path: '会议纪要.md' })).text).toBe('# 结论\n继续')
  expect(await mcp.call('mcp__docs__read_text_file', { path: 'none.md' })).toMatchObject({
    outcome: 'failed',
    isError: true,
    failure: { kind: 'not_found' },
  })
  expect(await mcp.call('mcp__docs__read_text_file', { path: '/etc/passwd' })).toMatchObject({
    failure: { kind: 'permission' },
  })
  const { definitionHash } = toolOf(mcp, 'mcp__docs__write_file')
  const written = await mcp.call(
    'mcp__docs__write_file',
    { path: 'new.md', content: 'x' },
    { approval: { definitionHash } },
  )
  expect(written.outcome).toBe('succeeded')
  expect(readFileSync(join(documents, 'new.md'), 'utf8')).toBe('x')
})

test('arguments that do not fit reach no server and come back as sentences', async () => {
  const documents = folder()
  const mcp = startMcp({ docs: { command: 'node', args: [filesystemEntry, documents], trusted: true } })
  await listed(mcp, 'docs')
  expect(mcp.check('mcp__docs__read_text_file', { head: 'three' })?.problems).toEqual([
    "The arguments must have required property 'path'",
    'head must be number',
  ])
  expect(await mcp.call('mcp__docs__read_text_file', {})).toMatchObject({
    outcome: 'failed',
    failure: { kind: 'validation' },
  })
  expect(mcp.check('mcp__docs__gone', {})).toBeUndefined()
  expect(await mcp.call('mcp__docs__gone', {})).toMatchObject({
    outcome: 'failed',
    failure: { kind: 'not_found' },
  })
})

test("the server's own confirmation is set by a person's and never by the model", async () => {
  const calls = join(folder(), 'calls')
  const properties = { id: { type: 'string' }, confirm: { type: 'boolean' } }
  const wipe = anyTool('wipe', { inputSchema: { type: 'object', properties, required: ['id', 'confirm'] } })
  const mcp = startMcp({ odd: oddServer({ pages: [[wipe]], calls }) })
  await listed(mcp, 'odd')
  const tool = toolOf(mcp, 'mcp__odd__wipe')
  expect(tool.inputSchema).toMatchObject({ required: ['id'] })
  expect(mcp.check(tool.name, { id: 'a', confirm: true })).toEqual({ args: { id: 'a' }, problems: [] })
  expect((await mcp.call(tool.name, { id: 'a', confirm: true })).failure?.kind).toBe('permission')
  const done = await mcp.call(
    tool.name,
    { id: 'a', confirm: false },
    { approval: { definitionHash: tool.definitionHash } },
  )
  expect(done.outcome).toBe('succeeded')
  const sent = readFileSync(calls, 'utf8').trim().split('\n')
  expect(sent.map((line) => JSON.parse(line).arguments)).toEqual([{ id: 'a', confirm: true }])
})

test('progress is passed on, and a call that makes progress is not given up', async () => {
  const { look } = await both({ timeoutMs: 600 })
  const steps: (string | undefined)[] = []
  const result = await look(
    { do: 'progress', steps: 5, ms: 300 },
    { onProgress: ({ message }) => steps.push(message) },
  )
  expect(result).toMatchObject({ outcome: 'succeeded', text: 'done' })
  expect(steps).toEqual(['step 1', 'step 2', 'step 3', 'step 4', 'step 5'])
})

test('progress alone does not keep a call alive for ever', async () => {
  const { look } = await both({}, {}, { callTotalMs: 700 })
  const result = await look({ do: 'progress', steps: 100, ms: 100 })
  expect(result).toMatchObject({
    outcome: 'failed',
    failure: { kind: 'transient', message: expect.stringContaining('700 ms') },
  })
})

test('after a silence a read has failed, while nobody knows about a write', async () => {
  const { look, change } = await both()
  const file = join(folder(), 'cancelled')
  expect(await look({ do: 'sleep', ms: 5000, file }, { timeoutMs: 200 })).toMatchObject({
    outcome: 'failed',
    failure: { kind: 'transient' },
  })
  await until('the server is told', () => existsSync(file))
  expect(await change({ do: 'sleep', ms: 5000, file }, { timeoutMs: 200 })).toMatchObject({
    outcome: 'unknown',
    failure: { kind: 'unknown' },
  })
})

test('stopping a call tells the server, and ends the wait at once', async () => {
  const { look, change } = await both()
  const file = join(folder(), 'cancelled')
  const stop = new AbortController()
  setTimeout(() => stop.abort(), 200)
  const before = performance.now()
  const result = await change({ do: 'sleep', ms: 10_000, file }, { signal: stop.signal })
  expect(performance.now() - before).toBeLessThan(3000)
  expect(result).toMatchObject({ outcome: 'unknown', text: 'The call was stopped.' })
  await until('the server is told', () => existsSync(file))
  // What was stopped before it was sent surely did nothing.
  expect((await change({}, { signal: stop.signal })).outcome).toBe('failed')
  expect((await look({})).outcome).toBe('succeeded')
})

test('when the server dies in the middle of a call, a write is not known and a read has failed', async () => {
  const { look, change } = await both()
  const died = await change({ do: 'die' })
  expect(died).toMatchObject({ outcome: 'unknown', failure: { kind: 'unknown' } })
  expect(died.text).toContain('Its process ended with code 7')
  expect(died.text).not.toContain('sk-abc')
  expect(await look({ do: 'die' })).toMatchObject({ outcome: 'failed', failure: { kind: 'transient' } })
})

test('a result of ten megabytes is refused in a sentence, and the server stays connected', async () => {
  const { mcp, look, change } = await both({ maxResultBytes: 1_000_000 })
  const { since } = stateOf(mcp, 'odd')
  const large = await look({ do: 'large', bytes: 10_000_000 })
  expect(large).toMatchObject({
    outcome: 'failed',
    failure: { kind: 'validation', message: expect.stringContaining('1000000 bytes') },
  })
  expect((await change({ do: 'large', bytes: 10_000_000 })).outcome).toBe('unknown')
  expect((await look({ do: 'large', bytes: 900_000 })).text).toHaveLength(900_000)
  expect(stateOf(mcp, 'odd').since).toEqual(since)
})

test('ten megabytes arrive where the limit allows them', async () => {
  const { look } = await both({ maxResultBytes: 20_000_000 })
  expect((await look({ do: 'large', bytes: 10_500_000 })).text).toHaveLength(10_500_000)
})

test('calls beyond the rate are refused with the time to wait, and nothing is sent', async () => {
  const { look } = await both({ rateLimit: { calls: 2, perSeconds: 60 } })
  expect((await look({})).outcome).toBe('succeeded')
  expect((await look({})).outcome).toBe('succeeded')
  const third = await look({})
  expect(third).toMatchObject({ outcome: 'failed', failure: { kind: 'rate_limit' } })
  expect(third.failure?.retryAfterMs).toBeGreaterThan(50_000)
})

test('what a tool says of its failure is sorted, and what it does not know itself is not known', async () => {
  const { look, change } = await both()
  const said = [
    ['Rate limit exceeded, retry in 30 s', 'rate_limit', 'failed'],
    ['Ticket T-1 not found', 'not_found', 'failed'],
    ['Permission denied for this project', 'permission', 'failed'],
    ['Invalid arguments for tool', 'validation', 'failed'],
    ['Service temporarily unavailable', 'transient', 'failed'],
    ['Something else went wrong', 'permanent', 'failed'],
    ['upstream request timed out', 'unknown', 'unknown'],
  ] as const
  for (const [why, kind, outcome] of said)
    expect(await change({ do: 'fail', why })).toMatchObject({
      outcome,
      isError: true,
      text: why,
      failure: { kind },
    })
  const slow = await look({ do: 'fail', why: 'upstream request timed out' })
  expect(slow).toMatchObject({ outcome: 'failed', failure: { kind: 'transient' } })
})

test('a call to a server that can not be reached says so soon, and names the reason', async () => {
  const { mcp, look } = await both({}, {}, { retryMs: 60_000, retryMaxMs: 60_000, readyMs: 2000 })
  await mcp.stop()
  const before = performance.now()
  const result = await look({})
  expect(performance.now() - before).toBeLessThan(4000)
  expect(result).toMatchObject({
    outcome: 'failed',
    failure: { kind: 'transient', message: expect.stringContaining('"odd" is not available') },
  })
})

test('pictures, links and embedded files of a result are files and text', async () => {
  const mcp = startMcp({ every: { command: 'node', args: [everythingEntry, 'stdio'], trusted: true } })
  await listed(mcp, 'every')
  const image = await mcp.call('mcp__every__get-tiny-image', {})
  expect(image.attachments).toMatchObject([{ mimeType: 'image/png' }])
  expect(Buffer.from(image.attachments[0]!.bytes).subarray(1, 4).toString()).toBe('PNG')
  const links = await mcp.call('mcp__every__get-resource-links', { count: 2 })
  expect(links.text).toMatch(/\[[^\]]+\]\(demo:\/\/resource/)
  const structured = await mcp.call('mcp__every__get-structured-content', { location: 'Chicago' })
  expect(structured.structured).toMatchObject({ temperature: expect.any(Number) })
  const blob = await mcp.call('mcp__every__get-resource-reference', { resourceType: 'Blob', resourceId: 1 })
  expect(blob.attachments[0]).toMatchObject({ name: '1', bytes: expect.any(Uint8Array) })
})

test('the key of a call is handed to the server', async () => {
  const calls = join(folder(), 'calls')
  const { change } = await both({}, { calls })
  await change({}, { idempotencyKey: 'call_1' })
  expect(JSON.parse(readFileSync(calls, 'utf8'))._meta).toMatchObject({ 'hermes/idempotencyKey': 'call_1' })
})

test('many calls at once each get their own answer', async () => {
  const { look } = await both({ rateLimit: { calls: 1000, perSeconds: 1 } })
  const results = await Promise.all(Array.from({ length: 50 }, (_, index) => look({ index })))
  expect(results.map(({ text }) => JSON.parse(text).args.index)).toEqual(
    Array.from({ length: 50 }, (_, index) => index),
  )
})
