import { type OpenTurn, type Snapshot, settled, type TranscriptMessage } from '../../session/transcript.ts'

/** What a running turn does next. Derived from committed rows alone, so a turn goes on the same way after a crash. */
export type Move =
  /** Calls are free to run. */
  | { readonly kind: 'run' }
  /** Calls wait for a person: show what was said and the cards, then wait. */
  | { readonly kind: 'wait'; readonly message: TranscriptMessage }
  /** The person has said stop. */
  | { readonly kind: 'stop' }
  /** Everything that was asked has been removed. */
  | { readonly kind: 'removed' }
  /** The answer is committed: show it and end. */
  | { readonly kind: 'answer'; readonly message: TranscriptMessage }
  /** Ask the model. */
  | { readonly kind: 'think' }

/** The next move of a running turn: a pure function. */
export function nextMove(snapshot: Snapshot, turn: OpenTurn): Move {
  if (snapshot.openCalls.some((call) => call.status === 'approved' || call.status === 'executing'))
    return { kind: 'run' }
  const own = snapshot.messages.filter((message) => message.turnId === turn.id && !message.removed)
  const last = own.findLast((message) => message.role !== 'note')
  if (!own.some((message) => message.role === 'user') && wasAsked(snapshot, turn)) return { kind: 'removed' }
  if (last?.role === 'assistant' && last.leg === turn.leg) {
    if (last.final) return { kind: 'answer', message: last }
    if (turn.outcome === 'stopped') return { kind: 'stop' }
    if (last.calls.some((call) => !settled.has(call.status))) return { kind: 'wait', message: last }
  }
  return turn.outcome === 'stopped' ? { kind: 'stop' } : { kind: 'think' }
}

/** Did somebody say something in the turn, whatever became of it? */
function wasAsked(snapshot: Snapshot, turn: OpenTurn): boolean {
  return snapshot.messages.some((message) => message.turnId === turn.id && message.role === 'user')
}

/** How a turn ends whose last word was committed with that outcome. */
export function statusOf(outcome: string | null): 'done' | 'stopped' | 'failed' {
  switch (outcome) {
    case null:
    case 'which':
    case 'handed_over':
    case 'command':
      return 'done'
    case 'stopped':
      return 'stopped'
    default:
      return 'failed'
  }
}

/** What a leg shows: everything the model said in it, in order. */
export function legText(snapshot: Snapshot, turn: { readonly id: string; readonly leg: number }): string {
  return snapshot.messages
    .filter(
      (message) =>
        message.turnId === turn.id &&
        message.leg === turn.leg &&
        message.role === 'assistant' &&
        !message.removed,
    )
    .map((message) => message.text.trim())
    .filter((text) => text !== '')
    .join('\n\n')
}

/** Waiting turns whose calls are all settled: they go on. */
export function resumable(snapshot: Snapshot): OpenTurn | undefined {
  return snapshot.turns.find(
    (turn) => turn.status === 'waiting' && !snapshot.openCalls.some((call) => call.turnId === turn.id),
  )
}
