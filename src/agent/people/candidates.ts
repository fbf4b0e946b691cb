import { HermesError } from '../../base/errors.ts'
import { type Address, addressKey } from '../../channel/address.ts'
import type { ChannelName, ThreadRef } from '../../channel/events.ts'
import { handleIn, isPartOfName, isSameName, type Named, peopleNamed } from '../../channel/names.ts'
import type { Speaker } from '../../channel/port.ts'
import type { KnownAddress, People } from '../../session/people.ts'
import type { PersonEntry } from './entries.ts'

/** Where people are looked for: a workspace that the asker is in. */
export interface Space extends Pick<ThreadRef, 'channel' | 'workspace'> {
  /** The asker's id there. */
  readonly userId: string | undefined
}

/** A human who may be meant by a name. */
export interface Candidate {
  readonly name: string
  /** Where they can be written to; the ones by which they were found come first. */
  readonly addresses: readonly Address[]
  readonly personId: string | undefined
  readonly prefers: ChannelName | undefined
  /** Nobody is known by that name, and the platform takes any. */
  readonly isGuess: boolean
}

interface Hit extends Address {
  readonly name: string
  readonly exact: boolean
  /** The platform has no list of people and gave the name back. */
  readonly echo: boolean
}

/**
 * Humans whom a name may mean: of the operator's list, and of the spaces that the asker is in. Exact names come before
 * parts of names, whichever source knows them. All addresses of one human make one candidate. Somebody who is known
 * nowhere else is found by no name.
 */
export async function candidatesFor(
  wanted: string,
  spaces: readonly Space[],
  parts: {
    readonly entries: readonly PersonEntry[]
    readonly people: Pick<People, 'named' | 'at'>
    readonly speaker: (thread: ThreadRef) => Speaker
  },
): Promise<readonly Candidate[]> {
  const own = ofEntries(wanted, parts.entries)
  const found = await Promise.all(
    spaces.map((space) =>
      ofSpace(wanted, space, parts).catch((error: unknown) => {
        // Whoever the operator lists is found without the platform.
        if (own.length > 0 && error instanceof HermesError) return []
        throw error
      }),
    ),
  )
  const all = [...found.flat(), ...own]
  const real = all.filter(({ echo }) => !echo)
  const hits = real.length > 0 ? real : all
  const exact = hits.filter((hit) => hit.exact)
  return together(exact.length > 0 ? exact : hits, parts)
}

function ofEntries(wanted: string, entries: readonly PersonEntry[]): readonly Hit[] {
  const places = entries.flatMap((entry) => entry.addresses.map((address) => ({ entry, address })))
  const named = peopleNamed(
    places.map(({ entry, address }, index) => ({
      userId: `#${index}`,
      name: entry.name,
      handle: address.userId,
      others: entry.others,
    })),
    wanted,
  )
  return named.map(({ userId }) => {
    const { entry, address } = places[Number(userId.slice(1))]!
    const exact =
      handleIn(wanted) !== undefined || [entry.name, ...entry.others].some((name) => isSameName(name, wanted))
    return { ...address, name: entry.name, exact, echo: false }
  })
}

async function ofSpace(
  wanted: string,
  space: Space,
  { people, speaker }: Pick<Parameters<typeof candidatesFor>[2], 'people' | 'speaker'>,
): Promise<readonly Hit[]> {
  const { channel, workspace } = space
  const there = speaker({ channel, workspace, room: '', thread: '' })
  const listed = (await there.findPeople?.(workspace, wanted, space.userId)) ?? []
  // The platform's own list knows everyone, and tells two of one name apart. The web chat has none and gives the name
  // back: there, whoever is known by it is meant first.
  const isList = listed.some(({ userId, name }) => userId !== name)
  const known = isList ? [] : await met(wanted, space, people)
  const hits: readonly Named[] = known.length > 0 ? known : listed
  return hits.map(({ userId, name }) => ({
    channel,
    workspace,
    userId,
    name,
    // Who was not found by the name was found by a handle, which is only one's.
    exact: isSameName(name, wanted) || handleIn(name) !== undefined || !isPartOfName(wanted, name),
    echo: !isList && known.length === 0,
  }))
}

/** Who has written to Hermes there. */
async function met(wanted: string, space: Space, people: Pick<People, 'named'>): Promise<readonly Named[]> {
  const rows = await people.named(handleIn(wanted) ?? wanted, space)
  return peopleNamed(
    rows.map(({ name, identity }) => ({ userId: identity.userId, name, handle: identity.userId })),
    wanted,
  )
}

async function together(
  hits: readonly Hit[],
  { entries, people }: Pick<Parameters<typeof candidatesFor>[2], 'entries' | 'people'>,
): Promise<readonly Candidate[]> {
  const listedAt = new Map(
    entries.flatMap((entry) => entry.addresses.map((address) => [addressKey(address), entry] as const)),
  )
  const entryAt = (address: Address) => listedAt.get(addressKey(address))
  const known = await people.at([...hits, ...hits.flatMap((hit) => entryAt(hit)?.addresses ?? [])])
  const personAt = new Map(known.map((one) => [addressKey(one), one.personId]))
  const of = (personId: string | undefined): readonly KnownAddress[] =>
    personId === undefined ? [] : known.filter((one) => one.personId === personId)

  const humans = new Map<unknown, Candidate>()
  for (const hit of hits) {
    const personId = personAt.get(addressKey(hit))
    const entry =
      entryAt(hit) ??
      of(personId)
        .map(entryAt)
        .find((one) => one !== undefined)
    const persons = entry?.addresses.map((address) => personAt.get(addressKey(address))) ?? []
    const human = entry ?? personId ?? addressKey(hit)
    const before = humans.get(human)
    const { channel, workspace, userId } = hit
    humans.set(human, {
      name: entry?.name ?? before?.name ?? hit.name,
      addresses: distinct([
        ...(before?.addresses ?? []),
        { channel, workspace, userId },
        ...(entry?.addresses ?? []),
        ...[personId, ...persons].flatMap(of),
      ]),
      personId: before?.personId ?? personId ?? persons.find((one) => one !== undefined),
      prefers: entry?.prefers,
      isGuess: hit.echo,
    })
  }
  return [...humans.values()]
}

function distinct(addresses: readonly Address[]): readonly Address[] {
  const seen = new Map<string, Address>()
  for (const { channel, workspace, userId } of addresses) {
    const address = { channel, workspace, userId }
    if (!seen.has(addressKey(address))) seen.set(addressKey(address), address)
  }
  return [...seen.values()]
}
