import type { Ids } from '../../base/ids.ts'
import type { ThreadRef } from '../../channel/events.ts'
import type { NewApproval } from '../../session/step.ts'
import type { CardSnapshot } from '../../tools/approvals/cards.ts'
import { fixedKeys } from '../../tools/approvals/grants.ts'
import { type PolicySettings, policyFor } from '../../tools/approvals/policies.ts'

/** The approval that a call needs, bound to its arguments, its tool's definition and the policy of now. */
export function approvalFor(
  call: {
    readonly id: string
    readonly personId: string
    readonly tool: string
    readonly definitionHash: string
    readonly arguments: Readonly<Record<string, unknown>>
    readonly argumentsHash: string
    readonly card: CardSnapshot
  },
  parts: {
    readonly policies: PolicySettings
    readonly thread: ThreadRef
    readonly ids: Ids
  },
): NewApproval {
  const { tool, card } = call
  const policy = policyFor(parts.policies, {
    tool,
    arguments: call.arguments,
    thread: parts.thread,
  })
  return {
    id: parts.ids('apr'),
    callId: call.id,
    personId: call.personId,
    argumentsHash: call.argumentsHash,
    definitionHash: call.definitionHash,
    card,
    ...policy,
    grantKeys: fixedKeys(policy.grantKeys, card.schema, call.arguments),
    grantId: null,
  }
}
