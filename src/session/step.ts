import type { Attachment } from '../channel/events.ts'
import type { SpanRow } from '../observe/trace.ts'
import type { WorkflowInstance } from './workflows/instance.ts'

/** A message to append. Its number within the session is given by the commit, in the order of the list. */
export interface NewMessage {
  readonly id: string
  readonly turnId: string | null
  readonly step: number
  readonly leg: number
  readonly role: 'user' | 'assistant' | 'note'
  readonly personId: string | null
  readonly eventId: string | null
  readonly postId: string | null
  readonly text: string
  readonly attachments: readonly Attachment[]
  readonly final: boolean
}

/** A tool call to write into the ledger, as it was proposed. */
export interface NewCall {
  readonly id: string
  readonly turnId: string
  readonly messageId: string
  readonly personId: string
  readonly position: number
  readonly providerId: string
  readonly tool: string
  readonly effect: 'read' | 'own' | 'write'
  readonly idempotent: boolean
  readonly arguments: unknown
  readonly argumentsHash: string
  readonly definitionHash: string
  /**
   * `approved` may run at once, `proposed` waits for a person, `refused` never ran; `succeeded` did not run either,
   * since an earlier call's result still holds.
   */
  readonly status: 'approved' | 'proposed' | 'refused' | 'succeeded'
  readonly resultText: string | null
  readonly resultRef?: string | null
  readonly failureCode: string | null
  /** Of a refused one: what it leaves open, as it can be put to the person. */
  readonly question?: unknown
}

/** What becomes of the question that a refused call stands for. */
export interface QuestionChange {
  readonly callId: string
  readonly to: 'open' | 'answered' | 'closed'
}

/** An approval to open, with the policy that it is bound to; or one that a standing grant has confirmed. */
export interface NewApproval {
  readonly id: string
  readonly callId: string
  readonly personId: string
  readonly argumentsHash: string
  readonly definitionHash: string
  readonly card: unknown
  readonly lifeMs: number
  readonly approvers: readonly string[]
  readonly fourEyes: boolean
  readonly rule: string | null
  readonly place: unknown
  readonly noticeMs: number | null
  readonly grantable: boolean
  readonly grantKeys: readonly string[]
  /** The grant that confirms it at once. */
  readonly grantId: string | null
}

/** What became of a call. `from` is where it must be for the change to count. */
export interface CallChange {
  readonly id: string
  readonly from: 'approved' | 'executing' | 'proposed' | 'unknown'
  readonly to: 'executing' | 'succeeded' | 'failed' | 'unknown' | 'refused' | 'withdrawn' | 'approved'
  readonly resultText?: string | null
  readonly resultRef?: string | null
  readonly told?: string | null
  readonly failureCode?: string | null
  /** Of one whose outcome is not known: the event by which that is told to whoever asked, once for each run. */
  readonly untold?: string
}

/** A long result, kept whole beside its digest. */
export interface NewStoredResult {
  readonly id: string
  readonly callId: string | null
  readonly mediaType: string
  /** Of a file; its bytes stand in `text` as base64. */
  readonly name: string | null
  readonly text: string
  readonly tokens: number
  readonly expiresAt: Date
}

/** A message of a reply that is going to be sent. */
export interface NewDelivery {
  readonly id: string
  readonly key: string
  readonly turnId: string
  readonly target: unknown
  readonly nonce: string
}

/** A message of a reply that stands on its platform. */
export interface SentDelivery {
  readonly key: string
  readonly messageId: string
}

/** An entry of the audit log. */
export interface NewAudit {
  readonly id: string
  readonly action: string
  readonly personId: string | null
  readonly subjectId: string | null
  readonly data: unknown
}

/** A failed attempt, as it is remembered for the session. */
export interface NewFailure {
  readonly id: string
  /** When the tool was asked; the same for all of one step. */
  readonly at: Date
  readonly callId: string | null
  readonly tool: string
  readonly code: string
  readonly advice: string
  readonly degraded: boolean
  /** Until then the tool is not asked again in this session. */
  readonly downUntil: Date | null
}

/** Everything that one step changes. Either all of it happens, or (where the lease is lost) nothing. */
export interface Step {
  readonly messages?: readonly NewMessage[]
  readonly calls?: readonly NewCall[]
  readonly approvals?: readonly NewApproval[]
  readonly callChanges?: readonly CallChange[]
  readonly questions?: readonly QuestionChange[]
  readonly results?: readonly NewStoredResult[]
  readonly audit?: readonly NewAudit[]
  readonly failures?: readonly NewFailure[]
  /** Events that the turn has taken, and those that were dropped. */
  readonly taken?: { readonly turnId: string | null; readonly events: readonly string[] }
  readonly dropped?: readonly string[]
  /** Posts that were edited (`text`) or removed (`null`). */
  readonly rewritten?: readonly { readonly messageId: string; readonly text: string | null }[]
  readonly turn?: {
    readonly id: string
    /** For a new turn: who asked. */
    readonly begin?: { readonly personId: string; readonly intent: unknown }
    readonly status?: 'running' | 'waiting' | 'done' | 'stopped' | 'failed'
    readonly leg?: number
    readonly step?: number
    readonly outcome?: string | null
    readonly recalled?: unknown
    /** For a turn that more messages join: the intents of all of them. */
    readonly intent?: unknown
    readonly inputTokens?: number
    readonly outputTokens?: number
    readonly cost?: number
  }
  /** Other turns that are over, since their person said stop. */
  readonly stopped?: readonly string[]
  readonly session?: {
    readonly plan?: unknown
    readonly entities?: unknown
    /** At its first turn. */
    readonly profile?: string
    /** What was said in the thread before is among the messages now, or there was nothing. */
    readonly pastRead?: true
    /** The conversation begins anew: what was said so far counts no more. */
    readonly reset?: true
  }
  /** Declared workflows as they are now; what is put aside comes before what takes its place. */
  readonly workflows?: readonly WorkflowInstance[]
  /** Messages that are about to be sent. A key that is there already is left as it is. */
  readonly sending?: readonly NewDelivery[]
  /** Messages that the platform has taken. */
  readonly sent?: readonly SentDelivery[]
  /** The trace of what is over. */
  readonly spans?: readonly SpanRow[]
  /** Gives the lease back with the turn's end, where nothing else is left to do. */
  readonly release?: boolean
}
