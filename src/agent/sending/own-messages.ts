import type { NewMessage } from '../../session/step.ts'
import type { OpenTurn } from '../../session/transcript.ts'
import type { AgentParts } from '../parts.ts'

/** What every message of Hermes has in common: nobody wrote it, and nothing comes with it. */
function ownMessage(
  id: string,
  text: string,
  of: Pick<NewMessage, 'role' | 'turnId' | 'step' | 'leg'> & Partial<Pick<NewMessage, 'eventId' | 'final'>>,
): NewMessage {
  return { id, text, personId: null, eventId: null, postId: null, attachments: [], final: true, ...of }
}

/** A message of a turn, as a step commits it. */
export function assistantMessage(id: string, turn: OpenTurn, text: string, final: boolean): NewMessage {
  return ownMessage(id, text, {
    role: 'assistant',
    turnId: turn.id,
    step: turn.step + 1,
    leg: turn.leg,
    final,
  })
}

/** What is said because of an event, outside of turns: once, since an event has one message. */
export function sayingFor(parts: Pick<AgentParts, 'ids'>, eventId: string, text: string): NewMessage {
  return ownMessage(parts.ids('msg'), text, { role: 'assistant', turnId: null, step: 0, leg: 1, eventId })
}

/** A note of Hermes at the end of the transcript, in a turn or outside of any. */
export function noteOf(
  parts: Pick<AgentParts, 'ids'>,
  { turnId }: { readonly turnId: string | null },
  text: string,
): NewMessage {
  return ownMessage(parts.ids('msg'), text, { role: 'note', turnId, step: 0, leg: turnId === null ? 1 : 0 })
}
