import { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { vector } from '@electric-sql/pglite-pgvector'

/** The one PostgreSQL backend: whole messages in, whole answers out, one after another. */
export interface Engine {
  /** What a backend tells each client when it starts (server_version, TimeZone, …). */
  readonly parameters: ReadonlyMap<string, string>
  /** Runs messages and gives the whole answer. A rejection means that the engine is broken for good. */
  run(messages: Buffer): Promise<Buffer>
  close(): Promise<void>
}

// pglitec.c leaves the WebAssembly with this status where PostgreSQL would jump back to its main loop:
// an ordinary SQL error. Any other exception is a crash.
const ordinaryError = 100

/** Opens an existing data directory. */
export async function openEngine(directory: string): Promise<Engine> {
  const database = await PGlite.create({
    fs: new NodeFS(directory),
    extensions: { vector },
    startParams: [...PGlite.defaultStartParams, ...modest],
  })
  const parameters = await readParameters(database)
  const crash = watchForCrashes(database)

  return {
    parameters,
    async run(messages) {
      const chunks: Buffer[] = []
      // The streaming call gives the bytes as they are; the others also parse them, and keep what they
      // parsed for ever when only raw messages are run.
      await database.execProtocolRawStream(messages, {
        syncToFs: false,
        onRawData: (bytes) => void chunks.push(Buffer.from(bytes)),
      })
      const crashed = crash()
      if (crashed) throw crashed
      return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
    },
    close: () => database.close(),
  }
}

// One user's machine: 100 MB less memory, and no more log than a checkpoint leaves behind.
const modest = ['-c', 'shared_buffers=32MB', '-c', 'min_wal_size=32MB', '-c', 'max_wal_size=64MB']

/** Makes a new data directory. Run it on a directory beside the real one: a kill midway leaves a part. */
export async function createDataDirectory(directory: string): Promise<void> {
  const database = await PGlite.create({ fs: new NodeFS(directory), extensions: { vector } })
  await database.close()
}

const reported = [
  'server_version',
  'server_encoding',
  'client_encoding',
  'application_name',
  'is_superuser',
  'session_authorization',
  'DateStyle',
  'IntervalStyle',
  'TimeZone',
  'integer_datetimes',
  'standard_conforming_strings',
]

async function readParameters(database: PGlite): Promise<ReadonlyMap<string, string>> {
  const parameters = new Map<string, string>()
  for (const name of reported) {
    const { rows } = await database.query<{ value: string | null }>(
      'select current_setting($1, true) as value',
      [name],
    )
    parameters.set(name, rows[0]?.value ?? '')
  }
  return parameters
}

/**
 * PGlite swallows every exception of its main loop and calls it again, also after a trap, which never
 * ends. Its loop looks these functions up on the module, so they can tell a crash from an SQL error, and
 * leave the loop by an exception that PGlite doesn't catch.
 */
function watchForCrashes(database: PGlite): () => Error | undefined {
  const module = database.Module
  const { _PostgresMainLoopOnce: runOnce, stackRestore } = module
  let crashed: Error | undefined
  module._PostgresMainLoopOnce = () => {
    try {
      runOnce()
    } catch (error) {
      const ordinary =
        error && typeof error === 'object' && 'status' in error && error.status === ordinaryError
      if (!ordinary) crashed = error instanceof Error ? error : new Error(String(error))
      throw error
    }
  }
  module.stackRestore = (pointer) => {
    if (crashed) throw crashed
    return stackRestore(pointer)
  }
  return () => crashed
}
