import type { Ids } from '../../base/ids.ts'
import type { Language } from '../../base/words.ts'
import type { ThreadRef } from '../../channel/events.ts'
import type { NewApproval, NewCall } from '../../session/step.ts'
import { type CardSnapshot, snapshotCard } from '../../tools/approvals/cards.ts'
import type { PolicySettings } from '../../tools/approvals/policies.ts'
import { hashOf } from '../../tools/hash.ts'
import type { Tool } from '../../tools/tool.ts'
import { approvalFor } from './asking.ts'

/** A proposal that no longer holds as it was shown. */
interface Outdated {
  readonly turnId: string
  readonly messageId: string
  readonly personId: string
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
}

/** What comes in its place, and what the model is told became of it. */
export interface Reissued {
  /** Missing where the tool takes the arguments no more. */
  readonly proposal?: { readonly call: NewCall; readonly approval: NewApproval }
  readonly sentence: string
}

interface ReissuingParts {
  readonly policies: PolicySettings
  readonly ids: Ids
  readonly now: Date
  readonly thread: ThreadRef
}

/** Proposes the same again under the tool's definition and the policies of now, with a new card. */
export async function proposeAnew(
  outdated: Outdated,
  tool: Tool,
  parts: ReissuingParts & { readonly timeZone: string; readonly language: Language },
): Promise<Reissued> {
  const { now, timeZone, language, thread } = parts
  const checked = await tool.check(outdated.arguments, {
    now,
    timeZone,
    language,
    personId: outdated.personId,
    thread,
  })
  const why = 'The tool has changed since the card was shown.'
  if (!checked.ok) {
    const problems = checked.problems.map(({ field, problem }) => (field ? `${field}: ${problem}` : problem))
    return { sentence: `${why} It was not done, and these arguments fit no more (${problems.join('; ')}).` }
  }
  return replacement(
    {
      ...outdated,
      arguments: checked.arguments,
      definitionHash: tool.definitionHash,
      idempotent: tool.idempotent,
      card: snapshotCard(tool, checked.arguments, { timeZone, language }),
    },
    parts,
    why,
  )
}

/** Proposes an edited call under other rules, with a new card. */
export function proposeEdited(
  edited: Outdated & {
    readonly definitionHash: string
    readonly idempotent: boolean
    readonly card: CardSnapshot
  },
  parts: ReissuingParts,
): Reissued {
  return replacement(edited, parts, 'The proposal was edited, and other rules count for it now.')
}

function replacement(
  proposed: Parameters<typeof proposeEdited>[0],
  parts: ReissuingParts,
  why: string,
): Reissued {
  const id = parts.ids('call')
  const argumentsHash = hashOf(proposed.arguments)
  const call: NewCall = {
    id,
    turnId: proposed.turnId,
    messageId: proposed.messageId,
    personId: proposed.personId,
    // The statement that writes it puts it behind the others of its message.
    position: 0,
    providerId: id,
    tool: proposed.tool,
    effect: 'write',
    idempotent: proposed.idempotent,
    arguments: proposed.arguments,
    argumentsHash,
    definitionHash: proposed.definitionHash,
    status: 'proposed',
    resultText: null,
    failureCode: null,
  }
  return {
    proposal: { call, approval: approvalFor({ ...proposed, id, argumentsHash }, parts) },
    sentence: `${why} It was not done; a new card waits for a decision as ${id}.`,
  }
}
