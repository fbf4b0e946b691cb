import type {
  Happening,
  InputKind,
  WorkflowCall,
  WorkflowField,
  WorkflowState,
} from '../../config/workflows.ts'
import { filled, filledArguments, type Value, type WorkflowInstance, wordsIn } from './instance.ts'

/** What can move a workflow. */
export type WorkflowEvent =
  /** Something came that the state accepts, with what could be read in it. */
  | {
      readonly kind: 'input'
      readonly input: InputKind
      readonly values: Readonly<Record<string, Value>>
      /** What is wrong with it, for the person. */
      readonly problem?: string
    }
  /** The state's card or call, or the cancel action, has come to an end. */
  | {
      readonly kind: 'outcome'
      readonly outcome: 'confirmed' | 'cancelled' | 'expired' | 'succeeded' | 'failed' | 'withdrawn'
      readonly values?: Readonly<Record<string, Value>>
    }
  /** Values that the model has read in what the person gave. */
  | { readonly kind: 'fill'; readonly values: Readonly<Record<string, Value>> }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'leave' }
  | { readonly kind: 'park' }
  | { readonly kind: 'resume' }

/** When it happens: the turn in which, the time, and the number of the session's last message. */
export interface Moment {
  readonly turnId: string | null
  readonly now: Date
  readonly seq: number
}

/** A call that a workflow makes itself. */
export interface OwnCall {
  /** Missing where it is the state's card for its person to confirm. */
  readonly tool: string | undefined
  readonly arguments: Readonly<Record<string, unknown>>
  /** The field with the person who decides. */
  readonly approver: string | undefined
}

/** The state that an instance is in. */
export function stateOfInstance(instance: WorkflowInstance): WorkflowState {
  return instance.definition.states[instance.state]!
}

/** The first step of a workflow. */
export function begun(
  instance: Pick<
    WorkflowInstance,
    'id' | 'personId' | 'name' | 'version' | 'definition' | 'language' | 'data'
  >,
  at: Moment,
): WorkflowInstance {
  return entered(
    {
      ...instance,
      turnId: at.turnId,
      status: 'active',
      state: instance.definition.initial,
      visit: 0,
      enteredSeq: at.seq,
      leaving: false,
      problem: null,
      callId: null,
      dueAt: null,
    },
    at,
  )
}

/**
 * The instance after what happened, or nothing where that moves nothing: a pure function of the definition that the
 * instance keeps. There is no other way from one state to another.
 */
export function advance(
  instance: WorkflowInstance,
  event: WorkflowEvent,
  at: Moment,
): WorkflowInstance | undefined {
  if (instance.status === 'ended') return undefined
  const state = stateOfInstance(instance)
  switch (event.kind) {
    case 'input': {
      if (instance.leaving || !state.accepts.includes(event.input)) return undefined
      const data = { ...instance.data, ...event.values }
      const missing = missingFields(state, data)
      const active = { ...instance, data, status: 'active', turnId: at.turnId } as const
      if (event.problem !== undefined || missing.length > 0)
        return { ...active, problem: event.problem ?? null }
      return follow(active, event.input, at)
    }
    case 'fill': {
      if (instance.leaving) return undefined
      const known = Object.entries(event.values).filter(([name]) => Object.hasOwn(state.collect, name))
      if (known.length === 0) return undefined
      const data = { ...instance.data, ...Object.fromEntries(known) }
      const active = { ...instance, data, status: 'active', turnId: at.turnId, problem: null } as const
      const way = state.accepts.find((input) => state.on[input] !== undefined)
      return way && missingFields(state, data).length === 0 ? follow(active, way, at) : active
    }
    case 'outcome':
      return afterOutcome(instance, event, at)
    case 'timeout':
      if (instance.leaving || state.timeoutMinutes === undefined) return undefined
      return follow(instance, 'timeout', at)
    case 'leave': {
      if (instance.leaving) return undefined
      const { call, say, to } = leavingOf(instance)
      const left = { ...instance, status: 'active', turnId: at.turnId, problem: null, callId: null } as const
      if (call) return { ...left, leaving: true, visit: instance.visit + 1, enteredSeq: at.seq, dueAt: null }
      const first = say === undefined ? null : filled(wordsIn(say, instance.language), instance.data)
      return { ...entered({ ...left, state: to }, at), problem: first }
    }
    case 'park':
      return instance.status === 'active' && !instance.leaving
        ? { ...instance, status: 'parked', turnId: at.turnId, problem: null }
        : undefined
    case 'resume':
      return instance.status === 'parked' ? { ...instance, status: 'active', turnId: at.turnId } : undefined
    default:
      return event satisfies never
  }
}

function afterOutcome(
  instance: WorkflowInstance,
  event: Extract<WorkflowEvent, { kind: 'outcome' }>,
  at: Moment,
): WorkflowInstance | undefined {
  const { outcome } = event
  const active = { ...instance, status: 'active', turnId: at.turnId } as const
  if (instance.leaving) {
    // Whoever takes the cancel action back stays; a failed one does not hold anybody.
    if (outcome === 'cancelled' || outcome === 'expired' || outcome === 'withdrawn')
      return entered({ ...active, leaving: false }, at)
    return entered({ ...active, leaving: false, state: leavingOf(instance).to }, at)
  }
  // Taken back by the person or the model: it is put aside, and its card is made anew when it goes on.
  if (outcome === 'withdrawn')
    return { ...instance, status: 'parked', turnId: at.turnId, callId: null, visit: instance.visit + 1 }
  return follow({ ...active, data: { ...instance.data, ...event.values } }, outcome, at)
}

/** Follows the way that the state names for it. */
function follow(instance: WorkflowInstance, happening: Happening, at: Moment): WorkflowInstance | undefined {
  const { on } = stateOfInstance(instance)
  const target =
    on[happening] ??
    (happening === 'expired'
      ? (on.cancelled ?? on.failed)
      : happening === 'cancelled'
        ? on.failed
        : undefined)
  return target === undefined ? undefined : entered({ ...instance, state: target }, at)
}

function entered(instance: WorkflowInstance, at: Moment): WorkflowInstance {
  const { end, timeoutMinutes } = stateOfInstance(instance)
  return {
    ...instance,
    turnId: at.turnId,
    status: end ? 'ended' : 'active',
    visit: instance.visit + 1,
    enteredSeq: at.seq,
    callId: null,
    problem: null,
    dueAt: end || timeoutMinutes === undefined ? null : new Date(at.now.getTime() + timeoutMinutes * 60_000),
  }
}

/** The cancel action of the state, or the workflow's own. */
export function leavingOf(instance: WorkflowInstance): WorkflowInstance['definition']['cancel'] {
  return stateOfInstance(instance).cancel ?? instance.definition.cancel
}

/** Fields of a state that are required and not known. */
export function missingFields(
  state: WorkflowState,
  data: Readonly<Record<string, Value>>,
): readonly string[] {
  return Object.entries(state.collect).flatMap(([name, field]: [string, WorkflowField]) =>
    field.required && data[name] === undefined ? [name] : [],
  )
}

/** The call that the workflow makes next by itself, if it has not been made yet. */
export function ownCall(instance: WorkflowInstance): OwnCall | undefined {
  if (instance.status !== 'active' || instance.callId !== null) return undefined
  const state = stateOfInstance(instance)
  const call: Pick<WorkflowCall, 'tool' | 'arguments' | 'approver'> | undefined = instance.leaving
    ? leavingOf(instance).call
    : state.call
  if (call)
    return {
      tool: call.tool,
      arguments: filledArguments(call.arguments, instance.data) as Readonly<Record<string, unknown>>,
      approver: call.approver,
    }
  if (!state.confirm || instance.leaving) return undefined
  const { fields } = state.confirm
  return {
    tool: undefined,
    arguments: Object.fromEntries(
      fields.flatMap((field) => (instance.data[field] === undefined ? [] : [[field, instance.data[field]]])),
    ),
    approver: undefined,
  }
}

/** What the person is told in this state, in the instance's language: what was wrong, then the state's own words. */
export function sayOf(instance: WorkflowInstance): string {
  const state = stateOfInstance(instance)
  const own = instance.leaving ? leavingOf(instance).say : state.say
  return [
    instance.problem ?? '',
    own === undefined ? '' : filled(wordsIn(own, instance.language), instance.data),
  ]
    .filter((text) => text !== '')
    .join(' ')
}

/** Tools that belong to the workflow: it says when they may run. */
function ownedTools(instance: WorkflowInstance): ReadonlySet<string> {
  return new Set(
    Object.values(instance.definition.states).flatMap((state) => [
      ...(state.call ? [state.call.tool] : []),
      ...state.tools.allowed,
      ...state.tools.required,
    ]),
  )
}

/** Tools of the workflow that the model may call in this state. */
export function allowedTools(instance: WorkflowInstance): ReadonlySet<string> {
  const { tools } = stateOfInstance(instance)
  return new Set(instance.leaving ? [] : [...tools.allowed, ...tools.required])
}

/**
 * Why the model may not call a tool now, in a sentence that names the state and what is possible. Nothing where the
 * tool is none of the workflow's, or it is put aside.
 */
export function refusalIn(instance: WorkflowInstance, tool: string): string | undefined {
  if (instance.status !== 'active' || !ownedTools(instance).has(tool) || allowedTools(instance).has(tool))
    return undefined
  const title = wordsIn(instance.definition.title, 'en')
  const reasons = Object.entries(stateOfInstance(instance).forbidden).flatMap(([target, why]) =>
    instance.definition.states[target]?.call?.tool === tool ? [wordsIn(why, 'en')] : [],
  )
  return [
    `${tool} is not possible in the state "${instance.state}" of the workflow "${title}".`,
    ...reasons,
    `Possible now: ${possibleNow(instance)}. For something else, put the workflow aside first (workflow, action park).`,
  ].join(' ')
}

/** What can happen next, in a few words for the model. */
export function possibleNow(instance: WorkflowInstance): string {
  const state = stateOfInstance(instance)
  const waits: readonly string[] = instance.leaving
    ? ['the cancel action ends']
    : [
        ...state.accepts.map((input) => `the person gives a ${input}`),
        ...(state.confirm ? ['the person decides the card'] : []),
        ...(state.call
          ? [state.call.approver ? 'the approver decides the card' : 'the workflow’s own call ends']
          : []),
        ...[...allowedTools(instance)].map((tool) => `calling ${tool}`),
        'the person leaves it by saying cancel',
      ]
  return waits.join('; ')
}
