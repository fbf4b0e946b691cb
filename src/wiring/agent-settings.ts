import type { AgentSettings } from '../agent/parts.ts'
import type { Config } from '../config/file.ts'

/** The most that a service may ask to be left alone for, in ms. */
const longestCoolDownMs = 3_600_000

/** What the agent goes by, in its own units. */
export function agentSettings(config: Config): AgentSettings {
  const { limits, context, results } = config
  return {
    steps: limits.steps,
    identicalCalls: limits.identicalCalls,
    turnMs: limits.turnSeconds * 1_000,
    turnTokens: limits.turnTokens,
    approvals: config.approvals,
    inputShare: context.inputShare,
    systemTokens: context.systemTokens,
    toolResultShare: context.toolResultShare,
    memoryShare: context.memoryShare,
    outputShare: context.outputShare,
    results: { inline: results.inlineTokens, digest: results.digestTokens },
    selection: config.tools.selection,
    resultLifeMs: results.keepDays * 86_400_000,
    language: config.language,
    earlier: { posts: config.sessions.earlierPosts, tokens: config.sessions.earlierTokens },
    timeZone: config.timeZone,
    coolDown: { coolDownMs: config.tools.coolDownSeconds * 1_000, longestMs: longestCoolDownMs },
    lookups: config.tools.lookups,
    fallbacks: config.tools.fallbacks as AgentSettings['fallbacks'],
    handOver: {
      failures: config.desk?.failures ?? 3,
      windowMs: (config.desk?.withinMinutes ?? 5) * 60_000,
      waitMs: (config.desk?.waitMinutes ?? 30) * 60_000,
    },
    spending: { ...limits, currency: config.model.currency, prices: config.model.prices },
    instructions: config.instructions,
  }
}
