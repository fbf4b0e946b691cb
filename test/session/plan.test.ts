import { describe, expect, it } from 'vitest'
import {
  changePlans,
  endedWith,
  isOpen,
  type Plan,
  type PlanChange,
  type Plans,
  planLines,
  readPlans,
  takenOver,
} from '../../src/session/plan.ts'
import fc from '../support/properties.ts'

const none: Plans = { current: null, parked: [] }
const planOf = (goal: string, more: Partial<Plan> = {}): Plan => ({
  goal,
  steps: [{ text: 'look', status: 'open' }],
  constraints: [],
  ...more,
})

describe('the plans of a session', () => {
  it('keep what is unfinished when something else is begun, and take it up again', () => {
    const first = changePlans(none, { action: 'set', plan: planOf('Trip to Oslo') })
    const second = changePlans(first, { action: 'set', plan: planOf('Expense report') })
    expect(second).toMatchObject({ current: { goal: 'Expense report' }, parked: [{ goal: 'Trip to Oslo' }] })
    const back = changePlans(second, { action: 'resume', goal: 'oslo' })
    expect(back).toMatchObject({ current: { goal: 'Trip to Oslo' }, parked: [{ goal: 'Expense report' }] })
  })

  it('come back when what displaced them is over, and are offered again', () => {
    const plans = changePlans(changePlans(none, { action: 'set', plan: planOf('Trip to Oslo') }), {
      action: 'set',
      plan: planOf('Expense report'),
    })
    expect(planLines(plans).at(-1)).toMatch(/^Put aside: Trip to Oslo\. When the plan is done, offer/)
    const free = changePlans(plans, { action: 'end' })
    expect(planLines(free)[0]).toBe('Plan: Trip to Oslo (it was put aside; offer to go on with it)')
    expect(changePlans(free, { action: 'set', plan: planOf('Trip to Oslo') })).toEqual({
      current: planOf('Trip to Oslo'),
      parked: [],
    })
  })

  it('stay aside where the person put them aside, are offered, and can be given up', () => {
    const plans = changePlans(changePlans(none, { action: 'set', plan: planOf('Trip to Oslo') }), {
      action: 'park',
    })
    const after = changePlans(changePlans(plans, { action: 'set', plan: planOf('Expense report') }), {
      action: 'end',
    })
    expect(planLines(after)).toEqual([
      expect.stringMatching(/^Put aside: Trip to Oslo\. Offer to go on with it/),
    ])
    expect(changePlans(after, { action: 'end', goal: 'oslo' })).toEqual(none)
  })

  it('end with the turn that carries them out, unless its last word asks something', () => {
    const plans: Plans = {
      current: planOf('Ask and mail', { turnId: 'turn_2' }),
      parked: [planOf('Old one', { turnId: 'turn_1' }), planOf('Of the model')],
    }
    const told = { text: 'Done and mailed.', stopped: false }
    expect(endedWith(plans, 'turn_2', told)?.current).toBeNull()
    expect(endedWith(plans, 'turn_2', { text: 'Which Zhang do you mean?', stopped: false })).toBeUndefined()
    expect(endedWith(plans, 'turn_2', { text: '您指的是哪位张工？', stopped: false })).toBeUndefined()
    expect(endedWith(plans, 'turn_2', { text: 'Which Zhang?', stopped: true })?.current).toBeNull()
    expect(endedWith(plans, 'turn_1', told)?.parked).toEqual([planOf('Of the model')])
    expect(endedWith(plans, 'turn_9', told)).toBeUndefined()
  })

  it('go to the turn that takes the answer, and never leave one that still waits', () => {
    const plans: Plans = { current: planOf('Ask and mail', { turnId: 'turn_1' }), parked: [] }
    expect(takenOver(plans, 'turn_2', new Set(['turn_2']))?.current?.turnId).toBe('turn_2')
    expect(takenOver(plans, 'turn_2', new Set(['turn_1', 'turn_2']))).toBeUndefined()
    expect(takenOver({ current: planOf('Of the model'), parked: [] }, 'turn_2', new Set())).toBeUndefined()
  })

  it('never lose an unfinished one unasked, hold three aside at most, and are read as they were stored', () => {
    const goal = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')
    const step = fc.record({
      text: fc.string({ maxLength: 5 }),
      status: fc.constantFrom('open' as const, 'done' as const, 'dropped' as const),
    })
    const plan = fc.record({
      goal,
      steps: fc.array(step, { maxLength: 3 }),
      constraints: fc.array(fc.string({ maxLength: 5 }), { maxLength: 2 }),
    })
    const change: fc.Arbitrary<PlanChange> = fc.oneof(
      plan.map((one) => ({ action: 'set' as const, plan: one })),
      fc.constant({ action: 'park' as const }),
      fc.constant({ action: 'resume' as const }),
      goal.map((one) => ({ action: 'resume' as const, goal: one })),
      fc.constant({ action: 'end' as const }),
      goal.map((one) => ({ action: 'end' as const, goal: one })),
    )
    fc.assert(
      fc.property(fc.array(change, { maxLength: 30 }), (changes) => {
        let plans = none
        for (const one of changes) {
          const before = plans
          plans = changePlans(plans, one)
          expect(plans.parked.length).toBeLessThanOrEqual(3)
          const goals = plans.parked.map((parked) => parked.goal)
          expect(new Set(goals).size).toBe(goals.length)
          if (one.action !== 'end' && before.current && isOpen(before.current)) {
            const stays = [plans.current?.goal, ...goals].includes(before.current.goal)
            const finished = one.action === 'set' && one.plan.goal === before.current.goal
            expect(stays || finished).toBe(true)
          }
          expect(readPlans(JSON.parse(JSON.stringify(plans)))).toEqual(plans)
        }
      }),
      { numRuns: Number(process.env.HERMES_PROPERTY_RUNS ?? 300), seed: 5 },
    )
  })
})
