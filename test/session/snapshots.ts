import type { PendingEvent } from '../../src/session/inbox.ts'
import type { LedgerCall, OpenTurn, Snapshot, TranscriptMessage } from '../../src/session/transcript.ts'

const when = new Date('2026-12-02T02:00:00Z')

/** A snapshot of a session that holds nothing, with what a test says. */
export function snapshotWith(parts: Partial<Snapshot> = {}): Snapshot {
  return {
    id: 'sess_1',
    thread: { channel: 'web', workspace: 'local', room: 'web', thread: 'thread-1' },
    kind: 'direct',
    plan: null,
    entities: [],
    summary: null,
    summarySeq: 0,
    archived: false,
    revision: 1,
    profile: 'default',
    pastRead: false,
    grants: [],
    turns: [],
    messages: [],
    openCalls: [],
    pending: [],
    failures: [],
    handOver: null,
    workflows: [],
    questions: [],
    ...parts,
  }
}

/** A message of the transcript; its number says where it stands. */
export function messageWith(
  seq: number,
  parts: Partial<TranscriptMessage> & Pick<TranscriptMessage, 'role' | 'text'>,
): TranscriptMessage {
  return {
    id: `msg_${seq}`,
    seq,
    turnId: 'turn_1',
    step: 0,
    leg: 1,
    personId: parts.role === 'user' ? 'per_ann' : null,
    author: parts.role === 'user' ? 'Ann' : null,
    eventId: null,
    postId: parts.role === 'user' ? `post_${seq}` : null,
    attachments: [],
    final: true,
    removed: false,
    createdAt: when,
    calls: [],
    ...parts,
  }
}

/** A call of the ledger that has succeeded, unless the test says otherwise. */
export function callWith(id: string, parts: Partial<LedgerCall> = {}): LedgerCall {
  return {
    id: `call_${id}`,
    turnId: 'turn_1',
    messageId: 'msg_1',
    personId: 'per_ann',
    position: 0,
    startedAt: null,
    providerId: `p_${id}`,
    tool: 'list_tickets',
    effect: 'read',
    idempotent: true,
    arguments: {},
    argumentsHash: 'hash',
    definitionHash: 'hash',
    status: 'succeeded',
    resultText: 'nothing',
    resultRef: null,
    told: null,
    failureCode: null,
    approval: null,
    ...parts,
  }
}

/** A running turn of Ann, unless the test says otherwise. */
export function turnWith(id: string, parts: Partial<OpenTurn> = {}): OpenTurn {
  return {
    id,
    personId: 'per_ann',
    status: 'running',
    leg: 1,
    step: 0,
    tokens: 0,
    cost: 0,
    startedAt: when,
    outcome: null,
    intent: null,
    ...parts,
  }
}

/** An event of the inbox. */
export function eventWith(
  id: string,
  parts: Partial<PendingEvent> & Pick<PendingEvent, 'kind'>,
): PendingEvent {
  return {
    id,
    personId: 'per_ann',
    author: 'Ann',
    postId: null,
    payload: {},
    receivedAt: when,
    ...parts,
  } as PendingEvent
}
