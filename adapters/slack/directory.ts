import type { Clock } from '../../src/base/clock.ts'
import { pause } from '../../src/base/wait.ts'
import type { Author } from '../../src/channel/events.ts'
import type { SlackClient } from './client.ts'

/** Who people are, as far as the platform tells; kept for an hour. */
export interface Directory {
  /** What is known already. */
  peek(userId: string): Known | undefined
  /** Learns about people, for at most that long; what comes later is kept for next time. */
  learn(userIds: readonly string[], limitMs: number): Promise<void>
  /** The author of an event, with another name where nothing is known. */
  author(userId: string, otherwise?: string): Author
}

/** What the directory keeps of a person. */
export interface Known extends Author {
  readonly teamId?: string
}

const keepMs = 3_600_000
const keepAfterFailureMs = 60_000
const most = 5_000

export function createDirectory(client: SlackClient, clock: Clock): Directory {
  const known = new Map<string, { readonly person: Known | undefined; readonly until: number }>()
  const asking = new Map<string, Promise<void>>()

  function keep(userId: string, person: Known | undefined, forMs: number): void {
    known.delete(userId)
    known.set(userId, { person, until: clock.monotonic() + forMs })
    const oldest = known.keys().next().value
    if (known.size > most && oldest !== undefined) known.delete(oldest)
  }

  async function ask(userId: string): Promise<void> {
    const before = known.get(userId)?.person
    try {
      const { user } = await client.tryOnce('users.info', (web) =>
        web.users.info({ user: userId, include_locale: true }),
      )
      const name = user?.profile?.display_name || user?.profile?.real_name || user?.real_name || user?.name
      const language = user?.locale?.slice(0, 2)
      keep(
        userId,
        {
          userId,
          name: name || userId,
          ...(user?.tz ? { timeZone: user.tz } : {}),
          ...(language === 'en' || language === 'zh' ? { language } : {}),
          ...(user?.team_id ? { teamId: user.team_id } : {}),
        },
        keepMs,
      )
    } catch {
      // Without the scope, or for a while, people go by their id; what was known before stays.
      keep(userId, before, keepAfterFailureMs)
    }
  }

  return {
    peek: (userId) => known.get(userId)?.person,
    async learn(userIds, limitMs) {
      const now = clock.monotonic()
      const waits = userIds
        .filter((userId) => (known.get(userId)?.until ?? 0) <= now)
        .map((userId) => {
          const running = asking.get(userId)
          if (running) return running
          const started = ask(userId).finally(() => asking.delete(userId))
          asking.set(userId, started)
          return started
        })
      if (waits.length === 0 || limitMs === 0) return
      const limit = new AbortController()
      await Promise.race([Promise.all(waits), pause(limitMs, limit.signal)])
      limit.abort()
    },
    author(userId, otherwise) {
      const person = known.get(userId)?.person
      if (!person) return { userId, name: otherwise ?? userId }
      const { teamId: _, ...author } = person
      return author
    },
  }
}
