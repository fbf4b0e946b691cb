import type { ArgumentProblem, Tool } from '../tool.ts'
import { propertiesOf } from './json-schema.ts'

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
  /**
   * What a declared lookup finds for words, for a tool of that server; or why it could not look. Nothing where none is
   * declared.
   */
  lookedUp?(
    words: string,
    type: string,
    server: string | undefined,
  ): Promise<readonly Referent[] | { readonly problem: string } | undefined>
}

/** How the ids of a system are found by names: a read of its server, and where they stand in what it gives. */
export interface Lookup {
  /** Of the things that it finds, as `x-entity` names it. */
  readonly type: string
  readonly tool: string
  /** The argument that takes the words. */
  readonly argument: string
  /** JSONPath of the things in the result. */
  readonly items: string
  /** The members of a thing that hold its id and its name. */
  readonly id: string
  readonly label: string
}

/** Arguments with references replaced by ids, and what could not be. */
export interface Resolved {
  readonly args: Record<string, unknown>
  readonly changes: readonly string[]
  readonly problems: readonly ArgumentProblem[]
}

const pointing =
  /^(?:(?:the|this|that|these|those|my|our|same|last|latest|previous|it|one)\b[\s\w-]*|(?:这|那|该|此|刚才|刚刚|上一|最近|它).*)$/i
// What in such words says nothing of the thing itself.
const empty =
  /\b(?:the|this|that|these|those|my|our|same|last|latest|previous|it|ones?|very|most recent|recent|current|above|mentioned|we|you|i|just|(?:talked|spoke|asked|told) (?:about|of)|created|made|opened|found|showed|shown|named)\b|[这那该此它]|刚才|刚刚|上面|上一|最近|最后|的|了|[个张条份]|我们?|[你您]|说过?|提到|创建|新?建/gi

/** Words by which people mean themselves. */
export const selfWords = /^(?:me|myself|i|我|我自己|本人)$/i

/**
 * Replaces names and pointing words by ids in every argument, or list, that declares what it names with `x-entity`
 * (for example `person` or `ticket`): "that ticket" is the one named last, a name is looked up. A value that is an id
 * already, or that nothing here knows, stays as it is.
 */
export async function resolveReferences(
  tool: Pick<Tool, 'parameters' | 'server'>,
  raw: Readonly<Record<string, unknown>>,
  directory: Directory,
  /** Arguments that are ids already, since they were chosen among them. */
  exact: readonly string[] = [],
): Promise<Resolved> {
  const args: Record<string, unknown> = { ...raw }
  const changes: string[] = []
  const problems: ArgumentProblem[] = []
  for (const [name, property] of propertiesOf(tool.parameters)) {
    const { items } = property as { readonly items?: Readonly<Record<string, unknown>> }
    const type = property['x-entity'] ?? items?.['x-entity']
    if (typeof type !== 'string' || exact.includes(name)) continue
    const resolve = async (value: unknown): Promise<unknown> => {
      if (typeof value !== 'string' || value.trim() === '') return value
      const found = await meant(value.trim(), type, directory, tool.server)
      if (found === 'as it is') return value
      if ('problem' in found) {
        // A choice among several can only stand for the whole of an argument.
        const { problem, ...whole } = found
        problems.push({ field: name, missing: false, problem, ...(Array.isArray(raw[name]) ? {} : whole) })
        return value
      }
      if (found.id !== value) changes.push(`${name}: "${value}" is ${nameOf(found)}`)
      return found.id
    }
    const value = raw[name]
    if (Array.isArray(value)) args[name] = await Promise.all(value.map(resolve))
    else if (value !== undefined) args[name] = await resolve(value)
  }
  return { args, changes, problems }
}

/** Why words could not be resolved, and what they may mean. */
type Unclear = Pick<ArgumentProblem, 'problem' | 'options'>

async function meant(
  words: string,
  type: string,
  directory: Directory,
  server: string | undefined,
): Promise<Referent | Unclear | 'as it is'> {
  const known = directory.named(type)
  const exact = known.find((one) => same(one.id, words))
  if (exact) return exact
  if (type === 'person') {
    // Where a system has people of its own, its tools get the ids that it uses.
    const own = selfWords.test(words) || !pointing.test(words)
    return (own && (await looked(words, type, directory, server))) || personCalled(words, known, directory)
  }
  const fitting = labelled(known, words)
  if (fitting) return fitting
  const unclear = { problem: `it is not clear which ${type} "${words}" is. Ask, or look it up` }
  if (pointing.test(words)) {
    const about = contentOf(words, type)
    // "The printer ticket" is one about a printer, and not whichever was named last.
    if (about !== '')
      return labelled(known, about) ?? (await looked(about, type, directory, server)) ?? unclear
    return known.at(-1) ?? unclear
  }
  return (await looked(words, type, directory, server)) ?? 'as it is'
}

/** What words say of a thing beside that it is meant, and of which type it is. */
function contentOf(words: string, type: string): string {
  const types = new RegExp(`\\b${type.replace(/[^a-z]/gi, '.')}s?\\b|工单|单子|订单|提醒|文档|文件`, 'gi')
  return words.replace(types, ' ').replace(empty, ' ').replace(/\s+/g, ' ').trim()
}

/** The one whose label holds all the words. */
function labelled(known: readonly Referent[], words: string): Referent | Unclear | undefined {
  const parts = words.toLowerCase().split(/\s+/)
  return choice(
    known.filter(({ label }) => parts.every((part) => label.toLowerCase().includes(part))),
    words,
  )
}

/** What a declared lookup makes of words; nothing where there is none, or where the words are an id by their looks. */
async function looked(
  words: string,
  type: string,
  directory: Directory,
  server: string | undefined,
): Promise<Referent | Unclear | undefined> {
  const found = await directory.lookedUp?.(words, type, server)
  if (found === undefined) return undefined
  const isId = /^[^\s\p{Script=Han}]*\d[^\s\p{Script=Han}]*$/u.test(words)
  if ('problem' in found) return isId ? undefined : found
  const one = choice(found, words)
  if (one || isId) return one
  return { problem: `no ${type} called "${words}" was found. Ask which one is meant` }
}

async function personCalled(
  words: string,
  known: readonly Referent[],
  directory: Directory,
): Promise<Referent | Unclear | 'as it is'> {
  if (!selfWords.test(words) && pointing.test(words)) {
    return known.at(-1) ?? { problem: `it is not clear who "${words}" is. Ask` }
  }
  const found = await directory.people(words)
  const chosen = choice(found, words)
  if (chosen) return chosen
  // An address or a number of another system is nobody's name here.
  if (/[@\d]/.test(words)) return 'as it is'
  return { problem: `I know nobody called "${words}" here. Ask who is meant` }
}

function choice(found: readonly Referent[], words: string): Referent | Unclear | undefined {
  const exact = found.filter((one) => same(one.label, words) || same(one.id, words))
  const [one, ...others] = exact.length > 0 ? exact : found
  if (!one) return undefined
  if (others.length === 0) return one
  const options = [one, ...others]
  const names = options.slice(0, 8).map(nameOf)
  return {
    problem: `"${words}" may be any of: ${names.join(', ')}. Ask which one`,
    options: options.map(({ id, label }) => ({ id, label })),
  }
}

/** A thing by its name, with its id where that is another. */
export function nameOf({ id, label }: Referent): string {
  return id === label ? id : `${label} (${id})`
}

function same(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.trim().toLowerCase()
}
