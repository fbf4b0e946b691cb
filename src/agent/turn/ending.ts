import { phrases } from '../../base/words.ts'
import type { CardAction } from '../../channel/card.ts'
import { commitStep } from '../../session/commit.ts'
import type { Plans } from '../../session/plan.ts'
import type { OpenTurn, Snapshot } from '../../session/transcript.ts'
import { showCards } from '../approving/cards.ts'
import { showQuestions } from '../asking/showing.ts'
import type { AgentParts, TurnContext } from '../parts.ts'
import { sendFiles } from '../sending/files.ts'
import { assistantMessage } from '../sending/own-messages.ts'
import { showChoices } from '../workflows/choices.ts'
import { type Leg, quiet, show } from './legs.ts'
import { type Stopping, stopping } from './stopping.ts'

/** How a stretch of a turn ended. */
export type TurnEnd = 'done' | 'waiting' | 'stopped' | 'failed'

/** Shows the last word, and ends the turn: what became of its messages, its trace and the lease go with its end. */
export async function finish(
  parts: AgentParts,
  at: TurnContext,
  turn: OpenTurn,
  { reply, journal }: Leg,
  text: string,
  status: 'done' | 'stopped' | 'failed',
  {
    plan,
    below = [],
    snapshot,
  }: {
    readonly plan?: Plans | undefined
    /** Small buttons under the answer. */
    readonly below?: readonly CardAction[]
    /** Where choices of a workflow may be open, and files to be sent. */
    readonly snapshot?: Snapshot
  } = {},
): Promise<void> {
  journal.defer()
  await show(parts, at, reply, text, below)
  if (snapshot) {
    await sendFiles(parts, at, snapshot, turn)
    await showChoices(parts, at, snapshot)
    const asked = snapshot.questions.filter((question) => question.turnId === turn.id)
    await showQuestions(
      parts,
      at,
      asked.map(({ id }) => id),
    )
  }
  quiet(parts, at)
  await commitStep(parts.db, at.lease, {
    turn: { id: turn.id, status },
    ...(plan ? { session: { plan } } : {}),
    sent: journal.unsaved(),
    spans: at.trace.take(),
    release: true,
  })
}

/**
 * Ends a turn with a sentence of Hermes itself. What is `shown` instead of it is not kept: a secret for the person
 * alone.
 */
export async function endWith(
  parts: AgentParts,
  at: TurnContext,
  turn: OpenTurn,
  leg: Leg,
  sentence: string,
  status: 'done' | 'stopped' | 'failed',
  outcome: string,
  ending: Stopping & { readonly shown?: string | undefined } = { step: {}, turnIds: [] },
): Promise<TurnEnd> {
  leg.reply.restart()
  await commitStep(parts.db, at.lease, {
    ...ending.step,
    messages: [assistantMessage(parts.ids('msg'), turn, sentence, true)],
    turn: { id: turn.id, step: turn.step + 1, outcome },
  })
  parts.notices.changed(at.sessionId)
  for (const turnId of ending.turnIds) await showCards(parts, { ...at, turnId })
  await showQuestions(parts, at, ending.step.questions?.map(({ callId }) => callId) ?? [])
  await finish(parts, at, turn, leg, ending.shown ?? sentence, status)
  return status
}

/** Ends a turn whose person said stop, with what waited for them. */
export async function endStopped(
  parts: AgentParts,
  at: TurnContext,
  snapshot: Snapshot,
  turn: OpenTurn,
  leg: Leg,
): Promise<TurnEnd> {
  const ending = stopping(snapshot, at.person.id, turn.id)
  const words = phrases(at.language)
  const sentence = ending.turnIds.length > 0 ? words.stoppedWithdrawn : words.stopped
  return endWith(parts, at, turn, leg, sentence, 'stopped', 'stopped', ending)
}

/** Everything that was asked has been removed: what is visible of the answer goes too. */
export async function endRemoved(
  parts: AgentParts,
  at: TurnContext,
  turn: OpenTurn,
  { reply }: Leg,
): Promise<TurnEnd> {
  reply.restart()
  await show(parts, at, reply, '')
  // An answer that was committed already, and is not said any more.
  await parts.db.changed`
    DELETE FROM delivery WHERE turn_id = ${turn.id} AND purpose = 'reply' AND status = 'sending'`
  quiet(parts, at)
  await commitStep(parts.db, at.lease, { turn: { id: turn.id, status: 'stopped', outcome: 'removed' } })
  return 'stopped'
}
