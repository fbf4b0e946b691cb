import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { type JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js'
import { codeOf, HermesError } from '../../base/errors.ts'
import type { StdioServer } from '../config/config.ts'
import { type Children, markVariable } from './children.ts'
import { type Line, LineCutter } from './lines.ts'
import type { OutputTail } from './output.ts'
import { answeredId, oversizeAnswer } from './oversize.ts'
import { endGroup, groupLives, hasProcessGroups } from './process-groups.ts'

// What a program needs to run at all. Everything else, and every secret, only by being named in `env`.
const inherited = [
  ...['PATH', 'HOME', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TZ', 'TMPDIR', 'USER', 'LOGNAME', 'SHELL', 'TERM'],
  ...[
    'APPDATA',
    'LOCALAPPDATA',
    'PATHEXT',
    'PROGRAMFILES',
    'SYSTEMDRIVE',
    'SYSTEMROOT',
    'TEMP',
    'USERPROFILE',
  ],
]

/** How long a child may take to end. */
export interface EndLimits {
  /** After its standard input was closed, which is how a well-behaved server learns that it is over. */
  readonly closeMs: number
  /** After SIGTERM to its group. */
  readonly askMs: number
  /** After SIGKILL to its group. */
  readonly forceMs: number
}

/**
 * A server as a child process in a process group of its own, which ends as a whole. The SDK's own stdio
 * transport (1.32) ends only the child, and closes the connection at a message of more than 10 MB.
 */
export class StdioTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void

  readonly #server: StdioServer
  readonly #children: Children
  readonly #output: OutputTail
  readonly #limits: EndLimits
  readonly #arrived: JSONRPCMessage[] = []
  #delivering = false
  #child: ChildProcess | undefined
  #exited = Promise.resolve()
  #ending: Promise<void> | undefined
  #exit: string | undefined
  #version: string | undefined

  constructor(server: StdioServer, parts: { children: Children; output: OutputTail; limits: EndLimits }) {
    this.#server = server
    this.#children = parts.children
    this.#output = parts.output
    this.#limits = parts.limits
  }

  /** How the child ended by itself, in words. */
  get exit(): string | undefined {
    return this.#exit
  }

  get protocolVersion(): string | undefined {
    return this.#version
  }

  setProtocolVersion(version: string): void {
    this.#version = version
  }

  async start(): Promise<void> {
    const { command, args, cwd, env, name } = this.#server
    if (cwd !== undefined && !existsSync(cwd))
      throw new HermesError('mcp.spawn', `Its working folder ${cwd} does not exist.`)
    const mark = randomUUID()
    // "node" is the Node.js that Hermes itself runs on; the system's may be too old for a server.
    const child = spawn(command === 'node' ? process.execPath : command, args, {
      cwd,
      env: { ...safeEnvironment(), ...env, [markVariable]: mark },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: hasProcessGroups,
      windowsHide: true,
    })
    this.#child = child
    this.#exited = new Promise((resolve) => child.once('exit', () => resolve()))
    this.#listen(child)
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve)
      child.on('error', (error) => reject(spawnError(command, error)))
    })
    if (child.pid !== undefined) this.#children.add({ pid: child.pid, server: name, mark })
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin
    if (!stdin || this.#ending)
      return Promise.reject(new HermesError('mcp.closed', 'The connection is closed.'))
    return new Promise((resolve, reject) => {
      stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()))
    })
  }

  /** Ends the child and everything that it started. */
  close(): Promise<void> {
    this.#ending ??= this.#end()
    return this.#ending
  }

  #listen(child: ChildProcess): void {
    const cutter = new LineCutter(this.#server.maxResultBytes)
    child.stdout?.on('data', (chunk: Buffer) => {
      for (const line of cutter.push(chunk)) this.#receive(line)
    })
    child.stderr?.on('data', (chunk: Buffer) => this.#output.add(chunk.toString('utf8')))
    for (const stream of [child.stdin, child.stdout, child.stderr])
      stream?.on('error', (error) => this.onerror?.(error))
    child.once('exit', (code, signal) => {
      if (!this.#ending) this.#exit = signal ? `ended by ${signal}` : `ended with code ${code}`
      // Its last answer may still be in the pipe. 'close' alone is no sign: a grandchild can hold the pipe open.
      const settle = setTimeout(() => void this.close(), 200)
      child.once('close', () => {
        clearTimeout(settle)
        void this.close()
      })
    })
  }

  #receive(line: Line): void {
    if (line.kind === 'dropped') {
      const id = answeredId(line.head, line.tail)
      const facts = { size: line.size, limit: this.#server.maxResultBytes }
      if (id !== undefined) this.#deliver([oversizeAnswer(id, facts)])
      else this.onerror?.(new Error(`A message of ${line.size} bytes was dropped.`))
      return
    }
    const text = line.bytes.toString('utf8').trim()
    if (text === '') return
    const messages = messagesOf(text)
    // Some servers print logs to standard output, which belongs to the protocol alone.
    if (messages.length === 0) this.#output.add(`${text}\n`)
    this.#deliver(messages)
  }

  // The SDK (1.32) handles an answer at once but a notice a moment later, so that the last progress of a call, which
  // comes in one piece with its answer, would be dropped. A notice therefore gets a moment of its own.
  #deliver(messages: readonly JSONRPCMessage[]): void {
    this.#arrived.push(...messages)
    if (!this.#delivering) void this.#pump()
  }

  async #pump(): Promise<void> {
    this.#delivering = true
    for (let next = this.#arrived.shift(); next; next = this.#arrived.shift()) {
      this.#hand(next)
      if (!('id' in next)) await nextTurn()
    }
    this.#delivering = false
  }

  #hand(message: JSONRPCMessage): void {
    try {
      this.onmessage?.(message)
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)))
    }
  }

  async #end(): Promise<void> {
    for (const message of this.#arrived.splice(0)) this.#hand(message)
    // Before the child has ended, so that whoever waits for an answer learns at once that none will come.
    this.onclose?.()
    const child = this.#child
    const pid = child?.pid
    if (!child || pid === undefined) return
    const { closeMs, askMs, forceMs } = this.#limits
    child.stdin?.end()
    await endsWithin(closeMs, this.#exited)
    const ended = !groupLives(pid) || (await endGroup(pid, { askMs, forceMs }))
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy()
    if (ended) this.#children.remove(pid)
  }
}

function safeEnvironment(): Record<string, string> {
  return Object.fromEntries(
    inherited.flatMap((name) => {
      const value = process.env[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

function spawnError(command: string, error: Error): HermesError {
  const why =
    codeOf(error) === 'ENOENT'
      ? `The command "${command}" was not found.`
      : codeOf(error) === 'EACCES'
        ? `The command "${command}" may not be run.`
        : `The command "${command}" did not start: ${error.message}.`
  return new HermesError('mcp.spawn', why, { cause: error })
}

function messagesOf(text: string): JSONRPCMessage[] {
  if (!text.startsWith('{') && !text.startsWith('[')) return []
  try {
    const content: unknown = JSON.parse(text)
    const items = Array.isArray(content) ? content : [content]
    return items.flatMap((item) => {
      const parsed = JSONRPCMessageSchema.safeParse(item)
      return parsed.success ? [parsed.data] : []
    })
  } catch {
    return []
  }
}

async function endsWithin(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  await Promise.race([work, new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)))])
  clearTimeout(timer)
}
