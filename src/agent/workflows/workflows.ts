import { HermesError } from '../../base/errors.ts'
import { type Language, languageOf, phrases } from '../../base/words.ts'
import type { Folded, Joining } from '../../session/fold.ts'
import type { PersonFacts } from '../../session/people.ts'
import type { CallChange, Step } from '../../session/step.ts'
import type { Snapshot } from '../../session/transcript.ts'
import {
  type RunningWorkflow,
  type Value,
  type WorkflowInstance,
  wordsIn,
} from '../../session/workflows/instance.ts'
import { advance, begun, type Moment, stateOfInstance } from '../../session/workflows/machine.ts'
import { type ReadInput, readInput } from '../../session/workflows/reading.ts'
import { isLeaving, startedBy } from '../../session/workflows/words.ts'
import { labelOf } from '../../tools/arguments/forms.ts'
import { hashOf } from '../../tools/hash.ts'
import { commandIn } from '../commands/typed.ts'
import type { AgentParts } from '../parts.ts'

/** What messages do to the workflows of their person; a part of the step that takes them. */
export interface Flow {
  readonly step: Pick<Step, 'workflows' | 'callChanges'>
  /** Did the person leave one? Then "never mind" has been heard, and stops nothing else. */
  readonly left: boolean
}

/** The workflow that a person's messages move: the active one, else the one that was put aside last. */
export function currentOf<T extends WorkflowInstance>(
  workflows: readonly T[],
  personId: string,
): T | undefined {
  const own = workflows.filter((one) => one.personId === personId && one.status !== 'ended')
  return own.find((one) => one.status === 'active') ?? own.at(-1)
}

/** Where in the session something happens now. */
export function momentOf(
  parts: Pick<AgentParts, 'clock'>,
  snapshot: Snapshot,
  turnId: string | null,
): Moment {
  return { turnId, now: parts.clock.now(), seq: snapshot.messages.at(-1)?.seq ?? snapshot.summarySeq }
}

/** Moves workflows by what was said: begins one, gives it an input, leaves it. Nothing where none is concerned. */
export async function flowOf(
  parts: AgentParts,
  snapshot: Snapshot,
  folded: Folded,
  person: PersonFacts,
  turnId: string,
): Promise<Flow | undefined> {
  if (snapshot.workflows.length === 0 && Object.keys(parts.workflows.declared).length === 0) return undefined
  const at = momentOf(parts, snapshot, turnId)
  const changed = new Map<string, WorkflowInstance>()
  const callChanges: CallChange[] = []
  let left = false
  const current = () =>
    currentOf([...snapshot.workflows.filter((one) => !changed.has(one.id)), ...changed.values()], person.id)
  const put = (next: WorkflowInstance | undefined) => {
    if (!next) return
    const active = current()
    if (next.status === 'active' && active && active.id !== next.id && active.status === 'active')
      changed.set(active.id, { ...active, status: 'parked' })
    // What is put aside is written before what takes its place.
    changed.delete(next.id)
    changed.set(next.id, next)
  }

  for (const message of folded.joining) {
    if (message.answers !== undefined) continue
    if (message.attachments.length === 0 && commandIn(message.text, snapshot.kind)) continue
    const one = current()
    if (one && message.attachments.length === 0 && isLeaving(message.text)) {
      const call = snapshot.workflows.find(({ id }) => id === one.id)?.call
      // What somebody has confirmed already is on its way.
      if (call?.status === 'approved' || call?.status === 'executing') continue
      const next = advance(one, { kind: 'leave' }, at)
      if (!next) continue
      if (one.callId && call?.status === 'proposed')
        callChanges.push({ id: one.callId, from: 'proposed', to: 'withdrawn' })
      put(next)
      left = true
      continue
    }
    if (one && (await give(parts, snapshot, one, message, person, at, put))) continue
    const name = startedBy(parts.workflows.declared, message.text)
    if (name === undefined || (one?.name === name && one.status === 'active')) continue
    const fresh = beginning(parts, name, person, languageFor(parts, message.text, person), at)
    put(fresh)
    await give(parts, snapshot, fresh, message, person, at, put)
  }
  if (changed.size === 0) return undefined
  // "Never mind" takes back everything else of theirs that waits, too.
  const others =
    left && folded.stop
      ? snapshot.openCalls.filter(
          (call) =>
            call.status === 'proposed' &&
            call.personId === person.id &&
            !callChanges.some(({ id }) => id === call.id),
        )
      : []
  return {
    step: {
      workflows: inOrder([...changed.values()]),
      callChanges: [
        ...callChanges,
        ...others.map((call) => ({ id: call.id, from: 'proposed', to: 'withdrawn' }) as const),
      ],
    },
    left,
  }
}

/** What is put aside is written before what takes its place. */
function inOrder(workflows: readonly WorkflowInstance[]): readonly WorkflowInstance[] {
  return workflows.toSorted((a, b) => Number(a.status === 'active') - Number(b.status === 'active'))
}

/** A new instance, in the language of who begins it. */
export function beginning(
  parts: AgentParts,
  name: string,
  person: Pick<PersonFacts, 'id' | 'name' | 'timeZone'>,
  language: Language,
  at: Moment,
): WorkflowInstance {
  const definition = parts.workflows.declared[name]!
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone: person.timeZone, dateStyle: 'short' }).format(
    at.now,
  )
  return begun(
    {
      id: parts.ids('wfl'),
      personId: person.id,
      name,
      version: hashOf(definition).slice(0, 16),
      definition,
      language,
      data: { requester: person.name, today },
    },
    at,
  )
}

/** Gives a message to a workflow as its input. Tells whether it was one. */
async function give(
  parts: AgentParts,
  snapshot: Snapshot,
  one: WorkflowInstance,
  message: Joining,
  person: PersonFacts,
  at: Moment,
  put: (next: WorkflowInstance | undefined) => void,
): Promise<boolean> {
  const read = readInput(one, message, { now: at.now, timeZone: person.timeZone })
  // To one that was put aside only a file clearly belongs.
  if (!read || (one.status === 'parked' && read.input !== 'file')) return false
  const values: Record<string, Value> = {}
  let problem: string | undefined
  for (const [name, value] of Object.entries(read.values)) {
    const found = await resolved(parts, snapshot, one, name, value, person)
    if ('problem' in found) problem ??= found.problem
    else values[name] = found.value
  }
  problem ??= problemOf(one, read, message)
  put(
    advance(
      one,
      { kind: 'input', input: read.input, values, ...(problem === undefined ? {} : { problem }) },
      at,
    ),
  )
  return true
}

/** A value as it is kept: of a person, who it is on this platform. */
export async function resolved(
  parts: AgentParts,
  snapshot: Snapshot,
  one: WorkflowInstance,
  name: string,
  value: Value,
  person: Pick<PersonFacts, 'id' | 'timeZone' | 'userId'>,
): Promise<{ readonly value: Value } | { readonly problem: string }> {
  if (stateOfInstance(one).collect[name]?.type !== 'person' || typeof value !== 'string') return { value }
  const words = phrases(one.language)
  try {
    const people = await parts.reach.here(value, { personId: person.id, thread: snapshot.thread })
    const [only] = people
    if (!only) return { problem: words.nobodyCalled(value) }
    if (people.length > 1) return { problem: words.severalCalled(people.map((each) => each.name)) }
    if (person.userId !== undefined && only.address.endsWith(`:${person.userId}`))
      return { problem: words.notYourself }
    return { value: { name: only.name, address: only.address } }
  } catch (error) {
    if (!(error instanceof HermesError)) throw error
    return { problem: words.nobodyCalled(value) }
  }
}

/** What a file does not say, for the person. */
function problemOf(one: WorkflowInstance, read: ReadInput, message: Joining): string | undefined {
  if (read.input !== 'file' || read.missing.length === 0) return undefined
  const { collect } = stateOfInstance(one)
  const words = phrases(one.language)
  const unreadable = message.attachments.find((file) => file.problem !== undefined)?.problem
  const labels = read.missing.map((name) => {
    const own = collect[name]?.label
    return own === undefined ? labelOf(name, one.language) : wordsIn(own, one.language)
  })
  return unreadable ?? words.notInFile(labels, message.attachments[0]?.name ?? '')
}

function languageFor(parts: AgentParts, text: string, person: PersonFacts): Language {
  if (/\p{L}/u.test(text)) return languageOf(text)
  return person.language ?? parts.settings.language
}

/** Workflows as they are written where this one has moved: of a person one at most is active. */
export function movedAmong(snapshot: Snapshot, next: WorkflowInstance): readonly WorkflowInstance[] {
  const other =
    next.status === 'active'
      ? snapshot.workflows.filter(
          (one: RunningWorkflow) =>
            one.id !== next.id && one.personId === next.personId && one.status === 'active',
        )
      : []
  return [...other.map((one) => ({ ...one, status: 'parked' }) as const), next]
}
