import type { Language } from '../../base/words.ts'
import type { OpenTurn, Snapshot } from '../../session/transcript.ts'
import type { AgentParts, TurnContext } from '../parts.ts'
import { directoryOf } from './directory.ts'
import { type Proposal, propose } from './proposal.ts'

/**
 * Proposes a call that no model makes, but that the person has asked for by what they sent or began: it is never
 * doubted, and held against no earlier one.
 */
export function proposeByCode(
  parts: AgentParts,
  at: TurnContext,
  snapshot: Snapshot,
  turn: OpenTurn,
  call: {
    readonly messageId: string
    readonly name: string
    readonly arguments: Readonly<Record<string, unknown>>
    readonly language: Language
  } & Pick<Parameters<typeof propose>[1], 'grants' | 'find' | 'mounts' | 'gate' | 'exact'>,
): Promise<Proposal> {
  const { messageId, name, arguments: args, language, ...how } = call
  return propose([{ id: parts.ids('call'), name, arguments: JSON.stringify(args) }], {
    ...how,
    turnId: turn.id,
    messageId,
    personId: turn.personId,
    earlier: [],
    lasting: [],
    rejected: [],
    check: {
      now: parts.clock.now(),
      timeZone: at.person.timeZone,
      language,
      personId: turn.personId,
      thread: at.thread,
    },
    policies: parts.settings.approvals,
    doubt: async () => undefined,
    directory: directoryOf(parts, at, snapshot),
    ids: parts.ids,
  })
}
