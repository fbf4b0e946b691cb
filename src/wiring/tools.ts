import type { DeskCases } from '../agent/desk/desk.ts'
import type { Ids } from '../base/ids.ts'
import type { Config } from '../config/file.ts'
import type { Mcp } from '../mcp/mcp.ts'
import type { Memory } from '../memory/memory.ts'
import type { Database } from '../store/client.ts'
import type { Grants } from '../tools/approvals/grants.ts'
import { deskTools } from '../tools/builtin/desk.ts'
import { findingTools } from '../tools/builtin/finding.ts'
import { grantTools } from '../tools/builtin/grants.ts'
import { httpTools } from '../tools/builtin/http.ts'
import { memoryTools } from '../tools/builtin/memory.ts'
import type { Post } from '../tools/builtin/messages.ts'
import { messageTools } from '../tools/builtin/messages.ts'
import { planTools } from '../tools/builtin/plan.ts'
import { proposalTools } from '../tools/builtin/proposals.ts'
import { reminderTools } from '../tools/builtin/reminders.ts'
import { resultTools } from '../tools/builtin/results.ts'
import { ticketTools } from '../tools/builtin/tickets.ts'
import { undoTools } from '../tools/builtin/undo.ts'
import { workflowTools } from '../tools/builtin/workflows.ts'
import { createRegistry, type ToolRegistry } from '../tools/registry.ts'
import type { Choosing } from '../tools/selection/choosing.ts'
import type { TicketBook } from '../tools/ticket-book.ts'
import type { Addresses } from './addresses.ts'
import { askDesk } from './desk.ts'
import { mcpTools } from './mcp-tools.ts'
import { memoryStore } from './memory.ts'
import { chargedTools, type Meter } from './meter.ts'

/** All tools: those of the house, and those of MCP servers. */
export function createTools(parts: {
  config: Config
  db: Database
  ids: Ids
  book: TicketBook
  addresses: Addresses
  memory: Memory
  post: Post
  grants: Grants
  desk: DeskCases
  mcp: Mcp
  meter: Pick<Meter, 'charge'>
  choosing: Choosing
}): ToolRegistry {
  const { config, db, ids, book, addresses, memory, post, grants, desk, mcp, choosing } = parts
  const registry: ToolRegistry = createRegistry(
    [
      ...ticketTools({ book, address: addresses.ticket }),
      ...chargedTools(parts.meter, memoryTools(memoryStore(memory))),
      ...reminderTools({ db, ids }),
      ...messageTools(post),
      ...resultTools({ db, pageTokens: config.results.digestTokens }),
      ...proposalTools(db),
      ...grantTools(grants),
      ...planTools(db),
      ...undoTools({ db, tools: () => registry.all() }),
      ...(config.desk ? deskTools(askDesk(desk)) : []),
      ...workflowTools(config.workflows),
      ...findingTools(
        () => registry.all(),
        (tools, now, signal) =>
          choosing.score(tools, { now, signal }, { ...config.tools.selection, vectorsFrom: 0 }),
      ),
      ...httpTools({
        ...config.http,
        timeoutMs: config.http.timeoutSeconds * 1_000,
        maxBytes: config.http.kilobytes * 1_000,
      }),
    ],
    mcpTools(mcp),
    config.tools.overrides,
  )
  return registry
}
