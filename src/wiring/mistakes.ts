import type { ChannelName } from '../channel/events.ts'
import type { Config } from '../config/file.ts'
import { unknownTools } from '../config/workflow-check.ts'
import type { Mcp } from '../mcp/mcp.ts'
import { profileMistakes } from '../session/profiles.ts'
import { mistakesInRules } from '../tools/approvals/policies.ts'
import type { ToolRegistry } from '../tools/registry.ts'

/** What the settings name that is not there, now that all parts are known: one sentence each. */
export function mistakesIn(
  config: Config,
  { registry, mcp, channels }: { registry: ToolRegistry; mcp: Mcp; channels: ReadonlySet<ChannelName> },
): readonly string[] {
  return [
    ...profileMistakes(config.profiles, config.tools.highRisk, {
      tools: registry.builtin,
      servers: mcp.states().map(({ server }) => server),
    }),
    ...mistakesInRules(config.approvals, { tools: registry.all(), channels }),
    ...unknownTools(config.workflows, registry.builtin),
  ]
}
