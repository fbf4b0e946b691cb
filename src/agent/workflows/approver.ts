import { type ChannelName, identitySpace } from '../../channel/events.ts'
import { directThreadName } from '../../channel/view.ts'
import { meet } from '../../session/meeting.ts'
import type { NewApproval } from '../../session/step.ts'
import type { NamedPerson, WorkflowInstance } from '../../session/workflows/instance.ts'
import type { Place } from '../../tools/approvals/policies.ts'
import type { AgentParts, TurnContext } from '../parts.ts'

/**
 * An approval that somebody else decides than who asked, where the workflow names one. Where a rule of the settings
 * counts for the call, the rule says who decides. From a thread that the other can't see the card goes to them.
 */
export async function addressed(
  parts: Pick<AgentParts, 'db' | 'ids'>,
  at: Pick<TurnContext, 'kind'>,
  one: WorkflowInstance,
  field: string | undefined,
  approval: NewApproval,
): Promise<NewApproval> {
  const person = field === undefined ? undefined : one.data[field]
  if (typeof person !== 'object' || approval.rule !== null) return approval
  const who = readAddress(person)
  // So that cards name them.
  await meet(parts, who, { userId: who.userId, name: person.name })
  return {
    ...approval,
    // The second names nobody: it marks that no rule of the settings stands behind the first.
    approvers: [`id:${who.channel}:${who.space}:${who.userId}`, `workflow:${one.name}`],
    place: at.kind === 'direct' ? directPlace(who) : null,
    grantable: false,
    grantKeys: [],
  }
}

interface Address {
  readonly channel: ChannelName
  readonly workspace: string
  /** Within what the id is unique. */
  readonly space: string
  readonly userId: string
}

function readAddress({ address }: NamedPerson): Address {
  const [, channel, workspace = '', ...rest] = address.split(':')
  const place = { channel: channel as ChannelName, workspace }
  return { ...place, space: identitySpace(place), userId: rest.join(':') }
}

function directPlace({ channel, workspace, userId }: Address): Place {
  switch (channel) {
    case 'web':
      return { channel, workspace, room: directThreadName(userId) }
    case 'discord':
      return { channel, workspace: '@me', room: `@${userId}` }
    case 'slack':
      return { channel, workspace, room: `@${userId}` }
    default:
      return channel satisfies never
  }
}
