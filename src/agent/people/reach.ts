import { type Address, personAddress, roomAddress } from '../../channel/address.ts'
import { type ChannelName, identitySpace, type ThreadRef } from '../../channel/events.ts'
import type { Named } from '../../channel/names.ts'
import type { Speaker } from '../../channel/port.ts'
import type { KnownAddress, People } from '../../session/people.ts'
import { selfWords } from '../../tools/arguments/references.ts'
import type { Finding, Recipient } from '../../tools/builtin/messages.ts'
import { type Candidate, candidatesFor, type Space } from './candidates.ts'
import { chooseAddress } from './choosing.ts'
import { readDestination } from './destination.ts'
import type { PersonEntry, RoomEntry } from './entries.ts'
import { roomsFor } from './rooms.ts'

/** Who asks for somebody, and from where. */
export interface Asker {
  readonly personId: string
  readonly thread: ThreadRef
}

/**
 * Whom or which room a name means for somebody. People of the asker's own workspaces and of the operator's list can be
 * reached, and rooms alike; of anybody else it is not even told that they are there.
 */
export interface Reach {
  /** @param named the platform, where the request names one */
  find(said: string, asker: Asker, named?: ChannelName): Promise<Finding>
  /** People of that name on the thread's own platform. */
  here(name: string, asker: Asker): Promise<readonly Here[]>
}

/** Somebody on the thread's own platform. */
export interface Here extends Named {
  readonly address: string
  /** Nobody is known by that name, and the platform takes any. */
  readonly isGuess: boolean
}

export function createReach(parts: {
  readonly people: People
  readonly entries: readonly PersonEntry[]
  readonly rooms: readonly RoomEntry[]
  readonly connected: ReadonlySet<ChannelName>
  readonly speaker: (thread: ThreadRef) => Speaker
}): Reach {
  const { people, connected } = parts

  return {
    async find(said, asker, given) {
      const { name, isRoom, ...read } = readDestination(said)
      const named = read.channel ?? given
      if (named !== undefined && !connected.has(named)) return { kind: 'off', channel: named }
      const own = await people.addresses(asker.personId)
      const nothing: Finding = {
        kind: 'none',
        name: isRoom ? `#${name}` : name,
        ...(named === undefined ? {} : { wanted: named }),
      }
      if (selfWords.test(name)) return oneself(own, asker.thread, named) ?? nothing
      if (isRoom) {
        const guilds = () => people.guilds(asker.personId)
        const rooms = await roomsFor(name, { ...parts, own, guilds, thread: asker.thread, named })
        const found = rooms.map((thread) => ({
          address: roomAddress(thread),
          name: `#${name}`,
          channel: thread.channel,
        }))
        return finding(found) ?? nothing
      }
      const candidates = await humans(name, asker, own, named)
      return (await chosen(candidates, asker.thread, named)) ?? nothing
    },

    async here(name, asker) {
      const own = await people.addresses(asker.personId)
      const { thread } = asker
      const place = { channel: thread.channel, workspace: thread.workspace, userId: idAt(own, thread) }
      if (selfWords.test(name)) {
        const me = own.find((one) => isAt(one, thread))
        return me ? [named({ ...me, workspace: thread.workspace, isGuess: false })] : []
      }
      const found = await candidatesFor(name, [place], parts)
      return found.flatMap((one) => {
        const there = one.addresses.find((address) => isAt(address, thread))
        return there
          ? [named({ ...there, workspace: thread.workspace, name: one.name, isGuess: one.isGuess })]
          : []
      })
    },
  }

  /** In the asker's own place first, then wherever else they are themselves. */
  async function humans(
    name: string,
    { thread }: Asker,
    own: readonly KnownAddress[],
    named: ChannelName | undefined,
  ): Promise<readonly Candidate[]> {
    const here: Space = { channel: thread.channel, workspace: thread.workspace, userId: idAt(own, thread) }
    const others = own.filter((one) => !isAt(one, thread) && connected.has(one.channel))
    if (named === undefined) {
      const near = await candidatesFor(name, [here], parts)
      if (near.some(({ isGuess }) => !isGuess) || others.length === 0) return near
      const far = (await candidatesFor(name, others, parts)).filter(({ isGuess }) => !isGuess)
      return far.length > 0 ? far : near
    }
    const there = others.filter(({ channel }) => channel === named)
    // Where any name will do, one that is meant for elsewhere is nobody's.
    const all = (await candidatesFor(name, [here, ...there], parts)).filter(
      ({ isGuess }) => !isGuess || named === thread.channel,
    )
    const fitting = all.filter(({ addresses }) => addresses.some(({ channel }) => channel === named))
    return fitting.length > 0 ? fitting : all
  }

  async function chosen(
    candidates: readonly Candidate[],
    own: ThreadRef,
    named: ChannelName | undefined,
  ): Promise<Finding | undefined> {
    const lastChannel: People['lastChannel'] = (...of) => people.lastChannel(...of)
    const choices = await Promise.all(
      candidates.map(async (one) => ({
        one,
        choice: await chooseAddress(one, { named, own, connected, lastChannel }),
      })),
    )
    const open = choices.flatMap(({ one, choice }) =>
      choice.kind === 'there'
        ? [
            {
              address: personAddress(choice.address),
              name: one.name,
              channel: choice.address.channel,
              userId: choice.address.userId,
            },
          ]
        : [],
    )
    if (open.length > 0) return finding(distinctly(open))
    const [first] = choices
    if (first?.choice.kind === 'off')
      return { kind: 'off', channel: first.choice.channel, name: first.one.name }
    if (first?.choice.kind !== 'elsewhere' || named === undefined || choices.length > 1) return undefined
    return { kind: 'elsewhere', name: first.one.name, wanted: named, channels: first.choice.channels }
  }
}

function oneself(
  own: readonly KnownAddress[],
  thread: ThreadRef,
  named: ChannelName | undefined,
): Finding | undefined {
  const me = own.find((one) => (named === undefined ? isAt(one, thread) : one.channel === named))
  if (!me) return undefined
  const workspace = me.channel === thread.channel ? thread.workspace : me.workspace
  return finding([{ address: personAddress({ ...me, workspace }), name: me.name, channel: me.channel }])
}

function finding(recipients: readonly Recipient[]): Finding | undefined {
  const [only] = recipients
  if (!only) return undefined
  return recipients.length === 1 ? { kind: 'found', recipient: only } : { kind: 'several', recipients }
}

/** Two of one name on one platform are told apart by their ids. */
function distinctly(found: readonly (Recipient & { readonly userId: string })[]): readonly Recipient[] {
  const label = ({ name, channel }: Recipient) => `${name.toLowerCase()} ${channel}`
  return found.map(({ userId, ...one }) =>
    found.filter((other) => label(other) === label(one)).length > 1
      ? { ...one, name: `${one.name} (@${userId})` }
      : one,
  )
}

function named(one: Address & Pick<Here, 'name' | 'isGuess'>): Here {
  return { userId: one.userId, name: one.name, address: personAddress(one), isGuess: one.isGuess }
}

function isAt(address: Address, thread: Pick<ThreadRef, 'channel' | 'workspace'>): boolean {
  return address.channel === thread.channel && identitySpace(address) === identitySpace(thread)
}

function idAt(own: readonly KnownAddress[], thread: ThreadRef): string | undefined {
  return own.find((one) => isAt(one, thread))?.userId
}
