import { nearest } from './nearest.ts'
import {
  type Happening,
  happenings,
  type Workflow,
  type WorkflowCall,
  type WorkflowState,
} from './workflows.ts'

/** What is wrong with a declared workflow: where, and the end of a sentence about it. */
export interface WorkflowMistake {
  /** Within the workflow. */
  readonly path: readonly string[]
  readonly sentence: string
}

const nameForm = /^[a-z][a-z0-9_]{0,39}$/
const inputs: ReadonlySet<string> = new Set(['text', 'file', 'choice'])

/** Fields that every workflow has without collecting them. */
const givenFields = ['requester', 'today'] as const

/**
 * What a schema can't say: targets that there are, states that can be reached and left, ends, ways that fit what a
 * state waits for, fields that are collected, no round that nobody has a part in. One sentence for each mistake.
 */
export function workflowMistakes(name: string, workflow: Workflow): readonly WorkflowMistake[] {
  const states = Object.entries(workflow.states)
  const names = states.map(([each]) => each)
  const unknown = (target: string) => {
    const meant = nearest(target, names)
    return `names the state ${JSON.stringify(target)}, which there is not. ${meant ? `Did you mean ${meant}?` : `There are: ${names.join(', ')}.`}`
  }
  const wrong: WorkflowMistake[] = []
  const note = (path: readonly string[], sentence: string) => wrong.push({ path, sentence })

  if (!nameForm.test(name)) note([], `must have a name of lower-case letters, digits and underscores.`)
  for (const each of names)
    if (!nameForm.test(each))
      note(['states', each], 'must have a name of lower-case letters, digits and underscores.')
  if (!names.includes(workflow.initial)) note(['initial'], unknown(workflow.initial))
  if (!states.some(([, state]) => state.end))
    note(['states'], 'has no end. Give at least one state "end": true.')

  const collected = new Set<string>([
    ...givenFields,
    ...states.flatMap(([, state]) => [...Object.keys(state.collect), ...Object.keys(state.call?.save ?? {})]),
  ])
  const people = new Set(
    states.flatMap(([, state]) =>
      Object.entries(state.collect).flatMap(([each, field]) => (field.type === 'person' ? [each] : [])),
    ),
  )
  const noField = (field: string) => {
    const meant = nearest(field, [...collected])
    return `names the field ${JSON.stringify(field)}, which no state collects.${meant ? ` Did you mean ${meant}?` : ''}`
  }
  const checkTexts = (path: readonly string[], value: unknown) => {
    for (const field of fieldsIn(value)) if (!collected.has(field)) note(path, noField(field))
  }
  const checkLeaving = (path: readonly string[], leaving: Workflow['cancel']) => {
    const target = workflow.states[leaving.to]
    if (!target) note([...path, 'to'], unknown(leaving.to))
    else if (!target.end) note([...path, 'to'], `names ${leaving.to}, which is no end.`)
    checkTexts(path, [leaving.say, leaving.call?.arguments])
  }
  checkLeaving(['cancel'], workflow.cancel)

  for (const [each, state] of states) {
    const at = (...rest: string[]) => ['states', each, ...rest]
    for (const [happening, target] of Object.entries(state.on)) {
      if (!(happenings as readonly string[]).includes(happening)) {
        const meant = nearest(happening, happenings)
        note(
          at('on', happening),
          `is nothing that happens. ${meant ? `Did you mean ${meant}?` : `There are: ${happenings.join(', ')}.`}`,
        )
      } else if (!workflow.states[target]) note(at('on', happening), unknown(target))
      else if (Object.hasOwn(state.forbidden, target))
        note(at('on', happening), `leads to ${target}, which is forbidden from here.`)
      else if (!awaited(state).has(happening as Happening))
        note(at('on', happening), `never happens here: ${lackOf(happening as Happening)}.`)
    }
    for (const happening of required(state))
      if (!Object.hasOwn(state.on, happening)) note(at('on'), `does not say what follows on "${happening}".`)
    for (const target of Object.keys(state.forbidden))
      if (!workflow.states[target]) note(at('forbidden', target), unknown(target))
    if (state.end && (Object.keys(state.on).length > 0 || awaited(state).size > 0))
      note(at(), 'is an end, so it waits for nothing and nothing follows.')
    if (!state.end && Object.keys(state.on).length === 0) note(at('on'), 'is empty, so it is never left.')
    if (state.confirm && state.call) note(at(), 'has both "confirm" and "call": make two states of it.')
    if (
      state.accepts.includes('choice') &&
      !Object.values(state.collect).some(({ options }) => options.length > 0)
    )
      note(at('accepts'), 'takes a choice, but no field of "collect" has options.')
    if (Object.keys(state.collect).length > 0 && state.accepts.length === 0)
      note(at('collect'), 'takes fields, but "accepts" is empty.')
    for (const field of state.confirm?.fields ?? [])
      if (!collected.has(field)) note(at('confirm', 'fields'), noField(field))
    const approver = state.call?.approver
    if (approver !== undefined && !people.has(approver))
      note(at('call', 'approver'), `must name a field of the type person.`)
    checkTexts(at('call', 'arguments'), state.call?.arguments)
    checkTexts(at('say'), state.say)
    if (state.cancel) checkLeaving(at('cancel'), state.cancel)
  }
  if (wrong.length > 0) return wrong
  // Ways are followed only where all of them lead somewhere.
  return [...waysThrough(workflow), ...rounds(workflow)]
}

/**
 * Tools that workflows name and that Hermes does not have, one line each. Tools of MCP servers come and go, and are
 * taken as they are named.
 */
export function unknownTools(
  workflows: Readonly<Record<string, Workflow>>,
  tools: readonly string[],
): readonly string[] {
  return Object.entries(workflows).flatMap(([name, workflow]) =>
    toolsNamed(workflow)
      .filter(({ tool }) => !tools.includes(tool) && !tool.startsWith('mcp__'))
      .map(({ path, tool }) => {
        const meant = nearest(tool, tools)
        const advice = meant
          ? `Did you mean ${meant}?`
          : `There are: ${tools.filter((each) => !each.startsWith('mcp__')).join(', ')}; or mcp__<server>__<tool>.`
        return `workflows.${[name, ...path].join('.')} names ${JSON.stringify(tool)}, which is no tool here. ${advice}`
      }),
  )
}

/** Every tool that a workflow names, with the place. */
function toolsNamed(workflow: Workflow): readonly { path: readonly string[]; tool: string }[] {
  const leaving = (path: readonly string[], one: Workflow['cancel'] | undefined) =>
    one?.call ? [{ path: [...path, 'call', 'tool'], tool: one.call.tool }] : []
  return [
    ...leaving(['cancel'], workflow.cancel),
    ...Object.entries(workflow.states).flatMap(([name, state]) => [
      ...(state.call ? [{ path: ['states', name, 'call', 'tool'], tool: state.call.tool }] : []),
      ...(['allowed', 'required'] as const).flatMap((list) =>
        state.tools[list].map((tool) => ({ path: ['states', name, 'tools', list], tool })),
      ),
      ...leaving(['states', name, 'cancel'], state.cancel),
    ]),
  ]
}

/** The fields that texts name in braces. */
function fieldsIn(value: unknown): readonly string[] {
  if (typeof value === 'string')
    return [...value.matchAll(/\{([a-z][a-z0-9_]*)\}/g)].map(([, field]) => field!)
  if (value !== null && typeof value === 'object') return Object.values(value).flatMap(fieldsIn)
  return []
}

/** What can happen in a state. */
function awaited(state: WorkflowState): ReadonlySet<Happening> {
  const calls: WorkflowCall | boolean | undefined = state.call ?? state.tools.required.length > 0
  return new Set<Happening>([
    ...state.accepts,
    ...(state.confirm ? (['confirmed', 'cancelled', 'expired'] as const) : []),
    ...(calls ? (['succeeded', 'failed'] as const) : []),
    ...(state.call ? (['cancelled', 'expired'] as const) : []),
    ...(state.timeoutMinutes === undefined ? [] : (['timeout'] as const)),
  ])
}

/** What a state has to have a way for. The others follow "cancelled", and that follows "failed". */
function required(state: WorkflowState): readonly Happening[] {
  return [...awaited(state)].filter(
    (happening) => happening !== 'expired' && (happening !== 'cancelled' || state.confirm !== undefined),
  )
}

function lackOf(happening: Happening): string {
  if (inputs.has(happening)) return `add "${happening}" to "accepts"`
  if (happening === 'timeout') return 'set "timeoutMinutes"'
  if (happening === 'confirmed') return 'it has no "confirm"'
  if (happening === 'cancelled' || happening === 'expired') return 'it has no "confirm" and no "call"'
  return 'it has no "call" and no required tools'
}

/** States that nothing leads to, and states from which no way leads to an end. */
function waysThrough(workflow: Workflow): readonly WorkflowMistake[] {
  const leavings = [workflow.cancel, ...Object.values(workflow.states).map((state) => state.cancel)]
  const next = (name: string) => Object.values(workflow.states[name]!.on)
  const reached = new Set([workflow.initial, ...leavings.flatMap((one) => (one ? [one.to] : []))])
  for (const name of reached) for (const target of next(name)) reached.add(target)
  const ending = new Set(Object.keys(workflow.states).filter((name) => workflow.states[name]!.end))
  for (let size = -1; size < ending.size; ) {
    size = ending.size
    for (const name of Object.keys(workflow.states))
      if (next(name).some((target) => ending.has(target))) ending.add(name)
  }
  return Object.keys(workflow.states).flatMap((name) => [
    ...(reached.has(name)
      ? []
      : [
          {
            path: ['states', name],
            sentence: `can't be reached: no state leads to it from "${workflow.initial}" on.`,
          },
        ]),
    ...(ending.has(name) ? [] : [{ path: ['states', name], sentence: 'leads to no end, whatever happens.' }]),
  ])
}

/** A round of calls that succeed or fail without anybody's part in it would never stop. */
function rounds(workflow: Workflow): readonly WorkflowMistake[] {
  const next = (name: string) => {
    const { on } = workflow.states[name]!
    return [on.succeeded, on.failed].filter((target) => target !== undefined)
  }
  for (const start of Object.keys(workflow.states)) {
    const way = [start]
    const seen = new Set<string>()
    const search = (name: string): readonly string[] | undefined => {
      for (const target of next(name)) {
        if (target === start) return way
        if (seen.has(target)) continue
        seen.add(target)
        way.push(target)
        const found = search(target)
        if (found) return found
        way.pop()
      }
      return undefined
    }
    const round = search(start)
    if (round) {
      const sentence = `goes round without waiting for anybody: ${[...round, start].join(' → ')}.`
      return [{ path: ['states', start], sentence }]
    }
  }
  return []
}
