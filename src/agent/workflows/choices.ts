import { phrases } from '../../base/words.ts'
import type { Card } from '../../channel/card.ts'
import type { ActionEvent } from '../../channel/events.ts'
import { identitySpace } from '../../channel/events.ts'
import type { Snapshot } from '../../session/transcript.ts'
import { shown, type WorkflowInstance, wordsIn } from '../../session/workflows/instance.ts'
import { stateOfInstance } from '../../session/workflows/machine.ts'
import type { Database } from '../../store/client.ts'
import type { AgentParts, TurnContext } from '../parts.ts'

/** The action of a choice's buttons; their value names the instance, the step and the option. */
export const chooseAction = 'workflow.choose'

/** As many as fit beside each other; more become a list to select from. */
const mostButtons = 4

/** What can be chosen in the instance's state. */
function optionsOf(one: WorkflowInstance): readonly string[] {
  if (one.status !== 'active' || one.leaving) return []
  const state = stateOfInstance(one)
  if (!state.accepts.includes('choice')) return []
  const open = Object.entries(state.collect).find(([, field]) => field.options.length > 0)
  return open ? open[1].options : []
}

/** The card with the choices of a state, where it has some. */
export function choiceCard(one: WorkflowInstance, person: string): Card | undefined {
  const options = optionsOf(one)
  if (options.length === 0) return undefined
  const base = baseOf(one)
  const value = (index: number) => `${one.id}:${one.visit}:${index}`
  const buttons = options.map((label, index) => ({ label, action: chooseAction, value: value(index) }))
  return options.length <= mostButtons
    ? { ...base, tone: 'open', footer: phrases(one.language).waitsForChoice(person), actions: buttons }
    : {
        ...base,
        tone: 'open',
        footer: phrases(one.language).waitsForChoice(person),
        actions: [],
        choice: { label: base.title, action: chooseAction, options: buttons },
      }
}

function baseOf(one: WorkflowInstance): Pick<Card, 'id' | 'title' | 'fields'> {
  const known = Object.entries(stateOfInstance(one).collect).flatMap(([name]) =>
    one.data[name] === undefined ? [] : [{ label: name, value: shown(one.data[name]) }],
  )
  return { id: `${one.id}:${one.visit}`, title: wordsIn(one.definition.title, one.language), fields: known }
}

/** Posts the choices of a state that the turn has come to, below its answer. */
export async function showChoices(parts: AgentParts, at: TurnContext, snapshot: Snapshot): Promise<void> {
  for (const one of snapshot.workflows) {
    if (one.personId !== at.person.id || one.turnId !== at.turnId) continue
    const card = choiceCard(one, at.person.name)
    if (card) await parts.deliveries.card(at.lease, at.turnId, at.target, card)
  }
}

/** Draws the choices again of those that the turn has moved on from: their buttons do nothing any more. */
export async function closeChoices(
  parts: AgentParts,
  at: Pick<TurnContext, 'lease' | 'turnId' | 'target' | 'person'>,
  before: readonly WorkflowInstance[],
  after: readonly WorkflowInstance[],
): Promise<void> {
  for (const one of before) {
    if (optionsOf(one).length === 0) continue
    const next = after.find(({ id }) => id === one.id)
    if (!next || next.visit === one.visit) continue
    const words = phrases(one.language)
    const field = Object.keys(stateOfInstance(one).collect).find(
      (name) => one.data[name] === undefined && next.data[name] !== undefined,
    )
    await parts.deliveries.card(at.lease, at.turnId, at.target, {
      ...baseOf(one),
      tone: field === undefined ? 'void' : 'done',
      footer:
        field === undefined ? words.noLongerAsked : words.chosenBy(at.person.name, shown(next.data[field])),
      actions: [],
    })
  }
}

/** What a click on a choice means: the text that its person says by it, or why it says nothing. */
export async function readChoice(
  db: Database,
  event: Pick<ActionEvent, 'value' | 'thread' | 'author'>,
): Promise<
  | { readonly kind: 'said'; readonly text: string }
  | { readonly kind: 'gone' }
  | { readonly kind: 'foreign'; readonly owner: string }
> {
  const [, id, visit, index] = /^(wfl_[0-9a-f]{32}):(\d{1,9}):(\d{1,2})$/.exec(event.value ?? '') ?? []
  if (id === undefined) return { kind: 'gone' }
  const { channel, workspace, room, thread } = event.thread
  const row = await db.workflowInstance.findFirst({
    where: { id, session: { channel, workspace, room, thread } },
    include: {
      person: {
        select: {
          displayName: true,
          identities: {
            where: { channel, workspace: identitySpace(event.thread), userId: event.author.userId },
          },
        },
      },
    },
  })
  if (!row) return { kind: 'gone' }
  if (row.person.identities.length === 0) return { kind: 'foreign', owner: row.person.displayName }
  const one = row as unknown as WorkflowInstance
  const text = one.visit === Number(visit) ? optionsOf(one)[Number(index)] : undefined
  return text === undefined ? { kind: 'gone' } : { kind: 'said', text }
}
