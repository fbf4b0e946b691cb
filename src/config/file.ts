import type { z } from 'zod'
import { messageOf } from '../base/errors.ts'
import { mistakesOf } from './mistakes.ts'
import { keysAt, schema } from './schema.ts'
import { workflowMistakes } from './workflow-check.ts'

type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T

/** The settings of `hermes.config.json`, complete with defaults. */
export type Config = DeepReadonly<z.infer<typeof schema>>

/**
 * Reads the file's text; without one everything is at its default. Mistakes are sentences that begin with
 * the file's name and the path in it.
 * @param beside reads a file that the text names: `undefined` where there is none
 */
export function readConfig(
  text: string | undefined,
  name: string,
  beside: (path: string) => string | undefined = () => undefined,
): { readonly config: Config } | { readonly mistakes: readonly string[] } {
  const own = parsedJson(text ?? '{}', name)
  if ('mistake' in own) return { mistakes: [own.mistake] }
  const { given, homes, mistakes } = withNamedWorkflows(own.json, name, beside)
  // A workflow of a file of its own is named by that file.
  const place = (path: readonly PropertyKey[]) => {
    const home = path[0] === 'workflows' ? homes.get(String(path[1])) : undefined
    const rest = home === undefined ? path : path.slice(2)
    return rest.length === 0 ? (home ?? name) : `${home ?? name}: ${rest.join('.')}`
  }
  const parsed = schema.safeParse(given, { reportInput: true })
  const wrong = parsed.success
    ? Object.entries(parsed.data.workflows).flatMap(([each, workflow]) =>
        workflowMistakes(each, workflow).map(
          ({ path, sentence }) => `${place(['workflows', each, ...path])} ${sentence}`,
        ),
      )
    : mistakesOf(parsed.error, { place, known: keysAt })
  if (parsed.success && wrong.length === 0 && mistakes.length === 0) return { config: parsed.data }
  return { mistakes: [...mistakes, ...wrong] }
}

function parsedJson(text: string, name: string): { json: unknown } | { mistake: string } {
  try {
    return { json: JSON.parse(text.replace(/^\uFEFF/, '')) }
  } catch (error) {
    return { mistake: `${name} is not valid JSON: ${syntax(error)}.` }
  }
}

/** Puts what files hold in the place of their names. */
function withNamedWorkflows(
  json: unknown,
  name: string,
  beside: (path: string) => string | undefined,
): { given: unknown; homes: ReadonlyMap<string, string>; mistakes: readonly string[] } {
  const homes = new Map<string, string>()
  const mistakes: string[] = []
  const workflows = json !== null && typeof json === 'object' && 'workflows' in json ? json.workflows : null
  if (workflows === null || typeof workflows !== 'object') return { given: json, homes, mistakes }
  const inlined = Object.entries(workflows).flatMap(([each, value]: [string, unknown]) => {
    if (typeof value !== 'string') return [[each, value] as const]
    const text = beside(value)
    if (text === undefined) {
      mistakes.push(`${name}: workflows.${each} names ${value}, which can't be read.`)
      return []
    }
    const file = parsedJson(text, value)
    if ('mistake' in file) {
      mistakes.push(file.mistake)
      return []
    }
    homes.set(each, value)
    return [[each, file.json] as const]
  })
  return { given: { ...(json as object), workflows: Object.fromEntries(inlined) }, homes, mistakes }
}

// V8 quotes the text around a syntax error, which may be anything: only the place or the one character is told.
function syntax(error: unknown): string {
  const message = messageOf(error)
  const place = /line (\d+) column (\d+)/.exec(message)
  if (place) return `look at line ${place[1]}, column ${place[2]}`
  const token = /^Unexpected token '(.)'/u.exec(message)
  return token ? `a ${JSON.stringify(token[1])} stands where it can't` : 'it ends too early'
}
