import { messageOf } from '../../base/errors.ts'
import { within } from '../../base/wait.ts'
import { clockTime, phrases } from '../../base/words.ts'
import type { ThreadRef } from '../../channel/events.ts'
import { redactText } from '../../observe/redact.ts'
import { commitStep } from '../../session/commit.ts'
import type { PendingEvent } from '../../session/inbox.ts'
import type { Lease } from '../../session/lease.ts'
import type { CallChange } from '../../session/step.ts'
import type { Snapshot } from '../../session/transcript.ts'
import { deciders } from '../../tools/approvals/cards.ts'
import type { FoundOutcome } from '../../tools/tool.ts'
import { showCards } from '../approving/cards.ts'
import { showQuestionsOf } from '../asking/showing.ts'
import type { ContextOf } from '../calling/context.ts'
import type { AgentParts } from '../parts.ts'
import { callContext } from '../proposing/call-context.ts'
import { reachedPlace } from '../sending/places.ts'
import { keepSaying } from '../sending/saying.ts'
import { fireReminder } from './reminding.ts'
import { tellUnknown } from './unknown.ts'

/** The longest that looking after a call may take, in ms. */
const checkLimit = 15_000
/** The most characters of what was found that the model is told. */
const longestFound = 2_000

/** Does what is due in a session, or what a click has left to whoever works on it. */
export async function doTimer(
  parts: AgentParts,
  lease: Lease,
  snapshot: Snapshot,
  event: PendingEvent,
  contextOf: ContextOf,
): Promise<void> {
  const { cardsOf, remindOf, check, unknownOf } = event.payload
  const taken = { taken: { turnId: null, events: [event.id] } }
  if (cardsOf !== undefined) {
    const at = await contextOf(cardsOf)
    await showCards(parts, at)
    await showQuestionsOf(parts, at)
    await commitStep(parts.db, lease, taken)
  } else if (check !== undefined) {
    await lookAfter(parts, lease, snapshot, check, contextOf)
    await commitStep(parts.db, lease, taken)
  } else if (unknownOf !== undefined) {
    await tellUnknown(parts, lease, snapshot, event, unknownOf, contextOf)
  } else if (remindOf !== undefined) {
    await remindOfCard(parts, lease, snapshot, event, remindOf)
    await commitStep(parts.db, lease, taken)
  } else await fireReminder(parts, lease, snapshot, event)
}

/** Asks the tool what became of a call whose outcome is not known, and says so on its card. */
async function lookAfter(
  parts: AgentParts,
  lease: Lease,
  snapshot: Snapshot,
  callId: string,
  contextOf: ContextOf,
): Promise<void> {
  const call = snapshot.openCalls.find((open) => open.id === callId && open.status === 'unknown')
  const tool = call && parts.registry.find(call.tool)
  if (!call || !tool?.checkOutcome) return
  const owner = await contextOf(call.turnId)
  let found: FoundOutcome
  try {
    const context = callContext(parts, owner, call)
    found = await within(checkLimit, 'Looking', tool.checkOutcome(call.arguments, context))
  } catch (error) {
    lease.signal.throwIfAborted()
    found = { kind: 'unclear', sentence: redactText(messageOf(error)) }
  }
  const words = phrases(owner.language)
  const change = { id: call.id, from: 'unknown' } as const
  const changes: Record<FoundOutcome['kind'], () => CallChange> = {
    done: () => ({
      ...change,
      to: 'succeeded',
      resultText: found.kind === 'done' ? `${words.wasDone} ${shortly(found.result.content)}` : words.wasDone,
      told: [found.kind === 'done' ? found.result.told : undefined, words.wasDone]
        .filter(Boolean)
        .join(' · '),
    }),
    'not done': () => ({ ...change, to: 'unknown', resultText: words.wasNotDone, failureCode: 'not_done' }),
    unclear: () => ({
      ...change,
      to: 'unknown',
      resultText: `${words.cantTell}: ${found.kind === 'unclear' ? found.sentence : ''}`,
      failureCode: 'unknown',
    }),
  }
  await commitStep(parts.db, lease, {
    callChanges: [changes[found.kind]()],
    audit: [
      {
        id: parts.ids('aud'),
        action: 'call.checked',
        personId: call.personId,
        subjectId: call.id,
        data: { tool: call.tool, found: found.kind, argumentsHash: call.argumentsHash },
      },
    ],
  })
  await showCards(parts, owner)
}

/** What was found, for the model: enough to go on from, such as the new thing's number. */
function shortly(content: unknown): string {
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  return redactText(text.length > longestFound ? `${text.slice(0, longestFound).toWellFormed()}…` : text)
}

/** Says, where the card stands, that it still waits and for how long. */
async function remindOfCard(
  parts: AgentParts,
  lease: Lease,
  snapshot: Snapshot,
  event: PendingEvent,
  approvalId: string,
): Promise<void> {
  const facts = (await parts.approvals.facts({ sessionId: snapshot.id })).find(
    ({ approval }) => approval.id === approvalId,
  )
  if (facts?.approval.status !== 'open') return
  const { snapshot: card, expiresAt } = facts.approval
  const what = card.target ? `${card.title}: ${card.target}` : card.title
  const until = clockTime(expiresAt, parts.clock.now(), facts.timeZone, card.language)
  const text = phrases(card.language).stillWaits(what, deciders(facts), until)
  const room = facts.place ? await reachedPlace(parts, facts.place, approvalId) : undefined
  const thread = room ?? snapshot.thread
  if (!room) await keepSaying(parts, lease, snapshot, event.id, text)
  else if (room.channel === 'web') await keepInRoom(parts, room, event.id, text)
  await parts.deliveries.once(
    {
      key: `remind:${approvalId}`,
      sessionId: snapshot.id,
      turnId: null,
      purpose: 'notice',
      target: { thread },
    },
    text,
    lease.signal,
  )
  parts.notices.changed(snapshot.id)
}

/** What stands in a thread of the web chat is read from its session. */
async function keepInRoom(parts: AgentParts, room: ThreadRef, eventId: string, text: string): Promise<void> {
  const rows = await parts.db.$queryRaw<{ id: string }[]>`
    WITH place AS (
      UPDATE session SET seq = seq + 1, revision = revision + 1
      WHERE channel = ${room.channel}::channel_name AND workspace = ${room.workspace} AND room = ${room.room}
        AND thread = ${room.thread} AND NOT EXISTS (SELECT 1 FROM message WHERE event_id = ${eventId})
      RETURNING id, seq
    )
    INSERT INTO message (id, session_id, seq, role, event_id, text, leg)
    SELECT ${parts.ids('msg')}, id, seq, 'assistant', ${eventId}, ${text}, 1 FROM place
    ON CONFLICT (event_id) DO NOTHING RETURNING session_id AS id`
  if (rows[0]) parts.notices.changed(rows[0].id)
}
