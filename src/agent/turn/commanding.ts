import type { OpenTurn, Snapshot } from '../../session/transcript.ts'
import type { SpokenCommand } from '../commands/typed.ts'
import { commandWords } from '../commands/words.ts'
import type { AgentParts, TurnContext } from '../parts.ts'
import { endWith, type TurnEnd } from './ending.ts'
import type { Leg } from './legs.ts'
import { stopping } from './stopping.ts'

/** Answers a command that was typed as a message. A reset takes the person's open cards and workflows with it. */
export async function answerCommand(
  parts: AgentParts,
  at: TurnContext,
  snapshot: Snapshot,
  turn: OpenTurn,
  leg: Leg,
  command: SpokenCommand,
): Promise<TurnEnd> {
  if (command.name === 'reset') {
    const ending = stopping(snapshot, at.person.id, turn.id)
    const workflows = snapshot.workflows
      .filter((one) => one.personId === at.person.id && one.status !== 'ended')
      .map((one) => ({ ...one, status: 'ended' as const, dueAt: null }))
    const anew = { ...ending, step: { ...ending.step, workflows, session: { reset: true } } } as const
    const sentence = commandWords(at.language).wasReset
    return endWith(parts, at, turn, leg, sentence, 'done', 'command', anew)
  }
  const event = {
    kind: 'command',
    dedupeKey: `typed:${turn.id}`,
    thread: at.thread,
    threadKind: at.kind,
    author: { userId: at.person.userId ?? '', name: at.person.name },
    at: parts.clock.now(),
    ...command,
  } as const
  const receipt = await parts.commands.run(event, at.language)
  const { notice = '', kept } = receipt.kind === 'answered' ? receipt : {}
  if (kept === undefined) return endWith(parts, at, turn, leg, notice, 'done', 'command')
  return endWith(parts, at, turn, leg, kept, 'done', 'command', { step: {}, turnIds: [], shown: notice })
}
