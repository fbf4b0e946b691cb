import { messageOf } from '../../base/errors.ts'
import type { Ids } from '../../base/ids.ts'
import type { Card } from '../../channel/card.ts'
import type { ThreadRef } from '../../channel/events.ts'
import { ChannelError } from '../../channel/failure.ts'
import type { OwnFile, ReplyTarget, Speaker } from '../../channel/port.ts'
import type { PriorPart, ReplyJournal } from '../../channel/reply.ts'
import type { Log } from '../../observe/log.ts'
import { type Lease, LeaseLost } from '../../session/lease.ts'
import type { NewDelivery, SentDelivery } from '../../session/step.ts'
import type { Database } from '../../store/client.ts'
import { cardHash } from '../../tools/approvals/cards.ts'

/** What is to be sent once, and is recognised after a crash. */
export interface Parcel {
  readonly key: string
  readonly sessionId: string
  readonly turnId: string | null
  readonly purpose: 'reply' | 'card' | 'notice' | 'message'
  readonly target: ReplyTarget
}

/** What became of sending a parcel. */
export type Sent =
  | { readonly kind: 'sent'; readonly messageId: string }
  | {
      readonly kind: 'failed'
      readonly reason: string
      /** It may have arrived: the connection broke, and the thread could not be looked at. */
      readonly uncertain?: true
    }

/**
 * Sends each thing once: a row is committed before the post, and the platform's id after it. Where the id was
 * lost in a crash, the message is looked for in the thread and adopted.
 */
export interface Deliveries {
  /**
   * The journal of one leg's reply.
   * @param fresh was the leg begun by this process, so that there are no rows of it yet?
   */
  journal(lease: Lease, turnId: string, leg: number, target: ReplyTarget, fresh: boolean): LegJournal
  /** What this leg has shown already, in a process that is gone. */
  prior(turnId: string, leg: number): Promise<readonly PriorPart[]>
  /** Posts a card, or draws it again where it has moved on. `ask` is the one in a room of approvers. */
  card(
    lease: Lease,
    turnId: string | null,
    target: ReplyTarget,
    card: Card,
    as?: 'card' | 'ask',
  ): Promise<Sent>
  /** Looks whether something arrived, also in the thread itself; `unclear` where it was begun and is not found. */
  look(key: string): Promise<'sent' | 'unclear' | 'none'>
  /** Posts a text or a file once. The row may have been committed before, with what it tells of. */
  once(parcel: Parcel, what: string | OwnFile, signal: AbortSignal): Promise<Sent>
}

/**
 * The journal of a leg. Where a message is all that a commit of the turn waits for, its row goes with that commit
 * instead of a statement of its own.
 */
export interface LegJournal extends ReplyJournal {
  /** Commits the row of the first message with other work, unless a message has been begun already. */
  withFirst<T>(commit: (rows: readonly NewDelivery[]) => Promise<T>): Promise<T>
  /** From now on the id of the message that was sent last is left to `unsaved`. */
  defer(): void
  /** What was sent and is not in the rows yet: for the next commit. */
  unsaved(): readonly SentDelivery[]
}

export function createDeliveries(parts: {
  db: Database
  ids: Ids
  log: Log
  speaker: (thread: ThreadRef) => Speaker
}): Deliveries {
  const { db, ids, log, speaker } = parts

  const replyKey = (turnId: string, leg: number, part: number) => `reply:${turnId}:${leg}:${part}`

  /** Commits the row, or finds it. With a lease, only where it still holds. */
  const reserve = async (parcel: Parcel, lease?: Lease): Promise<Row> => {
    const id = ids('dlv')
    const rows = await db.rows<Row>`
      WITH allowed AS (
        SELECT 1 WHERE ${lease === undefined} OR EXISTS (
          SELECT 1 FROM session WHERE id = ${lease?.sessionId ?? ''} AND fence = ${lease?.fence ?? 0} AND lease_owner IS NOT NULL)
      ), made AS (
        INSERT INTO delivery (id, key, session_id, turn_id, purpose, target, nonce)
        SELECT ${id}, ${parcel.key}, ${parcel.sessionId}, ${parcel.turnId}, ${parcel.purpose}::delivery_purpose,
          ${JSON.stringify(parcel.target)}::jsonb, ${id.slice(-24)}
        FROM allowed
        ON CONFLICT (key) DO UPDATE SET key = excluded.key
        RETURNING id, nonce, status::text, message_id AS "messageId", shown, created_at AS "createdAt", (xmax = 0) AS fresh
      ) SELECT * FROM made`
    const row = rows[0]
    if (!row) throw new LeaseLost(parcel.sessionId)
    return row
  }

  const markSent = async (key: string, messageId: string, shown?: string) => {
    await db.changed`
      UPDATE delivery SET status = 'sent', message_id = ${messageId}, sent_at = now(), error = NULL,
        shown = COALESCE(${shown ?? null}, shown)
      WHERE key = ${key}`
  }

  const markFailed = async (key: string, reason: string) => {
    await db.delivery.update({ where: { key }, data: { status: 'failed', error: reason.slice(0, 500) } })
  }

  /** A message whose id was lost: our own, in that thread, newer than its row, that no delivery knows. */
  const adopt = async (row: Row, target: ReplyTarget): Promise<string | undefined> => {
    const since = new Date(row.createdAt.getTime() - 2_000)
    const own = await speaker(target.thread).ownMessages(target.thread, since)
    const byNonce = own.find((message) => message.nonce === row.nonce)
    if (byNonce) return byNonce.messageId
    const unmarked = own.filter((message) => message.nonce === undefined)
    if (unmarked.length === 0) return undefined
    const known = await db.delivery.findMany({
      where: { messageId: { in: unmarked.map((message) => message.messageId) } },
      select: { messageId: true },
    })
    const ids = new Set(known.map((delivery) => delivery.messageId))
    return unmarked.find((message) => !ids.has(message.messageId))?.messageId
  }

  /** Posts under the row, adopting where an earlier attempt may have come through. */
  const send = async (
    parcel: Parcel,
    row: Row,
    post: (nonce: string) => Promise<string>,
    shown?: string,
  ): Promise<Sent> => {
    // An earlier attempt may have come through, unless the thread shows otherwise.
    let uncertain = !row.fresh
    try {
      const adopted = row.fresh ? undefined : await adopt(row, parcel.target)
      uncertain = false
      const messageId = adopted ?? (await post(row.nonce))
      await markSent(parcel.key, messageId, shown)
      return { kind: 'sent', messageId }
    } catch (error) {
      if (!(error instanceof ChannelError)) throw error
      if (error.failure === 'unknown') {
        const found = await adopt(row, parcel.target).catch(() => {
          uncertain = true
          return undefined
        })
        if (found) {
          await markSent(parcel.key, found, shown)
          return { kind: 'sent', messageId: found }
        }
      }
      log.error(
        { delivery: parcel.key, failure: error.failure, error: messageOf(error) },
        'A message could not be sent',
      )
      await markFailed(parcel.key, messageOf(error))
      return { kind: 'failed', reason: messageOf(error), ...(uncertain ? { uncertain } : {}) }
    }
  }

  return {
    journal(lease, turnId, leg, target, fresh) {
      const parcel = (part: number): Parcel => ({
        key: replyKey(turnId, leg, part),
        sessionId: lease.sessionId,
        turnId,
        purpose: 'reply',
        target,
      })
      let first: Promise<string | undefined> | undefined
      let begun = !fresh
      let deferring = false
      let last: SentDelivery | undefined
      const saveLast = async () => {
        const sent = last
        last = undefined
        if (sent) await markSent(sent.key, sent.messageId)
      }
      return {
        async withFirst(commit) {
          if (begun || first) return commit([])
          const { key } = parcel(0)
          const id = ids('dlv')
          const nonce = id.slice(-24)
          const committing = commit([{ id, key, turnId, target, nonce }])
          // What was not committed is reserved by itself.
          first = committing.then(
            () => nonce,
            () => undefined,
          )
          return committing
        },
        async reserve(part) {
          begun = true
          await saveLast()
          const known = part === 0 ? await first : undefined
          const { nonce } = known === undefined ? await reserve(parcel(part), lease) : { nonce: known }
          return { nonce }
        },
        async posted(part, messageId) {
          const key = replyKey(turnId, leg, part)
          if (deferring) last = { key, messageId }
          else await markSent(key, messageId)
        },
        async removed(part) {
          await saveLast()
          await db.delivery.deleteMany({ where: { key: replyKey(turnId, leg, part) } })
        },
        defer() {
          deferring = true
        },
        unsaved() {
          const sent = last
          last = undefined
          return sent ? [sent] : []
        },
      }
    },

    async prior(turnId, leg) {
      const rows = await db.delivery.findMany({ where: { key: { startsWith: `reply:${turnId}:${leg}:` } } })
      const found: PriorPart[] = []
      for (const row of rows) {
        const part = Number(row.key.split(':').at(-1))
        const target = row.target as unknown as ReplyTarget
        const messageId =
          row.messageId ??
          (await adopt({ ...row, fresh: false, shown: row.shown, createdAt: row.createdAt }, target))
        if (!messageId) continue
        if (!row.messageId) await markSent(row.key, messageId)
        found.push({ part, messageId })
      }
      return found.sort((a, b) => a.part - b.part)
    },

    async card(lease, turnId, target, card, as = 'card') {
      const parcel: Parcel = {
        key: `${as}:${card.id}`,
        sessionId: lease.sessionId,
        turnId,
        purpose: 'card',
        target,
      }
      const shown = cardHash(card)
      const row = await reserve(parcel, lease)
      if (row.status === 'sent' && row.messageId) {
        if (row.shown === shown) return { kind: 'sent', messageId: row.messageId }
        try {
          await speaker(target.thread).updateCard(target, row.messageId, card)
          await markSent(parcel.key, row.messageId, shown)
          return { kind: 'sent', messageId: row.messageId }
        } catch (error) {
          if (!(error instanceof ChannelError)) throw error
          log.warn(
            { card: card.id, failure: error.failure, error: messageOf(error) },
            'A card could not be drawn again',
          )
          return { kind: 'failed', reason: messageOf(error) }
        }
      }
      return send(parcel, row, (nonce) => speaker(target.thread).postCard(target, card, nonce), shown)
    },

    async look(key) {
      const row = await db.delivery.findUnique({ where: { key } })
      if (!row) return 'none'
      if (row.status === 'sent' && row.messageId) return 'sent'
      const messageId = await adopt({ ...row, fresh: false }, row.target as unknown as ReplyTarget)
      if (messageId === undefined) return 'unclear'
      await markSent(key, messageId)
      return 'sent'
    },

    async once(parcel, what, signal) {
      const row = await reserve(parcel)
      if (row.status === 'sent' && row.messageId) return { kind: 'sent', messageId: row.messageId }
      return send(parcel, row, async (nonce) => {
        signal.throwIfAborted()
        const surface = speaker(parcel.target.thread).surface(parcel.target)
        try {
          return typeof what === 'string'
            ? await surface.create({ text: what, final: true }, nonce)
            : await surface.attach(what, nonce)
        } finally {
          await surface.close()
        }
      })
    },
  }
}

interface Row {
  readonly id: string
  readonly nonce: string
  readonly status: string
  readonly messageId: string | null
  readonly shown: string | null
  readonly createdAt: Date
  readonly fresh: boolean
}
