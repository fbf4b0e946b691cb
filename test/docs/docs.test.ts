import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { describe, expect, it, onTestFinished } from 'vitest'
import { bookRoom } from '../../docs/examples/room-tool.ts'
import { readConfig } from '../../src/config/file.ts'
import { variables } from '../../src/config/variables.ts'
import { workflowSchema } from '../../src/config/workflows.ts'
import { parseMcpConfig } from '../../src/mcp/config/config.ts'
import type { CallContext, CheckContext } from '../../src/tools/tool.ts'
import { freshDirectory } from '../support/database.ts'
import { generatedParts, withPart } from './generated.ts'
import { brokenLinks, commandsIn, docsPage, docsPages, quoted, root, tableUnder } from './pages.ts'

describe('what pages take from the code', () => {
  it('is as the code has it (WRITE_DOCS=1 writes it)', async () => {
    for (const part of await generatedParts()) {
      const page = docsPage(part.page)
      const wanted = withPart(page.text, part)
      expect(wanted, `${page.path} has no part ${part.mark}`).toContain(part.text)
      if (process.env.WRITE_DOCS) writeFileSync(join(root, page.path), wanted)
      else expect(page.text).toBe(wanted)
    }
  })

  it('holds the example as it is run', () => {
    const example = readFileSync(join(root, 'docs/examples/room-tool.ts'), 'utf8').replace(
      '../../src/tools/definition.ts',
      '../definition.ts',
    )
    const page = docsPage('tools.md')
    const wanted = page.text.replace(
      /(<!-- example: room-tool\.ts -->\n)```ts\n[\s\S]*?```/,
      (_, mark: string) => `${mark}\`\`\`ts\n${example}\`\`\``,
    )
    expect(wanted).toContain(example)
    if (process.env.WRITE_DOCS) writeFileSync(join(root, page.path), wanted)
    else expect(page.text).toBe(wanted)
  })
})

describe('the configuration page', () => {
  const page = docsPage('configuration.md')

  it('names every variable with its default, and no other', () => {
    const rows = tableUnder(page, 'Environment')
    expect(rows.map(([name]) => quoted(name!)[0]).toSorted()).toEqual(Object.keys(variables.shape).toSorted())
    const defaults = Object.entries(variables.parse({})).filter(([, value]) => typeof value !== 'object')
    for (const [name, value] of defaults) {
      const [, written = ''] = rows.find(([cell]) => quoted(cell!)[0] === name) ?? []
      expect(quoted(written), name).toEqual([String(value)])
    }
  })

  it('names every setting of hermes.config.json with its default, and no other', () => {
    const read = readConfig(undefined, 'hermes.config.json')
    if ('mistakes' in read) throw new Error(read.mistakes.join('\n'))
    const settings = flat(read.config)
    const rows = tableUnder(page, 'hermes\\.config\\.json')
    expect(rows.map(([name]) => quoted(name!)[0]).toSorted()).toEqual(Object.keys(settings).toSorted())
    for (const [name, written] of rows) {
      const [setting = ''] = quoted(name!)
      if (setting !== 'timeZone')
        expect(quoted(written!), setting).toEqual([JSON.stringify(settings[setting])])
    }
  })

  it('is the only one that names variables, but for those that exist', () => {
    const known = new Set(Object.keys(variables.shape))
    const named = docsPages().flatMap(({ path, text }) =>
      [...text.matchAll(/\b(?:HERMES|SLACK|DISCORD|OPENAI)_[A-Z_]+\b/g)].map(([name]) => ({ path, name })),
    )
    expect(named.length).toBeGreaterThan(20)
    expect(named.filter(({ name }) => !known.has(name))).toEqual([])
  })
})

it('the page about MCP names every setting of a server, and no other', () => {
  const settings = (server: object) => {
    const text = JSON.stringify({ mcpServers: { one: { ...server, 'no such setting': 1 } } })
    const [error = ''] = parseMcpConfig(text, { file: 'mcp.json', variables: {} }).errors
    return /Known settings: (.*)\.$/.exec(error)![1]!.split(', ')
  }
  const known = new Set([...settings({ command: 'x' }), ...settings({ url: 'https://x.example' })])
  const named = tableUnder(docsPage('mcp.md'), 'Settings of a server').flatMap(([cell]) => quoted(cell!))
  expect(named.toSorted()).toEqual([...known].toSorted())
})

it('the example files of the page about MCP are read without a mistake', () => {
  const [, example = ''] = /```json\n([\s\S]*?)```/.exec(docsPage('mcp.md').text) ?? []
  const { errors, warnings, servers } = parseMcpConfig(example, {
    file: 'mcp.json',
    variables: { TRACKER_TOKEN: 'a' },
  })
  expect({ errors, warnings, names: servers.map(({ name }) => name) }).toEqual({
    errors: [],
    warnings: [],
    names: ['files', 'tracker'],
  })
})

it('the example of the page about approvals is read without a mistake', () => {
  const [, example = ''] = /```json\n([\s\S]*?)```/.exec(docsPage('approvals.md').text) ?? []
  const read = readConfig(example, 'hermes.config.json')
  if ('mistakes' in read) throw new Error(read.mistakes.join('\n'))
  expect(read.config.approvals.rules).toHaveLength(3)
})

it('the example of the page about workflows is read without a mistake', () => {
  const [, example = ''] = /```json\n([\s\S]*?)```/.exec(docsPage('workflows.md').text) ?? []
  const read = readConfig(example, 'hermes.config.json')
  expect('mistakes' in read ? read.mistakes : Object.keys(read.config.workflows)).toEqual(['leave'])
})

it('the page about workflows names every setting of one, and no other', () => {
  const page = docsPage('workflows.md').text
  const named = (title: string) =>
    [...(page.split(`| ${title} `)[1]?.split('\n\n')[0] ?? '').matchAll(/^\| `(\w+)`/gm)].map(
      ([, name]) => name!,
    )
  expect(named('Of a workflow').toSorted()).toEqual(Object.keys(workflowSchema.shape).toSorted())
  const state = workflowSchema.shape.states.valueType
  expect(named('Of a state').toSorted()).toEqual(Object.keys(state.shape).toSorted())
})

it('the page about architecture names every folder of src', () => {
  const [, house = ''] = /## The house\n\n```\n([\s\S]*?)```/.exec(docsPage('architecture.md').text) ?? []
  const folders = [...house.matchAll(/^ {2}(?!app|main)(.+?)(?: {2,}.*)?$/gm)].flatMap(([, line]) =>
    line!.split(' '),
  )
  for (const folder of folders) expect(existsSync(join(root, 'src', folder)), folder).toBe(true)
  const order = /const order = \[([\s\S]*?)\]/.exec(
    readFileSync(join(root, '.dependency-cruiser.cjs'), 'utf8'),
  )![1]!
  const layers = [...order.matchAll(/'(\w+)'/g)].map(([, name]) => name!)
  const existing = layers.filter((layer) => existsSync(join(root, 'src', layer)))
  expect(folders.slice(0, existing.length)).toEqual(existing)
})

it('the page about architecture names every room of the largest folders, from top to bottom', () => {
  const [, page = ''] = /The largest folders have rooms[^`]*```\n([\s\S]*?)```/.exec(
    docsPage('architecture.md').text,
  )!
  const rules = readFileSync(join(root, '.dependency-cruiser.cjs'), 'utf8')
  const blocks = page.split(/^src\//m).slice(1)
  expect(blocks.length).toBeGreaterThan(0)
  for (const block of blocks) {
    const folder = /^\w+/.exec(block)![0]
    const named = [...block.matchAll(/^ {2}(\w+)/gm)].map(([, name]) => name!)
    const ordered = new RegExp(`^  ${folder}: \\[([^\\]]*)\\]`, 'm').exec(rules)![1]!
    expect(named).toEqual([...ordered.matchAll(/'(\w+)'/g)].map(([, name]) => name!).toReversed())
    const folders = readdirSync(join(root, 'src', folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== 'prompts')
      .map(({ name }) => name)
    expect(named.toSorted()).toEqual(folders.toSorted())
  }
})

it('no link leads nowhere', () => {
  expect(docsPages().flatMap(brokenLinks)).toEqual([])
})

describe('the commands in the pages', () => {
  const written = new Set(docsPages().flatMap(commandsIn))
  /** Run as the script of that name does, with what they print. */
  const run: Readonly<Record<string, { env?: Record<string, string>; prints: RegExp }>> = {
    'npm run slack:manifest': { prints: /"socket_mode_enabled": true/ },
    'npm run slack:manifest -- http https://hermes.example.com': {
      prints: /"request_url": "https:\/\/hermes\.example\.com\/slack\/events"/,
    },
    'npm run discord:invite': {
      env: { DISCORD_TOKEN: 'x.y.z', DISCORD_APPLICATION_ID: '123456789012345678' },
      prints: /^https:\/\/discord\.com\/oauth2\/authorize\?client_id=123456789012345678/,
    },
    'npm run migrate': { prints: /The database is up to date\./ },
    'npm run doctor': { env: { PORT: '0' }, prints: /^ok {4}Node/ },
  }
  /** Run elsewhere in the tests, or not to be run by one. */
  const elsewhere = [
    'npm start',
    'npm start -- --role gateway',
    'npm start -- --role worker',
    'npm test',
    'npm run check',
    'npm run bench',
    'npm run trace',
    'npm run trace -- turn_0192…',
    'npm run trace -- sess_0192…',
    'npm run audit',
    'npm run audit -- --since 2026-11-01 --action approval',
    'npm run audit -- --person Ann --tool create_ticket --json',
    'npm run audit -- --session sess_0192… --csv',
    'npm run audit -- --action call --arguments',
    'cp mcp.example.json mcp.json',
    `curl -s http://127.0.0.1:3210/api/threads/demo/messages -H 'Content-Type: application/json' -d '{"user": "Ann", "text": "What can you do?"}'`,
  ]

  it('are all known here, and are scripts that there are', () => {
    expect([...written].toSorted()).toEqual([...Object.keys(run), ...elsewhere].toSorted())
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object }
    const names = [...written].flatMap((command) => /^npm (?:run )?([\w:]+)/.exec(command)?.[1] ?? [])
    expect(names.filter((name) => !Object.hasOwn(scripts, name))).toEqual([])
  })

  it.for(Object.entries(run))(
    '%s does what the page says',
    { timeout: 90_000 },
    async ([command, { env, prints }]) => {
      const home = await freshDirectory()
      onTestFinished(() => rm(home, { recursive: true, force: true }))
      const [, script = '', rest = ''] = /^npm run ([\w:]+)(?: -- (.*))?$/.exec(command)!
      const output = await new Promise<string>((resolve, reject) => {
        execFile(
          process.execPath,
          [join(root, 'src/main.ts'), script, ...rest.split(' ').filter(Boolean)],
          {
            cwd: root,
            env: { PATH: process.env.PATH, HERMES_HOME: home, HERMES_MCP_CONFIG: '/dev/null', ...env },
          },
          (error, stdout, stderr) => (stdout === '' ? reject(error ?? new Error(stderr)) : resolve(stdout)),
        )
      })
      expect(output).toMatch(prints)
    },
  )
})

describe('the example of a tool', () => {
  const booked: string[] = []
  const tool = bookRoom({
    book: async (room, at, key) => void booked.push(`${room} ${at} ${key}`),
  })
  const context = { now: new Date(), timeZone: 'Etc/UTC', language: 'en' } as CheckContext

  it('is asked about before it books, and books what the card showed', async () => {
    const checked = await tool.check({ room: 'Ada', at: '2026-12-01T10:00:00+01:00' }, context)
    if (!checked.ok) throw new Error(JSON.stringify(checked.problems))
    expect(tool.effect).toBe('write')
    expect(tool.risk('en')).toBe('The room is then taken for everybody.')
    const result = await tool.run(checked.arguments, { callId: 'call_1' } as CallContext)
    expect(result.told).toBe('Room Ada booked')
    expect(booked).toEqual(['Ada 2026-12-01T10:00:00+01:00 call_1'])
  })

  it('says what is wrong with a time', async () => {
    const checked = await tool.check({ room: 'Ada', at: 'tomorrow' }, context)
    expect(checked).toMatchObject({ ok: false, problems: [{ field: 'at' }] })
  })
})

/** The values of a tree by their dotted names. */
function flat(tree: object, before = ''): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(tree).flatMap(([name, value]) =>
      value !== null && typeof value === 'object' && Object.keys(value).length > 0
        ? Object.entries(flat(value, `${before}${name}.`))
        : [[`${before}${name}`, value]],
    ),
  )
}
