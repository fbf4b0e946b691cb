import { valuesAt } from '../../base/json-path.ts'
import type { Directory, Lookup, Referent } from '../../tools/arguments/references.ts'
import { runTool } from '../../tools/execution/execution.ts'
import { dataOf } from '../../tools/execution/outcome-rules.ts'
import { type CallContext, checkContextOf, type Tool } from '../../tools/tool.ts'
import type { AgentParts, TurnContext } from '../parts.ts'
import { callContext } from './call-context.ts'

/** The most things that one look is taken to have found. */
const mostFound = 50

/** Looks names up as the settings declare it, once for each in a step. */
export function lookingUp(parts: AgentParts, at: TurnContext): NonNullable<Directory['lookedUp']> {
  const done = new Map<string, ReturnType<typeof lookUp>>()
  return (words, type, server) => {
    const { lookups } = parts.settings
    const serverOf = (lookup: Lookup) => parts.registry.find(lookup.tool)?.server
    const fitting = lookups.filter((lookup) => lookup.type === type)
    // The people of one system are not those of another one.
    const lookup =
      fitting.find((one) => server !== undefined && serverOf(one) === server) ??
      (type === 'person' ? undefined : fitting[0])
    if (!lookup) return Promise.resolve(undefined)
    const key = `${lookup.tool}\n${words}`
    const before = done.get(key)
    if (before) return before
    const looking = lookUp(parts, at, lookup, words)
    done.set(key, looking)
    return looking
  }
}

async function lookUp(
  parts: AgentParts,
  at: TurnContext,
  lookup: Lookup,
  words: string,
): Promise<readonly Referent[] | { readonly problem: string }> {
  const failed = { problem: `"${words}" could not be looked up now. Ask for the id, or try later` }
  const tool = parts.registry.find(lookup.tool)
  const usable = tool?.effect === 'read' && !tool.blocked && parts.profiles.mounts(at.profile, tool)
  if (!tool || !usable) return failed
  return at.trace.root.span(`lookup ${tool.name}`, { words }, async (span) => {
    const found = await ask(tool, lookup, words, {
      ...callContext(parts, at, { id: parts.ids('call'), turnId: at.turnId }),
      progress: () => {},
    })
    span.end(found ? 'ok' : 'failed')
    return found ?? failed
  })
}

async function ask(
  tool: Tool,
  lookup: Lookup,
  words: string,
  context: CallContext,
): Promise<readonly Referent[] | undefined> {
  const checked = await tool.check({ [lookup.argument]: words }, checkContextOf(context))
  if (!checked.ok) return undefined
  const outcome = await runTool(tool, checked.arguments, context)
  if (outcome.kind !== 'succeeded') return undefined
  const at = valuesAt(lookup.items, dataOf(outcome.result.content), mostFound)
  if ('problem' in at) return undefined
  return at.values.flatMap((value) => {
    const thing = (value ?? {}) as Readonly<Record<string, unknown>>
    const [id, label] = [thing[lookup.id], thing[lookup.label]]
    return isName(id) ? [{ id: String(id), label: isName(label) ? String(label) : String(id) }] : []
  })
}

function isName(value: unknown): value is string | number {
  return (typeof value === 'string' && value !== '') || typeof value === 'number'
}
