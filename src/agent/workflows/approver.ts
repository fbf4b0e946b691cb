import { type ChannelName, identitySpace } from '../../channel/events.ts'
import { directThreadName } from '../../channel/view.ts'
import type { NewApproval } from '../../session/step.ts'
import type { NamedPerson, WorkflowInstance } from '../../session/workflows/instance.ts'
import { isUniqueViolation } from '../../store/unique.ts'
import type { Place } from '../../tools/policies.ts'
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
  await introduce(parts, person)
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

/** Enters the person behind an address into the directory where Hermes has not met them yet, so that cards name them. */
async function introduce({ db, ids }: Pick<AgentParts, 'db' | 'ids'>, person: NamedPerson): Promise<void> {
  const { channel, space, userId } = readAddress(person)
  for (let attempt = 1; ; attempt++) {
    try {
      await db.$executeRaw`
        WITH known AS (
          SELECT person_id AS id FROM identity
          WHERE channel = ${channel}::channel_name AND workspace = ${space} AND user_id = ${userId}
        ), newcomer AS (
          INSERT INTO person (id, display_name) SELECT ${ids('per')}, ${person.name} WHERE NOT EXISTS (SELECT 1 FROM known)
          RETURNING id
        )
        INSERT INTO identity (id, person_id, channel, workspace, user_id, name)
        SELECT ${ids('idn')}, id, ${channel}::channel_name, ${space}, ${userId}, ${person.name} FROM newcomer`
      return
    } catch (error) {
      // They may write for the first time at this very moment.
      if (attempt >= 4 || !isUniqueViolation(error)) throw error
    }
  }
}
