import type { CallContext } from '../../src/tools/tool.ts'

/** What a tool knows of a call of Ann's in the web chat, where a test runs one without a turn. */
export function callContext(signal: AbortSignal = new AbortController().signal): CallContext {
  return {
    callId: 'call_1',
    turnId: 'turn_1',
    session: {
      id: 'sess_1',
      thread: { channel: 'web', workspace: 'local', room: 'web', thread: 'x' },
      kind: 'direct',
    },
    person: { id: 'per_1', name: 'Ann', timeZone: 'Etc/UTC', language: 'en' },
    now: new Date(),
    signal,
    mounts: () => true,
    memory: { recall: [], learn: [] },
    progress: () => {},
  }
}
