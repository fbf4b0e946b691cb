import type { Folded } from '../../session/fold.ts'
import { readIntents } from '../../session/intent/stored.ts'
import type { NewCall, QuestionChange } from '../../session/step.ts'
import type { LedgerCall, OpenTurn, SessionQuestion, Snapshot } from '../../session/transcript.ts'

/** Why a call was refused that its person can help with. */
const askable: ReadonlySet<string> = new Set(['missing', 'ambiguous', 'invalid'])

/** Tools that serve the conversation itself: calling them is no turning to something else. */
const housekeeping: ReadonlySet<string> = new Set([
  'find_tools',
  'read_result',
  'recall',
  'remember',
  'update_plan',
])

/** The questions that the turn leaves with its answer, and what it does to those that were open before. */
export function questionsAtEnd(snapshot: Snapshot, turn: OpenTurn): readonly QuestionChange[] {
  const calls = callsOf(snapshot, turn)
  const left = withoutHalves(calls.filter((call, index) => leavesOpen(call, calls.slice(index + 1))))
  const before = openOf(snapshot, turn.personId)
  const known = new Set([...housekeeping, ...before.map(({ tool }) => tool)])
  const elsewhere =
    answersOf(snapshot, turn).length === 0 &&
    (calls.some((call) => !known.has(call.tool)) ||
      readIntents(turn.intent).some(({ primary }) => primary === 'cancel'))
  const closed = before.filter(({ tool }) => elsewhere || left.some((call) => call.tool === tool))
  return [
    ...closed.map(({ id }) => ({ callId: id, to: 'closed' }) as const),
    ...left.map(({ id }) => ({ callId: id, to: 'open' }) as const),
  ]
}

/** Questions that are answered by what the model calls now: the person has said it in words. */
export function answeredBy(
  calls: readonly NewCall[],
  snapshot: Snapshot,
  personId: string,
): readonly QuestionChange[] {
  const open = new Set(openOf(snapshot, personId))
  const changes: QuestionChange[] = []
  for (const call of calls) {
    if (call.status === 'refused') continue
    const asked = [...open].filter(({ tool }) => tool === call.tool)
    const meant = asked.find((question) => isKept(question, call.arguments)) ?? asked[0]
    if (!meant) continue
    open.delete(meant)
    changes.push({ callId: meant.id, to: 'answered' })
  }
  return changes
}

/** Questions of messages that were edited or removed after they had been put. */
export function closedByEdits(snapshot: Snapshot, folded: Folded): readonly QuestionChange[] {
  const turns = new Set(
    snapshot.messages
      .filter((message) => folded.rewritten.some(({ messageId }) => messageId === message.id))
      .map((message) => message.turnId),
  )
  return snapshot.questions
    .filter((question) => question.status === 'open' && turns.has(question.turnId))
    .map(({ id }) => ({ callId: id, to: 'closed' }))
}

/** Everything that waits for a person's answer. */
export function openOf(snapshot: Snapshot, personId: string): readonly SessionQuestion[] {
  return snapshot.questions.filter((question) => question.status === 'open' && question.personId === personId)
}

/** What the model is told of questions that wait for the person who speaks. */
export function askedLines(snapshot: Snapshot, personId: string): readonly string[] {
  return openOf(snapshot, personId).map(
    ({ tool, fields, arguments: known }) =>
      `Asked, and not answered yet: ${fields.filter((field) => field !== '').join(', ') || 'what is wrong'} for ${tool} ${shortened(JSON.stringify(known))}. Where the person says it, call the tool with all of it.`,
  )
}

/** Sentences for people about secrets that a call of the turn would have needed. */
export function secretsOf(snapshot: Snapshot, turn: OpenTurn): readonly string[] {
  const calls = callsOf(snapshot, turn)
  const last = calls.findLast((call) => call.failureCode === 'secret')
  const done = last && calls.some((call) => call.tool === last.tool && call.status !== 'refused')
  const names = !last || done ? undefined : /\bSecret: ([^.]+)\./.exec(last.resultText ?? '')?.[1]
  return names?.split(', ') ?? []
}

function callsOf(snapshot: Snapshot, turn: OpenTurn): readonly LedgerCall[] {
  return snapshot.messages
    .filter((message) => message.turnId === turn.id && !message.removed)
    .flatMap((message) => message.calls)
}

/** Was a call refused for what its person can tell, and has nothing been done in its place since? */
function leavesOpen(call: LedgerCall, later: readonly LedgerCall[]): boolean {
  return (
    call.status === 'refused' &&
    askable.has(call.failureCode ?? '') &&
    !later.some(
      (other) =>
        other.messageId !== call.messageId &&
        (other.status === 'refused'
          ? other.tool === call.tool && askable.has(other.failureCode ?? '')
          : other.tool === call.tool || other.effect === 'write'),
    )
  )
}

/** Of calls of one tool that are left open, those that say no more than another are the same question. */
function withoutHalves(calls: readonly LedgerCall[]): readonly LedgerCall[] {
  return calls.filter(
    (call, index) =>
      !calls.some(
        (other, place) =>
          other !== call &&
          other.tool === call.tool &&
          isKept(call, other.arguments) &&
          (place > index || !isKept(other, call.arguments)),
      ),
  )
}

/** Questions whose answer came into the turn with their card. */
export function answersOf(snapshot: Snapshot, turn: OpenTurn): readonly SessionQuestion[] {
  const events = new Set(
    snapshot.messages.filter((message) => message.turnId === turn.id).map((message) => message.eventId),
  )
  return snapshot.questions.filter((question) => events.has(question.answer?.eventId ?? ''))
}

/** Do arguments hold all that was known when it was asked? */
function isKept(question: Pick<SessionQuestion, 'arguments'>, args: unknown): boolean {
  const now = (args ?? {}) as Readonly<Record<string, unknown>>
  return Object.entries(question.arguments).every(
    ([name, value]) => JSON.stringify(now[name]) === JSON.stringify(value),
  )
}

function shortened(text: string): string {
  return text.length > 400 ? `${text.slice(0, 400).toWellFormed()}…` : text
}
