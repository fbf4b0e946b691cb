import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { freshEmbedded } from '../support/database.ts'

type Database = Awaited<ReturnType<typeof freshEmbedded>>

let database: Database
const idleHoldMs = 1_000

beforeAll(async () => {
  database = await freshEmbedded({ idleHoldMs, upkeepMs: 300 })
  await withClient(async (client) => {
    await client.query('CREATE TABLE counter (id text PRIMARY KEY, value int NOT NULL)')
  })
}, 120_000)

afterAll(() => database?.close())

async function client(config: pg.ClientConfig = {}): Promise<pg.Client> {
  const made = new pg.Client({ connectionString: database.url, ...config })
  // A client that the server sends away emits this beside its rejected queries.
  made.on('error', () => {})
  await made.connect()
  return made
}

async function withClient<T>(work: (client: pg.Client) => Promise<T>, config?: pg.ClientConfig): Promise<T> {
  const made = await client(config)
  try {
    return await work(made)
  } finally {
    await made.end()
  }
}

/** The socket below a client, to break it as a killed process would. */
const socketOf = (made: pg.Client): Socket =>
  (made as unknown as { connection: { stream: Socket } }).connection.stream

const counted = async (id: string): Promise<number | undefined> =>
  withClient(
    async (made) => (await made.query('SELECT value FROM counter WHERE id = $1', [id])).rows[0]?.value,
  )

describe('many clients on one backend', () => {
  test('neither mix their messages nor lose an update', async () => {
    const pool = new pg.Pool({ connectionString: database.url, max: 12 })
    await pool.query("INSERT INTO counter VALUES ('shared', 0)")
    const increment = async () => {
      const held = await pool.connect()
      try {
        await held.query('BEGIN')
        const { rows } = await held.query('SELECT value FROM counter WHERE id = $1', ['shared'])
        await held.query('UPDATE counter SET value = $1 WHERE id = $2', [rows[0].value + 1, 'shared'])
        await held.query('COMMIT')
      } finally {
        held.release()
      }
    }
    const echo = async (number: number) => {
      const { rows } = await pool.query('SELECT $1::int AS number, $2::text AS word', [number, `w${number}`])
      expect(rows).toEqual([{ number, word: `w${number}` }])
    }
    await Promise.all(Array.from({ length: 200 }, (_, index) => Promise.all([increment(), echo(index)])))
    expect(await counted('shared')).toBe(200)
    await pool.end()
  })

  test('take turns: one that never stops asking does not keep the others waiting', async () => {
    const greedy = await wire()
    let stop = false
    const asking = (async () => {
      const many = Buffer.concat(Array.from({ length: 50 }, () => message('Q', 'SELECT 1')))
      while (!stop) await ask(greedy, many, 50)
    })()
    await withClient(async (other) => {
      const started = performance.now()
      for (let index = 0; index < 20; index += 1) await other.query('SELECT 1')
      expect(performance.now() - started).toBeLessThan(2_000)
    })
    stop = true
    await asking
    greedy.destroy()
  })

  test('see each error where it belongs, inside a transaction and out of it', async () => {
    await withClient(async (one) => {
      await withClient(async (other) => {
        await expect(one.query('SELECT no_such_column')).rejects.toMatchObject({ code: '42703' })
        await expect(one.query('SELECT $1::int', ['x'])).rejects.toMatchObject({ code: '22P02' })
        await one.query('BEGIN')
        await expect(one.query('SELECT no_such_column')).rejects.toMatchObject({ code: '42703' })
        await expect(one.query('SELECT 1')).rejects.toMatchObject({ code: '25P02' })
        const waiting = other.query('SELECT 1 AS one')
        await one.query('ROLLBACK')
        expect((await waiting).rows).toEqual([{ one: 1 }])
      })
    })
  })

  test('keep prepared statements of the same name apart, and free them when they leave', async () => {
    const named = (made: pg.Client, text: string) => made.query({ name: 'same', text, rowMode: 'array' })
    await withClient(async (other) => {
      await withClient(async (one) => {
        for (let index = 0; index < 3; index += 1) {
          expect((await named(one, 'SELECT 1')).rows).toEqual([[1]])
          expect((await named(other, 'SELECT 2')).rows).toEqual([[2]])
        }
      })
      await vi.waitFor(async () => {
        const { rows } = await other.query('SELECT count(*)::int AS kept FROM pg_prepared_statements')
        expect(rows).toEqual([{ kept: 1 }])
      })
    })
  })

  test('keep their settings apart, from the start of the connection and set later', async () => {
    const path = async (made: pg.Client) => (await made.query('SHOW search_path')).rows[0].search_path
    await withClient(
      async (own) => {
        await withClient(async (plain) => {
          expect([await path(own), await path(plain), await path(own)]).toEqual([
            '"own", public',
            'public',
            '"own", public',
          ])
          await plain.query("SET search_path TO elsewhere; SET application_name TO 'it''s \\me'")
          await withClient(async (third) => {
            expect(await path(third)).toBe('public')
            expect((await third.query('SHOW application_name')).rows).toEqual([{ application_name: '' }])
          })
          expect([await path(own), await path(plain)]).toEqual(['"own", public', 'elsewhere'])
          expect((await plain.query('SHOW application_name')).rows).toEqual([
            { application_name: "it's \\me" },
          ])
          await plain.query('RESET search_path')
          expect(await path(plain)).toBe('public')
        })
      },
      { options: '-c search_path="own",\\ public' },
    )
  })

  test('are refused with a setting that PostgreSQL does not know', async () => {
    await withClient((made) => expect(made.query('SELECT 1')).rejects.toMatchObject({ code: '42704' }), {
      options: '-c no_such_setting=1',
    })
  })
})

describe('a notification', () => {
  test('wakes an idle client that listens at once, and reaches no other', async () => {
    await withClient(async (idle) => {
      await withClient(async (deaf) => {
        const heard: string[] = []
        deaf.on('notification', () => heard.push('deaf'))
        await idle.query('LISTEN bell')
        for (let index = 0; index < 20; index += 1) {
          const rung = once(idle, 'notification')
          const started = performance.now()
          await withClient((made) => made.query("SELECT pg_notify('bell', $1)", [`ring ${index}`]))
          const [message] = await rung
          expect(message).toMatchObject({ channel: 'bell', payload: `ring ${index}` })
          expect(performance.now() - started).toBeLessThan(1_000)
        }
        expect(heard).toEqual([])
      })
    })
  })

  test('is given once its transaction commits, and not where it is rolled back', async () => {
    await withClient(async (idle) => {
      const heard: (string | undefined)[] = []
      idle.on('notification', ({ payload }) => heard.push(payload))
      await idle.query('LISTEN bell')
      await withClient(async (made) => {
        await made.query("BEGIN; NOTIFY bell, 'dropped'")
        await made.query('ROLLBACK')
        await made.query("BEGIN; NOTIFY bell, 'kept'")
        await made.query('SELECT 1')
        expect(heard).toEqual([])
        await made.query('COMMIT')
      })
      await vi.waitFor(() => expect(heard).toEqual(['kept']))
    })
  })

  test('still reaches a client after another has stopped listening or left', async () => {
    await withClient(async (idle) => {
      await idle.query('LISTEN "The Bell"')
      const heard: (string | undefined)[] = []
      idle.on('notification', ({ payload }) => heard.push(payload))
      await withClient(async (made) => {
        await made.query('LISTEN "The Bell"')
        await made.query('UNLISTEN *')
        await made.query(`NOTIFY "The Bell", 'after unlisten'`)
        await made.query('LISTEN "The Bell"')
      })
      await withClient((made) => made.query(`NOTIFY "The Bell", 'after leaving'`))
      await vi.waitFor(() => expect(heard).toEqual(['after unlisten', 'after leaving']))
    })
  })
})

describe('a client that does not finish', () => {
  test('is rolled back when it vanishes in a transaction, and the backend is free again', async () => {
    const lost = await client()
    await lost.query('BEGIN')
    await lost.query("INSERT INTO counter VALUES ('vanished', 1)")
    const waiting = counted('vanished')
    socketOf(lost).resetAndDestroy()
    expect(await waiting).toBeUndefined()
  })

  test('is rolled back when it vanishes in a failed transaction', async () => {
    const lost = await client()
    await lost.query('BEGIN')
    await expect(lost.query('SELECT no_such_column')).rejects.toThrow()
    socketOf(lost).resetAndDestroy()
    expect(await counted('vanished')).toBeUndefined()
  })

  test('is cut off and rolled back when it is idle in a transaction for too long', async () => {
    const idle = await client()
    const ended = new Promise<void>((resolve) => idle.once('end', resolve))
    const reason = new Promise<unknown>((resolve) => idle.once('error', resolve))
    await idle.query('BEGIN')
    await idle.query("INSERT INTO counter VALUES ('idle', 1)")
    expect(await counted('idle')).toBeUndefined()
    expect(await reason).toMatchObject({ code: '25P03' })
    await ended
  })

  test('does not hold the backend by half a statement', async () => {
    const half = await wire()
    half.write(message('P', '', 'SELECT 1', Buffer.from([0, 0])))
    expect(await counted('half')).toBeUndefined()
    half.destroy()
  })

  test('is rolled back when it vanishes between a statement that failed and its Sync', async () => {
    const half = await wire()
    half.write(Buffer.concat([message('P', '', 'SELECT no_such_column', Buffer.from([0, 0])), message('H')]))
    await once(half, 'data')
    half.destroy()
    expect(await counted('half')).toBeUndefined()
  })
})

describe('what is not allowed', () => {
  test('a wrong password, and another user, get no connection', async () => {
    const url = new URL(database.url)
    url.password = 'x'.repeat(url.password.length)
    await expect(new pg.Client({ connectionString: url.href }).connect()).rejects.toMatchObject({
      code: '28P01',
    })
    const other = new URL(database.url)
    other.username = 'postgres'
    await expect(new pg.Client({ connectionString: other.href }).connect()).rejects.toMatchObject({
      code: '28P01',
    })
  })

  test('encryption is declined in a way that lets a client go on without it', async () => {
    const socket = connect(Number(new URL(database.url).port), '127.0.0.1')
    socket.write(Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]))
    expect((await once(socket, 'data'))[0].toString()).toBe('N')
    socket.write(Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x30]))
    expect((await once(socket, 'data'))[0].toString()).toBe('N')
    socket.destroy()
  })

  test('a request to cancel, noise and an unknown message end their own connection and nothing else', async () => {
    await withClient(async (other) => {
      for (const bytes of [
        Buffer.from([0, 0, 0, 16, 0x04, 0xd2, 0x16, 0x2e, 0, 0, 0, 1, 0, 0, 0, 0]),
        Buffer.from('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'),
        Buffer.from([0, 0, 0, 3, 0, 0, 0, 0]),
      ]) {
        const socket = connect(Number(new URL(database.url).port), '127.0.0.1')
        socket.on('error', () => {})
        socket.resume()
        socket.write(bytes)
        await once(socket, 'close')
      }
      const noZero = Buffer.from('no zero byte')
      for (const bytes of [
        message('!', 'x'),
        message('Z', Buffer.from('I')),
        Buffer.concat([message('P', noZero), message('S')]),
        Buffer.concat([message('B', '', noZero), message('S')]),
        Buffer.concat([message('D'), message('S')]),
        Buffer.from([0x51, 0, 0, 0, 1]),
        Buffer.from([0x51, 0x7f, 0xff, 0xff, 0xff]),
      ]) {
        const socket = await wire()
        socket.resume()
        socket.write(bytes)
        await once(socket, 'close')
      }
      expect((await other.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
    })
  })

  test('a message that only PostgreSQL finds wrong is an error for its client, who can go on', async () => {
    const socket = await wire()
    expect(await ask(socket, Buffer.concat([message('E'), message('S')]))).toContain('08P01')
    expect(await ask(socket, message('Q', "SELECT 'still here'"))).toContain('still here')
    socket.destroy()
  })

  test('COPY FROM STDIN is refused with a sentence, plain and prepared; the words in a text are not', async () => {
    await withClient(async (made) => {
      const refused = { message: expect.stringContaining('not supported by the embedded database') }
      await expect(made.query('COPY counter FROM STDIN')).rejects.toMatchObject(refused)
      await expect(made.query({ name: 'copying', text: 'COPY counter FROM STDIN' })).rejects.toMatchObject(
        refused,
      )
      expect((await made.query("SELECT 'copy from stdin' AS words")).rows).toEqual([
        { words: 'copy from stdin' },
      ])
      expect((await made.query('SELECT $1::int AS one', [1])).rows).toEqual([{ one: 1 }])
    })
  })
})

describe('the protocol below the drivers', () => {
  test('keeps an unnamed statement for its client from one batch to the next', async () => {
    const one = await wire()
    const other = await wire()
    const parse = (text: string) => Buffer.concat([message('P', '', text, Buffer.from([0, 0])), message('S')])
    const execute = Buffer.concat([
      message('B', '', '', Buffer.from([0, 0, 0, 0, 0, 0])),
      message('E', '', Buffer.from([0, 0, 0, 0])),
      message('S'),
    ])
    await ask(one, parse("SELECT 'of one'"))
    await ask(other, parse("SELECT 'of the other'"))
    expect(await ask(one, execute)).toContain('of one')
    expect(await ask(other, execute)).toContain('of the other')
    expect(await ask(one, execute)).toContain('of one')
    one.destroy()
    other.destroy()
  })

  test('tells prepared statements apart whose long names differ only at their ends', async () => {
    const socket = await wire()
    const name = (end: string) => `${'n'.repeat(63)}${end}`
    const parse = (end: string) => message('P', name(end), `SELECT 'statement ${end}'`, Buffer.from([0, 0]))
    await ask(socket, Buffer.concat([parse('1'), parse('2'), message('S')]))
    const answer = await ask(
      socket,
      Buffer.concat([
        message('B', '', name('1'), Buffer.from([0, 0, 0, 0, 0, 0])),
        message('E', '', Buffer.from([0, 0, 0, 0])),
        message('S'),
      ]),
    )
    expect(answer).toContain('statement 1')
    socket.destroy()
  })

  test('answers several batches that were sent at once, in their order', async () => {
    const socket = await wire()
    const answer = await ask(
      socket,
      Buffer.concat(['1', '2', '3'].map((n) => message('Q', `SELECT 'row ${n}'`))),
      3,
    )
    expect(answer.match(/row \d/g)).toEqual(['row 1', 'row 2', 'row 3'])
    socket.destroy()
  })

  test('takes a message that arrives byte by byte', async () => {
    const socket = await wire()
    const answer = ask(socket, Buffer.alloc(0))
    for (const byte of message('Q', "SELECT 'slow'")) {
      socket.write(Buffer.from([byte]))
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(await answer).toContain('slow')
    socket.destroy()
  })
})

test('large texts go in and out whole', async () => {
  await withClient(async (made) => {
    const text = 'é'.repeat(8 * 1024 * 1024)
    const { rows } = await made.query('SELECT $1::text AS text, length($1::text) AS length', [text])
    expect(rows[0].length).toBe(text.length)
    expect(rows[0].text === text).toBe(true)
  })
})

test('a client that does not read its answers keeps nobody else waiting', async () => {
  const lazy = await wire()
  lazy.pause()
  for (let index = 0; index < 20; index += 1)
    lazy.write(message('Q', "SELECT repeat('x', 1000000) FROM generate_series(1, 8)"))
  await withClient(async (made) => {
    const started = performance.now()
    for (let index = 0; index < 50; index += 1) await made.query('SELECT 1')
    expect(performance.now() - started).toBeLessThan(3_000)
  })
  lazy.destroy()
})

test('vectors can be compared', async () => {
  await withClient(async (made) => {
    const { rows } = await made.query("SELECT ('[1,2]'::vector <-> $1::vector) AS distance", ['[1,5]'])
    expect(rows).toEqual([{ distance: 3 }])
  })
})

test('dead rows are cleaned up and the log is kept short while it runs', async () => {
  await withClient(async (made) => {
    await made.query('CREATE TABLE churned (id int PRIMARY KEY, text text)')
    await made.query("INSERT INTO churned SELECT n, repeat('x', 500) FROM generate_series(1, 20000) n")
    for (let round = 0; round < 4; round += 1) await made.query("UPDATE churned SET text = text || 'y'")
    await vi.waitFor(
      async () => {
        const { rows } = await made.query(`
          SELECT n_dead_tup::int AS dead, last_analyze IS NOT NULL AS analyzed,
            (SELECT (pg_current_wal_lsn() - redo_lsn)::int FROM pg_control_checkpoint()) AS log
          FROM pg_stat_all_tables WHERE relname = 'churned'`)
        expect(rows[0]).toMatchObject({ dead: 0, analyzed: true })
        expect(rows[0].log).toBeLessThan(40 * 1024 * 1024)
      },
      { timeout: 20_000, interval: 200 },
    )
  })
})

function message(type: string, ...parts: (string | Buffer)[]): Buffer {
  const body = Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(`${part}\0`) : part)),
  )
  const header = Buffer.alloc(5)
  header.write(type)
  header.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([header, body])
}

/** A connection without a driver, past its handshake. */
async function wire(): Promise<Socket> {
  const url = new URL(database.url)
  const socket = connect(Number(url.port), '127.0.0.1')
  socket.on('error', () => {})
  const startup = Buffer.from(`\0\0\0\0\0\x03\0\0user\0${url.username}\0database\0postgres\0\0`, 'latin1')
  startup.writeInt32BE(startup.length)
  socket.write(startup)
  await once(socket, 'data')
  await ask(socket, message('p', url.password))
  return socket
}

/** Sends bytes and gives the answer as text, up to a number of ReadyForQuery messages. */
async function ask(socket: Socket, bytes: Buffer, answers = 1): Promise<string> {
  socket.write(bytes)
  let text = ''
  let left = answers
  while (left > 0) {
    const [chunk] = await once(socket, 'data')
    text += chunk.toString('latin1')
    left = answers - (text.match(/Z\0\0\0\x05[ITE]/g)?.length ?? 0)
  }
  return text
}
