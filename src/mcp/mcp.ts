import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Clock, systemClock } from '../base/clock.ts'
import { messageOf } from '../base/errors.ts'
import { within } from '../base/wait.ts'
import type { Log } from '../observe/log.ts'
import { type Arguments, callTool, checkArguments, type McpCallOptions, type McpResult } from './call.ts'
import type { Effect, McpConfig, ServerConfig } from './config/config.ts'
import { createChildren } from './connecting/children.ts'
import type { ConnectionState } from './connecting/connection.ts'
import { defaultLimits, type McpLimits } from './limits.ts'
import type { ListedTool } from './listing/catalogue.ts'
import type { ToolDefinition } from './listing/definition.ts'
import { changedParts, type PinStore, pinOf } from './listing/drift.ts'
import type { JsonSchema } from './listing/schema.ts'
import { createReadings, type Readings } from './reading.ts'
import { Server } from './server.ts'

/** A tool of a server, as the tools layer takes it. */
export interface McpTool {
  /** For the model; the only handle for `call` and `check`. */
  readonly name: string
  readonly server: string
  /** The server's own name for it, to show to people. */
  readonly tool: string
  readonly title: string
  readonly description: string
  readonly inputSchema: JsonSchema
  readonly effect: Effect
  readonly idempotent: boolean
  readonly definitionHash: string
  /** Silence in ms after which a call is given up, and what that may be raised to. */
  readonly timeoutMs: number
  readonly longestTimeoutMs: number
  /** What may pass before a call is sent, in ms: connecting, and listing the tools anew. */
  readonly readyMs: number
  /** Stands for where its server is: another address or program is another target, whatever it says of itself. */
  readonly target: string
  /** Why it may not be called until an operator does something. */
  readonly blocked?: string
  /** Why it can't be called at the moment; a call tries to connect all the same. */
  readonly unavailable?: string
}

/** A server, as an operator sees it. */
export interface ServerState extends Partial<Omit<ConnectionState, 'status'>> {
  readonly server: string
  readonly transport?: 'stdio' | 'http' | 'sse'
  readonly status: ConnectionState['status']
  readonly tools: number
  readonly quarantined: readonly { readonly tool: string; readonly reason: string }[]
  readonly notes: readonly string[]
}

/** A definition that changed since it was accepted. */
export interface Drift {
  readonly server: string
  readonly tool: string
  readonly definitionHash: string
  readonly changed: readonly string[]
  readonly accepted: ToolDefinition
  readonly present: ToolDefinition
}

/** All MCP servers of a configuration. */
export interface Mcp extends Readings {
  /** Begins to connect to all servers; returns at once and never throws. */
  start(): void
  /**
   * Waits until every server has listed its tools or could not be reached, but no longer than the limit: for whoever
   * wants to begin with all tools. Returns whether that is so.
   */
  settled(ms: number): Promise<boolean>
  /** Ends all connections, and all children with what they started. */
  stop(): Promise<void>
  states(): readonly ServerState[]
  tools(): readonly McpTool[]
  /** The arguments that may be shown and sent, with what is wrong with them; undefined for an unknown tool. */
  check(
    name: string,
    args: Arguments,
  ): { readonly args: Arguments; readonly problems: readonly string[] } | undefined
  call(name: string, args: Arguments, options?: McpCallOptions): Promise<McpResult>
  drifts(): readonly Drift[]
  /** Accepts a changed definition, if it still is the one with that hash. */
  accept(server: string, tool: string, definitionHash: string): Promise<boolean>
  /** Tells of every change of a state or a list; returns the way to stop listening. */
  onChange(listener: () => void): () => void
}

export interface McpOptions {
  readonly config: McpConfig
  /** The folder where child processes are on record. */
  readonly home: string
  readonly pins: PinStore
  readonly log: Log
  readonly clock?: Clock
  readonly random?: () => number
  /** Stops everything when it fires. */
  readonly signal?: AbortSignal
  readonly limits?: Partial<McpLimits>
}

/** Makes the connections of a configuration; nothing runs before `start`. */
export function createMcp(options: McpOptions): Mcp {
  const { config, pins, clock = systemClock, random = Math.random, signal } = options
  const log = options.log.child({ part: 'mcp' })
  const limits = { ...defaultLimits, ...options.limits }
  const children = createChildren(options.home, log)
  const listeners = new Set<() => void>()
  const onChange = () => {
    for (const listener of [...listeners]) {
      try {
        listener()
      } catch (error) {
        // A listener's trouble must not become the connection's.
        log.error({ error: messageOf(error) }, 'A listener to MCP changes failed.')
      }
    }
  }
  const servers = config.servers.map(
    (server) => new Server(server, { pins, children, log, clock, random, limits, onChange }),
  )
  const parts = { pins, log, clock, limits }
  let stopping: Promise<void> | undefined

  // The table of names. Should two tools have come to one name in spite of `toolName`, the first has it.
  const table = () => {
    const tools = new Map<string, { server: Server; listed: ListedTool }>()
    for (const server of servers)
      for (const listed of server.tools)
        if (!tools.has(listed.tool.name)) tools.set(listed.tool.name, { server, listed })
    return tools
  }

  const start = async () => {
    await nextTurn()
    // First, since a server of the last run may hold what its successor needs: a port, a lock on a file.
    const ended = await within(3000, 'Ending what an earlier run left', children.endOrphans()).catch(() => [])
    if (ended.length > 0)
      log.warn({ servers: ended }, 'MCP servers of an earlier run were still there and were ended.')
    if (!stopping) for (const server of servers) server.start()
  }
  let starting: Promise<void> | undefined

  const stop = () => {
    stopping ??= Promise.all(servers.map((server) => server.stop())).then(() => {})
    return stopping
  }
  signal?.addEventListener('abort', () => void stop(), { once: true })

  return {
    start() {
      starting ??= start().catch((error: unknown) => {
        log.error({ error: messageOf(error) }, 'The MCP servers could not be started.')
      })
    },
    async settled(ms) {
      const isSettled = () => servers.every((server) => server.isSettled)
      let wake = () => {}
      const settled = new Promise<void>((resolve) => {
        wake = () => {
          if (isSettled()) resolve()
        }
      })
      listeners.add(wake)
      wake()
      await within(ms, 'Waiting for MCP servers', settled).catch(() => {})
      listeners.delete(wake)
      return isSettled()
    },
    async stop() {
      await stop()
      await starting
    },

    states() {
      const blocked = config.blocked.map(({ server, reason }): ServerState => {
        return { server, status: 'blocked', reason, tools: 0, quarantined: [], notes: [] }
      })
      return [...servers.map(stateOf), ...blocked]
    },

    tools: () => [...table().values()].map(({ server, listed }) => toolOf(server, listed, limits)),

    check(name, args) {
      const found = table().get(name)
      return found && checkArguments(found.listed.tool, args)
    },

    async call(name, args, callOptions = {}) {
      const found = table().get(name)
      if (found) return callTool(found.server, found.listed.tool.definition.name, args, callOptions, parts)
      const message = `There is no tool "${name}".`
      const failure = { kind: 'not_found' as const, message }
      return { outcome: 'failed', isError: true, text: message, attachments: [], failure }
    },

    drifts() {
      return servers.flatMap((server) =>
        server.tools.flatMap(({ tool, verdict }): Drift[] => {
          const { accepted } = verdict
          if (!accepted) return []
          const { definition: present, definitionHash } = tool
          const changed = changedParts(accepted, present)
          return [
            { server: server.config.name, tool: present.name, definitionHash, changed, accepted, present },
          ]
        }),
      )
    },

    async accept(name, tool, definitionHash) {
      const server = servers.find(({ config }) => config.name === name)
      const listed = server?.find(tool)
      if (!server || listed?.tool.definitionHash !== definitionHash) return false
      await pins.put(name, tool, pinOf(listed.tool))
      await server.relist()
      return true
    },

    ...createReadings(servers, limits),

    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

function stateOf(server: Server): ServerState {
  const { config, state, tools, quarantined, notes } = server
  return {
    server: config.name,
    transport: config.transport,
    ...state,
    tools: tools.length,
    quarantined,
    notes,
  }
}

function toolOf(server: Server, { tool, verdict }: ListedTool, limits: McpLimits): McpTool {
  const { name, title, description, inputSchema, idempotent, definitionHash, definition } = tool
  const { status, reason = 'It is still connecting.' } = server.state
  const { timeoutMs, longestTimeoutMs } = server.config
  return {
    ...{ name, server: tool.server, tool: definition.name, title, description, inputSchema },
    ...{ effect: verdict.effect, idempotent, definitionHash, target: targetOf(server.config) },
    ...{ timeoutMs, longestTimeoutMs, readyMs: limits.readyMs + limits.listMs },
    ...(verdict.blocked === undefined ? {} : { blocked: verdict.blocked }),
    ...(status === 'connected'
      ? {}
      : { unavailable: `The server "${tool.server}" is not available. ${reason}` }),
  }
}

/** A hash, since addresses and arguments may hold secrets. */
function targetOf(config: ServerConfig): string {
  const where = config.transport === 'stdio' ? [config.command, config.args, config.cwd ?? ''] : [config.url]
  return createHash('sha256').update(JSON.stringify(where)).digest('hex')
}
