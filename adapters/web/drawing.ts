import { setImmediate as immediate } from 'node:timers/promises'
import type { Card, CardAction } from '../../src/channel/card.ts'
import type { Receipt } from '../../src/channel/port.ts'
import type { ThreadView, ViewMessage } from '../../src/channel/view.ts'
import type { MarkdownHtml } from './html.ts'

/** A file as the API gives it: fetched from that path of the same server. */
export interface DrawnFile {
  readonly name: string
  readonly mediaType: string
  readonly path: string
}

/** A message as the API gives it. */
export interface DrawnMessage {
  readonly id: string
  readonly role: ViewMessage['role']
  readonly author?: string
  readonly text: string
  readonly html: string
  readonly at: string
  readonly cards: readonly Card[]
  readonly actions: readonly CardAction[]
  readonly files?: readonly DrawnFile[]
  readonly turn?: string
}

/** The most time that drawing takes from everyone else at a stretch, in ms. */
const slice = 8

/** Many messages for the API, with a rest between, since rendering long threads takes a while. */
export async function drawMessages(
  messages: readonly ViewMessage[],
  html: MarkdownHtml,
): Promise<DrawnMessage[]> {
  const drawn: DrawnMessage[] = []
  let since = performance.now()
  for (const message of messages) {
    drawn.push(drawMessage(message, html))
    if (performance.now() - since < slice) continue
    await immediate()
    since = performance.now()
  }
  return drawn
}

/** What is being written. */
export interface DrawnDraft {
  readonly text: string
  readonly html: string
  readonly status?: string
}

/** The id that clients know a message by. */
export function messageIdOf(message: ViewMessage): string {
  return message.postId ?? message.id
}

/** A message for the API. */
export function drawMessage(message: ViewMessage, html: MarkdownHtml): DrawnMessage {
  return {
    // A person's message keeps the id that was told when it was sent.
    id: messageIdOf(message),
    role: message.role,
    ...(message.author === undefined ? {} : { author: message.author }),
    text: message.text,
    html: html(message.text),
    at: message.at.toISOString(),
    cards: message.cards,
    actions: message.actions,
    ...(message.files?.length
      ? {
          files: message.files.map(({ ref, name, mediaType }) => ({
            name,
            mediaType,
            path: `/files/${ref}`,
          })),
        }
      : {}),
    ...(message.turnId === undefined ? {} : { turn: message.turnId }),
  }
}

/** The draft of a thread, or `null` where nothing is being written. */
export function drawDraft(view: ThreadView, html: MarkdownHtml): DrawnDraft | null {
  const { draft } = view
  if (!draft || (draft.text === '' && draft.status === undefined)) return null
  // Committed already, its board not cleared yet: shown once.
  const last = view.messages.at(-1)
  const committed =
    last?.role === 'assistant' && draft.text !== '' && last.text.startsWith(draft.text.trimEnd())
  if (committed) return null
  return {
    text: draft.text,
    html: draft.text === '' ? '' : html(draft.text),
    ...(draft.status === undefined ? {} : { status: draft.status }),
  }
}

/** What the gateway made of a click, for the person who clicked. */
export function drawReceipt(receipt: Receipt, html: MarkdownHtml) {
  if (receipt.kind !== 'answered' || receipt.notice === undefined) return receipt
  return { ...receipt, html: html(receipt.notice) }
}
