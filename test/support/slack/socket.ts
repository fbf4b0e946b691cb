import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Answer, Transport } from './delivery.ts'
import { object, string } from './json.ts'

/** Slack's end of Socket Mode. */
export interface SocketMode extends Transport {
  /** Answers the WebSocket handshake. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  readonly connected: number
  /** How many connections there ever were. */
  readonly opened: number
  /** Asks the app to connect anew, as Slack does every few hours. */
  askToReconnect(reason?: 'warning' | 'refresh_requested'): void
  /** Cuts every connection without a word. */
  cut(): void
  /** Sends any frame to every connection. */
  sendRaw(frame: string): void
  stop(): void
}

export function createSocketMode(appId: () => string, newId: (prefix: string) => string): SocketMode {
  const server = new WebSocketServer({ noServer: true })
  const open: WebSocket[] = []
  const waiting = new Map<string, (answer: Answer) => void>()
  const wanted = new Set<(socket: WebSocket | undefined) => void>()
  let turn = 0
  let opened = 0
  let stopped = false

  server.on('connection', (socket: WebSocket) => {
    const own = new Set<string>()
    socket.on('error', () => {})
    socket.on('message', (data) => {
      const message = object(parse(String(data)))
      const id = string(message.envelope_id)
      if (id !== undefined) waiting.get(id)?.({ taken: true, payload: message.payload })
    })
    socket.on('close', () => {
      open.splice(open.indexOf(socket), 1)
      for (const id of own) waiting.get(id)?.({ taken: false, reason: 'connection_closed' })
    })
    open.push(socket)
    opened += 1
    sent.set(socket, own)
    socket.send(
      JSON.stringify({
        type: 'hello',
        num_connections: open.length,
        debug_info: { host: 'stand-in', build_number: 1, approximate_connection_time: 18_060 },
        connection_info: { app_id: appId() },
      }),
    )
    for (const take of [...wanted]) take(socket)
  })

  const sent = new WeakMap<WebSocket, Set<string>>()

  function connection(): Promise<WebSocket | undefined> {
    const usable = open.filter((socket) => socket.readyState === socket.OPEN)
    if (usable.length > 0) return Promise.resolve(usable[turn++ % usable.length])
    if (stopped) return Promise.resolve(undefined)
    return new Promise((resolve) => {
      const take = (socket: WebSocket | undefined) => {
        wanted.delete(take)
        resolve(socket)
      }
      wanted.add(take)
    })
  }

  return {
    async send(attempt, limitMs) {
      const socket = await connection()
      if (!socket) return { taken: false, reason: 'no_connection' }
      const envelopeId = newId('env-')
      sent.get(socket)?.add(envelopeId)
      return new Promise<Answer>((resolve) => {
        const timer = setTimeout(() => finish({ taken: false, reason: 'timeout' }), limitMs)
        const finish = (answer: Answer) => {
          clearTimeout(timer)
          waiting.delete(envelopeId)
          sent.get(socket)?.delete(envelopeId)
          resolve(answer)
        }
        waiting.set(envelopeId, finish)
        socket.send(
          JSON.stringify({
            envelope_id: envelopeId,
            type: attempt.kind,
            accepts_response_payload: attempt.kind !== 'events_api',
            payload: attempt.body,
            ...(attempt.kind === 'events_api'
              ? { retry_attempt: attempt.retryNum, retry_reason: attempt.retryReason ?? '' }
              : {}),
          }),
        )
      })
    },
    upgrade(request, socket, head) {
      server.handleUpgrade(request, socket, head, (accepted) => server.emit('connection', accepted, request))
    },
    get connected() {
      return open.length
    },
    get opened() {
      return opened
    },
    askToReconnect(reason = 'refresh_requested') {
      for (const socket of [...open]) {
        socket.send(JSON.stringify({ type: 'disconnect', reason, debug_info: { host: 'stand-in' } }))
      }
    },
    cut() {
      for (const socket of [...open]) socket.terminate()
    },
    sendRaw(frame) {
      for (const socket of open) socket.send(frame)
    },
    stop() {
      stopped = true
      for (const take of [...wanted]) take(undefined)
      for (const finish of [...waiting.values()]) finish({ taken: false, reason: 'stopped' })
      for (const socket of [...open]) socket.terminate()
      server.close()
    },
  }
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    return undefined
  }
}
