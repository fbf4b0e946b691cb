import type { Card } from './card.ts'
import type { Receipt } from './port.ts'

/** Shows the card of an answer, and once more where a turn has drawn it anew meanwhile: the newest is shown last. */
export async function showCard(
  { card, latest }: Extract<Receipt, { kind: 'answered' }>,
  show: (card: Card) => Promise<void>,
): Promise<void> {
  if (!card) return
  await show(card)
  const now = await latest?.()
  if (now && JSON.stringify(now) !== JSON.stringify(card)) await show(now)
}
