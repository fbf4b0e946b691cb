/** Someone of a platform who may be meant by a name. */
export interface Nameable {
  readonly userId: string
  /** As people see it. */
  readonly name: string
  /** Unique there, for telling two of one name apart. */
  readonly handle: string
  /** Further names that people use. */
  readonly others?: readonly string[]
}

/** Someone found by a name. No two of one answer have the same name. */
export interface Named {
  readonly userId: string
  readonly name: string
}

const mostFound = 10

/** Who is meant by (part of) a name: those of exactly that name or handle alone, where there are any. */
export function peopleNamed(people: Iterable<Nameable>, wanted: string): readonly Named[] {
  const handle = handleIn(wanted)
  const name = fold((handle ?? wanted).replace(/^@/, ''))
  if (name === '') return []
  const exact: Nameable[] = []
  const partly: Nameable[] = []
  for (const person of people) {
    const names = [person.handle, ...(handle === undefined ? [person.name, ...(person.others ?? [])] : [])]
    if (person.userId.toLowerCase() === name || names.some((own) => fold(own) === name)) exact.push(person)
    else if (handle === undefined && names.some((own) => holds(fold(own), name))) partly.push(person)
  }
  return distinct((exact.length > 0 ? exact : partly).slice(0, mostFound))
}

/** The unique name in what tells two of one name apart: "Bo Li (@bo)". */
export function handleIn(wanted: string): string | undefined {
  return /\(@([^()]+)\)\s*$/.exec(wanted)?.[1]
}

/** Are they the same name, however they are written? */
export function isSameName(one: string, other: string): boolean {
  return fold(one.replace(/^@/, '')) === fold(other.replace(/^@/, ''))
}

/** Is it a part of the name, as people say one? */
export function isPartOfName(part: string, name: string): boolean {
  return holds(fold(name), fold(part.replace(/^@/, '')))
}

function fold(name: string): string {
  return name.normalize('NFKD').replace(/\p{M}/gu, '').replace(/\s+/g, ' ').trim().toLowerCase()
}

/** Do the words of the part begin words of the whole? Names in Han characters have no spaces: any piece will do. */
function holds(whole: string, part: string): boolean {
  if (/\p{Script=Han}/u.test(part)) return whole.includes(part)
  const words = whole.split(/[\s._-]+/)
  return part.split(/[\s._-]+/).every((piece) => words.some((word) => word.startsWith(piece)))
}

function distinct(people: readonly Nameable[]): readonly Named[] {
  const count = new Map<string, number>()
  for (const { name } of people) count.set(fold(name), (count.get(fold(name)) ?? 0) + 1)
  return people.map(({ userId, name, handle }) => ({
    userId,
    name: (count.get(fold(name)) ?? 0) > 1 ? `${name} (@${handle})` : name,
  }))
}
