import type { Committed } from './commit.ts'
import type { NewMessage, Step } from './step.ts'
import { storable } from './storable.ts'
import {
  newTurn,
  type OpenTurn,
  type Snapshot,
  snapshotMessages,
  type TranscriptMessage,
} from './transcript.ts'

/** Parts of a step whose outcome is known without reading the rows again. */
const plain: ReadonlySet<string> = new Set<keyof Step>([
  'messages',
  'taken',
  'dropped',
  'turn',
  'session',
  'sending',
] satisfies (keyof Step)[])

/**
 * The session as it would be read after a step, without reading it. `undefined` where something else has changed it
 * since it was read, or where the step holds more than this can tell.
 * @param person whose messages are in the step
 */
export function advance(
  before: Snapshot,
  step: Step,
  committed: Committed,
  person: { readonly id: string; readonly name: string },
  now: Date,
): Snapshot | undefined {
  const { messages = [], turn, session } = step
  if (committed.revision !== before.revision + 1) return undefined
  if (Object.entries(step).some(([part, value]) => !plain.has(part) && !isEmpty(value))) return undefined
  if (session?.reset) return undefined
  if (messages.some((message) => message.personId !== null && message.personId !== person.id))
    return undefined
  const gone = new Set([...(step.taken?.events ?? []), ...(step.dropped ?? [])])
  const first = committed.seq - messages.length + 1
  return {
    ...before,
    revision: committed.revision,
    plan: session?.plan === undefined ? before.plan : session.plan,
    entities: session?.entities === undefined ? before.entities : session.entities,
    archived: false,
    profile: session?.profile ?? before.profile,
    pastRead: session?.pastRead ?? before.pastRead,
    turns: turn ? turnsAfter(before.turns, turn, now) : before.turns,
    messages: [
      ...before.messages,
      ...messages.map((message, index) => written(message, first + index, person, now)),
    ].slice(-snapshotMessages),
    pending: before.pending.filter((event) => !gone.has(event.id)),
  }
}

function isEmpty(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.length === 0)
}

function turnsAfter(
  turns: readonly OpenTurn[],
  change: NonNullable<Step['turn']>,
  now: Date,
): readonly OpenTurn[] {
  if (change.begin) {
    const { personId, intent } = change.begin
    const outcome = change.outcome ?? null
    return [...turns, { ...newTurn(change.id, personId, now), intent, outcome }]
  }
  return turns
    .map((turn) => (turn.id === change.id ? turnAfter(turn, change) : turn))
    .filter(({ status }) => status === 'running' || status === 'waiting')
}

function turnAfter(turn: OpenTurn, change: NonNullable<Step['turn']>): OpenTurn {
  return {
    ...turn,
    status: change.status ?? turn.status,
    leg: change.leg ?? turn.leg,
    step: change.step ?? turn.step,
    outcome: change.outcome ?? turn.outcome,
    intent: change.intent === undefined ? turn.intent : change.intent,
    tokens: turn.tokens + (change.inputTokens ?? 0) + (change.outputTokens ?? 0),
    cost: turn.cost + (change.cost ?? 0),
  }
}

function written(
  message: NewMessage,
  seq: number,
  person: { readonly name: string },
  now: Date,
): TranscriptMessage {
  return {
    ...message,
    text: storable(message.text),
    seq,
    author: message.personId === null ? null : person.name,
    removed: false,
    createdAt: now,
    calls: [],
  }
}
