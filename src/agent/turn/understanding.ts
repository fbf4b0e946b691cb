import { asList, entitiesIn, type KnownEntity, readEntities } from '../../session/entities.ts'
import type { Folded } from '../../session/fold.ts'
import type { Intent, Modifier, Primary } from '../../session/intent/intent.ts'
import { hangTogether, planned } from '../../session/intent/planning.ts'
import { readIntent } from '../../session/intent/read.ts'
import { readIntents } from '../../session/intent/stored.ts'
import type { PersonFacts } from '../../session/people.ts'
import { endedWith, type Plans, readPlans, takenOver } from '../../session/plan.ts'
import type { LedgerCall, OpenTurn, Snapshot } from '../../session/transcript.ts'
import type { AgentParts } from '../parts.ts'
import { statusOf } from './move.ts'

type Reader = (text: string) => Intent

/** What a turn makes of the messages that it begins with or takes in. */
export interface Understood {
  /** What each message that joins wants. */
  readonly intents: readonly Intent[]
  /** The plans of the session afterwards; nothing where they stay as they are. */
  readonly plan?: Plans
}

/** What messages want and what that does to the plans, by rules, from what the session knows at that moment. */
export function understand(
  parts: AgentParts,
  snapshot: Snapshot,
  folded: Folded,
  person: Pick<PersonFacts, 'id' | 'timeZone'>,
  turnId: string,
): Understood {
  if (folded.joining.length === 0 && folded.rewritten.length === 0) return { intents: [] }
  const read = readerOf(parts, snapshot, person)
  // What was sent with a question's card is what was asked for, whatever its words.
  const intents = folded.joining.map((message) => read(message.answers === undefined ? message.text : ''))
  const plan = planWithMessages(snapshot, folded, intents, turnId) ?? planOfEdited(snapshot, folded, read)
  return { intents, ...(plan ? { plan } : {}) }
}

function readerOf(
  parts: AgentParts,
  snapshot: Snapshot,
  person: Pick<PersonFacts, 'id' | 'timeZone'>,
): Reader {
  const entities = readEntities(snapshot.entities)
  const authors = snapshot.messages.flatMap((message) => (message.author ? [message.author] : []))
  const named = entities.flatMap((one) => (one.type === 'person' ? [one.label] : []))
  const facts = {
    entities,
    people: [...new Set([...authors, ...named])],
    now: parts.clock.now(),
    timeZone: person.timeZone,
    approvalOpen: snapshot.openCalls.some(
      (call) => call.status === 'proposed' && call.personId === person.id,
    ),
    running: snapshot.turns.some((turn) => turn.status === 'running'),
  }
  return (text) => readIntent(text, facts)
}

// A question asked in between has nothing to do with what waits for an answer.
const digressions: ReadonlySet<Primary> = new Set(['query', 'cancel', 'remember', 'forget'])

function planWithMessages(
  snapshot: Snapshot,
  folded: Folded,
  intents: readonly Intent[],
  turnId: string,
): Plans | undefined {
  const plans = readPlans(snapshot.plan)
  const at = intents.findIndex(hangTogether)
  const intent = intents[at]
  const message = folded.joining[at]
  if (intent && message) return planned(plans, message.text, intent, turnId)
  if (intents.length === 0 || intents.some((one) => digressions.has(one.primary))) return undefined
  return takenOver(plans, turnId, new Set(snapshot.turns.map((turn) => turn.id)))
}

/** The plans when posts of a waiting turn were edited or removed; nothing where they stay as they are. */
export function planWithEdits(
  parts: AgentParts,
  snapshot: Snapshot,
  folded: Folded,
  person: Pick<PersonFacts, 'id' | 'timeZone'>,
): Plans | undefined {
  return planOfEdited(snapshot, folded, readerOf(parts, snapshot, person))
}

/** What was made of an old text is over; the new one may need a plan, too. */
function planOfEdited(snapshot: Snapshot, folded: Folded, read: Reader): Plans | undefined {
  const plans = readPlans(snapshot.plan)
  const turnId = plans.current?.turnId
  const edited = folded.rewritten.filter(({ messageId }) =>
    snapshot.messages.some((message) => message.id === messageId && message.turnId === turnId),
  )
  if (turnId === undefined || edited.length === 0) return undefined
  const rest = endedWith(plans, turnId, { text: '', stopped: true }) ?? plans
  for (const { text } of edited) {
    if (text === null) continue
    const intent = read(text)
    if (hangTogether(intent)) return planned(rest, text, intent, turnId)
  }
  return rest
}

/** The plans when a turn ends with what it has said; nothing where they stay as they are. */
export function planAtEnd(snapshot: Snapshot, turn: OpenTurn): Plans | undefined {
  const last = snapshot.messages.findLast(
    (message) => message.turnId === turn.id && message.role === 'assistant' && message.final,
  )
  const status = statusOf(turn.outcome)
  return last && status !== 'failed'
    ? endedWith(readPlans(snapshot.plan), turn.id, { text: last.text, stopped: status === 'stopped' })
    : undefined
}

/** The plans when everything that a waiting turn proposed was taken back: another open turn goes on with its plan. */
export function planTakenBack(snapshot: Snapshot, turn: OpenTurn): Plans | undefined {
  const plans = readPlans(snapshot.plan)
  const heir = snapshot.turns.findLast((other) => other.id !== turn.id)
  if (!heir) return endedWith(plans, turn.id, { text: '', stopped: true })
  return plans.current?.turnId === turn.id ? takenOver(plans, heir.id, new Set()) : undefined
}

/** Who and when something was said. */
type Said = Parameters<typeof entitiesIn>[1]

/** What a person's words name: several things of one message are a list, dates and sums are not. */
export function saidIn(text: string, at: Said): readonly KnownEntity[] {
  const found = entitiesIn(text, at).map((one) => ({ ...one, said: true as const }))
  const isThing = (one: KnownEntity) => one.type !== 'date' && one.type !== 'amount'
  return [...asList(found.filter(isThing)), ...found.filter((one) => !isThing(one))]
}

/** The people that a message speaks of by a name or a title; whom "he" means is known from them. */
export function peopleIn(intent: Intent | undefined, at: Said): readonly KnownEntity[] {
  const named = (intent?.anchors ?? []).filter(
    ({ type, ids, words }) =>
      type === 'person' && ids.length === 1 && !/^(?:he|him|she|her|[他她]们?)$/iu.test(words),
  )
  return named.map(({ ids }) => ({
    type: 'person',
    id: ids[0]!,
    // Whoever has an id has a name beside it already.
    label: ids[0]!.startsWith('per_') ? '' : ids[0]!,
    at: at.now.toISOString(),
    by: at.by,
    said: true,
  }))
}

const again: ReadonlySet<Modifier> = new Set(['refresh', 'rerun'])

/**
 * The calls of a turn that are not made a second time. Where its person has asked meanwhile for a fresh look, or for the
 * same once more, those from before that do not count.
 */
export function madeAlready(snapshot: Snapshot, turn: OpenTurn): readonly LedgerCall[] {
  const own = snapshot.messages.filter((message) => message.turnId === turn.id)
  const anew =
    readIntents(turn.intent)
      .at(-1)
      ?.modifiers.some((modifier) => again.has(modifier)) ?? false
  const from = anew ? own.findLastIndex((message) => message.role === 'user') : 0
  return (
    own
      .slice(Math.max(0, from))
      .flatMap((message) => message.calls)
      // What was taken back (its question was edited, say) may be proposed as it was.
      .filter((call) => call.status !== 'withdrawn')
  )
}
