import { type Claim, unfounded } from '../../session/claims.ts'
import { readIntents } from '../../session/intent/stored.ts'
import type { OpenTurn, Snapshot } from '../../session/transcript.ts'
import type { TurnContext } from '../parts.ts'

/** What a text of the model says was done, and that neither a call nor anything that it was told bears out. */
export function untrueIn(
  text: string,
  snapshot: Snapshot,
  turn: OpenTurn,
  at: TurnContext,
): readonly Claim[] {
  const acting = readIntents(turn.intent).some(({ primary }) => primary === 'action' || primary === 'modify')
  return unfounded(
    text,
    snapshot.messages.flatMap((message) => message.calls),
    {
      acting: acting ? turn.id : undefined,
      recalled: (at.memory?.recalled ?? []).length > 0,
      workflow: snapshot.workflows.some(({ personId }) => personId === turn.personId),
      summary: snapshot.summary ?? undefined,
    },
  )
}

/** What the model wrote beside calls, without the lines that tell as done what is only asked for. */
export function withoutUntrue(text: string, snapshot: Snapshot, turn: OpenTurn, at: TurnContext): string {
  if (untrueIn(text, snapshot, turn, at).length === 0) return text
  return text
    .split('\n')
    .filter((line) => untrueIn(line, snapshot, turn, at).length === 0)
    .join('\n')
    .trim()
}
