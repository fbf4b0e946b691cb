import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { pause } from '../../../src/base/wait.ts'
import { keptFolder } from '../room.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** A real `hermes start` in a process of its own. */
export interface Child {
  readonly pid: number
  /** Resolves when it says that it runs; rejects where it ends before. */
  readonly ready: Promise<void>
  /** Where it can be reached, once it is ready. */
  address(): string
  /** What it wrote to standard error. */
  errors(): string
  /** Resolves when it has ended: with its exit code, or with the signal that ended it. */
  readonly ended: Promise<number | string>
  /** Is it still there? */
  alive(): boolean
  kill(signal?: NodeJS.Signals): void
}

export interface ChildOptions {
  readonly home: string
  /** 0 for any. A process that takes another's place takes its port too, so that clients find it. */
  readonly port?: number
  readonly role?: 'gateway' | 'worker'
  readonly variables?: Readonly<Record<string, string>>
}

/** Starts Hermes and waits until it runs. */
export async function startChild(options: ChildOptions): Promise<Child> {
  const child = spawnChild(options)
  await child.ready
  return child
}

/**
 * Starts Hermes as `npm start` does once everything is installed. Compiled code is kept between starts, which
 * saves some of their time.
 */
export function spawnChild(options: ChildOptions): Child {
  const args = [join(root, 'src/main.ts'), 'start', ...(options.role ? ['--role', options.role] : [])]
  const child = spawn(process.execPath, args, {
    cwd: options.home,
    // With a channel to it the child ends when this process does, however that happens.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      HERMES_HOME: options.home,
      HERMES_MCP_CONFIG: join(options.home, 'mcp.json'),
      HERMES_MODEL: 'scripted',
      LOG_LEVEL: process.env.HERMES_TEST_LOG ?? 'warn',
      NODE_COMPILE_CACHE: join(keptFolder(), `hermes-test-compiled-${userInfo().uid}`),
      PORT: String(options.port ?? 0),
      ...options.variables,
    },
  })
  let output = ''
  let errors = ''
  child.stdout?.on('data', (chunk) => {
    output += chunk
  })
  child.stderr?.on('data', (chunk) => {
    errors = (errors + chunk).slice(-20_000)
    if (process.env.HERMES_TEST_LOG) process.stderr.write(chunk)
  })
  const alive = () => child.exitCode === null && child.signalCode === null
  const waitUntilReady = async () => {
    const until = performance.now() + 90_000
    while (!/Hermes is running.*\n$/s.test(output)) {
      if (!alive() || performance.now() > until) {
        child.kill('SIGKILL')
        await ended
        throw new Error(`Hermes did not start: ${output}\n${errors}`)
      }
      await pause(10)
    }
  }
  const ended = endOf(child)
  const ready = waitUntilReady()
  ready.catch(() => {})
  return {
    pid: child.pid!,
    ready,
    address: () => /http:\/\/\S+/.exec(output)?.[0] ?? '',
    errors: () => errors,
    ended,
    alive,
    kill: (signal = 'SIGKILL') => void child.kill(signal),
  }
}

async function endOf(child: ChildProcess): Promise<number | string> {
  // Everything that it wrote has been read by then.
  const [code, signal] = await once(child, 'close')
  return signal ?? code
}

/** A HERMES_HOME with no MCP servers and, where given, settings. The test removes it. */
export async function freshHome(config: object = {}): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'hermes-recovery-'))
  await writeFile(join(path, 'mcp.json'), JSON.stringify({ mcpServers: {} }))
  await writeFile(join(path, 'hermes.config.json'), JSON.stringify(config))
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}

/** A port that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}
