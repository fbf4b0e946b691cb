import type { Clock } from '../base/clock.ts'
import type { Ids } from '../base/ids.ts'
import type { Language } from '../base/words.ts'
import type { ThreadRef } from '../channel/events.ts'
import type { ReplyTarget, Speaker } from '../channel/port.ts'
import type { Workflow } from '../config/workflows.ts'
import type { ChatModel, ToolOffer } from '../model/chat.ts'
import type { Price } from '../model/prices.ts'
import type { Log } from '../observe/log.ts'
import type { Trace } from '../observe/trace.ts'
import type { EarlierLimits } from '../session/earlier-posts.ts'
import type { Lease, Leases } from '../session/lease.ts'
import type { Notices } from '../session/notices.ts'
import type { People, PersonFacts } from '../session/people.ts'
import type { Profile, ProfileScope, Profiles } from '../session/profiles.ts'
import type { Database } from '../store/client.ts'
import type { Approvals } from '../tools/approvals/approvals.ts'
import type { PolicySettings } from '../tools/approvals/policies.ts'
import type { Lookup } from '../tools/arguments/references.ts'
import type { Timeouts } from '../tools/execution/timeouts.ts'
import type { ToolRegistry } from '../tools/registry.ts'
import type { ResultSizes } from '../tools/results/results.ts'
import type { Choosing } from '../tools/selection/choosing.ts'
import type { SelectionRules } from '../tools/selection/selection.ts'
import type { SuccessRates } from '../tools/selection/success.ts'
import type { Fallback, Tool } from '../tools/tool.ts'
import type { Questions } from './asking/questions.ts'
import type { Commands } from './commands/commands.ts'
import type { DeskCases } from './desk/desk.ts'
import type { Reach } from './people/reach.ts'
import type { Deliveries } from './sending/delivery.ts'
import type { Keep } from './sending/keeping.ts'
import type { FindPlace } from './sending/places.ts'

/** A memory that was recalled for a turn. */
export interface Recalled {
  readonly id: string
  readonly version: number
  /** With its date, as the model reads it. */
  readonly line: string
  /** The words that it was said in. */
  readonly original: string
}

/** What the agent asks of the memory layer. Who may see what is decided there, in the query. */
export type Recall = (
  query: string,
  asker: {
    readonly personId: string
    readonly timeZone: string
    readonly workspace: string
    readonly sessionId: string
    readonly turnId: string
    readonly kind: 'direct' | 'shared'
    /** The only scopes that come into question. */
    readonly scopes: readonly ProfileScope[]
    readonly now: Date
    readonly signal: AbortSignal
  },
) => Promise<readonly Recalled[]>

/** What may be spent on the model; 0 means no limit. Costs are in the currency of the prices. */
export interface SpendingLimits {
  readonly turnCost: number
  readonly personDayTokens: number
  readonly personDayCost: number
  readonly dayTokens: number
  readonly dayCost: number
  readonly currency: string
  readonly prices: Readonly<Record<string, Price>>
}

/** Told of a question that is going to be recalled for, so that what takes long of it can begin. */
export type PrepareRecall = (
  query: string,
  asker: {
    readonly personId: string
    readonly timeZone: string
    readonly workspace: string
    readonly sessionId: string
    readonly turnId: string
    readonly kind: 'direct' | 'shared'
  },
) => void

/** Limits of a turn, and the shares of its context. */
export interface AgentSettings {
  readonly steps: number
  readonly identicalCalls: number
  readonly turnMs: number
  /** Input and output of all requests of one turn. */
  readonly turnTokens: number
  readonly approvals: PolicySettings
  readonly inputShare: number
  readonly systemTokens: number
  readonly toolResultShare: number
  readonly memoryShare: number
  readonly outputShare: number
  readonly results: ResultSizes
  readonly selection: SelectionRules
  readonly resultLifeMs: number
  readonly language: Language
  /** How much is read of a thread that Hermes is asked into. */
  readonly earlier: EarlierLimits
  /** Where the desk's people are, and where days begin and end. */
  readonly timeZone: string
  /** How long a tool that does not answer is left alone in a session, and the most where its service asks for more. */
  readonly coolDown: { readonly coolDownMs: number; readonly longestMs: number }
  /** How names are looked up in other systems. */
  readonly lookups: readonly Lookup[]
  /** What is asked instead of a tool that does not answer, by its name. */
  readonly fallbacks: Readonly<Record<string, Fallback>>
  /**
   * After how many failures of a tool within that time the case goes to the desk, and how long it waits there for
   * somebody before Hermes is back.
   */
  readonly handOver: { readonly failures: number; readonly windowMs: number; readonly waitMs: number }
  /** Limits of what may be spent; 0 means none. */
  readonly spending: SpendingLimits
  /** Added to the system text by whoever runs Hermes. */
  readonly instructions: string
}

/** What turns need to follow declared workflows. */
interface WorkflowParts {
  /** As the settings have them now. What is under way keeps its own. */
  readonly declared: Readonly<Record<string, Workflow>>
}

/** What turns are made of: built once, in the composition root. */
export interface AgentParts {
  /** Whom a name means. */
  readonly reach: Reach
  readonly db: Database
  readonly ids: Ids
  readonly clock: Clock
  readonly log: Log
  readonly notices: Notices
  readonly leases: Leases
  readonly approvals: Approvals
  readonly questions: Questions
  readonly people: People
  readonly deliveries: Deliveries
  readonly keep: Keep
  readonly desk: DeskCases
  /** The desk's room. `undefined` where there is none, or none of that name. */
  readonly deskRoom: () => Promise<ThreadRef | undefined>
  readonly timeouts: Timeouts
  readonly registry: ToolRegistry
  /** Where a profile names no other. */
  readonly model: ChatModel
  readonly profiles: Profiles
  readonly modelOf: (profile: Profile) => ChatModel
  readonly workflows: WorkflowParts
  readonly recall: Recall
  readonly prepareRecall: PrepareRecall
  /** How often tools went well lately. */
  readonly success: SuccessRates
  readonly choosing: Choosing
  /** For those that are typed as messages. */
  readonly commands: Pick<Commands, 'run'>
  readonly count: (text: string) => number
  /** Tokens that offering tools takes. */
  readonly countTools: (tools: readonly ToolOffer[]) => number
  readonly speaker: (thread: ThreadRef) => Speaker
  /** Where cards of rooms go. */
  readonly findPlace: FindPlace
  /** Where people of a thread can fetch a kept file, where they can. */
  readonly fileAddress: (ref: string, thread: ThreadRef) => string | undefined
  readonly settings: AgentSettings
  /** The text of prompts/rules.md. */
  readonly rules: string
  /** Told how each stretch of a turn ended, and how long it took. */
  readonly observe: (outcome: string, seconds: number) => void
}

/** Everything that a turn knows; each layer reads from it and adds its own section. */
export interface TurnContext {
  readonly turnId: string
  readonly sessionId: string
  readonly thread: ThreadRef
  readonly kind: 'direct' | 'shared'
  /** How Hermes is set up in this session. */
  readonly profile: Profile
  /** Of now: somebody who is linked while the turn runs becomes another one. */
  person: PersonFacts
  readonly language: Language
  readonly target: ReplyTarget
  readonly lease: Lease
  readonly trace: Trace
  /** Set by recall: what it was asked, and what it gave. */
  memory?: { readonly query: string; readonly recalled: readonly Recalled[] }
  /** Set by selection: the tools that the model is offered. */
  offered?: readonly Tool[]
  /** The leg that this process itself began: nothing of it can be visible from before. */
  freshLeg?: number
}
