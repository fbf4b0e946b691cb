import { randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:net'
import { readAnswer } from './answer.ts'
import { Connection } from './connection.ts'
import type { Engine } from './engine.ts'
import { errorOf, framesOf, ProtocolViolation, simpleQuery, sync } from './frames.ts'
import type { Batch, Prepared } from './session.ts'
import { readSettings, sessionSettings, settingsChange, settingsKey } from './settings.ts'
import { checkpoint, upkeep } from './upkeep.ts'

/** The wire server in front of the one backend. */
export interface WireServer {
  readonly url: string
  /** Takes no more clients, rolls back what is open, and frees the backend. */
  close(): Promise<void>
}

export interface WireServerOptions {
  readonly engine: Engine
  /** A client that holds the backend without a word for so long is sent away. */
  readonly idleHoldMs: number
  /** How often upkeep runs, between the clients' work. */
  readonly upkeepMs: number
  /** The engine is broken; nothing can be run any more. */
  onFailure(error: Error): void
}

/**
 * Lets many clients share one backend. A client holds it from the first message of a batch until the
 * backend is idle again, so that neither the messages of one statement nor the statements of one
 * transaction mix with another client's. Waiting clients take turns in the order they came.
 */
export async function startWireServer(options: WireServerOptions): Promise<WireServer> {
  const { engine } = options
  const admission = {
    user: 'hermes',
    password: randomBytes(24).toString('base64url'),
    parameters: engine.parameters,
  }
  const connections = new Set<Connection>()
  const waiting = new Set<Connection>()
  const departed: Connection[] = []
  const channels = new Set<string>()
  let holder: Connection | undefined
  let idleHold: NodeJS.Timeout | undefined
  let unnamedOwner: Connection | undefined
  let appliedSettings: ReadonlyMap<string, string> = new Map()
  let working = false
  let broken = false
  let closing = false
  let made = 0
  let served = 0
  let upkeepDue = false
  let idle = () => {}

  const server: Server = createServer({ allowHalfOpen: false }, (socket) => {
    if (closing || broken) {
      socket.destroy()
      return
    }
    made += 1
    connections.add(new Connection(made, socket, admission, { ready, gone }))
  })

  function ready(connection: Connection): void {
    if (!connection.runnable) return
    if (connection !== holder) waiting.add(connection)
    void work()
  }

  function gone(connection: Connection): void {
    connections.delete(connection)
    waiting.delete(connection)
    departed.push(connection)
    void work()
  }

  async function work(): Promise<void> {
    if (working || broken) return
    working = true
    try {
      while (await step()) {
        // Answers leave and new messages arrive between two batches.
        await new Promise<void>((resolve) => setImmediate(resolve))
      }
    } catch (error) {
      fail(error instanceof Error ? error : new Error(String(error)))
    } finally {
      working = false
    }
    if (broken || (!holder && departed.length === 0)) idle()
  }

  /** Runs one batch, or cleans up after one client; false when there is nothing to do. */
  async function step(): Promise<boolean> {
    if (holder) {
      if (!holder.open) {
        await rollBack()
        return true
      }
      if (!holder.runnable) return false
      await serve(holder)
      return true
    }
    const left = departed.shift()
    if (left) {
      await sayFarewell(left)
      return true
    }
    for (const connection of waiting) {
      waiting.delete(connection)
      if (!connection.runnable) continue
      await serve(connection)
      return true
    }
    if (upkeepDue) upkeepDue = (await upkeep(own)) && !closing
    return upkeepDue
  }

  async function serve(connection: Connection): Promise<void> {
    clearTimeout(idleHold)
    if (holder !== connection && !(await applySettings(connection))) return
    const batch = connection.next()
    if (!batch) return
    holder = connection
    served += 1
    const prepared = prepare(connection, batch)
    if (!prepared) return
    if (prepared.reparse) {
      for (const { type, frame } of framesOf(await engine.run(prepared.reparse)))
        if (type !== '1') connection.write(frame)
    }
    unnamedOwner = prepared.ownsUnnamed ? connection : undefined
    const answer = readAnswer(await engine.run(prepared.messages))
    for (const notification of answer.notifications)
      for (const listener of connections) if (listener.listens) listener.write(notification)
    connection.write(answer.bytes)
    if (batch.ends && !answer.status) throw new Error('The engine gave no answer to the end of a batch.')
    if (answer.tags.has('LISTEN')) connection.listens = true
    settle(connection, batch, answer.status)
    if (holder) return
    if (connection.session.takeSettingsChanged()) await keepSettings(connection)
    await keepListening(answer.tags)
  }

  /** Rewrites a batch for the backend; a client whose messages can't be read is sent away. */
  function prepare(connection: Connection, batch: Batch): Prepared | undefined {
    try {
      return connection.session.prepare(batch, unnamedOwner === connection)
    } catch (error) {
      if (!(error instanceof ProtocolViolation)) throw error
      connection.dismiss('08P01', error.message)
      return undefined
    }
  }

  /** Keeps the backend for the connection, or gives it to the next one. */
  function settle(connection: Connection, batch: Batch, status: string | undefined): void {
    if (batch.ends && status === 'I') {
      holder = undefined
      if (connection.runnable) waiting.add(connection)
      return
    }
    idleHold = setTimeout(() => {
      connection.dismiss('25P03', 'terminating connection due to idle-in-transaction timeout')
    }, options.idleHoldMs)
  }

  /** Ends whatever the vanished holder left: a half-sent statement, a transaction. */
  async function rollBack(): Promise<void> {
    clearTimeout(idleHold)
    const answer = readAnswer(await own(Buffer.concat([sync, simpleQuery('ROLLBACK')])))
    if (answer.status !== 'I') throw new Error('The engine could not roll back after a client was gone.')
    holder = undefined
  }

  /** Runs messages of the server itself; a Query among them drops the unnamed statement. */
  function own(messages: Buffer): Promise<Buffer> {
    unnamedOwner = undefined
    return engine.run(messages)
  }

  async function sayFarewell(connection: Connection): Promise<void> {
    const farewell = connection.session.farewell()
    if (farewell.length > 0) await own(Buffer.concat([farewell, sync]))
    if (!connection.listens) return
    if ([...connections].some((other) => other.listens)) return
    channels.clear()
    await own(simpleQuery('UNLISTEN *'))
  }

  /** Gives the backend the settings of the connection's start-up message; a bad one ends the connection. */
  async function applySettings(connection: Connection): Promise<boolean> {
    if (settingsKey(connection.settings) === settingsKey(appliedSettings)) return true
    const change = settingsChange(appliedSettings, connection.settings)
    const answer = await own(simpleQuery(change))
    for (const { type, frame } of framesOf(answer)) {
      if (type !== 'E') continue
      const { code, message } = errorOf(frame)
      connection.dismiss(code, message)
      return false
    }
    appliedSettings = connection.settings
    return true
  }

  /** A client's SET lasts for that client, and for no other. */
  async function keepSettings(connection: Connection): Promise<void> {
    connection.settings = readSettings(await own(simpleQuery(sessionSettings)))
    appliedSettings = connection.settings
  }

  /** The backend listens for all clients together, so one client's UNLISTEN must not silence the others. */
  async function keepListening(tags: ReadonlySet<string>): Promise<void> {
    if (tags.has('LISTEN')) {
      const answer = await own(simpleQuery('SELECT pg_listening_channels()'))
      // A DataRow of one column: after the header, a count (2 bytes) and a length (4 bytes), the value.
      for (const { type, frame } of framesOf(answer))
        if (type === 'D') channels.add(frame.toString('utf8', 11))
    }
    if (tags.has('UNLISTEN') || tags.has('DISCARD ALL')) {
      const again = [...channels].map((channel) => `LISTEN "${channel.replaceAll('"', '""')}"`).join('; ')
      if (again) await own(simpleQuery(again))
    }
  }

  function fail(error: Error): void {
    if (broken) return
    broken = true
    clearTimeout(idleHold)
    clearInterval(upkeepTimer)
    server.close()
    for (const connection of [...connections]) connection.dismiss('57P01', 'the embedded database has failed')
    options.onFailure(error)
  }

  async function close(): Promise<void> {
    closing = true
    server.close()
    clearInterval(upkeepTimer)
    upkeepDue = false
    for (const connection of [...connections])
      connection.dismiss('57P01', 'terminating connection due to administrator command')
    if (broken) return
    await new Promise<void>((resolve) => {
      idle = resolve
      void work()
    })
    clearTimeout(idleHold)
    await checkpoint(own)
  }

  let servedAtUpkeep = 0
  const upkeepTimer = setInterval(() => {
    if (served === servedAtUpkeep) return
    servedAtUpkeep = served
    upkeepDue = true
    void work()
  }, options.upkeepMs)
  const port = await listen(server)
  return { url: `postgresql://${admission.user}:${admission.password}@127.0.0.1:${port}/postgres`, close }
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host: '127.0.0.1', port: 0 }, () => {
      const address = server.address()
      if (address && typeof address === 'object') resolve(address.port)
    })
  })
}
