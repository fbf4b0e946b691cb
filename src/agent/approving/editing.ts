import { z } from 'zod'
import type { Clock } from '../../base/clock.ts'
import type { Ids } from '../../base/ids.ts'
import { type CardSnapshot, snapshotCard } from '../../tools/approvals/cards.ts'
import type { ApprovalFacts } from '../../tools/approvals/facts.ts'
import { type PolicySettings, policyFor } from '../../tools/approvals/policies.ts'
import { alignArguments } from '../../tools/arguments/alignment.ts'
import { labelOf, shownArgument } from '../../tools/arguments/forms.ts'
import { problemOf } from '../../tools/definition.ts'
import { hashOf } from '../../tools/hash.ts'
import type { ToolRegistry } from '../../tools/registry.ts'
import type { ArgumentProblem, Checked } from '../../tools/tool.ts'
import type { ResolveNames } from './names-in-forms.ts'
import { proposeAnew, proposeEdited, type Reissued } from './reissuing.ts'

/** Checks changed arguments of an open approval with the same rules that the model's are checked by. */
export interface Editing {
  check(
    facts: ApprovalFacts,
    raw: Readonly<Record<string, unknown>>,
  ): Promise<
    | {
        ok: true
        arguments: Record<string, unknown>
        snapshot: CardSnapshot
        /** Does another rule of the settings count for them than for those on the card? */
        otherRules: boolean
      }
    | { ok: false; problems: readonly ArgumentProblem[] }
  >
  /** What takes the place of an approval whose tool has changed. */
  anew(facts: ApprovalFacts): Promise<Reissued>
  /** What takes the place of one for which other rules count, after it was edited. */
  underOtherRules(
    facts: ApprovalFacts,
    edited: { readonly arguments: Readonly<Record<string, unknown>>; readonly snapshot: CardSnapshot },
  ): Reissued
}

export function createEditing(parts: {
  registry: ToolRegistry
  resolveNames: ResolveNames
  policies: PolicySettings
  clock: Clock
  ids: Ids
}): Editing {
  const otherRules = (facts: ApprovalFacts, args: Readonly<Record<string, unknown>>): boolean => {
    // Who decides was chosen in the workflow; no rule of the settings stands behind it.
    if (isOfWorkflow(facts)) return false
    const { thread, tool, approval } = facts
    const policy = policyFor(parts.policies, { tool, arguments: args, thread })
    return (
      hashOf([policy.approvers, policy.fourEyes, policy.place]) !==
      hashOf([approval.approvers, approval.fourEyes, facts.place])
    )
  }

  return {
    async anew(facts) {
      const tool = parts.registry.find(facts.tool)
      // A workflow asks again by itself, and whom it has to ask.
      if (!tool || isOfWorkflow(facts))
        return { sentence: 'The tool is not there any more as it was. It was not done.' }
      return proposeAnew(facts, tool, {
        policies: parts.policies,
        ids: parts.ids,
        now: parts.clock.now(),
        timeZone: facts.timeZone,
        language: facts.approval.snapshot.language,
        thread: facts.thread,
      })
    },

    underOtherRules(facts, edited) {
      const { policies, ids, clock } = parts
      const call = { ...facts, arguments: edited.arguments, card: edited.snapshot }
      return proposeEdited(call, { policies, ids, now: clock.now(), thread: facts.thread })
    },

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
        const { args } = alignArguments(tool.parameters, raw, context)
        const resolved = await parts.resolveNames(facts, tool, args)
        if (resolved.problems.length > 0) return { ok: false, problems: resolved.problems }
        const checked = await tool.check(resolved.args, context)
        if (!checked.ok) return checked
        return {
          ok: true,
          arguments: checked.arguments,
          snapshot: snapshotCard(tool, checked.arguments, context),
          otherRules: otherRules(facts, checked.arguments),
        }
      }
      const checked = checkBySchema(snapshot.schema, raw)
      if (!checked.ok) return checked
      const args = checked.arguments
      return {
        ok: true,
        arguments: args,
        otherRules: otherRules(facts, args),
        snapshot: {
          ...snapshot,
          fields: Object.entries(args).map(([name, value]) => ({
            label: titleIn(snapshot.schema, name) ?? labelOf(name, snapshot.language),
            value: shownArgument(name, value, snapshot.schema, {
              timeZone: facts.timeZone,
              language: snapshot.language,
            }),
          })),
        },
      }
    },
  }
}

/**
 * For a gateway without the tool's server at hand: the schema that a card was made from is kept with it. The worker
 * checks once more before the call runs.
 */
export function checkBySchema(
  schema: Readonly<Record<string, unknown>>,
  raw: Readonly<Record<string, unknown>>,
): Checked {
  const known = readSchema(schema)
  // One with parts that are not known here leaves it to the worker, which has the tool.
  if (!known) return { ok: true, arguments: { ...raw } }
  const parsed = known.safeParse(raw)
  return parsed.success
    ? { ok: true, arguments: parsed.data as Record<string, unknown> }
    : { ok: false, problems: parsed.error.issues.map((issue) => problemOf(issue, raw)) }
}

function readSchema(schema: Readonly<Record<string, unknown>>): z.ZodType | undefined {
  try {
    return z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0])
  } catch {
    return undefined
  }
}

function isOfWorkflow({ approval }: ApprovalFacts): boolean {
  return approval.approvers.some((approver) => approver.startsWith('workflow:'))
}

function titleIn(schema: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const property = (schema.properties as Readonly<Record<string, { title?: unknown }>> | undefined)?.[name]
  return typeof property?.title === 'string' ? property.title : undefined
}
