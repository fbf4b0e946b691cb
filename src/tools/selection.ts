import type { Tool } from './definition.ts'
import { requestWords, simpleWords } from './domains.ts'

/** How many tools a request offers. */
export interface SelectionLimits {
  /** As many as this without need of a choice, and what a choice fills up to. */
  readonly usual: number
  /** The most, whatever was used or found before. */
  readonly most: number
}

const selectionLimits: SelectionLimits = { usual: 10, most: 20 }

/** What the choice goes by. */
export interface SelectionFacts {
  /** What the person has said in this turn. */
  readonly query: string
  /** Tools that were called or found in this turn, and in the last ones: a task goes on with them. */
  readonly used: ReadonlySet<string>
  /** Of the last 30 days by tool, 0 to 1, where it was called at all. */
  readonly success?: ReadonlyMap<string, number>
}

/** A tool with what spoke for it. */
export interface Scored {
  readonly tool: Tool
  /** 0 to 1: how well its words fit the request. */
  readonly fit: number
  readonly success: number
  readonly score: number
}

/** Tools that any conversation may need at any time. */
const always: ReadonlySet<string> = new Set(['find_tools', 'withdraw'])

/** Below this a tool has nothing to do with the request. */
const leastScore = 0.12

/** Scores tools for a request, the best first. */
export function scoreTools(tools: readonly Tool[], facts: SelectionFacts): readonly Scored[] {
  const wanted = requestWords(facts.query)
  const frequency = new Map<string, number>()
  const described = tools.map((tool) => ({ tool, ...wordsOf(tool) }))
  for (const { all } of described) for (const word of all) frequency.set(word, (frequency.get(word) ?? 0) + 1)
  // A word that many tools share says little about any of them.
  const weight = (word: string) => 1 / Math.log2(1.5 + (frequency.get(word) ?? 1))
  return described
    .map(({ tool, name, text, verb }) => {
      let sum = 0
      for (const word of wanted) {
        if (name.has(word)) sum += 3 * weight(word)
        else if (text.has(word)) sum += weight(word)
      }
      // What changes something has to be asked for by its verb; sharing a noun is not enough.
      const asked = tool.effect !== 'write' || verb === undefined || wanted.has(verb)
      const fit = (1 - Math.exp(-sum / 2)) * (asked ? 1 : 0.5)
      const success = facts.success?.get(tool.name) ?? 1
      return { tool, fit, success, score: fit * (0.6 + 0.4 * success) }
    })
    .sort((a, b) => b.score - a.score)
}

interface ToolWords {
  readonly name: ReadonlySet<string>
  readonly text: ReadonlySet<string>
  readonly all: ReadonlySet<string>
  /** The first word of its name that is not its server's. */
  readonly verb: string | undefined
}

// A tool never changes, and every request looks at the words of each.
const known = new WeakMap<Tool, ToolWords>()

function wordsOf(tool: Tool): ToolWords {
  const before = known.get(tool)
  if (before) return before
  const name = simpleWords(tool.name.replace(/^mcp__/, '').replaceAll('_', ' '))
  const text = simpleWords(tool.description.split('\n').slice(0, 3).join(' ').slice(0, 500))
  const server = serverWords(tool)
  const verb = [...name].find((word) => !server.has(word))
  const words = { name, text, all: new Set([...name, ...text]), verb }
  known.set(tool, words)
  return words
}

/** The words of an external tool's server, which its name begins with. */
function serverWords(tool: Tool): ReadonlySet<string> {
  const server = /^mcp__(.+?)__/.exec(tool.name)?.[1]
  return server ? simpleWords(server.replaceAll('_', ' ')) : new Set()
}

/**
 * Chooses what is offered: everything where that is little, else what is always at hand, what this task has used, and
 * what fits the request best. The order of the result is the registry's, so that a model's prompt cache holds.
 */
export function selectTools(
  tools: readonly Tool[],
  facts: SelectionFacts,
  limits: SelectionLimits = selectionLimits,
): readonly Tool[] {
  const usable = tools.filter((tool) => tool.blocked === undefined)
  if (usable.length <= limits.usual) return usable
  const chosen = new Set<Tool>(usable.filter((tool) => always.has(tool.name)))
  for (const tool of usable) if (facts.used.has(tool.name) && chosen.size < limits.most - 4) chosen.add(tool)
  const scored = scoreTools(usable, facts)
  const room = Math.min(limits.most, Math.max(limits.usual, chosen.size + 6))
  for (const { tool, score } of scored) {
    if (chosen.size >= room) break
    if (score >= leastScore) chosen.add(tool)
  }
  return usable.filter((tool) => chosen.has(tool))
}
