import { changePlans, isOpen, type Plans } from '../plan.ts'
import type { Intent } from './intent.ts'
import { conditionText } from './lines.ts'

const longestGoal = 200
const longestStep = 300

/**
 * The plans after a message whose requests hang together: where one depends on another, or there are three and more,
 * they become the plan, unless one is being worked on.
 */
export function planned(plans: Plans, text: string, intent: Intent): Plans | undefined {
  const { requests } = intent
  const hangTogether =
    requests.length >= 3 || (requests.length === 2 && requests.some((one) => one.condition))
  if (!hangTogether || (plans.current && isOpen(plans.current))) return undefined
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
    },
  })
}

function short(text: string, length: number): string {
  const characters = [...text.replace(/\s+/g, ' ').trim()]
  return characters.length <= length ? characters.join('') : `${characters.slice(0, length - 1).join('')}…`
}
