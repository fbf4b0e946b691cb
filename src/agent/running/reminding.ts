import { languageOf, phrases } from '../../base/words.ts'
import { commitStep } from '../../session/commit.ts'
import type { PendingEvent } from '../../session/inbox.ts'
import type { Lease } from '../../session/lease.ts'
import type { Snapshot } from '../../session/transcript.ts'
import type { AgentParts } from '../parts.ts'
import { keepSaying, postOwn } from '../sending/saying.ts'

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
    include: { person: true },
  })
  if (!reminder || reminder.status === 'cancelled') {
    await commitStep(parts.db, lease, { dropped: [event.id] })
    return
  }
  const words = phrases(languageOf(reminder.text))
  const text = words.reminder(reminder.person.displayName, reminder.text)
  await keepSaying(parts, lease, snapshot, event.id, text, {
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
  await postOwn(parts, lease, snapshot, event, text)
}
