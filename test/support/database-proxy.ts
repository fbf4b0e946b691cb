import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket, connect as tcpConnect } from 'node:net'
import { FrameReader, stringAt } from '../../src/store/embedded/frames.ts'
import { readStartup } from '../../src/store/embedded/handshake.ts'

/** A statement on its way to the database. */
export interface Sighting {
  /** Its text, with white space folded. */
  readonly sql: string
  /** Its parameters as they are sent, as text; empty for a simple query. */
  readonly values: readonly string[]
}

/** Where a statement is stopped for good: before the database sees it, or when its answer is there. */
export interface Stop {
  readonly at: 'before' | 'after'
  /** Called when it has been stopped. Its client will wait for the answer for ever. */
  readonly reached: () => void
}

/** Looks at each statement; what it returns stops it. */
export type Watcher = (sighting: Sighting) => Stop | undefined

/**
 * Stands between clients and a PostgreSQL server: shows each statement to a test, stops one for good at the
 * moment when only the database knows what became of it, and cuts all clients off for a while.
 */
export interface DatabaseProxy {
  /** The address for clients. */
  readonly url: string
  watch(watcher: Watcher | undefined): void
  /** Breaks every connection and refuses new ones. */
  cut(): Promise<void>
  /** Takes connections again, on the same address. */
  mend(): Promise<void>
  /** Takes connections and statements, and lets no byte through in either direction until `thaw`. */
  freeze(): void
  thaw(): void
  close(): Promise<void>
}

const largestMessage = 64 * 1024 * 1024

export async function startDatabaseProxy(target: string): Promise<DatabaseProxy> {
  const upstreamUrl = new URL(target)
  const upstream = { host: upstreamUrl.hostname, port: Number(upstreamUrl.port || 5432) }
  const passages = new Set<Passage>()
  let watcher: Watcher | undefined
  let frozen = false

  const open = async (port: number): Promise<Server> => {
    const server = createServer((client) => {
      const passage = openPassage(client, upstream, (sighting) => watcher?.(sighting))
      if (frozen) passage.pause()
      passages.add(passage)
      client.once('close', () => passages.delete(passage))
    })
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return server
  }
  let server: Server | undefined = await open(0)
  const { port } = server.address() as AddressInfo
  const url = new URL(target)
  url.hostname = '127.0.0.1'
  url.port = String(port)

  const cut = async () => {
    const closing = server
    server = undefined
    for (const passage of passages) passage.end()
    if (!closing) return
    closing.close()
    await once(closing, 'close')
  }
  return {
    url: url.href,
    watch(given) {
      watcher = given
    },
    cut,
    async mend() {
      server ??= await open(port)
    },
    freeze() {
      frozen = true
      for (const passage of passages) passage.pause()
    },
    thaw() {
      frozen = false
      for (const passage of passages) passage.resume()
    },
    close: cut,
  }
}

interface Passage {
  pause(): void
  resume(): void
  end(): void
}

/** One client's connection and the one to the server that belongs to it. */
function openPassage(
  client: Socket,
  upstream: { readonly host: string; readonly port: number },
  decide: Watcher,
): Passage {
  const server = tcpConnect(upstream)
  client.setNoDelay(true)
  server.setNoDelay(true)
  const requests = new FrameReader(largestMessage)
  const answers = new FrameReader(largestMessage)
  const statements = new Map<string, string>()
  let started = false
  // Messages of a batch that is not complete yet, and what it runs.
  let batch: Buffer[] = []
  let seen: { sql: string; values: readonly string[] }[] = []
  let held: { readonly reached: () => void; readonly waits: boolean } | undefined

  const end = () => {
    client.destroy()
    server.destroy()
  }
  const start = (): boolean => {
    const body = requests.startup(10_000)
    if (!body) return false
    if (readStartup(body).kind === 'encryption') {
      client.write('N')
      return true
    }
    const length = Buffer.alloc(4)
    length.writeInt32BE(body.length + 4)
    server.write(Buffer.concat([length, body]))
    started = true
    return true
  }
  const take = (): boolean => {
    const message = requests.frame()
    if (!message) return false
    const { type, frame } = message
    batch.push(frame)
    if (type === 'Q') seen.push({ sql: folded(stringAt(frame, 5).text), values: [] })
    if (type === 'P') {
      const name = stringAt(frame, 5)
      statements.set(name.text, folded(stringAt(frame, name.end).text))
    }
    if (type === 'B') {
      const portal = stringAt(frame, 5)
      const name = stringAt(frame, portal.end)
      seen.push({ sql: statements.get(name.text) ?? '', values: valuesAt(frame, name.end) })
    }
    // Sync, Query, Flush, Terminate, passwords and COPY data go on at once.
    if (!'PBDEC'.includes(type)) forward()
    return true
  }
  const forward = () => {
    const messages = Buffer.concat(batch)
    const sightings = seen
    batch = []
    seen = []
    if (held) return
    for (const sighting of sightings) {
      const stop = decide(sighting)
      if (!stop) continue
      held = { reached: stop.reached, waits: stop.at === 'after' }
      if (stop.at === 'before') {
        stop.reached()
        return
      }
    }
    server.write(messages)
  }

  client.on('data', (chunk: Buffer) => {
    requests.push(chunk)
    while (started ? take() : start());
  })
  server.on('data', (chunk: Buffer) => {
    if (!held) client.write(chunk)
    answers.push(chunk)
    for (let message = answers.frame(); message; message = answers.frame()) {
      if (message.type !== 'Z' || !held?.waits) continue
      held.reached()
      held = { reached: () => {}, waits: false }
    }
  })
  for (const socket of [client, server]) {
    socket.on('error', end)
    socket.on('close', end)
  }
  return {
    end,
    pause() {
      client.pause()
      server.pause()
    },
    resume() {
      client.resume()
      server.resume()
    },
  }
}

/** The parameters of a Bind message, from where its list of formats begins. */
function valuesAt(frame: Buffer, from: number): string[] {
  let offset = from + 2 + 2 * frame.readInt16BE(from)
  const count = frame.readInt16BE(offset)
  offset += 2
  const values: string[] = []
  for (let index = 0; index < count; index++) {
    const length = frame.readInt32BE(offset)
    offset += 4
    values.push(length < 0 ? '' : frame.toString('utf8', offset, offset + length))
    offset += Math.max(length, 0)
  }
  return values
}

function folded(sql: string): string {
  return sql.replace(/\s+/g, ' ').trim()
}
