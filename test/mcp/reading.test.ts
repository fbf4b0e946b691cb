import { expect, test } from 'vitest'
import { parseResourceReference, resourceReference } from '../../src/mcp/resources.ts'
import { anyTool, everythingEntry, listed, oddServer, startMcp, until } from './support/harness.ts'

const servers = {
  every: { command: 'node', args: [everythingEntry, 'stdio'], trusted: true },
  plain: oddServer({ pages: [[anyTool('echo')]] }),
}

test('resources of all servers are listed, and read by their reference', async () => {
  const mcp = startMcp(servers)
  await listed(mcp, 'every')
  await listed(mcp, 'plain')
  const resources = await mcp.resources()
  expect(resources.length).toBeGreaterThan(5)
  const features = resources.find(({ name }) => name === 'features.md')!
  expect(features.reference).toBe('resource://every/demo://resource/static/document/features.md')
  const read = await mcp.readResource(parseResourceReference(features.reference)!)
  expect('ok' in read && read.ok.text).toContain('# ')
  const blob = await mcp.readResource({ server: 'every', uri: 'demo://resource/dynamic/blob/1' })
  expect('ok' in blob && blob.ok.attachments[0]?.bytes.length).toBeGreaterThan(0)
})

test('what can not be read says why', async () => {
  const mcp = startMcp({ ...servers, dead: oddServer({ dies: 'no' }) }, { limits: { readyMs: 500 } })
  await listed(mcp, 'every')
  await until('the dead one is given up', () => mcp.states().some(({ status }) => status === 'unavailable'))
  expect(await mcp.readResource({ server: 'every', uri: 'demo://resource/nothing' })).toMatchObject({
    failed: expect.stringMatching(/not found/i),
  })
  expect(await mcp.readResource({ server: 'nobody', uri: 'x:y' })).toEqual({
    failed: 'There is no MCP server "nobody".',
  })
  expect(await mcp.readResource({ server: 'dead', uri: 'x:y' })).toMatchObject({
    failed: expect.stringContaining('not available'),
  })
  expect(await mcp.resources('plain')).toEqual([])
})

test('prompts are listed with their arguments, and filled in', async () => {
  const mcp = startMcp(servers)
  await listed(mcp, 'every')
  const prompts = await mcp.prompts('every')
  expect(prompts.find(({ name }) => name === 'args-prompt')).toMatchObject({
    server: 'every',
    title: 'Arguments Prompt',
    arguments: [
      { name: 'city', required: true },
      { name: 'state', required: false },
    ],
  })
  const filled = await mcp.getPrompt('every', 'args-prompt', { city: 'Paris' })
  expect('ok' in filled && filled.ok.messages).toMatchObject([
    { role: 'user', text: expect.stringContaining('Paris') },
  ])
  expect(await mcp.getPrompt('every', 'args-prompt', {})).toMatchObject({ failed: expect.any(String) })
})

test('a reference survives being written and read, whatever the server is called', () => {
  for (const reference of [
    { server: 'docs', uri: 'file:///a/b.md' },
    { server: '文 档', uri: 'demo://x?y=1#z' },
  ])
    expect(parseResourceReference(resourceReference(reference))).toEqual(reference)
  for (const text of ['resource://docs', 'http://docs/x', 'resource://%/x', 'see resource://docs/x'])
    expect(parseResourceReference(text)).toBeUndefined()
})
