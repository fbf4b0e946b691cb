import { z } from 'zod'
import type { Clock } from '../base/clock.ts'
import type { ApprovalFacts } from '../tools/approvals.ts'
import { type CardSnapshot, snapshotCard } from '../tools/cards.ts'
import { type ArgumentProblem, problemOf } from '../tools/definition.ts'
import { labelOf, shownValue } from '../tools/forms.ts'
import type { ToolRegistry } from '../tools/registry.ts'

/** Checks changed arguments of an open approval with the same rules that the model's are checked by. */
export interface Editing {
  check(
    facts: ApprovalFacts,
    raw: Readonly<Record<string, unknown>>,
  ): Promise<
    | { ok: true; arguments: Record<string, unknown>; snapshot: CardSnapshot }
    | { ok: false; problems: readonly ArgumentProblem[] }
  >
}

export function createEditing(parts: { registry: ToolRegistry; clock: Clock }): Editing {
  return {
    async check(facts, raw) {
      const { snapshot } = facts.approval
      const tool = parts.registry.find(facts.tool)
      if (tool) {
        const context = {
          now: parts.clock.now(),
          timeZone: facts.timeZone,
          language: snapshot.language,
          personId: facts.personId,
          thread: facts.thread,
        }
        const checked = await tool.check(raw, context)
        if (!checked.ok) return checked
        return {
          ok: true,
          arguments: checked.arguments,
          snapshot: snapshotCard(tool, checked.arguments, snapshot.language),
        }
      }
      // A gateway without the tool's server at hand: the schema that the card was made from is kept with it. The
      // worker checks once more before the call runs.
      const parsed = z
        .fromJSONSchema(snapshot.schema as Parameters<typeof z.fromJSONSchema>[0])
        .safeParse(raw)
      if (!parsed.success)
        return { ok: false, problems: parsed.error.issues.map((issue) => problemOf(issue, raw)) }
      const args = parsed.data as Record<string, unknown>
      return {
        ok: true,
        arguments: args,
        snapshot: {
          ...snapshot,
          fields: Object.entries(args).map(([name, value]) => ({
            label: labelOf(name),
            value: shownValue(value),
          })),
        },
      }
    },
  }
}
