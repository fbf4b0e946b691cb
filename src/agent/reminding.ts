import { languageOf, phrases } from '../base/words.ts'
import { identitySpace } from '../channel/events.ts'
import { commitStep } from '../session/commit.ts'
import type { PendingEvent } from '../session/inbox.ts'
import type { Lease } from '../session/lease.ts'
import type { Snapshot } from '../session/transcript.ts'
import { sayingFor } from './own-messages.ts'
import type { AgentParts } from './parts.ts'

/**
 * Says a reminder in the thread where it was set. The message is committed before it is sent and the event is taken
 * after, so that a crash in between neither loses nor doubles it.
 */
export async function fireReminder(
  parts: AgentParts,
  lease: Lease,
  snapshot: Snapshot,
  event: PendingEvent,
): Promise<void> {
  const reminder = await parts.db.reminder.findUnique({
    where: { id: event.payload.reminderId ?? '' },
    include: { person: { include: { identities: true } } },
  })
  if (!reminder || reminder.status === 'cancelled') {
    await commitStep(parts.db, lease, { dropped: [event.id] })
    return
  }
  const words = phrases(languageOf(reminder.text))
  const text = words.reminder(reminder.person.displayName, reminder.text)
  const said = await parts.db.message.findUnique({ where: { eventId: event.id }, select: { id: true } })
  if (!said) {
    await commitStep(parts.db, lease, {
      messages: [sayingFor(parts, event.id, text)],
      audit: [
        {
          id: parts.ids('aud'),
          action: 'reminder.fired',
          personId: reminder.personId,
          subjectId: reminder.id,
          data: {},
        },
      ],
    })
    parts.notices.changed(snapshot.id)
  }
  const userId = reminder.person.identities.find(
    (identity) =>
      identity.channel === snapshot.thread.channel && identity.workspace === identitySpace(snapshot.thread),
  )?.userId
  await parts.deliveries.once(
    {
      key: `notice:${event.id}`,
      sessionId: snapshot.id,
      turnId: null,
      purpose: 'notice',
      target: { thread: snapshot.thread, ...(userId === undefined ? {} : { recipientId: userId }) },
    },
    text,
    lease.signal,
  )
  await commitStep(parts.db, lease, { taken: { turnId: null, events: [event.id] } })
}
