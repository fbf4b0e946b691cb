import type { CardAction } from '../../channel/card.ts'
import type { Receipt } from '../../channel/port.ts'

/** What a command is answered with: words, and buttons below them. */
export function answer(notice: string, actions: readonly CardAction[] = []): Receipt {
  return { kind: 'answered', notice, actions }
}

/** A piece of a text that has room on a button. */
export function short(text: string): string {
  const characters = [...text]
  return characters.length <= 40 ? text : `${characters.slice(0, 39).join('')}…`
}
