import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ServerConfig } from '../config/config.ts'
import { allPages } from '../connecting/paging.ts'
import type { Session } from '../connecting/session.ts'
import { type CheckedTool, checkTool, isAllowed } from './definition.ts'
import { checkPin, type PinStore, type PinVerdict } from './drift.ts'

/** A tool with what its pin says about it. */
export interface ListedTool {
  readonly tool: CheckedTool
  readonly verdict: PinVerdict
}

/** A tool that is kept out, and why. */
export interface QuarantinedTool {
  readonly tool: string
  readonly reason: string
}

/** The tools of one server at one moment. */
export interface Catalogue {
  readonly tools: readonly ListedTool[]
  readonly quarantined: readonly QuarantinedTool[]
  /** What an operator should know about the list, for example that it is empty. */
  readonly notes: readonly string[]
}

export const emptyCatalogue: Catalogue = { tools: [], quarantined: [], notes: [] }

/** Lists the tools of a server: all pages, each tool checked alone and compared with its pin. */
export async function readCatalogue(
  session: Session,
  server: ServerConfig,
  pins: PinStore,
  before: Catalogue,
  limits: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<Catalogue> {
  const { handshake } = session
  const who = `${handshake.name || 'a server without a name'} ${handshake.version}`.trim()
  const talks = handshake.capabilities.join(', ') || 'nothing'
  if (!handshake.capabilities.includes('tools'))
    return { ...emptyCatalogue, notes: [`Connected as ${who}, which offers ${talks}, but no tools.`] }

  const { items, complete } = await allPages(session, 'tools/list', 'tools', limits)
  const known = new Map(before.tools.map(({ tool }) => [tool.definitionHash, tool]))
  const tools: ListedTool[] = []
  const quarantined: QuarantinedTool[] = []
  const names = new Set<string>()
  for (const item of items) {
    // Compiling the schemas of a long list at once would hold up everything else.
    await nextTurn()
    const checked = checkTool(item, server, handshake.instructions ?? '', known)
    if ('broken' in checked) {
      quarantined.push(checked.broken)
      continue
    }
    const { tool } = checked
    if (!isAllowed(server, tool.definition.name)) continue
    if (names.has(tool.name)) {
      quarantined.push({ tool: tool.definition.name, reason: 'The list has another tool of that name.' })
      continue
    }
    names.add(tool.name)
    tools.push({ tool, verdict: await checkPin(pins, server, tool) })
  }
  const notes = [
    ...(items.length === 0
      ? [`Connected as ${who}, which offers ${talks}, but its list of tools is empty.`]
      : []),
    ...(complete ? [] : [`Its list of tools does not end; the first ${items.length} are used.`]),
    ...(items.length > 0 && tools.length === 0 ? ['None of its tools can be used.'] : []),
  ]
  return { tools, quarantined, notes }
}
