import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { parseMcpConfig } from '../../../src/mcp/config/config.ts'
import type { McpLimits } from '../../../src/mcp/limits.ts'
import type { Pin, PinStore } from '../../../src/mcp/listing/drift.ts'
import { createMcp, type Mcp, type McpTool, type ServerState } from '../../../src/mcp/mcp.ts'
import { silentLog } from '../../../src/observe/log.ts'

/** A folder that is gone after the test. */
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'hermes-mcp-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

/** Pins in memory, as the app keeps them in the database. */
export function memoryPins(): PinStore & { readonly all: Map<string, Pin> } {
  const all = new Map<string, Pin>()
  return {
    all,
    get: async (server, tool) => all.get(`${server}/${tool}`),
    put: async (server, tool, pin) => {
      all.set(`${server}/${tool}`, pin)
    },
  }
}

/** The entry of a server with odd manners. */
export function oddServer(behaviour: object, more: object = {}): object {
  return {
    command: 'node',
    args: [fileURLToPath(new URL('./odd-server.ts', import.meta.url)), JSON.stringify(behaviour)],
    ...more,
  }
}

export const filesystemEntry = resolve('node_modules/@modelcontextprotocol/server-filesystem/dist/index.js')
export const everythingEntry = resolve('node_modules/@modelcontextprotocol/server-everything/dist/index.js')

/** Starts the servers of a test and stops them after it. */
export function startMcp(
  servers: Record<string, object>,
  options: {
    limits?: Partial<McpLimits>
    pins?: PinStore
    home?: string
    variables?: NodeJS.ProcessEnv
  } = {},
): Mcp & { readonly home: string; readonly startMs: number } {
  const config = parseMcpConfig(JSON.stringify({ mcpServers: servers }), {
    file: resolve('mcp.json'),
    variables: options.variables ?? {},
  })
  const home = options.home ?? folder()
  const limits = { retryMs: 100, retryMaxMs: 1000, closeMs: 500, askMs: 500, ...options.limits }
  const mcp = createMcp({ config, home, pins: options.pins ?? memoryPins(), log: silentLog, limits })
  onTestFinished(() => mcp.stop())
  const before = performance.now()
  mcp.start()
  return { ...mcp, home, startMs: performance.now() - before }
}

/** Waits for something to become true (or given), and says what it waited for when it does not. */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  ms = 15_000,
): Promise<NonNullable<T>> {
  const end = performance.now() + ms
  for (;;) {
    const seen = await look()
    if (seen) return seen
    if (performance.now() > end) throw new Error(`Waited ${ms} ms in vain until ${what}.`)
    await delay(20)
  }
}

export function stateOf(mcp: Mcp, server: string): ServerState {
  const state = mcp.states().find((candidate) => candidate.server === server)
  if (!state) throw new Error(`There is no server ${server}.`)
  return state
}

/** Waits until a server is connected and has listed something. */
export function listed(mcp: Mcp, server: string, tools = 1): Promise<ServerState> {
  return until(`${server} has listed its tools`, () => {
    const state = stateOf(mcp, server)
    return state.status === 'connected' && state.tools >= tools ? state : undefined
  })
}

export function toolOf(mcp: Mcp, name: string): McpTool {
  const tool = mcp.tools().find((candidate) => candidate.name === name)
  if (!tool) throw new Error(`There is no tool ${name}; there are ${mcp.tools().map((each) => each.name)}.`)
  return tool
}

/** A tool that takes anything, as a server would define it. */
export function anyTool(name: string, more: object = {}): object {
  return { name, description: `Does ${name}.`, inputSchema: { type: 'object' }, ...more }
}

/** Does a process run? One that has ended but was not yet taken note of by its parent does not. */
export function runs(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2)[0] !== 'Z'
  } catch {
    if (existsSync('/proc')) return false
  }
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
