import type { Clock } from '../../src/base/clock.ts'
import { within } from '../../src/base/wait.ts'
import { type Nameable, type Named, peopleNamed } from '../../src/channel/names.ts'
import type { SlackClient } from './client.ts'

/** The people of the workspace by name, also those who never wrote to Hermes. */
export interface Members {
  find(name: string): Promise<readonly Named[]>
}

const keepMs = 600_000
/** A name that was not found is looked for again in a list that is older than this. */
const staleMs = 30_000
/** 10,000 people; users.list is a slow method (about 20 calls a minute). */
const pages = 20
const pageSize = 500
const limitMs = 12_000

export function createMembers(client: SlackClient, clock: Clock): Members {
  let known: { readonly people: readonly Nameable[]; readonly at: number } | undefined
  let asking: Promise<readonly Nameable[]> | undefined

  async function list(): Promise<readonly Nameable[]> {
    const people: Nameable[] = []
    let cursor: string | undefined
    for (let page = 0; page < pages; page += 1) {
      const answer = await client.call('users.list', 'repeatable', (web) =>
        web.users.list({ limit: pageSize, ...(cursor === undefined ? {} : { cursor }) }),
      )
      for (const { id, name, profile, ...member } of answer.members ?? []) {
        // Slackbot is no bot by its own account.
        const human = !member.deleted && !member.is_bot && !member.is_workflow_bot && id !== 'USLACKBOT'
        if (!id || !human) continue
        const others = [profile?.real_name, member.real_name].filter((other) => other !== undefined)
        people.push({
          userId: id,
          name: profile?.display_name || profile?.real_name || member.real_name || name || id,
          handle: name ?? id,
          others: others.filter((other) => other !== ''),
        })
      }
      cursor = answer.response_metadata?.next_cursor || undefined
      if (cursor === undefined) break
    }
    known = { people, at: clock.monotonic() }
    return people
  }

  /** The list, asked for by one at a time. */
  function ask(): Promise<readonly Nameable[]> {
    asking ??= list().finally(() => {
      asking = undefined
    })
    return within(limitMs, "Reading Slack's list of people", asking)
  }

  return {
    async find(name) {
      const age = known ? clock.monotonic() - known.at : Number.POSITIVE_INFINITY
      const found = peopleNamed(known && age < keepMs ? known.people : await ask(), name)
      // Someone who joined a moment ago is found, too.
      if (found.length > 0 || age < staleMs || age >= keepMs) return found
      return peopleNamed(await ask(), name)
    },
  }
}
