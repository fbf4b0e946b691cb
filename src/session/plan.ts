import { z } from 'zod'

/** One step of a plan. */
export interface PlanStep {
  readonly text: string
  readonly status: 'open' | 'done' | 'dropped'
  /** What must hold for the step to be taken, for example "if he has not submitted". */
  readonly condition?: string
}

/** What the task in hand is, how far it is, and what must hold all the while. */
export interface Plan {
  readonly goal: string
  readonly steps: readonly PlanStep[]
  /** Conditions that the person set, in their words: they hold until the task ends. */
  readonly constraints: readonly string[]
  /** The turn that is to carry it out, where it was made of a message by code; with that turn it ends. */
  readonly turnId?: string
  /** `displaced` by another one and to come back after it; `back` since that is over, and to be offered again. */
  readonly aside?: 'displaced' | 'back'
}

/** The plans of a session: the one in hand, and those that were put aside. */
export interface Plans {
  readonly current: Plan | null
  readonly parked: readonly Plan[]
}

const noPlans: Plans = { current: null, parked: [] }

/** The most plans that are kept aside; the oldest goes first. */
const mostParked = 3

const step = z.object({
  text: z.string(),
  status: z.enum(['open', 'done', 'dropped']),
  condition: z.string().exactOptional(),
})
const plan = z.object({
  goal: z.string(),
  steps: z.array(step),
  constraints: z.array(z.string()),
  turnId: z.string().exactOptional(),
  aside: z.enum(['displaced', 'back']).exactOptional(),
})
const stored = z.object({ current: plan.nullable(), parked: z.array(plan) })

/** Reads what a session's row holds; anything else than plans is none. */
export function readPlans(json: unknown): Plans {
  const parsed = stored.safeParse(json)
  return parsed.success ? parsed.data : noPlans
}

/** What can be done to the plans of a session. */
export type PlanChange =
  /** A new plan, or the current one as it is now. Another goal puts the current one aside if it is unfinished. */
  | { readonly action: 'set'; readonly plan: Plan }
  /** Puts the current one aside. */
  | { readonly action: 'park' }
  /** Takes the one that was put aside last (or whose goal holds the words) up again. */
  | { readonly action: 'resume'; readonly goal?: string }
  /** The task is over, finished or given up: the one in hand, or one that was put aside, by words of its goal. */
  | { readonly action: 'end'; readonly goal?: string }

/** Applies a change: a pure function, so that a plan is never lost by the way it is changed. */
export function changePlans(plans: Plans, change: PlanChange): Plans {
  switch (change.action) {
    case 'set': {
      const replaces =
        plans.current !== null && plans.current.goal !== change.plan.goal && isOpen(plans.current)
      const current = isOpen(change.plan) || change.plan.constraints.length > 0 ? change.plan : null
      const parked = plans.parked.filter((one) => one.goal !== change.plan.goal)
      if (replaces) return { current, parked: park(parked, { ...plans.current!, aside: 'displaced' }) }
      return current ? { current, parked } : freed(parked)
    }
    case 'park':
      return plans.current ? { current: null, parked: park(plans.parked, here(plans.current)) } : plans
    case 'resume': {
      const wanted = plans.parked.findLast((one) => change.goal === undefined || isMeant(one, change.goal))
      if (!wanted) return plans
      const rest = plans.parked.filter((one) => one !== wanted)
      return {
        current: here(wanted),
        parked: plans.current && isOpen(plans.current) ? park(rest, here(plans.current)) : rest,
      }
    }
    case 'end': {
      const { goal } = change
      if (goal === undefined || (plans.current && isMeant(plans.current, goal))) return freed(plans.parked)
      const wanted = plans.parked.findLast((one) => isMeant(one, goal))
      return { ...plans, parked: plans.parked.filter((one) => one !== wanted) }
    }
    default:
      return change satisfies never
  }
}

/** Do the words stand in the goal of a plan? */
function isMeant(one: Plan, words: string): boolean {
  return one.goal.toLowerCase().includes(words.trim().toLowerCase())
}

/**
 * The plans when a turn has said its last word. What it was to carry out ends with it, done or given up; where its
 * last word asks something, the plan waits for the answer. Nothing where they stay as they are.
 */
export function endedWith(
  plans: Plans,
  turnId: string,
  last: { readonly text: string; readonly stopped: boolean },
): Plans | undefined {
  const isIts = (one: Plan) => one.turnId === turnId
  if (!last.stopped && /[?？]["'”’)）*_\s]*$/u.test(last.text)) return undefined
  const parked = plans.parked.filter((one) => !isIts(one))
  if (plans.current && isIts(plans.current)) return freed(parked)
  return parked.length === plans.parked.length ? undefined : { ...plans, parked }
}

/** The plans when another turn goes on with what waits for an answer; nothing where nothing does. */
export function takenOver(plans: Plans, turnId: string, unfinished: ReadonlySet<string>): Plans | undefined {
  const { current } = plans
  if (current?.turnId === undefined || unfinished.has(current.turnId)) return undefined
  return { ...plans, current: { ...current, turnId } }
}

/** Nothing is in hand any more: what had to give way last comes back. */
function freed(parked: readonly Plan[]): Plans {
  const back = parked.findLast((one) => one.aside === 'displaced')
  if (!back) return { current: null, parked }
  return { current: { ...back, aside: 'back' }, parked: parked.filter((one) => one !== back) }
}

function here({ aside: _, ...plan }: Plan): Plan {
  return plan
}

function park(parked: readonly Plan[], one: Plan): readonly Plan[] {
  return [...parked.filter((other) => other.goal !== one.goal), one].slice(-mostParked)
}

/** Is anything left to do? */
export function isOpen(one: Plan): boolean {
  return one.steps.some((each) => each.status === 'open')
}

/** The plans as the model reads them: a few lines. */
export function planLines(plans: Plans): readonly string[] {
  const { current, parked } = plans
  return [
    ...(current
      ? [
          `Plan: ${current.goal}${current.aside === 'back' ? ' (it was put aside; offer to go on with it)' : ''}`,
          ...current.steps.map(
            (each, index) =>
              `  ${index + 1}. [${each.status}] ${each.condition ? `(${each.condition}) ` : ''}${each.text}`,
          ),
          ...current.constraints.map((constraint) => `  Must hold: ${constraint}`),
        ]
      : []),
    ...(parked.length > 0
      ? [
          `Put aside: ${parked.map((one) => one.goal).join('; ')}. ${
            current
              ? 'When the plan is done, offer to go on with it.'
              : 'Offer to go on with it: resume it if they want to, end it if they do not.'
          }`,
        ]
      : []),
  ]
}
