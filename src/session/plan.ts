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
  condition: z.string().optional(),
})
const plan = z.object({ goal: z.string(), steps: z.array(step), constraints: z.array(z.string()) })
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
  /** The task is over, finished or given up. */
  | { readonly action: 'end' }

/** Applies a change: a pure function, so that a plan is never lost by the way it is changed. */
export function changePlans(plans: Plans, change: PlanChange): Plans {
  switch (change.action) {
    case 'set': {
      const replaces =
        plans.current !== null && plans.current.goal !== change.plan.goal && isOpen(plans.current)
      const current = isOpen(change.plan) || change.plan.constraints.length > 0 ? change.plan : null
      return {
        current,
        parked: replaces
          ? park(plans.parked, plans.current!)
          : plans.parked.filter((one) => one.goal !== change.plan.goal),
      }
    }
    case 'park':
      return plans.current ? { current: null, parked: park(plans.parked, plans.current) } : plans
    case 'resume': {
      const words = change.goal?.toLowerCase()
      const wanted = plans.parked.findLast(
        (one) => words === undefined || one.goal.toLowerCase().includes(words),
      )
      if (!wanted) return plans
      const rest = plans.parked.filter((one) => one !== wanted)
      return {
        current: wanted,
        parked: plans.current && isOpen(plans.current) ? park(rest, plans.current) : rest,
      }
    }
    case 'end':
      return { current: null, parked: plans.parked }
    default:
      return change satisfies never
  }
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
          `Plan: ${current.goal}`,
          ...current.steps.map(
            (each, index) =>
              `  ${index + 1}. [${each.status}] ${each.condition ? `(${each.condition}) ` : ''}${each.text}`,
          ),
          ...current.constraints.map((constraint) => `  Must hold: ${constraint}`),
        ]
      : []),
    ...(parked.length > 0
      ? [`Put aside, to be offered again when this is done: ${parked.map((one) => one.goal).join('; ')}.`]
      : []),
  ]
}
