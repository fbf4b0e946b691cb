import type { Tool } from '../tool.ts'

/** How the choice is made: how many tools, from which score on, and what counts how much. */
export interface SelectionRules {
  /** As many as this without need of a choice, and what a choice fills up to, beside `find_tools`. */
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
  /** How much of what words leave open meanings may fill, 0 to 1. */
  readonly vectors: number
  /** With more tools than this a request is encoded for the choice alone; else only what is encoded anyway counts. */
  readonly vectorsFrom: number
}

/** The rules where a configuration says nothing else. */
export const selectionRules: SelectionRules = {
  usual: 10,
  most: 20,
  offer: 0.12,
  share: 0.45,
  call: 0.7,
  fit: 0.6,
  readiness: 0.2,
  success: 0.2,
  vectors: 0.3,
  vectorsFrom: 50,
}

/** A tool with what spoke for it, each 0 to 1. */
export interface Scored {
  readonly tool: Tool
  /** How well its words fit the request. */
  readonly words: number
  /** How well its meaning does, where there are vectors. */
  readonly meaning: number | undefined
  /** How well both do. */
  readonly fit: number
  /** How much of what it must be given is at hand. */
  readonly readiness: number
  /** How often it went well. */
  readonly success: number
  readonly score: number
}

/** The weighted mean of what speaks for a tool. */
export function weighed(
  rules: SelectionRules,
  { fit, readiness, success }: Pick<Scored, 'fit' | 'readiness' | 'success'>,
): number {
  const total = rules.fit + rules.readiness + rules.success
  return (rules.fit * fit + rules.readiness * readiness + rules.success * success) / total
}

/** Scores a tool by what is known of it. */
export function scored(
  tool: Tool,
  known: Omit<Scored, 'tool' | 'fit' | 'score'>,
  rules: SelectionRules,
): Scored {
  const { words, meaning = 0, readiness, success } = known
  // Words lead: meanings fill what they leave open.
  const fit = words + rules.vectors * meaning * (1 - words)
  // Without any fit the rest says nothing, so it can only lower the fit.
  return { tool, ...known, fit, score: fit * weighed(rules, { fit: 1, readiness, success }) }
}

/** What is offered, and why. */
export interface Selection {
  /** In the registry's order, so that a model's prompt cache holds. */
  readonly tools: readonly Tool[]
  /** What spoke for tools, the best first; empty where there was no need of a choice. */
  readonly scored: readonly Scored[]
}

/**
 * Tools that people ask for in words that no list holds: at hand where several things are asked and there is room, and
 * never doubted for the words.
 */
export const commonTools: ReadonlySet<string> = new Set(['set_reminder', 'send_message', 'create_ticket'])

/** Is there more than what is offered anyway? */
export function needsChoice(usable: readonly Tool[], rules: SelectionRules): boolean {
  return usable.length > rules.usual
}

/**
 * What is offered: what is always at hand, what this task has used, what fits a part of the request best, and what fits
 * the whole of it; few where one stands out.
 * @param best the usable tools by their score, the best first
 */
export function choose(
  usable: readonly Tool[],
  best: readonly Scored[],
  certain: { readonly used: ReadonlySet<string>; readonly leading: readonly (readonly Tool[])[] },
  rules: SelectionRules,
): readonly Tool[] {
  const chosen = new Set<Tool>(usable.filter((tool) => tool.name === 'find_tools'))
  for (const tool of usable) if (certain.used.has(tool.name) && chosen.size < rules.most - 4) chosen.add(tool)
  const room = Math.min(rules.most, Math.max(rules.usual + 1, chosen.size + 6))
  const leading = new Set(certain.leading.flat())
  // Of several things that are asked, one that stands out says nothing about the others.
  const asked = Math.max(1, new Set(certain.leading.map(([first]) => first)).size)
  const least = Math.max(rules.offer, (rules.share * (best[0]?.score ?? 0)) / Math.sqrt(asked))
  for (const { tool, score } of best) {
    if (chosen.size >= room) break
    if (score >= least || leading.has(tool)) chosen.add(tool)
  }
  if (asked > 1) {
    for (const tool of usable) if (chosen.size < room && commonTools.has(tool.name)) chosen.add(tool)
  }
  return usable.filter((tool) => chosen.has(tool))
}
