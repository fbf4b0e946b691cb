import { commitStep } from '../../session/commit.ts'
import type { PendingEvent } from '../../session/inbox.ts'
import type { Lease } from '../../session/lease.ts'
import { newTurn, type OpenTurn, type Snapshot } from '../../session/transcript.ts'
import { advance, ownCall, sayOf } from '../../session/workflows/machine.ts'
import type { AgentParts } from '../parts.ts'
import { sayingFor } from '../sending/own-messages.ts'
import { postOwn } from '../sending/saying.ts'
import { momentOf, movedAmong } from './workflows.ts'

/**
 * Moves a workflow on whose time in a state is over, and says what the new state says. The message is committed with
 * the move and the event is taken after it was sent, so that a crash in between neither loses nor doubles it. Gives
 * the turn that makes the call of the new state, where it has one.
 */
export async function fireTimeout(
  parts: AgentParts,
  lease: Lease,
  snapshot: Snapshot,
  event: PendingEvent,
): Promise<OpenTurn | undefined> {
  const said = await parts.db.message.findUnique({ where: { eventId: event.id }, select: { text: true } })
  const one = snapshot.workflows.find(({ id }) => id === event.payload.workflowId)
  let text = said?.text
  if (text === undefined) {
    const busy = one?.call?.status === 'approved' || one?.call?.status === 'executing'
    const next =
      one && one.visit === event.payload.visit && !busy
        ? advance(one, { kind: 'timeout' }, momentOf(parts, snapshot, null))
        : undefined
    if (!one || !next) {
      await commitStep(parts.db, lease, { dropped: [event.id] })
      return undefined
    }
    const withdrawn =
      one.callId && one.call?.status === 'proposed'
        ? [{ id: one.callId, from: 'proposed' as const, to: 'withdrawn' as const }]
        : []
    const audit = {
      id: parts.ids('aud'),
      action: 'workflow.timeout',
      personId: one.personId,
      subjectId: one.id,
      data: { from: one.state, to: next.state },
    }
    if (ownCall(next)) {
      // What the new state does is a turn's work; it also says the state's words.
      const id = parts.ids('turn')
      await commitStep(parts.db, lease, {
        turn: { id, begin: { personId: one.personId, intent: [] } },
        workflows: movedAmong(snapshot, { ...next, turnId: id }),
        callChanges: withdrawn,
        audit: [audit],
        taken: { turnId: id, events: [event.id] },
      })
      parts.notices.changed(snapshot.id)
      return newTurn(id, one.personId, parts.clock.now())
    }
    text = sayOf(next)
    await commitStep(parts.db, lease, {
      workflows: movedAmong(snapshot, next),
      callChanges: withdrawn,
      audit: [audit],
      ...(text === ''
        ? { taken: { turnId: null, events: [event.id] } }
        : {
            messages: [sayingFor(parts, event.id, text)],
          }),
    })
    parts.notices.changed(snapshot.id)
    if (text === '') return undefined
  }
  await postOwn(parts, lease, snapshot, event, text)
  return undefined
}
