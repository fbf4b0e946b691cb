// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the variables of a configuration file
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { parseMcpConfig, readMcpConfig } from '../../src/mcp/config/config.ts'

const parse = (servers: object, variables: Record<string, string> = {}) =>
  parseMcpConfig(JSON.stringify({ mcpServers: servers }), { file: '/etc/hermes/mcp.json', variables })

test('a usual file gives its servers with every default', () => {
  const config = parse({
    local: { command: 'node', args: ['server.js'], env: { LEVEL: 'debug' }, cwd: 'servers' },
    remote: { type: 'http', url: 'https://mcp.example/mcp', headers: { Authorization: 'Bearer x' } },
    old: { type: 'sse', url: 'https://old.example/sse' },
  })
  expect(config.errors).toEqual([])
  expect(config.warnings).toEqual([])
  expect(config.servers).toMatchObject([
    {
      name: 'local',
      transport: 'stdio',
      cwd: '/etc/hermes/servers',
      trusted: false,
      timeoutMs: 30_000,
      roots: [],
    },
    { name: 'remote', transport: 'http', trySse: false, deny: [] },
    { name: 'old', transport: 'sse' },
  ])
})

test('a server that names no time has that of the settings, within what it may be raised to', () => {
  const servers = {
    none: { command: 'node' },
    own: { command: 'node', timeoutMs: 5000 },
    bound: { command: 'node', longestTimeoutMs: 8000 },
  }
  const config = parseMcpConfig(JSON.stringify({ mcpServers: servers }), {
    file: '/etc/hermes/mcp.json',
    variables: {},
    timeoutMs: 12_000,
  })
  expect(config.errors).toEqual([])
  expect(config.servers.map(({ timeoutMs, longestTimeoutMs }) => [timeoutMs, longestTimeoutMs])).toEqual([
    [12_000, 24_000],
    [5000, 10_000],
    [8000, 8000],
  ])
})

test('variables are filled in from the environment, with a default where one is given', () => {
  const config = parse(
    {
      one: { command: 'node', args: ['${ROOT}/a', '${MISSING:-b}', '${env:ROOT}'], env: { KEY: '${TOKEN}' } },
      two: { url: 'https://${HOST:-mcp.example}/mcp', headers: { Authorization: 'Bearer ${TOKEN}' } },
    },
    { ROOT: '/srv', TOKEN: 't-123' },
  )
  expect(config.servers[0]).toMatchObject({ args: ['/srv/a', 'b', '/srv'], env: { KEY: 't-123' } })
  expect(config.servers[1]).toMatchObject({
    url: 'https://mcp.example/mcp',
    headers: { Authorization: 'Bearer t-123' },
  })
})

test('each missing or empty variable gets one line that names server and field, and blocks that server alone', () => {
  const config = parse(
    {
      bad: { command: 'node', args: ['${A}', 'x'], env: { KEY: '${B}', OTHER: '${EMPTY}' } },
      good: { command: 'node' },
    },
    { EMPTY: '' },
  )
  expect(config.servers.map(({ name }) => name)).toEqual(['good'])
  expect(config.errors).toHaveLength(3)
  expect(config.errors[0]).toContain('"bad", field args[0]: the variable A is not set')
  expect(config.errors[1]).toContain('field env.KEY: the variable B')
  expect(config.errors[2]).toContain('field env.OTHER: the variable EMPTY')
  expect(config.blocked).toEqual([{ server: 'bad', reason: expect.stringContaining('variable A') }])
})

test('a key that is not a setting is told with the settings there are, and never silently ignored', () => {
  const config = parse({
    a: { command: 'node', denny: ['delete_*'] },
    b: { url: 'https://x.example', args: [] },
  })
  expect(config.servers).toEqual([])
  expect(config.errors[0]).toMatch(/MCP server "a": "denny" is not a setting. Known settings: .*deny/)
  expect(config.errors[1]).toMatch(/MCP server "b": "args" is not a setting/)
  const nested = parse({ a: { command: 'node', tools: { drop: { efect: 'write' } } } })
  expect(nested.errors[0]).toContain('"tools.drop.efect" is not a setting')
})

test('settings of other clients are dropped with a word about what to write instead', () => {
  const config = parse({ a: { command: 'node', autoApprove: ['x'], timeout: 60 } })
  expect(config.servers).toHaveLength(1)
  expect(config.warnings).toHaveLength(2)
  expect(config.warnings.join()).toMatch(/autoApprove.*tools\.<name>\.effect/)
})

test.each([
  ['nothing to run', {}, 'either "command" (a local server) or "url"'],
  ['both', { command: 'node', url: 'https://x.example' }, 'either "command"'],
  ['no object', 'node server.js', 'expected an object'],
  ['another protocol', { url: 'ftp://x.example' }, 'field url: expected an address that begins with http'],
  ['a wrong type', { command: 'node', args: 'x' }, 'field args: expected array'],
  ['a silly limit', { command: 'node', timeoutMs: 0 }, 'field timeoutMs'],
  ['a type that does not fit', { command: 'node', type: 'http' }, 'field type'],
])('an entry with %s is refused in a sentence', (_, entry, sentence) => {
  const config = parse({ odd: entry, fine: { command: 'node' } })
  expect(config.errors.join('\n')).toContain(sentence)
  expect(config.errors.every((line) => line.startsWith('MCP server "odd"'))).toBe(true)
  expect(config.servers.map(({ name }) => name)).toEqual(['fine'])
})

test('a name that could not be part of a reference is refused', () => {
  expect(parse({ 'a/b': { command: 'node' } }).errors[0]).toContain('a name has 1 to 64')
  expect(parse({ 文档: { command: 'node' } }).errors).toEqual([])
})

test('a server that is switched off is neither started nor checked', () => {
  const config = parse({ off: { command: 'node', env: { KEY: '${NOT_SET}' }, disabled: true } })
  expect(config.errors).toEqual([])
  expect(config.servers).toEqual([])
  expect(config.blocked[0]).toMatchObject({ server: 'off', reason: expect.stringContaining('Switched off') })
})

test.each([
  ['{', 'is not valid JSON'],
  ['[]', 'needs an object "mcpServers"'],
  ['{"servers": {}}', 'needs an object "mcpServers"'],
])('the file %s gives one line and no servers', (text, sentence) => {
  const config = parseMcpConfig(text, { file: 'mcp.json', variables: {} })
  expect(config.servers).toEqual([])
  expect(config.errors).toHaveLength(1)
  expect(config.errors[0]).toContain(sentence)
})

test('a file that is not there gives one line and no servers', async () => {
  const config = await readMcpConfig('/nowhere/mcp.json', {})
  expect(config).toMatchObject({ servers: [], errors: [expect.stringContaining('does not exist')] })
})

test.each([
  ['npx', ['-y', '@scope/server'], true],
  ['npx', ['-y', '@scope/server@latest'], true],
  ['npx', ['-y', '@scope/server@^1.2.0'], true],
  ['npx', ['-y', '@scope/server@1.2.3', '/data'], false],
  ['/usr/bin/npx', ['--package=server@2.0.0-beta.1', 'run'], false],
  ['npx', ['-p', 'server', 'run'], true],
  ['npx.cmd', ['server'], true],
  ['npx', ['./local-server'], false],
  ['uvx', ['mcp-server-git'], true],
  ['uvx', ['mcp-server-git==2025.1.14'], false],
  ['uvx', ['--from', 'git-server@1.0.0', 'serve'], false],
  ['pnpm', ['dlx', 'server'], true],
  ['npm', ['exec', '--', 'server'], true],
  ['npm', ['start'], false],
  ['node', ['server.js'], false],
])('%s %j is warned about only if its package has no exact version: %s', (command, args, warned) => {
  const { warnings, errors } = parse({ it: { command, args } })
  expect(errors).toEqual([])
  expect(warnings.some((line) => line.includes('without an exact version'))).toBe(warned)
})

test('headers over plain http are warned about, unless they stay on this machine', () => {
  const headers = { Authorization: 'Bearer x' }
  expect(parse({ a: { url: 'http://mcp.example/mcp', headers } }).warnings[0]).toContain('plain http')
  expect(parse({ a: { url: 'http://127.0.0.1:1/mcp', headers } }).warnings).toEqual([])
})

test('the example file is valid and warns of nothing', async () => {
  const config = await readMcpConfig(resolve('mcp.example.json'), { HERMES_HOME: '/tmp/home' })
  expect(config.errors).toEqual([])
  expect(config.warnings).toEqual([])
  expect(config.servers[0]).toMatchObject({ name: 'documents', trusted: true })
})
