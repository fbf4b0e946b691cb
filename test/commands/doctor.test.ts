import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { botScopes } from '../../adapters/slack/manifest.ts'
import { systemClock } from '../../src/base/clock.ts'
import { checkNode } from '../../src/commands/doctor/machine.ts'
import { doctor } from '../../src/commands/doctor.ts'
import { readEnvironment } from '../../src/config/environment.ts'
import { readConfig } from '../../src/config/file.ts'
import { silentLog } from '../../src/observe/log.ts'
import { openClient } from '../../src/store/client.ts'
import { openEmbeddedDatabase } from '../../src/store/embedded/database.ts'
import { startTestApp } from '../support/app.ts'
import { freshDirectory } from '../support/database.ts'
import { type StandInDiscord, startDiscord } from '../support/discord/discord.ts'
import { type ModelStandIn, startModel } from '../support/model.ts'
import { type StandInSlack, startSlack } from '../support/slack/server.ts'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const servers = join(root, 'node_modules/@modelcontextprotocol')
const everything = join(servers, 'server-everything/dist/index.js')
const filesystem = join(servers, 'server-filesystem/dist/index.js')

let slack: StandInSlack
let discord: StandInDiscord
let model: ModelStandIn
/** With a database in it, and without: opening one takes a second or more. */
let home: string
let bare: string
// Each examination opens an embedded database, and starts servers.
vi.setConfig({ testTimeout: 120_000 })
const ends: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  ;[slack, discord, model] = await Promise.all([startSlack(), startDiscord(), startModel()])
  slack.scopes = [...botScopes]
  home = await freshDirectory()
  bare = await mkdtemp(join(tmpdir(), 'hermes-test-'))
})
afterAll(async () => {
  await Promise.all([slack.stop(), discord.stop(), model.stop()])
  for (const folder of [home, bare]) await rm(folder, { recursive: true, force: true })
})
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
  slack.scopes = [...botScopes]
  discord.faults.clear()
  model.reset()
})

/** Everything configured, and well. */
const good = () => ({
  HERMES_HOME: bare,
  PORT: '0',
  ...model.variables(),
  HERMES_MODEL: 'gpt-5.4-mini',
  ...slack.variables(),
  ...discord.variables(),
  HERMES_SECRET_KEY: 'k'.repeat(40),
})

/** Runs the doctor with these settings; a variable set to nothing is left out. */
async function examine(variables: Record<string, string>, mcp: object = {}, file?: object) {
  const folder = variables.HERMES_HOME ?? bare
  await writeFile(join(folder, 'mcp.json'), JSON.stringify({ mcpServers: mcp }))
  const read = readEnvironment({ HERMES_MCP_CONFIG: join(folder, 'mcp.json'), ...variables }, { folder })
  if ('mistakes' in read) throw new Error(read.mistakes.join('\n'))
  const lines: string[] = []
  const config = file && readConfig(JSON.stringify(file), 'hermes.config.json')
  if (config && 'mistakes' in config) throw new Error(config.mistakes.join('\n'))
  const patient = { settings: read.settings, root, mcpMs: 15_000, ...config }
  const code = await doctor(patient, (line) => void lines.push(line))
  return {
    code,
    all: lines.join('\n'),
    /** The lines about one part. */
    of: (part: string) => lines.filter((line) => line.slice(6).startsWith(`${part} `)),
  }
}

it('finds nothing wrong where all is well, and says what there is', async () => {
  model.reply({ text: 'ready' })
  const documents = { command: process.execPath, args: [filesystem, home], trusted: true }
  const found = await examine({ ...good(), HERMES_HOME: home }, { documents })
  expect(found.all).toContain('All is well.')
  expect(found.code).toBe(0)
  expect(found.of('Database')).toEqual([
    expect.stringMatching(/^ok .* embedded PostgreSQL \d+ with pgvector \d/),
  ])
  expect(found.of('Migrations')).toEqual([expect.stringContaining('up to date')])
  expect(found.of('Model')).toEqual([
    expect.stringMatching(/^ok .* gpt-5\.4-mini at 127\.0\.0\.1:\d+ answered/),
  ])
  expect(found.of('Embeddings')).toEqual([expect.stringContaining('512 dimensions')])
  expect(found.of('Slack')).toEqual([expect.stringContaining('@hermes in Olympus, with every scope')])
  expect(found.of('Socket Mode')).toEqual([expect.stringContaining('the app token works')])
  expect(found.of('Discord')).toEqual([expect.stringContaining('hermes, in 1 server')])
  expect(found.of('MCP documents')).toEqual([expect.stringMatching(/^ok .* \d+ tools$/)])
  expect(found.all).not.toContain(slack.botToken)
  expect(found.all).not.toContain(discord.token)
})

it('examines an untouched machine and leaves it untouched', async () => {
  const empty = join(bare, 'nothing-here-yet')
  const read = readEnvironment({ HERMES_HOME: empty, PORT: '0' }, { folder: dirname(empty) })
  if ('mistakes' in read) throw new Error('mistaken')
  const lines: string[] = []
  const code = await doctor({ settings: read.settings, root }, (line) => void lines.push(line))
  const all = lines.join('\n')
  expect(code, all).toBe(0)
  expect(all).toMatch(/ok +Database +embedded, made at the first start/)
  expect(all).toMatch(/ok +Model +offline/)
  // The example's server, on documents that the first start would lay out.
  expect(all).toMatch(/ok +MCP documents +\d+ tools/)
  expect(existsSync(empty)).toBe(false)
})

it('names the token that Slack does not take, and how to get another', async () => {
  const { code, of } = await examine({
    ...good(),
    SLACK_BOT_TOKEN: 'xoxb-wrong',
    SLACK_APP_TOKEN: 'xapp-wrong',
  })
  expect(code).toBe(1)
  expect(of('Slack')).toEqual([
    'FAIL  Slack          the bot token does not work (invalid_auth). Copy SLACK_BOT_TOKEN anew from "OAuth & Permissions".',
  ])
  expect(of('Socket Mode')).toEqual([expect.stringMatching(/^FAIL .*set SLACK_APP_TOKEN\.$/)])
})

it('names the scopes that the Slack app lacks', async () => {
  slack.scopes = botScopes.filter((scope) => scope !== 'files:read' && scope !== 'im:write')
  const { code, of } = await examine(good())
  expect(code).toBe(1)
  expect(of('Slack')).toEqual([expect.stringContaining('lacks files:read, im:write. Add them')])
})

it('names the Discord token that is not taken, the intent that is off, and a bot without a server', async () => {
  const wrong = await examine({ ...good(), DISCORD_TOKEN: 'wrong' })
  expect(wrong.code).toBe(1)
  expect(wrong.of('Discord')).toEqual([expect.stringContaining('Make a new token')])

  const body = { id: discord.world.applicationId, name: 'Hermes', flags: 0, approximate_guild_count: 0 }
  discord.faults.add({ path: /^\/applications\/@me$/, does: { kind: 'status', status: 200, body } })
  const shut = await examine(good())
  expect(shut.code).toBe(1)
  expect(shut.of('Discord')).toEqual([
    expect.stringMatching(/^warn .*discord:invite$/),
    expect.stringMatching(/^FAIL .*Switch on "Message Content Intent"/),
  ])
})

it('tells which rooms of the desk and of approvers can not be written in, who decides nowhere, and what has no price', async () => {
  slack.channel('case-desk', [])
  slack.channel('not-invited', [], { app: false })
  const there = discord.channel('discord-desk')
  discord.channel('shut')
  discord.deny('shut', 'SendMessages')
  const guild = discord.guild.id
  const rule = (room: object) => ({ tool: 'create_ticket', approvers: ['Nobody of that name'], room })
  const rules = [
    rule({ channel: 'slack', room: '#not-invited' }),
    rule({ channel: 'slack', room: 'nowhere' }),
    rule({ channel: 'discord', workspace: guild, room: there.id }),
    rule({ channel: 'discord', workspace: guild, room: 'shut' }),
    rule({ channel: 'discord', workspace: guild, room: 'nowhere' }),
  ]
  const config = {
    desk: { channel: 'slack', workspace: 'T1', room: '#case-desk' },
    approvals: { groups: { finance: [], it: ['slack:T1:U0NOBODY'] }, rules },
    rooms: [{ name: 'floor', channel: 'slack', workspace: 'T1', room: 'nowhere' }],
    limits: { dayCost: 5 },
    model: { prices: { other: { inputPerMillion: 1, outputPerMillion: 1 } } },
  }
  const { code, of } = await examine({ ...good(), HERMES_HOME: home }, {}, config)
  expect(code).toBe(1)
  expect(of('Desk')).toEqual([expect.stringMatching(/^ok .*#case-desk on Slack$/)])
  const lines = of('Approvals').map((line) => line.replace(/ +Approvals +/, ' '))
  expect(lines).toEqual(
    expect.arrayContaining([
      'warn the group finance has nobody in it. Name its members in approvals.groups.',
      'FAIL nobody on Slack has the id U0NOBODY. Mend approvals.',
      expect.stringMatching(/^warn nobody called Nobody of that name has written to Hermes yet\./),
      'FAIL Hermes is not in #not-invited (approvals.rules.0.room). Write /invite @hermes there.',
      expect.stringMatching(/^FAIL Slack shows no channel #nowhere \(approvals\.rules\.1\.room\)\./),
      expect.stringMatching(/^ok .* on Discord$/),
      expect.stringMatching(
        /^FAIL Hermes may not write in #shut \(approvals\.rules\.3\.room\): it lacks Send Messages\./,
      ),
      expect.stringMatching(/^FAIL the Discord server has no text channel #nowhere/),
    ]),
  )
  expect(of('Rooms')).toEqual([
    expect.stringMatching(/^FAIL .*Slack shows no channel #nowhere \(rooms\.0\)\./),
  ])
  expect(of('Prices')).toEqual([
    expect.stringMatching(/^warn .*has none for gpt-5\.4-mini, so limits of cost do not hold for it\./),
  ])
})

it('says so where half a pair of tokens is set', async () => {
  const { SLACK_APP_TOKEN: _, ...rest } = good()
  const { code, of } = await examine(rest)
  expect(code).toBe(1)
  expect(of('Slack')).toEqual([expect.stringMatching(/^FAIL .*half set up: set SLACK_APP_TOKEN/)])
})

it('tells a dead MCP server, an unpinned package, a missing variable and a changed definition', async () => {
  const database = await openEmbeddedDatabase({ directory: home, log: silentLog, clock: systemClock })
  const db = openClient(database.url)
  const definition = {
    name: 'echo',
    description: 'Used to do something else.',
    inputSchema: { type: 'object' },
  }
  const pin = { server: 'everything', tool: 'echo', hash: 'old', definition, acceptedAt: new Date() }
  await db.mcpToolPin.create({ data: pin })
  await db.$disconnect()
  await database.close()

  const { code, of, all } = await examine(
    { ...good(), HERMES_HOME: home },
    {
      everything: { command: process.execPath, args: [everything] },
      dead: { command: process.execPath, args: ['-e', 'console.error("no such key"); process.exit(3)'] },
      loose: { command: 'npx', args: ['-y', '--offline', 'some-package-of-nobody'] },
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the file's own way to name a variable
      unset: { url: 'https://mcp.invalid/mcp', headers: { Authorization: 'Bearer ${NOT_SET_ANYWHERE}' } },
    },
  )
  expect(code).toBe(1)
  expect(of('MCP dead'), all).toEqual([expect.stringMatching(/^FAIL .*not connected.*no such key/)])
  expect(of('MCP everything')).toContainEqual(
    expect.stringMatching(/^warn .*the definition of echo changed since it was accepted \(.*description/),
  )
  expect(of('MCP file')).toContainEqual(
    expect.stringMatching(/^warn .*some-package-of-nobody without an exact/),
  )
  expect(of('MCP file')).toContainEqual(expect.stringMatching(/^FAIL .*NOT_SET_ANYWHERE is not set/))
})

it('says what is wrong with the model, the database and the queue', async () => {
  model.reply({ error: { status: 401, message: 'Incorrect API key provided.', code: 'invalid_api_key' } })
  const { code, of } = await examine({
    ...good(),
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/hermes',
    REDIS_URL: 'redis://127.0.0.1:1',
  })
  expect(code).toBe(1)
  expect(of('Model')).toEqual([expect.stringMatching(/^FAIL .*Mend OPENAI_API_KEY\.$/)])
  expect(of('Database')).toEqual([expect.stringMatching(/^FAIL .*mend DATABASE_URL\.$/)])
  expect(of('Queue')).toEqual([expect.stringMatching(/^FAIL .*mend REDIS_URL\.$/)])
})

it('tells a migration that is still to be applied, and one that this version does not know', async () => {
  const directory = await freshDirectory()
  ends.push(() => rm(directory, { recursive: true }))
  const change = async (sql: string) => {
    const database = await openEmbeddedDatabase({ directory, log: silentLog, clock: systemClock })
    const db = openClient(database.url)
    await db.$executeRawUnsafe(sql)
    await db.$disconnect()
    await database.close()
  }
  await change(
    'DELETE FROM _prisma_migrations WHERE migration_name = (SELECT max(migration_name) FROM _prisma_migrations)',
  )
  const behind = await examine({ HERMES_HOME: directory, PORT: '0' })
  expect(behind.of('Migrations')).toEqual([expect.stringMatching(/^warn .*1 migration to apply/)])
  await change(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at)
     VALUES ('future', 'x', '9999_future', now())`,
  )
  const ahead = await examine({ HERMES_HOME: directory, PORT: '0' })
  expect(ahead.code).toBe(1)
  expect(ahead.of('Migrations')).toEqual([expect.stringContaining('9999_future')])
})

it('works beside a running Hermes, and tells it from another program on the port', async () => {
  const app = await startTestApp()
  ends.push(() => app.end())
  const { port } = new URL(app.address)
  const beside = await examine({ HERMES_HOME: app.home, PORT: port })
  expect(beside.code, beside.all).toBe(0)
  expect(beside.of('Home')).toEqual([expect.stringContaining(`in use by process ${process.pid}`)])
  expect(beside.of('Port')).toEqual([expect.stringMatching(/^ok .*Hermes is running at/)])

  const stranger = createServer((socket) => socket.end()).listen(0, '127.0.0.1')
  ends.push(async () => stranger.close())
  await new Promise((resolve) => stranger.once('listening', resolve))
  const taken = (stranger.address() as { port: number }).port
  const other = await examine({ HERMES_HOME: bare, PORT: String(taken) })
  expect(other.code).toBe(1)
  expect(other.of('Port')).toEqual([expect.stringContaining('taken by another program. Set PORT')])
})

it('knows a Node that is too old', () => {
  expect(checkNode('22.11.0')).toMatchObject({ state: 'fail', text: expect.stringContaining('Use Node 24') })
  expect(checkNode('24.0.0').state).toBe('ok')
})
