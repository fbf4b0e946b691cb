import type { LedgerCall } from '../../session/transcript.ts'
import type { CallContext } from '../../tools/tool.ts'
import type { AgentParts, TurnContext } from '../parts.ts'

/** What a tool may know of the call that it runs. */
export function callContext(
  parts: AgentParts,
  owner: TurnContext,
  call: Pick<LedgerCall, 'id' | 'turnId'>,
): CallContext {
  return {
    callId: call.id,
    turnId: call.turnId,
    session: { id: owner.sessionId, thread: owner.thread, kind: owner.kind },
    person: {
      id: owner.person.id,
      name: owner.person.name,
      timeZone: owner.person.timeZone,
      language: owner.language,
    },
    now: parts.clock.now(),
    signal: owner.lease.signal,
    mounts: (tool) => parts.profiles.mounts(owner.profile, tool),
    memory: owner.profile.memory,
    progress: (line) => void parts.speaker(owner.thread).showActivity(owner.target, line),
  }
}
