import type { Tool } from '../tool.ts'
import type { Grounding } from './grounding.ts'
import { type Scored, type SelectionRules, weighed } from './selection.ts'

/** How sure it is that a call is meant, and what speaks against it. */
export interface Confidence {
  /** 0 to 1. */
  readonly sure: number
  /** Sentences for the model, with what is missing. */
  readonly against: readonly string[]
}

/** A tool that went well less often than this is said to fail. */
const wellEnough = 0.6

/**
 * How sure it is that a call which passed its check is meant: as sure as can be where the tool was offered, or where
 * the request does not plainly ask for any tool ("yes, do that"), else by how well the tool fits it; less where values
 * were named by nobody, and where the tool mostly failed lately.
 * @param best the tools by how well they fit what the person said now; empty where the tool was offered
 */
export function confidenceOf(
  tool: Tool,
  facts: { readonly best: readonly Scored[]; readonly grounding: Grounding; readonly success: number },
  rules: SelectionRules,
): Confidence {
  const { best, grounding, success } = facts
  const plain = (best[0]?.score ?? 0) >= rules.call
  const fit = plain ? (best.find((one) => one.tool.name === tool.name)?.fit ?? 0) : 1
  return {
    sure: weighed(rules, { fit, readiness: grounding.share, success }),
    against: [
      ...(fit < 1 ? ['It was not offered for this request, whose words ask for something else.'] : []),
      ...(grounding.missing.length > 0
        ? [`Nothing that was said, remembered or found names a value for: ${grounding.missing.join(', ')}.`]
        : []),
      ...(success < wellEnough
        ? [`It went well in only ${Math.round(success * 100)} % of its calls in the last 30 days.`]
        : []),
    ],
  }
}
