import { commitStep } from '../../session/commit.ts'
import type { PendingEvent } from '../../session/inbox.ts'
import type { Lease } from '../../session/lease.ts'
import type { Step } from '../../session/step.ts'
import type { Snapshot } from '../../session/transcript.ts'
import type { AgentParts } from '../parts.ts'
import { sayingFor } from './own-messages.ts'

/** Makes what is said because of an event part of the history, with what goes with it: once, however often it is tried. */
export async function keepSaying(
  parts: AgentParts,
  lease: Lease,
  snapshot: Snapshot,
  eventId: string,
  text: string,
  more: Pick<Step, 'messages' | 'audit'> = {},
): Promise<void> {
  const said = await parts.db.message.findUnique({ where: { eventId }, select: { id: true } })
  if (said) return
  const messages = [sayingFor(parts, eventId, text), ...(more.messages ?? [])]
  await commitStep(parts.db, lease, { ...more, messages })
  parts.notices.changed(snapshot.id)
}

/** Posts it in the session's thread. It was kept before, so that a crash in between neither loses nor doubles it. */
export async function postSaying(
  parts: AgentParts,
  lease: Lease,
  snapshot: Snapshot,
  eventId: string,
  text: string,
  recipientId?: string,
): Promise<void> {
  await parts.deliveries.once(
    {
      key: `notice:${eventId}`,
      sessionId: snapshot.id,
      turnId: null,
      purpose: 'notice',
      target: { thread: snapshot.thread, ...(recipientId === undefined ? {} : { recipientId }) },
    },
    text,
    lease.signal,
  )
}

/** The same to whoever the event belongs to, and takes the event after: a crash in between neither loses nor doubles it. */
export async function postOwn(
  parts: AgentParts,
  lease: Lease,
  snapshot: Snapshot,
  event: PendingEvent,
  text: string,
): Promise<void> {
  const person =
    event.personId === null ? undefined : await parts.people.find(event.personId, snapshot.thread)
  await postSaying(parts, lease, snapshot, event.id, text, person?.userId)
  await commitStep(parts.db, lease, { taken: { turnId: null, events: [event.id] } })
}
