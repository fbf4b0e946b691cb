import { readError } from './connecting/failures.ts'
import type { Session } from './connecting/session.ts'
import type { Content } from './content.ts'
import {
  getPrompt,
  listPrompts,
  listResources,
  type McpPrompt,
  type McpPromptText,
  type McpResource,
  type ReadLimits,
  type ResourceReference,
  readResource,
} from './resources.ts'
import type { Server } from './server.ts'

/** What a read gives, or why it does not, in a sentence. */
export type McpReading<T> = { readonly ok: T } | { readonly failed: string }

export interface ReadOptions {
  readonly signal?: AbortSignal
}

/** What servers offer beside tools. */
export interface Readings {
  /** Resources of one server, or of all that are connected. */
  resources(server?: string, options?: ReadOptions): Promise<readonly McpResource[]>
  readResource(reference: ResourceReference, options?: ReadOptions): Promise<McpReading<Content>>
  /** Prompts of one server, or of all that are connected. */
  prompts(server?: string, options?: ReadOptions): Promise<readonly McpPrompt[]>
  getPrompt(
    server: string,
    name: string,
    args: Readonly<Record<string, string>>,
    options?: ReadOptions,
  ): Promise<McpReading<McpPromptText>>
}

/** Reads resources and prompts of servers, connecting where that is needed. */
export function createReadings(servers: readonly Server[], limits: { readonly readyMs: number }): Readings {
  const from = async <T>(
    name: string,
    read: (session: Session, limits: ReadLimits) => Promise<T>,
    { signal }: ReadOptions = {},
  ): Promise<McpReading<T>> => {
    const server = servers.find(({ config }) => config.name === name)
    if (!server) return { failed: `There is no MCP server "${name}".` }
    const session = await server.connection.ready(limits.readyMs, signal)
    if (!session)
      return { failed: `The server "${name}" is not available. ${server.state.reason ?? ''}`.trim() }
    try {
      return { ok: await read(session, { timeoutMs: server.config.timeoutMs, signal }) }
    } catch (error) {
      return { failed: readError(error).message }
    }
  }

  const list = async <T>(
    name: string | undefined,
    read: (session: Session, server: string, limits: ReadLimits) => Promise<T[]>,
    options?: ReadOptions,
  ): Promise<readonly T[]> => {
    const asked = servers.filter(({ config, connection }) =>
      name === undefined ? connection.session !== undefined : config.name === name,
    )
    const lists = await Promise.all(
      asked.map(({ config }) =>
        from(config.name, (session, limits) => read(session, config.name, limits), options),
      ),
    )
    return lists.flatMap((result) => ('ok' in result ? result.ok : []))
  }

  return {
    resources: (server, options) => list(server, listResources, options),
    prompts: (server, options) => list(server, listPrompts, options),
    readResource: ({ server, uri }, options) =>
      from(server, (session, limits) => readResource(session, uri, limits), options),
    getPrompt: (server, name, args, options) =>
      from(server, (session, limits) => getPrompt(session, name, args, limits), options),
  }
}
