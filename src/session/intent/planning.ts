import { changePlans, type Plans } from '../plan.ts'
import type { Intent } from './intent.ts'
import { conditionText } from './lines.ts'

const longestGoal = 200
const longestStep = 300

/** Do the requests of a message need a plan: does one depend on another, or are there three and more? */
export function hangTogether({ requests }: Intent): boolean {
  return requests.length >= 3 || (requests.length === 2 && requests.some((one) => one.condition))
}

/** The plans after a message whose requests hang together: they are the plan now, what was in hand is put aside. */
export function planned(plans: Plans, text: string, intent: Intent, turnId: string): Plans {
  const { requests } = intent
  return changePlans(plans, {
    action: 'set',
    plan: {
      goal: short(text, longestGoal),
      steps: requests.map((request) => ({
        text: short(request.text, longestStep),
        status: 'open',
        ...(request.condition ? { condition: short(conditionText(request.condition), longestGoal) } : {}),
      })),
      constraints: plans.current?.constraints ?? [],
      turnId,
    },
  })
}

function short(text: string, length: number): string {
  const characters = [...text.replace(/\s+/g, ' ').trim()]
  return characters.length <= length ? characters.join('') : `${characters.slice(0, length - 1).join('')}…`
}
