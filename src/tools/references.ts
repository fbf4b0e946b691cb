import { propertiesOf } from './alignment.ts'
import type { ArgumentProblem, Tool } from './definition.ts'

/** Something that words in an argument may mean. */
export interface Referent {
  readonly id: string
  readonly label: string
}

/** Where names are looked up. */
export interface Directory {
  /** What has been named in the conversation of that type, the newest last. */
  named(type: string): readonly Referent[]
  /** People of this place by a name or a part of one. */
  people(name: string): Promise<readonly Referent[]>
}

/** Arguments with references replaced by ids, and what could not be. */
export interface Resolved {
  readonly args: Record<string, unknown>
  readonly changes: readonly string[]
  readonly problems: readonly ArgumentProblem[]
}

const pointing =
  /^(?:(?:the|this|that|these|those|my|our|same|last|latest|previous|it|one)\b[\s\w-]*|(?:这|那|该|此|刚才|刚刚|上一|最近|它).*)$/i
const speaker = /^(?:me|myself|i|我|我自己|本人)$/i

/**
 * Replaces names and pointing words by ids in every argument that declares what it names with `x-entity` (for
 * example `person` or `ticket`): "that ticket" is the one named last, a name is looked up. A value that is an id
 * already, or that nothing here knows, stays as it is.
 */
export async function resolveReferences(
  tool: Pick<Tool, 'parameters'>,
  raw: Readonly<Record<string, unknown>>,
  directory: Directory,
): Promise<Resolved> {
  const args: Record<string, unknown> = { ...raw }
  const changes: string[] = []
  const problems: ArgumentProblem[] = []
  for (const [name, property] of propertiesOf(tool.parameters)) {
    const type = property['x-entity']
    const value = raw[name]
    if (typeof type !== 'string' || typeof value !== 'string' || value.trim() === '') continue
    const found = await meant(value.trim(), type, directory)
    if (found === 'as it is') continue
    if ('problem' in found) problems.push({ field: name, problem: found.problem, missing: false })
    else if (found.id !== value) {
      args[name] = found.id
      changes.push(
        `${name}: "${value}" is ${found.label === found.id ? found.id : `${found.label} (${found.id})`}`,
      )
    }
  }
  return { args, changes, problems }
}

async function meant(
  words: string,
  type: string,
  directory: Directory,
): Promise<Referent | { problem: string } | 'as it is'> {
  const known = directory.named(type)
  const exact = known.find((one) => same(one.id, words))
  if (exact) return exact
  if (type === 'person') return personCalled(words, known, directory)
  if (pointing.test(words)) {
    const last = known.at(-1)
    return last ?? { problem: `it is not clear which ${type} "${words}" is. Ask, or look it up` }
  }
  const fitting = known.filter((one) => one.label.toLowerCase().includes(words.toLowerCase()))
  return choice(fitting, words) ?? 'as it is'
}

async function personCalled(
  words: string,
  known: readonly Referent[],
  directory: Directory,
): Promise<Referent | { problem: string } | 'as it is'> {
  if (!speaker.test(words) && pointing.test(words)) {
    return known.at(-1) ?? { problem: `it is not clear who "${words}" is. Ask` }
  }
  const found = await directory.people(words)
  const chosen = choice(found, words)
  if (chosen) return chosen
  // An address or a number of another system is nobody's name here.
  if (/[@\d]/.test(words)) return 'as it is'
  return { problem: `I know nobody called "${words}" here. Ask who is meant` }
}

function choice(found: readonly Referent[], words: string): Referent | { problem: string } | undefined {
  const exact = found.filter((one) => same(one.label, words) || same(one.id, words))
  const [one, ...others] = exact.length > 0 ? exact : found
  if (!one) return undefined
  if (others.length === 0) return one
  const names = [one, ...others].slice(0, 8).map(({ id, label }) => (id === label ? id : `${label} (${id})`))
  return { problem: `"${words}" may be any of: ${names.join(', ')}. Ask which one` }
}

function same(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.trim().toLowerCase()
}
