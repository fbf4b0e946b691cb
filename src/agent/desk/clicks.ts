import type { Clock } from '../../base/clock.ts'
import type { Ids } from '../../base/ids.ts'
import { clockTime, type Language, phrases } from '../../base/words.ts'
import type { ActionEvent, ThreadRef } from '../../channel/events.ts'
import type { Receipt } from '../../channel/port.ts'
import { meet } from '../../session/meeting.ts'
import type { Database } from '../../store/client.ts'
import { deskCard } from './card.ts'
import type { DeskCase, DeskCases } from './desk.ts'
import { deskWords } from './words.ts'

/** What came of a click at the desk: what the person is told, and the session that has to hear of it. */
export interface DeskClick {
  readonly receipt: Receipt
  readonly wakes?: string
}

/** Claims and releases by buttons. Only a click in the desk's own room counts. */
export interface DeskClicks {
  press(event: ActionEvent): Promise<DeskClick>
}

export function createDeskClicks(parts: {
  db: Database
  ids: Ids
  clock: Clock
  desk: DeskCases
  language: Language
  timeZone: string
}): DeskClicks {
  const { clock, desk, language, timeZone } = parts
  const words = deskWords(language)

  return {
    async press(event) {
      const id = event.value ?? ''
      const one = await desk.find(id)
      if (!one) return answered(phrases(language).noSuchCard)
      if (!isAtDesk(one, event.thread)) return answered(words.onlyDesk)
      // People of the desk need not have written to Hermes before.
      const { personId } = await meet(parts, event.thread, event.author)
      const claims = event.action === 'desk.claim'
      const change = claims
        ? await desk.claim(id, personId, event.dedupeKey)
        : await desk.release(id, personId, event.dedupeKey)
      if (change === 'repeated') return { receipt: { kind: 'repeated' } }
      const now = (await desk.find(id)) ?? one
      const notice = change === 'done' ? (claims ? words.claimedNotice : words.releasedNotice) : standing(now)
      const card = () => deskCard(now, { now: clock.now(), timeZone, language })
      const latest = async () => {
        const newest = await desk.find(id)
        return newest && deskCard(newest, { now: clock.now(), timeZone, language })
      }
      return {
        receipt: { kind: 'answered', notice, card: card(), latest },
        ...(change === 'done' ? { wakes: one.sessionId } : {}),
      }
    },
  }

  function standing(one: DeskCase): string {
    if (one.status === 'released') return words.alreadyReleased
    const at = one.claimedAt ? clockTime(one.claimedAt, clock.now(), timeZone, language) : ''
    return words.alreadyClaimed(one.claimedBy ?? '', at)
  }
}

/** Was it clicked where only the desk's people are? In the web chat a thread is a room of its own. */
function isAtDesk(one: DeskCase, at: ThreadRef): boolean {
  const { room } = one
  if (!room || room.channel !== at.channel || room.workspace !== at.workspace || room.room !== at.room)
    return false
  return room.channel !== 'web' || at.thread === room.thread || at.thread === one.deskThread?.thread
}

function answered(notice: string): DeskClick {
  return { receipt: { kind: 'answered', notice } }
}
