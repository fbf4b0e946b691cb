import { alignArguments, changesBetween, missingFields } from '../tools/alignment.ts'
import type { ArgumentProblem, CheckContext, Tool } from '../tools/definition.ts'
import { placeholderIn } from '../tools/placeholders.ts'
import { type Directory, resolveReferences } from '../tools/references.ts'

/** Arguments ready for a card or a call, with a line that tells the model what was changed; or why not. */
export type Settled =
  | { readonly ok: true; readonly args: Record<string, unknown>; readonly note: string }
  | { readonly ok: false; readonly code: string; readonly sentence: string }

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
  const resolved = await resolveReferences(tool, aligned.args, directory)
  if (resolved.problems.length > 0) return invalid(resolved.problems)
  const checked = await tool.check(resolved.args, context)
  if (!checked.ok) {
    const missing = missingFields(tool.parameters, resolved.args)
    const others = checked.problems.filter(
      ({ missing: gone, problem }) => !gone && !missing.some((field) => problem.includes(field)),
    )
    const named = checked.problems.filter(({ missing: gone, field }) => gone && !missing.includes(field))
    return invalid([
      ...missing.map((field): ArgumentProblem => ({ field, problem: 'is missing', missing: true })),
      ...named,
      ...others,
    ])
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
function invalid(problems: readonly ArgumentProblem[]): Settled {
  const missing = problems.filter((problem) => problem.missing).map((problem) => problem.field)
  const wrong = problems
    .filter((problem) => !problem.missing)
    .map(({ field, problem }) => (field ? `${field}: ${problem}` : problem))
  return {
    ok: false,
    code: 'invalid',
    sentence: [
      ...(missing.length > 0
        ? [
            `Missing: ${missing.join(', ')}. If the person has not said it, ask them for all of it in one question.`,
          ]
        : []),
      ...(wrong.length > 0 ? [`Not valid: ${wrong.join('; ')}.`] : []),
    ].join(' '),
  }
}
