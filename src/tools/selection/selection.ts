import type { Tool } from '../definition.ts'
import { requestWords, simpleWords } from './domains.ts'
import { readinessOf } from './readiness.ts'

/** How the choice is made: how many tools, from which score on, and what counts how much. */
export interface SelectionRules {
  /** As many as this without need of a choice, and what a choice fills up to. */
  readonly usual: number
  /** The most, whatever was used or found before. */
  readonly most: number
  /** From this score on a tool is offered, and from this share of the best one's. */
  readonly offer: number
  readonly share: number
  /** From this confidence on a call is made. */
  readonly call: number
  /** The weights of domain fit, of what its arguments need, and of how well it went. */
  readonly fit: number
  readonly readiness: number
  readonly success: number
}

/** The rules where a configuration says nothing else. */
const selectionRules: SelectionRules = {
  usual: 10,
  most: 20,
  offer: 0.12,
  share: 0.3,
  call: 0.7,
  fit: 0.6,
  readiness: 0.2,
  success: 0.2,
}

/** What the choice goes by. */
export interface SelectionFacts {
  /** What the person has said in this turn. */
  readonly query: string
  /** Tools that were called or found in this turn, and in the last ones: a task goes on with them. */
  readonly used: ReadonlySet<string>
  /** Types of what has been named in the conversation. */
  readonly known?: ReadonlySet<string>
  /** Of the last 30 days by tool, 0 to 1, where it was called at all. */
  readonly success?: ReadonlyMap<string, number>
}

/** A tool with what spoke for it, each 0 to 1. */
export interface Scored {
  readonly tool: Tool
  /** How well its words fit the request. */
  readonly fit: number
  /** How much of what it must be given is at hand. */
  readonly readiness: number
  /** How often it went well. */
  readonly success: number
  readonly score: number
}

/** Tools that any conversation may need at any time. */
const always: ReadonlySet<string> = new Set(['find_tools', 'withdraw'])

/** Tools that people ask for in words that no list holds ("ping me at noon"): at hand where there is room. */
const common: readonly string[] = ['set_reminder', 'send_message', 'create_ticket']

/** Scores tools for a request, the best first. */
export function scoreTools(
  tools: readonly Tool[],
  facts: SelectionFacts,
  rules: SelectionRules = selectionRules,
): readonly Scored[] {
  const wanted = requestWords(facts.query)
  const frequency = new Map<string, number>()
  const described = tools.map((tool) => ({ tool, ...wordsOf(tool) }))
  for (const { all } of described) for (const word of all) frequency.set(word, (frequency.get(word) ?? 0) + 1)
  // A word that many tools share says little about any of them.
  const weight = (word: string) => 1 / Math.log2(1.5 + (frequency.get(word) ?? 1))
  const known = facts.known ?? new Set<string>()
  return described
    .map(({ tool, name, text, verb }) => {
      let sum = 0
      for (const [word, counts] of wanted) {
        if (name.has(word)) sum += 3 * counts * weight(word)
        else if (text.has(word)) sum += counts * weight(word)
      }
      // What changes something has to be asked for by its verb; sharing a noun is not enough.
      const asked = tool.effect !== 'write' || verb === undefined || wanted.has(verb)
      const fit = (1 - Math.exp(-sum / 2)) * (asked ? 1 : 0.5)
      const readiness = fit === 0 ? 0 : readinessOf(tool, facts.query, known)
      const success = facts.success?.get(tool.name) ?? 1
      // Without any fit the rest says nothing, so it can only lower the fit.
      return { tool, fit, readiness, success, score: fit * weighed(rules, { fit: 1, readiness, success }) }
    })
    .sort((a, b) => b.score - a.score)
}

/** The weighted mean of what speaks for a tool. */
function weighed(
  rules: SelectionRules,
  { fit, readiness, success }: Pick<Scored, 'fit' | 'readiness' | 'success'>,
): number {
  const total = rules.fit + rules.readiness + rules.success
  return (rules.fit * fit + rules.readiness * readiness + rules.success * success) / total
}

interface ToolWords {
  readonly name: ReadonlySet<string>
  readonly text: ReadonlySet<string>
  readonly all: ReadonlySet<string>
  /** The first word of its name that is not its server's. */
  readonly verb: string | undefined
}

// A tool never changes, and every request looks at the words of each.
const seen = new WeakMap<Tool, ToolWords>()

function wordsOf(tool: Tool): ToolWords {
  const before = seen.get(tool)
  if (before) return before
  const name = simpleWords(tool.name.replace(/^mcp__/, '').replaceAll('_', ' '))
  const text = simpleWords(tool.description.split('\n').slice(0, 3).join(' ').slice(0, 500))
  const server = serverWords(tool)
  const verb = [...name].find((word) => !server.has(word))
  const words = { name, text, all: new Set([...name, ...text]), verb }
  seen.set(tool, words)
  return words
}

/** The words of an external tool's server, which its name begins with. */
function serverWords(tool: Tool): ReadonlySet<string> {
  const server = /^mcp__(.+?)__/.exec(tool.name)?.[1]
  return server ? simpleWords(server.replaceAll('_', ' ')) : new Set()
}

/** What is offered, and why. */
export interface Selection {
  /** In the registry's order, so that a model's prompt cache holds. */
  readonly tools: readonly Tool[]
  /** What spoke for tools, the best first; empty where there was no need of a choice. */
  readonly scored: readonly Scored[]
}

/**
 * Chooses what is offered: everything where that is little, else what is always at hand, what this task has used, and
 * what fits the request best.
 */
export function selectTools(
  tools: readonly Tool[],
  facts: SelectionFacts,
  rules: SelectionRules = selectionRules,
): Selection {
  const usable = tools.filter((tool) => tool.blocked === undefined)
  if (usable.length <= rules.usual) return { tools: usable, scored: [] }
  const chosen = new Set<Tool>(usable.filter((tool) => always.has(tool.name)))
  for (const tool of usable) if (facts.used.has(tool.name) && chosen.size < rules.most - 4) chosen.add(tool)
  const scored = scoreTools(usable, facts, rules)
  const room = Math.min(rules.most, Math.max(rules.usual, chosen.size + 6))
  const least = Math.max(rules.offer, rules.share * (scored[0]?.score ?? 0))
  for (const { tool, score } of scored) {
    if (chosen.size >= room || score < least) break
    chosen.add(tool)
  }
  for (const tool of usable) {
    if (chosen.size < rules.usual && common.includes(tool.name)) chosen.add(tool)
  }
  return { tools: usable.filter((tool) => chosen.has(tool)), scored }
}

/**
 * How sure it is that a call which passed its check is meant: as sure as can be where the tool was offered, or where
 * the request does not plainly ask for any tool ("yes, do that"); else by how well the tool fits it.
 */
export function callConfidence(
  tool: Tool,
  facts: SelectionFacts & { readonly tools: readonly Tool[]; readonly offered: boolean },
  rules: SelectionRules = selectionRules,
): number {
  const scored = facts.offered ? [] : scoreTools(facts.tools, facts, rules)
  const plain = (scored[0]?.score ?? 0) >= rules.call
  return weighed(rules, {
    fit: plain ? (scored.find((one) => one.tool.name === tool.name)?.fit ?? 0) : 1,
    readiness: 1,
    success: facts.success?.get(tool.name) ?? 1,
  })
}
