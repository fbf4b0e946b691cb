import { valuesAt } from '../../base/json-path.ts'
import { hashOf } from '../hash.ts'
import { checkContextOf, type FoundOutcome, type Tool, type ToolResult } from '../tool.ts'

/** What must stand in a result: something at the path, and where these are given, equal to a value or like a pattern. */
export interface ResultCondition {
  /** A JSONPath into the result; `$` is all of it, and of a text the text itself. */
  readonly path: string
  /** May be a template. */
  readonly equals?: unknown
  readonly matches?: string | undefined
}

/** How the configuration says that a write is looked after whose outcome is not known. */
export interface OutcomeRule {
  /** A read of the same server. */
  readonly tool: string
  /** Its arguments: values, in which `{key}` and `{arguments.name}` stand for what the call has. */
  readonly arguments: Readonly<Record<string, unknown>>
  readonly done: ResultCondition
  /** Where neither holds, nobody can tell. */
  readonly notDone?: ResultCondition | undefined
}

/** The most values at a path that are compared. */
const mostCompared = 10_000

/** What a write's own lookup is made of, where a rule says so. */
export function checkByRule(
  tool: Tool,
  rule: OutcomeRule,
  parts: { readonly keyOf: (callId: string) => string; readonly find: (name: string) => Tool | undefined },
): NonNullable<Tool['checkOutcome']> {
  return async (args, context) => {
    const other = parts.find(rule.tool)
    if (other?.effect !== 'read' || other.server !== tool.server || other.blocked !== undefined)
      return { kind: 'unclear', sentence: 'what would show it is not available' }
    const values = { key: parts.keyOf(context.callId), arguments: args }
    const wanted = filledIn(rule.arguments, values) as Record<string, unknown>
    const checked = await other.check(wanted, checkContextOf(context))
    if (!checked.ok) {
      const [first] = checked.problems
      return { kind: 'unclear', sentence: `${first?.field ?? ''} ${first?.problem ?? ''}`.trim() }
    }
    // The key is the write's alone.
    const result = await other.run(checked.arguments, { ...context, callId: `${context.callId}_check` })
    return judged(rule, result, values)
  }
}

function judged(rule: OutcomeRule, result: ToolResult, values: Values): FoundOutcome {
  const data = dataOf(result.content)
  if (holds(rule.done, data, values)) return { kind: 'done', result: { content: result.content } }
  if (rule.notDone && holds(rule.notDone, data, values)) return { kind: 'not done' }
  return { kind: 'unclear', sentence: 'what was found says neither' }
}

function holds(condition: ResultCondition, data: unknown, values: Values): boolean {
  const at = valuesAt(condition.path, data, mostCompared)
  if ('problem' in at) return false
  const { matches } = condition
  const wanted = filledIn(condition.equals, values)
  // A template whose value is missing is like nothing.
  if (condition.equals !== undefined && wanted === undefined) return false
  return at.values.some(
    (value) =>
      (wanted === undefined || isSame(value, wanted)) &&
      (matches === undefined || (isPlain(value) && new RegExp(matches, 'u').test(String(value)))),
  )
}

/** A result as data, where its text is JSON. */
export function dataOf(content: unknown): unknown {
  if (typeof content !== 'string') return content
  try {
    return JSON.parse(content)
  } catch {
    return content
  }
}

/** Systems differ in whether a number is a text. */
function isSame(a: unknown, b: unknown): boolean {
  return isPlain(a) && isPlain(b) ? String(a) === String(b) : hashOf(a) === hashOf(b)
}

function isPlain(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}

interface Values {
  readonly key: string
  readonly arguments: Readonly<Record<string, unknown>>
}

const slot = /\{(key|arguments(?:\.[\w-]+)+)\}/g

/** Fills templates in: one that is all of a text keeps its kind, and what has no value is left out. */
function filledIn(template: unknown, values: Values): unknown {
  if (typeof template === 'string') {
    const [whole] = [...template.matchAll(slot)]
    if (whole?.[0] === template) return valueAt(whole[1]!, values)
    return template.replaceAll(slot, (_, path: string) => {
      const value = valueAt(path, values)
      return value === undefined ? '' : isPlain(value) ? String(value) : JSON.stringify(value)
    })
  }
  if (Array.isArray(template)) return template.map((item) => filledIn(item, values))
  if (template === null || typeof template !== 'object') return template
  return Object.fromEntries(
    Object.entries(template).flatMap(([name, item]) => {
      const value = filledIn(item, values)
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

function valueAt(path: string, values: Values): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (at, name) =>
        at !== null && typeof at === 'object' && Object.hasOwn(at, name)
          ? (at as Record<string, unknown>)[name]
          : undefined,
      values,
    )
}
