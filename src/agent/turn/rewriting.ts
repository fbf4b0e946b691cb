import type { Ids } from '../../base/ids.ts'
import type { Folded } from '../../session/fold.ts'
import type { NewMessage } from '../../session/step.ts'
import type { Snapshot } from '../../session/transcript.ts'
import { noteOf } from '../sending/own-messages.ts'

/**
 * Notes on messages that were changed or removed after the model had acted on them. The transcript shows the new
 * text in the old place, above what was proposed for the old one, where it would be taken for dealt with.
 */
export function rewritingNotes(ids: Ids, folded: Folded, snapshot: Snapshot): readonly NewMessage[] {
  return folded.rewritten.flatMap(({ messageId, text }) => {
    const message = snapshot.messages.find((said) => said.id === messageId)
    const open = snapshot.turns.some((turn) => turn.id === message?.turnId)
    if (!message || !open) return []
    const acted = snapshot.messages.some(
      (later) => later.role === 'assistant' && later.turnId === message.turnId && later.seq > message.seq,
    )
    if (!acted) return []
    const author = message.author ?? 'The person'
    return [
      noteOf(
        { ids },
        message,
        text === null
          ? `${author} has removed a message that you had begun to act on. Leave it out of account.`
          : `${author} has changed a message that you had begun to act on. What you proposed for the old text is withdrawn. Answer the new text: ${text}`,
      ),
    ]
  })
}
