import type { ThreadRef } from '../../channel/events.ts'
import type { NewApproval, NewCall } from '../../session/step.ts'
import type { CardSnapshot } from './cards.ts'
import type { ApprovalFacts } from './facts.ts'
import type { Actor } from './permission.ts'

/** A click on an approval, as the gateway got it. */
export interface Click extends Actor {
  readonly dedupeKey: string
  readonly thread: ThreadRef
}

/** What came of a click: the facts to draw the card from, and whether this click decided. */
export type Decision =
  /** No such approval, or one of another place. */
  | { readonly kind: 'unknown' }
  /** The very same click came before; it was answered then. */
  | { readonly kind: 'repeated' }
  | {
      readonly kind: 'found'
      /** Did this very click change something? */
      readonly decided: boolean
      /** Was it made by someone who may? */
      readonly permitted: boolean
      readonly sessionId: string
      readonly approvals: readonly ApprovalFacts[]
    }

/** How a person may decide. */
export interface DecideOptions {
  /** The version that the clicked card told: a card that was edited meanwhile is not decided. */
  readonly version?: number | undefined
  /** All that are open of the same message, as far as this person may. */
  readonly all?: boolean
  /** Allow the same for good, too. Decides nothing where the policy does not offer it. */
  readonly always?: boolean
}

/** What takes the place of a proposal that no longer holds. */
export interface Replacement {
  /** The version that it replaces. */
  readonly version: number
  /** Missing where the arguments do not fit any more. */
  readonly proposal?: { readonly call: NewCall; readonly approval: NewApproval }
  /** Told to the model as the outcome of the old call. */
  readonly sentence: string
}

/**
 * Decisions of people on proposed calls. Every race is decided by the database, in one statement each, which also
 * asks whether the person may. All of them lock the session first, then the call, then the approval, as `commitStep`
 * does, so that none deadlocks.
 */
export interface Approvals {
  /** Confirms or cancels one approval, or all open ones of its message. Whoever asked may always cancel. */
  decide(
    approvalId: string,
    verdict: 'confirmed' | 'cancelled',
    click: Click,
    options?: DecideOptions,
  ): Promise<Decision>
  /** Binds an open approval to changed arguments. */
  rebind(
    approvalId: string,
    version: number,
    change: { readonly arguments: unknown; readonly argumentsHash: string; readonly snapshot: CardSnapshot },
    click: Click,
  ): Promise<Decision>
  /** Voids an open approval and opens another one in its place, whose card is then shown below. */
  reissue(approvalId: string, replacement: Replacement, click: Click): Promise<Decision>
  /** A call whose outcome is not known: run it again, take it as done, or have it looked at (`check`). */
  resolveUnknown(callId: string, to: 'approved' | 'succeeded' | 'check', click: Click): Promise<Decision>
  /** What a card shows, without deciding anything. `permitted` tells whether this person may change it. */
  look(approvalId: string, actor: Actor): Promise<Decision>
  /** Did this very click come before, and count? */
  cameBefore(click: Pick<Click, 'dedupeKey'>): Promise<boolean>
  /** The facts of approvals, for drawing their cards. */
  facts(where: { readonly sessionId: string; readonly turnId?: string }): Promise<readonly ApprovalFacts[]>
  /** Approvals whose cards stand in that room, the newest last. */
  placedIn(room: Pick<ThreadRef, 'channel' | 'workspace' | 'room'>): Promise<readonly ApprovalFacts[]>
  /** Open approvals that this person may decide, and those that they asked for. */
  openOf(actor: Actor): Promise<readonly ApprovalFacts[]>
  /** Ends what nobody decided in time, and gives the sessions concerned. */
  expire(): Promise<readonly string[]>
  /** Has those reminded of whose time is nearly over, once each. */
  remind(): Promise<void>
}
