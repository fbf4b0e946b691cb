import { messageOf } from '../../base/errors.ts'
import { phrases } from '../../base/words.ts'
import type { CardAction } from '../../channel/card.ts'
import { ChannelError } from '../../channel/failure.ts'
import { openReply, type PriorPart, type Reply } from '../../channel/reply.ts'
import type { AgentParts, TurnContext } from '../parts.ts'
import type { LegJournal } from '../sending/delivery.ts'

/** The messages of one leg, and what is kept of them. */
export interface Leg {
  readonly number: number
  readonly reply: Reply
  readonly journal: LegJournal
}

/** The reply of a leg, with what of it is visible already. */
export async function openLeg(
  parts: AgentParts,
  at: TurnContext,
  number: number,
  shown?: readonly PriorPart[],
): Promise<Leg> {
  const fresh = shown === undefined && at.freshLeg === number
  const prior = shown ?? (fresh ? [] : await parts.deliveries.prior(at.turnId, number))
  const journal = parts.deliveries.journal(at.lease, at.turnId, number, at.target, fresh)
  const reply = openReply({
    surface: parts.speaker(at.thread).surface(at.target),
    journal,
    clock: parts.clock,
    log: parts.log.child({ turn: at.turnId }),
    signal: at.lease.signal,
    attachedSentence: phrases(at.language).restIsAttached,
    prior,
  })
  return { number, reply, journal }
}

/** Shows the finished text of a leg. A platform that does not take it is reported; the answer stays in the history. */
export async function show(
  parts: AgentParts,
  at: TurnContext,
  reply: Reply,
  text: string,
  below: readonly CardAction[] = [],
): Promise<void> {
  await at.trace.root.span('deliver', { characters: text.length }, async (span) => {
    try {
      const { messageIds } = await reply.finish(text, below.length > 0 ? { actions: below } : {})
      span.note({ messages: messageIds })
    } catch (error) {
      at.lease.signal.throwIfAborted()
      if (!(error instanceof ChannelError)) throw error
      span.end(error.code)
      parts.log.error(
        { turn: at.turnId, failure: error.failure, error: messageOf(error) },
        'An answer could not be shown',
      )
      await parts.db.delivery.updateMany({
        where: { turnId: at.turnId, purpose: 'reply', status: 'sending' },
        data: { status: 'failed', error: messageOf(error).slice(0, 500) },
      })
    }
  })
}

/** Takes the sign of life away. */
export function quiet(parts: AgentParts, at: TurnContext): void {
  void parts.speaker(at.thread).showActivity(at.target, null)
}
