import { type RunningWorkflow, shown, wordsIn } from './instance.ts'
import { missingFields, possibleNow, sayOf, stateOfInstance } from './machine.ts'

/**
 * How the workflows of the turn's person stand, as the model is told: where each is, what it waits for, what to say
 * now. A workflow's own instructions come with them, so that nothing of it is in the context before it has begun.
 */
export function workflowLines(
  workflows: readonly RunningWorkflow[],
  turn: { readonly id: string; readonly personId: string },
): readonly string[] {
  const own = workflows.filter((one) => one.personId === turn.personId)
  return own.flatMap((one) => (one.status === 'parked' ? [parkedLine(one)] : runningLines(one, turn.id)))
}

function parkedLine(one: RunningWorkflow): string {
  return `Workflow ${titleOf(one)} is put aside in the state "${one.state}". Offer to go on with it when this is done (workflow, action resume).`
}

function runningLines(one: RunningWorkflow, turnId: string): readonly string[] {
  const say = sayOf(one)
  const tell = say === '' ? [] : [`Workflow, tell the person now: ${JSON.stringify(say)}`]
  if (one.status === 'ended')
    return one.turnId === turnId
      ? [`Workflow ${titleOf(one)} has ended in the state "${one.state}"${known(one)}.`, ...tell]
      : []
  const state = stateOfInstance(one)
  const missing = missingFields(state, one.data)
  const instructions = [one.definition.instructions, state.instructions]
    .map((text) => text.trim())
    .filter((text) => text !== '')
  return [
    `Workflow ${titleOf(one)} is in the state "${one.state}"${known(one)}. Possible now: ${possibleNow(one)}.`,
    ...(missing.length > 0 && state.accepts.length > 0
      ? [
          `Workflow, still missing: ${missing.join(', ')}. What you can read in what the person gave, pass on with workflow, action fill.`,
        ]
      : []),
    ...instructions.map((text) => `Workflow instructions: ${text}`),
    ...(one.turnId === turnId
      ? tell
      : say === '' || waitsForOther(one)
        ? []
        : [
            `Workflow: this message is no step of it. Answer the message first, then offer to go on: ${JSON.stringify(say)}`,
          ]),
  ]
}

function waitsForOther(one: RunningWorkflow): boolean {
  return one.call?.status === 'proposed' && stateOfInstance(one).call?.approver !== undefined
}

function titleOf(one: RunningWorkflow): string {
  return JSON.stringify(wordsIn(one.definition.title, 'en'))
}

function known(one: RunningWorkflow): string {
  const values = Object.entries(one.data).map(([name, value]) => `${name}: ${shown(value)}`)
  return values.length > 0 ? ` (${values.join('; ').slice(0, 600).toWellFormed()})` : ''
}
