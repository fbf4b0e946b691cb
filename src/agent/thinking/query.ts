import type { Snapshot } from '../../session/transcript.ts'

/** What the turn is about: everything that its person has said in it. */
export function queryOf(snapshot: Snapshot, turnId: string): string {
  return queryIn(
    snapshot.messages.filter(
      (message) => message.turnId === turnId && message.role === 'user' && !message.removed,
    ),
  )
}

/** What is recalled for, of what was said. */
export function queryIn(said: readonly { readonly text: string }[]): string {
  return said
    .map((message) => message.text)
    .join('\n')
    .slice(0, 4_000)
}
