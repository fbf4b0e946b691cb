import {
  type APIGuild,
  type APIGuildMember,
  makeURLSearchParams,
  type REST,
  RESTJSONErrorCodes,
  Routes,
} from 'discord.js'
import type { Clock } from '../../src/base/clock.ts'
import { type Nameable, type Named, peopleNamed } from '../../src/channel/names.ts'
import { directWorkspace } from './places.ts'
import { channelError, discordCode } from './refusal.ts'

/** The members of guilds by name, also those who never wrote to Hermes. */
export interface Members {
  /** In direct messages, those of the guilds that the asker and the bot are both in. */
  find(workspace: string, name: string, askerId: string | undefined): Promise<readonly Named[]>
}

/** Guilds in which the asker is looked for, and shared ones that are searched. */
const mostGuilds = 25
const mostShared = 5
const mostMatches = 100
const keepMs = 600_000
const mostKept = 1_000

export function createMembers(rest: REST, clock: Clock): Members {
  const shared = new Map<string, { readonly guilds: readonly string[]; readonly until: number }>()

  /** Members whose user name or nickname begins with that. */
  async function search(guild: string, query: string): Promise<Nameable[]> {
    const found = (await rest.get(Routes.guildMembersSearch(guild), {
      query: makeURLSearchParams({ query, limit: mostMatches }),
    })) as APIGuildMember[]
    return found
      .filter(({ user }) => !user.bot)
      .map(({ user, nick }) => ({
        userId: user.id,
        name: nick ?? user.global_name ?? user.username,
        handle: user.username,
        others: user.global_name ? [user.global_name] : [],
      }))
  }

  async function isMember(guild: string, userId: string): Promise<boolean> {
    try {
      await rest.get(Routes.guildMember(guild, userId))
      return true
    } catch (error) {
      const code = discordCode(error)
      if (code === RESTJSONErrorCodes.UnknownMember || code === RESTJSONErrorCodes.UnknownUser) return false
      throw error
    }
  }

  async function sharedWith(userId: string): Promise<readonly string[]> {
    const known = shared.get(userId)
    if (known && known.until > clock.monotonic()) return known.guilds
    const own = (await rest.get(Routes.userGuilds())) as Pick<APIGuild, 'id'>[]
    const guilds: string[] = []
    for (const { id } of own.slice(0, mostGuilds)) {
      if (guilds.length < mostShared && (await isMember(id, userId))) guilds.push(id)
    }
    shared.delete(userId)
    shared.set(userId, { guilds, until: clock.monotonic() + keepMs })
    const oldest = shared.keys().next().value
    if (shared.size > mostKept && oldest !== undefined) shared.delete(oldest)
    return guilds
  }

  return {
    async find(workspace, name, askerId) {
      const wanted = queryOf(name)
      if (wanted === '') return []
      try {
        const guilds =
          workspace === directWorkspace ? (askerId ? await sharedWith(askerId) : []) : [workspace]
        const people = new Map<string, Nameable>()
        for (const guild of guilds) {
          for (const person of await search(guild, wanted)) people.set(person.userId, person)
        }
        return peopleNamed(people.values(), name)
      } catch (error) {
        throw channelError('the list of members', error)
      }
    },
  }
}

/** What Discord is asked for: the first word, since it compares beginnings, or the handle that was told. */
function queryOf(name: string): string {
  const handle = /\(@([^()]+)\)\s*$/.exec(name)?.[1]
  return (handle ?? name.trim().replace(/^@/, '').split(/\s+/)[0] ?? '').slice(0, 100)
}
