import { z } from 'zod'
import type { Language } from '../../base/words.ts'
import type { WorkflowField } from '../../config/workflows.ts'
import { shown, type Value, type WorkflowInstance, wordsIn } from '../../session/workflows/instance.ts'
import { stateOfInstance } from '../../session/workflows/machine.ts'
import { labelOf } from '../arguments/forms.ts'
import { problemOf } from '../definition.ts'
import { hashOf } from '../hash.ts'
import type { Tool } from '../tool.ts'

/** The name under which the card of a workflow's state stands in the ledger. The model is never offered it. */
export const confirmTool = 'workflow_confirm'

/**
 * The card of a state as a tool whose only effect is that its person has agreed: so it is shown, corrected, confirmed
 * and remembered like any other. It is made of the instance's own definition, whatever the settings say by now.
 */
export function cardTool(instance: WorkflowInstance): Tool | undefined {
  const { confirm } = stateOfInstance(instance)
  if (!confirm) return undefined
  const fields: Readonly<Record<string, WorkflowField>> = Object.fromEntries(
    Object.values(instance.definition.states).flatMap((state) => Object.entries(state.collect)),
  )
  const label = (name: string, language: Language) => {
    const own = fields[name]?.label
    return own === undefined ? labelOf(name, language) : wordsIn(own, language)
  }
  const properties = Object.fromEntries(
    confirm.fields.map((name) => [
      name,
      {
        type: fields[name]?.type === 'number' ? 'number' : 'string',
        title: label(name, instance.language),
        ...(fields[name]?.type === 'number' ? {} : { maxLength: 200 }),
      },
    ]),
  )
  const required = confirm.fields.filter((name) => fields[name]?.required ?? true)
  const parameters = { type: 'object', properties, required, additionalProperties: false }
  const schema = z.fromJSONSchema(parameters as Parameters<typeof z.fromJSONSchema>[0])
  return {
    name: confirmTool,
    title: (language) => wordsIn(confirm.title, language),
    description: 'The card of a workflow.',
    effect: 'write',
    idempotent: true,
    timeoutMs: 1_000,
    cacheSeconds: 0,
    parameters,
    definitionHash: hashOf({ version: instance.version, state: instance.state }),
    risk: (language) => (confirm.risk === undefined ? '' : wordsIn(confirm.risk, language)),
    activity: (language) => wordsIn(instance.definition.title, language),
    async check(raw) {
      const parsed = schema.safeParse(raw)
      if (!parsed.success)
        return { ok: false, problems: parsed.error.issues.map((issue) => problemOf(issue, raw)) }
      return { ok: true, arguments: parsed.data as Record<string, unknown> }
    },
    card: (args, language) => ({
      fields: confirm.fields.flatMap((name) =>
        args[name] === undefined ? [] : [{ label: label(name, language), value: shown(args[name] as Value) }],
      ),
    }),
    run: async (args) => ({ content: { confirmed: args } }),
  }
}
