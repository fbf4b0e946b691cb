import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { type ApiContext, Refused, type Triggers } from './api.ts'
import { createDeliveries, type Deliveries, type Transport } from './delivery.ts'
import { createFaults, type Faults, failEarly, reply } from './faults.ts'
import { storeUpload } from './files.ts'
import { type Json, object, objects, text } from './json.ts'
import { methods } from './methods.ts'
import { createNews, type News } from './news.ts'
import { createPerson, type Person } from './people.ts'
import { createResponses } from './responses.ts'
import { createSigned, type Endpoint } from './signed.ts'
import { createSocketMode, type SocketMode } from './socket.ts'
import { argsOf, bodyOf, tokenOf, uploaded } from './wire.ts'
import { createWorkspace, look, type Message, type Notice, type Room, type Workspace } from './workspace.ts'

/** One call of the Web API, as it came. */
export interface Call {
  readonly method: string
  readonly args: Json
  readonly at: number
  readonly error?: string
}

/** What there is to say about someone new. */
export interface NewPerson {
  readonly teamId?: string
  readonly timeZone?: string
  readonly bot?: boolean
  readonly displayName?: string
  readonly handle?: string
  readonly deleted?: boolean
}

/** A workspace of Slack on loopback, with people in it. */
export interface StandInSlack {
  /** For `SLACK_API_URL`, ending in `/api/`. */
  readonly apiUrl: string
  /** What the environment of a Hermes says that is in it, by Socket Mode. */
  variables(): { SLACK_API_URL: string; SLACK_BOT_TOKEN: string; SLACK_APP_TOKEN: string }
  botToken: string
  appToken: string
  readonly signingSecret: string
  readonly workspace: Workspace
  readonly news: News
  readonly faults: Faults
  readonly socket: SocketMode
  readonly deliveries: Deliveries
  readonly calls: readonly Call[]
  scopes: string[]
  person(name: string, options?: NewPerson): Person
  /** A channel with these people and, unless told otherwise, the app. */
  channel(
    name: string,
    people: readonly Person[],
    options?: Partial<Pick<Room, 'kind' | 'shared'>> & { app?: boolean },
  ): Room
  /** From now on events and interactions go there, signed, instead of through the socket. */
  deliverTo(endpoint: Endpoint | undefined): void
  /** The messages of a thread (with its root), or of the top level of a room. */
  thread(root: Message): readonly Message[]
  topLevel(room: Room): readonly Message[]
  /** What the app wrote in a thread, without what it deleted. */
  answers(root: Message): readonly Message[]
  /** Adds a link preview to a message, as Slack does by itself. */
  unfurl(message: Message): void
  callsOf(method: string): readonly Call[]
  /** Waits until the condition gives something; throws with the question after the limit. */
  until<T>(what: string, condition: () => T | undefined | false | null, limitMs?: number): Promise<T>
  stop(): Promise<void>
}

export async function startSlack(
  options: {
    readonly now?: () => number
    readonly streamMaxAgeMs?: number
    readonly ackWithinMs?: number
    readonly retryAfterMs?: readonly number[]
  } = {},
): Promise<StandInSlack> {
  const now = options.now ?? Date.now
  const workspace = createWorkspace(now)
  const faults = createFaults()
  const calls: Call[] = []
  const socket = createSocketMode(() => workspace.appId, workspace.id)
  let transport: Transport = socket
  const deliveries = createDeliveries({
    transport: () => transport,
    ackWithinMs: options.ackWithinMs ?? 3_000,
    retryAfterMs: options.retryAfterMs ?? [50, 300, 1_000],
  })
  let origin = ''
  const news = createNews(workspace, () => origin, deliveries.send)
  const triggers = createTriggers(workspace)

  const slack = {
    botToken: 'xoxb-stand-in-bot-token',
    appToken: 'xapp-stand-in-app-token',
    scopes: ['chat:write'],
  }
  const context: ApiContext = {
    workspace,
    news,
    origin: () => origin,
    triggers,
    scopes: () => slack.scopes,
    streamMaxAgeMs: options.streamMaxAgeMs ?? 306_000,
  }

  async function call(method: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const args = argsOf(request, await bodyOf(request))
    const record: { method: string; args: Json; at: number; error?: string } = { method, args, at: now() }
    calls.push(record)
    const fault = faults.take(method)
    if (fault?.kind === 'slow') await delay(fault.ms)
    if (failEarly(fault, response)) {
      record.error = fault?.kind ?? 'fault'
      return
    }
    const answer = invoke(method, args, tokenOf(request, args))
    if (answer.ok === false) record.error = text(answer.error)
    if (fault?.kind === 'reset-after') {
      response.destroy()
    } else if (fault?.kind === 'status-after') {
      response.writeHead(fault.status).end('<html>Server Error</html>')
    } else {
      if (method === 'auth.test') response.setHeader('x-oauth-scopes', slack.scopes.join(','))
      reply(response, answer)
    }
  }

  function invoke(method: string, args: Json, token: string | undefined): Json {
    if (method === 'apps.connections.open') {
      if (token !== slack.appToken) return { ok: false, error: token ? 'invalid_auth' : 'not_authed' }
      return {
        ok: true,
        url: `${origin.replace('http', 'ws')}/link/?ticket=${workspace.id('K')}&app_id=${workspace.appId}`,
      }
    }
    if (token !== slack.botToken) return { ok: false, error: token ? 'invalid_auth' : 'not_authed' }
    const known = methods[method]
    if (!known) return { ok: false, error: 'unknown_method', req_method: method }
    try {
      return { ok: true, ...known(args, context) }
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      const { error: code, messages } = error.refusal
      return {
        ok: false,
        error: code,
        ...(messages ? { errors: messages, response_metadata: { messages } } : {}),
      }
    }
  }

  function applyNotice(
    user: string,
    room: Room,
    threadTs: string | undefined,
    content: Json,
    by: Notice['by'],
  ): void {
    workspace.notices.push({
      id: workspace.id('N'),
      room,
      ...(threadTs === undefined ? {} : { threadTs }),
      user,
      ts: workspace.ts(),
      at: now(),
      by,
      text: text(content.text),
      blocks: objects(content.blocks),
      deleted: false,
    })
  }

  const responses = createResponses(workspace, applyNotice)

  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    const [, first, second, third] = path.split('/')
    const work =
      first === 'api' && second
        ? call(second, request, response)
        : first === 'response' && second
          ? respond(second, request, response)
          : first === 'upload' && third
            ? bodyOf(request).then((body) => {
                const stored = storeUpload(workspace, third, uploaded(request, body))
                response.writeHead(stored ? 200 : 404).end(stored ? `OK - ${body.length}` : 'not found')
              })
            : first === 'files-pri' && second
              ? serveFile(second, request, response)
              : Promise.resolve(void response.writeHead(404).end())
    work.catch((error: unknown) => {
      response.writeHead(500).end(String(error))
    })
  })
  server.on('upgrade', (request, duplex, head) => socket.upgrade(request, duplex, head))

  async function respond(id: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = object(JSON.parse(String(await bodyOf(request))))
    calls.push({ method: 'response_url', args: body, at: now() })
    if (failEarly(faults.take('response_url'), response)) return
    const wrong = responses.take(id, body)
    if (wrong) response.writeHead(wrong.status).end(JSON.stringify({ ok: false, ...wrong.refusal }))
    else reply(response, { ok: true })
  }

  async function serveFile(name: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const file = workspace.files.get(name.slice(name.indexOf('-') + 1))
    if (!file || tokenOf(request, {}) !== slack.botToken) {
      // Without a right to the file Slack shows its sign-in page, with status 200.
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      response.end('<!DOCTYPE html><html><title>Sign in | Slack</title></html>')
      return
    }
    response.writeHead(200, { 'content-type': file.mimetype, 'content-length': file.content.length })
    response.end(file.content)
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const isIn = (root: Message) => (message: Message) =>
    message.room === root.room && (message === root || message.threadTs === (root.threadTs ?? root.ts))

  return Object.assign(slack, {
    apiUrl: `${origin}/api/`,
    variables: () => ({
      SLACK_API_URL: `${origin}/api/`,
      SLACK_BOT_TOKEN: slack.botToken,
      SLACK_APP_TOKEN: slack.appToken,
    }),
    signingSecret: 'stand-in-signing-secret',
    workspace,
    news,
    faults,
    socket,
    deliveries,
    calls,
    person(name: string, given: NewPerson = {}) {
      const member = {
        id: workspace.id('U'),
        name: given.handle ?? name.toLowerCase(),
        realName: name,
        teamId: given.teamId ?? workspace.teamId,
        timeZone: given.timeZone ?? 'Europe/Berlin',
        ...(given.displayName === undefined ? {} : { displayName: given.displayName }),
        ...(given.deleted ? { deleted: true } : {}),
        ...(given.bot ? { botId: workspace.id('B') } : {}),
      }
      workspace.members.set(member.id, member)
      return createPerson(member, {
        workspace,
        news,
        send: deliveries.send,
        trigger: triggers.issue,
        responseUrl: (user, on) => `${origin}/response/${responses.issue(user, on)}`,
        applyNotice,
      })
    },
    channel(
      name: string,
      people: readonly Person[],
      given: Partial<Pick<Room, 'kind' | 'shared'>> & { app?: boolean } = {},
    ) {
      const room: Room = {
        id: workspace.id(given.kind === 'group' ? 'G' : 'C'),
        name,
        kind: given.kind ?? 'channel',
        members: new Set([
          ...people.map((item) => item.id),
          ...(given.app === false ? [] : [workspace.bot.id]),
        ]),
        shared: given.shared ?? false,
        archived: false,
      }
      workspace.rooms.set(room.id, room)
      return room
    },
    deliverTo(endpoint: Endpoint | undefined) {
      transport = endpoint === undefined ? socket : createSigned(endpoint, 'stand-in-signing-secret')
    },
    thread: (root: Message) => workspace.messages.filter(isIn(root)),
    topLevel: (room: Room) =>
      workspace.messages.filter((message) => message.room === room && message.threadTs === undefined),
    answers: (root: Message) =>
      workspace.messages.filter(
        (message) => isIn(root)(message) && message.author === workspace.bot.id && !message.deleted,
      ),
    unfurl(message: Message) {
      const before = news.messageEvent(message)
      look(message, 'unfurl', now())
      news.changed(message, before)
    },
    callsOf: (method: string) => calls.filter((item) => item.method === method),
    async until<T>(what: string, condition: () => T | undefined | false | null, limitMs = 5_000): Promise<T> {
      const end = performance.now() + limitMs
      for (;;) {
        const value = condition()
        if (value !== undefined && value !== false && value !== null) return value
        if (performance.now() > end) throw new Error(`waited ${limitMs} ms in vain until ${what}`)
        await delay(5)
      }
    },
    async stop() {
      deliveries.stop()
      socket.stop()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  })
}

function createTriggers(workspace: Workspace): Triggers {
  const issued = new Map<string, { user: string; at: number; used: boolean }>()
  return {
    issue(user) {
      const id = `${workspace.id('trigger-')}.${user}`
      issued.set(id, { user, at: workspace.now(), used: false })
      return id
    },
    use(id) {
      const trigger = issued.get(id)
      if (!trigger) return { error: 'invalid_trigger_id' }
      if (trigger.used) return { error: 'exchanged_trigger_id' }
      if (workspace.now() - trigger.at > 3_000) return { error: 'expired_trigger_id' }
      trigger.used = true
      return { user: trigger.user }
    },
  }
}
