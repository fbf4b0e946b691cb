import type { Clock } from '../base/clock.ts'
import { HermesError, messageOf } from '../base/errors.ts'
import type { Log } from '../observe/log.ts'
import type { Database } from '../store/client.ts'
import { firstWaiting, type PersonRow } from './people.ts'
import { type Snapshot, type SnapshotRow, snapshotColumns, snapshotOf } from './transcript.ts'

/** How long a lease lives without renewal, how often it is renewed, and how early its holder stops (ms). */
export interface LeaseTimes {
  readonly life: number
  readonly renewal: number
  readonly margin: number
}

const leaseTimes: LeaseTimes = { life: 15_000, renewal: 5_000, margin: 3_000 }

/** The right to run a session's turns, held by one process at a time. */
export interface Lease {
  readonly sessionId: string
  /** The fencing number: every commit names it, and one with an old number changes nothing. */
  readonly fence: number
  /** Fires `margin` before the lease could expire, or when it is lost or the process stops. No call to a platform, a tool or the model starts after it. */
  readonly signal: AbortSignal
  /** Gives the lease back where no untaken event or approved call is left; else says that there is more to do. */
  release(): Promise<'released' | 'more' | 'lost'>
  /** Has it been given back or lost? */
  readonly ended: boolean
  /** A commit has given it back in the row: nothing is renewed any more. */
  end(): void
  /** Stops renewing without giving back, for a process that is stopping: the row is freed at once. */
  drop(): Promise<void>
}

/** A lease that was just taken, with what its holder reads first. */
export interface Taken {
  readonly lease: Lease
  readonly snapshot: Snapshot
  /** The one who wrote first of what waits. */
  readonly speaker: PersonRow | null
}

export interface Leases {
  /** `undefined` where another process holds it, or where there is no such session. */
  take(sessionId: string): Promise<Taken | undefined>
  /** In embedded mode the directory lock proves that no other process lives: at start every lease is void. */
  voidAll(): Promise<void>
}

/** Thrown where a commit finds that the lease has passed to another process. */
export class LeaseLost extends HermesError {
  constructor(sessionId: string) {
    super('session.lease_lost', 'Another process has taken over this session.', { data: { sessionId } })
  }
}

export function createLeases(parts: {
  db: Database
  /** Names this process in the row. */
  owner: string
  clock: Clock
  log: Log
  /** Fires when the process stops: running turns end at their next step. */
  stopping: AbortSignal
  times?: LeaseTimes
}): Leases {
  const { db, owner, clock, log, stopping } = parts
  const times = parts.times ?? leaseTimes

  return {
    async take(sessionId) {
      const asked = clock.monotonic()
      // Together with the first reading, since each round trip costs as much as the work itself. What is committed
      // while this waits for the session is not in the reading; then the first commit tells by its revision.
      const [row] = await db.rows<SnapshotRow & { fence: number; speaker: PersonRow | null }>`
        WITH leased AS (
          UPDATE session SET lease_owner = ${owner}, fence = fence + 1,
            lease_expires_at = now() + ${times.life} * interval '1 millisecond'
          WHERE id = ${sessionId} AND (lease_expires_at IS NULL OR lease_expires_at < now())
          RETURNING id, fence
        ) SELECT leased.fence, ${firstWaiting} AS speaker, ${snapshotColumns} FROM leased JOIN session s ON s.id = leased.id`
      if (!row) return undefined
      const { fence, speaker, ...rest } = row
      return { lease: hold(sessionId, fence, asked), snapshot: snapshotOf(rest), speaker }
    },
    async voidAll() {
      await db.changed`
        UPDATE session SET lease_owner = NULL, lease_expires_at = NULL WHERE lease_owner IS NOT NULL`
    },
  }

  function hold(sessionId: string, fence: number, since: number): Lease {
    const lost = new AbortController()
    const signal = AbortSignal.any([lost.signal, stopping])
    let expiry: NodeJS.Timeout | undefined
    let renewing = false
    let ended = false

    const countFrom = (start: number) => {
      clearTimeout(expiry)
      const left = times.life - times.margin - (clock.monotonic() - start)
      expiry = setTimeout(() => lost.abort(new LeaseLost(sessionId)), Math.max(0, left))
    }
    const renew = async () => {
      if (renewing) return
      renewing = true
      const asked = clock.monotonic()
      try {
        const count = await db.changed`
          UPDATE session SET lease_expires_at = now() + ${times.life} * interval '1 millisecond'
          WHERE id = ${sessionId} AND fence = ${fence} AND lease_owner = ${owner}`
        if (count === 0) lost.abort(new LeaseLost(sessionId))
        else if (!lost.signal.aborted) countFrom(asked)
      } catch (error) {
        // The expiry timer ends the turn if the database stays away.
        log.warn({ sessionId, error: messageOf(error) }, 'The lease could not be renewed')
      } finally {
        renewing = false
      }
    }
    const renewal = setInterval(renew, times.renewal)
    countFrom(since)
    const end = () => {
      ended = true
      clearInterval(renewal)
      clearTimeout(expiry)
    }

    return {
      sessionId,
      fence,
      signal,
      get ended() {
        return ended
      },
      end,
      async release() {
        const rows = await db.rows<{ held: boolean; freed: boolean }>`
          WITH freed AS (
            UPDATE session s SET lease_owner = NULL, lease_expires_at = NULL
            WHERE s.id = ${sessionId} AND s.fence = ${fence} AND s.lease_owner = ${owner}
              AND NOT EXISTS (SELECT 1 FROM inbound_event e WHERE e.session_id = s.id AND e.status = 'new')
              AND NOT EXISTS (SELECT 1 FROM tool_call c WHERE c.session_id = s.id AND c.status IN ('approved', 'executing'))
              AND NOT EXISTS (SELECT 1 FROM turn t WHERE t.session_id = s.id AND (t.status = 'running'
                OR (t.status = 'waiting' AND NOT EXISTS (SELECT 1 FROM tool_call c WHERE c.turn_id = t.id
                  AND c.status IN ('proposed', 'unknown', 'approved', 'executing')))))
            RETURNING s.id)
          SELECT EXISTS (SELECT 1 FROM session WHERE id = ${sessionId} AND fence = ${fence} AND lease_owner = ${owner}) AS held,
                 EXISTS (SELECT 1 FROM freed) AS freed`
        const row = rows[0]
        if (row?.freed) {
          end()
          return 'released'
        }
        if (row?.held) return 'more'
        end()
        return 'lost'
      },
      async drop() {
        end()
        lost.abort(new LeaseLost(sessionId))
        await db.changed`
          UPDATE session SET lease_owner = NULL, lease_expires_at = NULL
          WHERE id = ${sessionId} AND fence = ${fence} AND lease_owner = ${owner}`
      },
    }
  }
}
