import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type App, startApp } from '../../src/app.ts'
import { type Clock, systemClock } from '../../src/base/clock.ts'
import { loadSettings } from '../../src/config/load.ts'
import { createLog, type Log } from '../../src/observe/log.ts'
import { createLocalEmbedder } from '../../src/search/local-embedder.ts'
import { createWords } from '../../src/search/words.ts'
import { noteRunning } from '../../src/store/running.ts'
import { freshDatabase, freshDirectory } from './database.ts'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

// The apps of a process share what takes long to load.
const loaded = { words: createWords(), embedder: { ...createLocalEmbedder(), stop: async () => {} } }

/** A whole Hermes in the test's process, on an embedded database of its own. */
export interface TestApp extends App {
  readonly home: string
  /** Stops it, and starts another one on the same home, with another config where one is given. */
  restart(config?: object, variables?: Readonly<Record<string, string>>): Promise<TestApp>
  /** Stops it and removes its home. */
  end(): Promise<void>
}

export interface TestAppOptions {
  /** Variables, for example `OPENAI_BASE_URL`. */
  readonly variables?: Readonly<Record<string, string>>
  /** The content of `hermes.config.json`. */
  readonly config?: object
  /** The content of `mcp.json`; no servers by default. `example`: there is no such file, as on a fresh machine. */
  readonly mcp?: object | 'example'
  readonly home?: string
  /** As `start --role` is given it. */
  readonly role?: 'gateway' | 'worker'
  readonly clock?: Clock
  readonly log?: Log
  /** Of an app that was started before, for its restart. */
  readonly services?: Services
}

/** The real services that a test runs on, where the environment names some. */
interface Services {
  readonly variables: Readonly<Record<string, string>>
  close(): Promise<void>
}

/** A database of the app's own on the server of DATABASE_URL, and the Redis of REDIS_URL, where these are set. */
async function openServices(): Promise<Services> {
  const { DATABASE_URL, REDIS_URL } = process.env
  const database = DATABASE_URL ? await freshDatabase() : undefined
  return {
    variables: {
      ...(database ? { DATABASE_URL: database.url } : {}),
      ...(REDIS_URL ? { REDIS_URL } : {}),
    },
    close: async () => database?.close(),
  }
}

/** Starts Hermes as `npm start` does, with a port of its own. */
export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const home = options.home ?? (await freshDirectory())
  const services = options.services ?? (await openServices())
  const variables = {
    HERMES_HOME: home,
    LOG_LEVEL: process.env.HERMES_TEST_LOG ?? 'silent',
    ...services.variables,
    ...options.variables,
  }
  const { mcp = { mcpServers: {} } } = options
  const named = mcp === 'example' ? {} : { HERMES_MCP_CONFIG: 'mcp.json' }
  const read = loadSettings(
    { ...named, ...variables },
    { folder: home, ...(options.role ? { role: options.role } : {}) },
    (path) => {
      if (path.endsWith('hermes.config.json')) return JSON.stringify(options.config ?? {})
      if (path.endsWith('mcp.json')) return mcp === 'example' ? undefined : JSON.stringify(mcp)
      return undefined
    },
  )
  if ('mistakes' in read) throw new Error(read.mistakes.join('\n'))
  const { writeFile } = await import('node:fs/promises')
  if (mcp !== 'example') await writeFile(`${home}/mcp.json`, JSON.stringify(mcp))
  const app = await startApp({
    settings: { ...read.settings, http: { ...read.settings.http, port: 0 } },
    config: read.config,
    root,
    clock: options.clock ?? systemClock,
    log: options.log ?? createLog(read.settings.logLevel),
    variables,
    loaded,
    // What only the sweep finds is found soon; tests of its own pace start Hermes as a process.
    sweepMs: 400,
  })
  // Where tests look into rows, whatever database it is.
  if (services.variables.DATABASE_URL) noteRunning(home, services.variables.DATABASE_URL)
  return {
    ...app,
    home,
    async restart(config, changed = options.variables ?? {}) {
      await app.stop()
      return startTestApp({
        ...options,
        ...(config ? { config } : {}),
        variables: changed,
        home,
        services,
      })
    },
    async end() {
      await app.stop()
      await services.close()
      await rm(home, { recursive: true, force: true })
    },
  }
}
