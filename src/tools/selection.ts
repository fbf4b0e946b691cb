import type { Tool } from './definition.ts'

/** The most tools that one request offers. */
export const mostOffered = 20

/** What the choice goes by. */
export interface SelectionFacts {
  /** What the person has said in this turn. */
  readonly query: string
  /** Tools that were called in this session before, or found by `find_tools`. */
  readonly used: ReadonlySet<string>
}

/**
 * Chooses what is offered: everything where that is little; else what was used here before, then what shares the
 * most words with the request, built-in tools before others. The order of the result is the registry's, so that a
 * model's prompt cache holds.
 */
export function selectTools(tools: readonly Tool[], facts: SelectionFacts): readonly Tool[] {
  const usable = tools.filter((tool) => tool.blocked === undefined)
  if (usable.length <= mostOffered) return usable
  const words = wordsOf(facts.query)
  const scored = usable.map((tool, place) => ({
    tool,
    score:
      (facts.used.has(tool.name) ? 100 : 0) +
      (tool.name.startsWith('mcp__') ? 0 : 5) +
      [...wordsOf(`${tool.name} ${tool.description.slice(0, 600)}`)].filter((word) => words.has(word)).length,
    place,
  }))
  const chosen = new Set(
    scored
      .sort((a, b) => b.score - a.score || a.place - b.place)
      .slice(0, mostOffered)
      .map(({ tool }) => tool),
  )
  return usable.filter((tool) => chosen.has(tool))
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[a-z]{3,}|\p{Script=Han}{1,2}/gu) ?? [])
}
