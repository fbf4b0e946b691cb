import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import type { ChannelName } from '../../src/channel/events.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { startDiscord } from '../support/discord/discord.ts'
import { type ModelStandIn, startModel } from '../support/model.ts'
import { openRows, type Rows } from '../support/rows.ts'
import { type Scripts, scriptModel } from '../support/scripts.ts'
import { startSlack } from '../support/slack/server.ts'
import type { Driver, Seen, Talk } from './channel.ts'
import { discordDriver } from './discord-driver.ts'
import { slackDriver } from './slack-driver.ts'
import { until, whenUp } from './waiting.ts'
import { webDriver } from './web-driver.ts'

/** The whole of Hermes on one platform, with a model that says what a test writes. */
export interface Stage {
  readonly driver: Driver
  readonly model: ModelStandIn
  readonly scripts: Scripts
  /** A server in the own network that may be asked: its paths end as files of that name. */
  readonly pages: Pages
  rows: Rows
  /** How often the office's MCP server has reserved a room. */
  reserved(room: string): number
  /** Stops Hermes and starts it again on the same data. */
  restart(): Promise<void>
  stop(): Promise<void>
}

export type Way = 'slack by socket' | 'slack by http' | 'discord' | 'web'

interface Pages {
  readonly address: string
  stop(): void
}

/** Answers `/plan.png` with a picture, whatever the name; its bytes say which. */
async function openPages(): Promise<Pages> {
  const server = createServer((request, response) => {
    response.writeHead(200, { 'Content-Type': 'image/png' }).end(`the picture of ${request.url}`)
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  return {
    address: `localhost:${(server.address() as AddressInfo).port}`,
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}
const officeServer = new URL('../support/office-server.ts', import.meta.url).pathname

export async function openStage(way: Way): Promise<Stage> {
  const office = mkdtempSync(join(tmpdir(), 'hermes-office-'))
  const journal = join(office, 'journal')
  const model = await startModel()
  const scripts = scriptModel(model)
  const pages = await openPages()
  const variables = model.variables()
  // Cards by their ticket's labels; without one of these they are the requester's, in the thread.
  const rule = (label: string, more: object) => ({ tool: 'create_ticket', when: { labels: label }, ...more })
  let desk: object = { channel: 'web', room: 'desk' }
  let app: TestApp
  let driver: Driver
  const start = async (more: Readonly<Record<string, string>>, channel: ChannelName, room: string) => {
    const rules = [
      rule('four-eyes', { approvers: ['requester', 'Fay'], notRequester: true }),
      rule('room', { approvers: ['Fay'], room: { channel, room } }),
      rule('always', { alwaysAllow: true }),
    ]
    const http = { internal: [pages.address] }
    const check = {
      tool: 'mcp__office__find_rooms',
      arguments: { room: '{arguments.room}' },
      done: { path: '$.reservations[*].room', equals: '{arguments.room}' },
      notDone: { path: '$.reservations', equals: [] },
    }
    const tools = { overrides: { mcp__office__reserve_room: { check } } }
    const config = { model: { retries: 0 }, approvals: { rules }, desk, http, tools }
    const mcpServers = {
      office: { command: process.execPath, args: [officeServer, journal], trusted: true },
    }
    app = await startTestApp({ variables: { ...variables, ...more }, config, mcp: { mcpServers } })
    await whenUp(app)
    return app
  }
  if (way === 'slack by socket' || way === 'slack by http') {
    const slack = await startSlack()
    const tokens = {
      SLACK_API_URL: slack.apiUrl,
      SLACK_BOT_TOKEN: slack.botToken,
      ...(way === 'slack by socket'
        ? { SLACK_APP_TOKEN: slack.appToken }
        : { SLACK_SIGNING_SECRET: slack.signingSecret }),
    }
    slack.channel('desk', [])
    desk = { channel: 'slack', workspace: slack.workspace.teamId, room: '#desk' }
    driver = slackDriver(
      slack,
      way === 'slack by socket' ? 'socket' : 'http',
      await start(tokens, 'slack', 'approvers'),
    )
  } else if (way === 'discord') {
    const discord = await startDiscord()
    discord.channel('desk')
    desk = { channel: 'discord', workspace: discord.guild.id, room: 'desk' }
    driver = discordDriver(discord)
    await start(discord.variables(), 'discord', driver.room)
  } else {
    driver = webDriver(await start({}, 'web', 'approvers'))
  }
  const stage: Stage = {
    driver,
    model,
    scripts,
    pages,
    rows: await openRows(app!.home),
    reserved: (room) =>
      existsSync(journal) ? readFileSync(journal, 'utf8').split(JSON.stringify({ room })).length - 1 : 0,
    async restart() {
      await stage.rows.close()
      app = await app.restart()
      await whenUp(app)
      await driver.moved(app)
      stage.rows = await openRows(app.home)
    },
    async stop() {
      await stage.rows.close()
      await app.end()
      await driver.stop()
      await model.stop()
      pages.stop()
      rmSync(office, { recursive: true, force: true })
    },
  }
  return stage
}

/** A place that can be looked at: a conversation, or a room. */
type Looked = Pick<Talk, 'seen'>

/** Messages that are no cards. */
export async function answers(talk: Looked): Promise<readonly Seen[]> {
  return (await talk.seen()).filter((seen) => !seen.isCard)
}

export async function cards(talk: Looked): Promise<readonly Seen[]> {
  return (await talk.seen()).filter((seen) => seen.isCard)
}

/** The message that shows this text, once there is one. */
export function answered(talk: Looked, text: string | RegExp): Promise<Seen> {
  return look(talk, `an answer with ${text}`, (seen) => !seen.isCard && fits(seen, text))
}

/** The card whose text fits and that waits for a decision, once there is one. */
export function openCard(talk: Looked, text: string): Promise<Seen> {
  return look(
    talk,
    `an open card with ${text}`,
    (seen) => seen.isCard && fits(seen, text) && seen.buttons.length + seen.options.length > 0,
  )
}

/** The card once it shows this. */
export function cardShows(talk: Looked, id: string, text: string | RegExp): Promise<Seen> {
  return look(talk, `the card to show ${text}`, (seen) => seen.id === id && fits(seen, text))
}

async function look(talk: Looked, what: string, wanted: (seen: Seen) => boolean): Promise<Seen> {
  try {
    return await until(what, async () => (await talk.seen()).find(wanted))
  } catch (error) {
    const seen = (await talk.seen()).map((one) => `${one.isCard ? 'card' : 'text'}: ${one.text}`)
    throw new Error(`${(error as Error).message} There is:\n${seen.join('\n')}`, { cause: error })
  }
}

function fits(seen: Seen, text: string | RegExp): boolean {
  return typeof text === 'string' ? seen.text.includes(text) : text.test(seen.text)
}

/** What a platform has, as far as expectations have to know it beforehand. */
export interface Place {
  readonly way: Way
  readonly beginnings: readonly string[]
  /** Are there others around: people, bots, mentions, a platform that fails? */
  readonly crowd: boolean
  /** Leaves out how Hermes copes with trouble, where another way onto the platform shows that. */
  readonly only?: 'coming in'
}
