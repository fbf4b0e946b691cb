import { languageOf } from '../../base/words.ts'
import type { ViewFile, ViewMessage } from '../../channel/view.ts'
import type { Snapshot, TranscriptMessage } from '../../session/transcript.ts'
import { whyButton } from '../commands/why-button.ts'
import type { givenFiles } from '../sending/files.ts'

/** Messages as people see them: one for each leg, whatever tools ran in between. */
export function viewMessages(
  snapshot: Snapshot,
  cards: ReadonlyMap<string, readonly ViewMessage['cards'][number][]>,
): readonly ViewMessage[] {
  const shown: ViewMessage[] = []
  const legs = new Map<string, number>()
  for (const message of snapshot.messages) {
    // A note of a person was passed on from elsewhere; those of Hermes are for the model.
    if (message.removed || (message.role === 'note' && message.personId === null)) continue
    const own = cards.get(message.id) ?? []
    const leg =
      message.role === 'assistant' && message.turnId ? `${message.turnId}:${message.leg}` : undefined
    const place = leg === undefined ? undefined : legs.get(leg)
    if (place !== undefined) {
      const before = shown[place]!
      shown[place] = {
        ...before,
        text: [before.text, message.text].filter((text) => text.trim() !== '').join('\n\n'),
        cards: [...before.cards, ...own],
      }
      continue
    }
    const running = snapshot.turns.find((turn) => turn.id === message.turnId && turn.status === 'running')
    // While the leg is being written, its draft shows it.
    if (leg !== undefined && running?.leg === message.leg && !message.final && own.length === 0) continue
    if (leg !== undefined) legs.set(leg, shown.length)
    shown.push(viewOf(message, own))
  }
  return [...shown.map((message) => explained(message, snapshot)), ...waitingMessages(snapshot)].filter(
    (message) => message.text.trim() !== '' || message.cards.length > 0 || message.role === 'user',
  )
}

/** Files stand below the last words of their turn, or below the message that came with them. */
export function withFiles(
  messages: readonly ViewMessage[],
  files: Awaited<ReturnType<typeof givenFiles>>,
  /** Of messages that were passed on from another thread, by the message. */
  passed: ReadonlyMap<string, readonly ViewFile[]>,
): readonly ViewMessage[] {
  if (files.length === 0 && passed.size === 0) return messages
  return messages.map((message, index) => {
    const sent = passed.get(message.id) ?? []
    if (sent.length > 0) return { ...message, files: sent }
    const isLast =
      message.role === 'assistant' &&
      message.turnId !== undefined &&
      !messages
        .slice(index + 1)
        .some((later) => later.turnId === message.turnId && later.role === 'assistant')
    const own = isLast ? files.filter(({ turnId }) => turnId === message.turnId) : []
    return own.length === 0
      ? message
      : { ...message, files: own.map(({ ref, name, mediaType }) => ({ ref, name, mediaType })) }
  })
}

/** An answer whose turn is over says on demand what shaped it. */
function explained(message: ViewMessage, snapshot: Snapshot): ViewMessage {
  const { turnId, role, text, cards } = message
  const isAnswer = role === 'assistant' && turnId !== undefined && text.trim() !== '' && cards.length === 0
  if (!isAnswer || snapshot.turns.some((turn) => turn.id === turnId)) return message
  return { ...message, actions: [...message.actions, whyButton(turnId, languageOf(text))] }
}

/** What was said while a turn is at work, and is not taken into one yet. */
function waitingMessages(snapshot: Snapshot): readonly ViewMessage[] {
  const waiting = new Map<string, ViewMessage>()
  for (const { id, kind, postId, author, payload, receivedAt } of snapshot.pending) {
    const known = waiting.get(postId ?? id)
    const text = payload.text ?? ''
    if (kind === 'message') {
      const own = { id, ...(postId ? { postId } : {}), ...(author ? { author } : {}) }
      waiting.set(postId ?? id, { ...own, role: 'user', text, at: receivedAt, cards: [], actions: [] })
    } else if (known && kind === 'edit') waiting.set(postId ?? id, { ...known, text })
    else if (known && kind === 'removal') waiting.delete(postId ?? id)
  }
  return [...waiting.values()]
}

function viewOf(message: TranscriptMessage, cards: readonly ViewMessage['cards'][number][]): ViewMessage {
  const files = message.attachments.map((file) => `*${file.name}*`).join(', ')
  return {
    id: message.id,
    ...(message.postId === null ? {} : { postId: message.postId }),
    role: message.role === 'note' ? 'assistant' : message.role,
    ...(message.author ? { author: message.author } : {}),
    text: [message.text, files].filter((text) => text !== '').join('\n\n'),
    at: message.createdAt,
    cards,
    actions: [],
    ...(message.turnId ? { turnId: message.turnId } : {}),
  }
}
