import { alignArguments, changesBetween, missingFields } from '../../tools/arguments/alignment.ts'
import { placeholderIn } from '../../tools/arguments/placeholders.ts'
import { type Directory, resolveReferences } from '../../tools/arguments/references.ts'
import type { ArgumentProblem, CheckContext, Tool } from '../../tools/tool.ts'
import { secretsAmong } from '../asking/question.ts'

/** Arguments ready for a card or a call, with a line that tells the model what was changed; or why not. */
export type Settled =
  | { readonly ok: true; readonly args: Record<string, unknown>; readonly note: string }
  | {
      readonly ok: false
      readonly code: string
      readonly sentence: string
      /** As far as they could be brought into line, and what is wrong with them. */
      readonly args?: Record<string, unknown>
      readonly problems?: readonly ArgumentProblem[]
    }

const noteStart = '[Changed in the arguments: '

/** A result as its tool gave it, without the line about its arguments that may stand above it. */
export function withoutNote(result: string): string {
  return result.startsWith(noteStart) ? result.slice(result.indexOf('\n') + 1) : result
}

/**
 * Takes a call's arguments through everything that stands before a backend: no place left for another call's result,
 * types brought into line, names looked up, schema, rules and values in words.
 */
export async function settleArguments(
  tool: Tool,
  raw: Readonly<Record<string, unknown>>,
  context: CheckContext,
  directory: Directory,
  /** Arguments that are ids already, since they were chosen among them. */
  exact: readonly string[] = [],
): Promise<Settled> {
  const placeholder = placeholderIn(raw)
  if (placeholder !== undefined) {
    return {
      ok: false,
      code: 'dependent',
      sentence: `"${placeholder}" stands for what another call gives. Make that call first, and this one in the next step with the value itself.`,
    }
  }
  const aligned = alignArguments(tool.parameters, raw, context)
  const resolved = await resolveReferences(tool, aligned.args, directory, exact)
  const missing = missingFields(tool.parameters, resolved.args)
  const gone = missing.map((field): ArgumentProblem => ({ field, problem: 'is missing', missing: true }))
  if (resolved.problems.length > 0) return invalid(tool, resolved.args, [...gone, ...resolved.problems])
  const checked = await tool.check(resolved.args, context)
  if (!checked.ok) {
    // What says once more that one is missing, by its field or by a validator's words.
    const again = (one: ArgumentProblem) =>
      missing.some((field) => one.field === field || one.problem.includes(`'${field}'`))
    const others = checked.problems.filter((one) => !one.missing && !again(one))
    const named = checked.problems.filter((one) => one.missing && !missing.includes(one.field))
    return invalid(tool, resolved.args, [...gone, ...named, ...others])
  }
  const changes = [
    ...aligned.changes,
    ...resolved.changes,
    ...changesBetween(resolved.args, checked.arguments),
  ]
  const note = changes.length === 0 ? '' : `${noteStart}${changes.join('; ')}.]\n`
  return { ok: true, args: checked.arguments, note }
}

/** What is wrong with arguments, for the model: all that is missing in one sentence. */
function invalid(tool: Tool, args: Record<string, unknown>, problems: readonly ArgumentProblem[]): Settled {
  const secrets = secretsAmong(tool, problems)
  const missing = problems.filter((problem) => problem.missing).map((problem) => problem.field)
  const askable = missing.filter((field) => !secrets.includes(field))
  const wrong = problems
    .filter((problem) => !problem.missing)
    .map(({ field, problem }) => (field ? `${field}: ${problem}` : problem))
  return {
    ok: false,
    code: secrets.length > 0 ? 'secret' : missing.length > 0 ? 'missing' : codeOf(problems),
    args,
    problems,
    sentence: [
      ...(askable.length > 0
        ? [
            `Missing: ${askable.join(', ')}. If the person has said it, call it again with it; else ask them for all of it in one sentence, a form for it stands below your question.`,
          ]
        : []),
      ...(secrets.length > 0
        ? [
            `Secret: ${secrets.join(', ')}. A secret is never asked for in a conversation: say so, and do not ask for it.`,
          ]
        : []),
      ...(wrong.length > 0 ? [`Not valid: ${wrong.join('; ')}.`] : []),
    ].join(' '),
  }
}

function codeOf(problems: readonly ArgumentProblem[]): 'ambiguous' | 'invalid' {
  return problems.some((problem) => problem.options) ? 'ambiguous' : 'invalid'
}
