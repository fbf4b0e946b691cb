import type { Words } from '../../search/words.ts'
import type { Tool } from '../tool.ts'
import { isQuestion, wordFits } from './fit.ts'
import type { Meanings } from './meanings.ts'
import { readinessOf } from './readiness.ts'
import { createReadRequest, requestWords } from './request-words.ts'
import { choose, needsChoice, type Scored, type Selection, type SelectionRules, scored } from './selection.ts'
import { createToolWords } from './tool-words.ts'

/** What the choice goes by. */
export interface SelectionFacts {
  /** What the person has said in this turn. */
  readonly now: string
  /** What was said just before in the same task. */
  readonly before?: readonly string[]
  /** Tools that were called or found in this turn, and in the last ones: a task goes on with them. */
  readonly used?: ReadonlySet<string>
  /** Types of what has been named in the conversation. */
  readonly known?: ReadonlySet<string>
  /** What is remembered that bears on it. */
  readonly remembered?: readonly string[]
  /** Of the last 30 days by tool, 0 to 1, where it was called at all. */
  readonly success?: ReadonlyMap<string, number>
  readonly signal?: AbortSignal
}

/** Chooses tools for requests. */
export interface Choosing {
  /** Begins with what takes longest, for a request that tools are chosen for soon. */
  prepare(now: string, tools: readonly Tool[], rules: SelectionRules): void
  /** What is offered: everything where that is little, else what this task has used and what fits best. */
  select(tools: readonly Tool[], facts: SelectionFacts, rules: SelectionRules): Promise<Selection>
  /** Scores tools, the best first. */
  score(tools: readonly Tool[], facts: SelectionFacts, rules: SelectionRules): Promise<readonly Scored[]>
}

/** Longer than encoding a request takes, shorter than what anybody notices. */
const meaningMs = 250

/** Parts of a request, and how many tools of each are offered in any case, if they fit so well. */
const mostParts = 6
const leadersOfPart = 2
const leadingFit = 0.35

/** Chooses by words in either language and by meanings. */
export function createChoosing(parts: { readonly words: Words; readonly meanings: Meanings }): Choosing {
  const read = createReadRequest(parts.words)
  const wordsOf = createToolWords(read)

  const score = async (
    tools: readonly Tool[],
    facts: SelectionFacts,
    rules: SelectionRules,
  ): Promise<readonly Scored[]> => {
    const { now, before = [], remembered = [] } = facts
    const byWords = wordFits(
      tools.map((tool) => ({ tool, words: wordsOf(tool) })),
      requestWords(read, { now, before }),
      isQuestion(now),
    )
    const byMeaning =
      rules.vectors > 0
        ? await parts.meanings.fits(now, tools, {
            make: tools.length > rules.vectorsFrom,
            limitMs: meaningMs,
            ...(facts.signal ? { signal: facts.signal } : {}),
          })
        : undefined
    const hand = {
      said: [now, ...before].join('\n'),
      known: facts.known ?? new Set<string>(),
      remembered: remembered.map((text) => ({ text, words: () => read(text) })),
    }
    return tools
      .map((tool, index) => {
        const known = {
          words: byWords[index]!,
          meaning: byMeaning?.[index],
          success: facts.success?.get(tool.name) ?? 1,
        }
        const fits = known.words > 0 || (known.meaning ?? 0) > 0
        return scored(tool, { ...known, readiness: fits ? readinessOf(tool, hand) : 0 }, rules)
      })
      .sort((a, b) => b.score - a.score)
  }

  /** The tools that fit each part of a request best, where it has several: a long part must not hide a short one. */
  const leading = (tools: readonly Tool[], now: string): readonly (readonly Tool[])[] => {
    const described = tools.map((tool) => ({ tool, words: wordsOf(tool) }))
    const asked = partsOf(now).slice(0, mostParts)
    if (asked.length < 2) return []
    return asked
      .map((part) => {
        const fits = wordFits(described, read(part), isQuestion(part))
        return tools
          .map((tool, index) => ({ tool, fit: fits[index]! }))
          .filter(({ fit }) => fit >= leadingFit)
          .sort((a, b) => b.fit - a.fit)
          .slice(0, leadersOfPart)
          .map(({ tool }) => tool)
      })
      .filter((leaders) => leaders.length > 0)
  }

  return {
    prepare(now, tools, rules) {
      if (rules.vectors > 0 && tools.length > rules.vectorsFrom) parts.meanings.prepare(now)
    },
    async select(tools, facts, rules) {
      const usable = tools.filter((tool) => tool.blocked === undefined)
      if (!needsChoice(usable, rules)) return { tools: usable, scored: [] }
      const best = await score(usable, facts, rules)
      const chosen = choose(
        usable,
        best,
        { used: facts.used ?? new Set(), leading: leading(usable, facts.now) },
        rules,
      )
      return { tools: chosen, scored: best }
    },
    score,
  }
}

/** What a request asks one after the other. */
function partsOf(text: string): readonly string[] {
  return text
    .split(/[,;:!?，；：！？。、\n]+|\.(?=\s|$)|\s(?:and|then|so|but|also)\s|然后|顺便|再(?!次|见)|并且?/iu)
    .map((part) => part.trim())
    .filter((part) => part.length > 1)
}
