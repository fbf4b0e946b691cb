import type { KnownEntity } from '../entities.ts'

/** What a message is, first of all. */
export type Primary =
  | 'query'
  | 'action'
  | 'modify'
  | 'cancel'
  | 'confirm'
  | 'correct'
  | 'remember'
  | 'forget'
  | 'chat'

/** How what is asked is to be done: looked up anew, done again, or shown in another form. */
export type Modifier = 'refresh' | 'rerun' | 'format'

/** Words that refer to something, and what they may refer to. */
export interface Anchor {
  readonly words: string
  /** Where the words start in the message. */
  readonly index: number
  /** `date`, `person`, or the type of the entity; `any` where the words don't say. */
  readonly type: string
  /** Ids of entities, or names of people without one; the likeliest first. Empty where nothing fits. */
  readonly ids: readonly string[]
  /** For `date`: instants in ISO 8601, the end exclusive, and the dates as the person's time zone has them. */
  readonly range?: { readonly start: string; readonly end: string; readonly written: string }
  /** Several fit, and nothing in the message says which. */
  readonly ambiguous: boolean
}

/** One thing that is asked for. */
export interface Request {
  readonly text: string
  readonly primary: Primary
  readonly condition?: Condition
  /** The request that comes before it, counted from 0. */
  readonly after?: number
}

/** When a request holds. */
export interface Condition {
  /** In the person's words: "if not", 如果没提交. */
  readonly text: string
  readonly negated: boolean
  /** The request whose outcome decides; none where nothing in the message finds it out. */
  readonly dependsOn?: number
}

/** What a message wants, as far as code can tell. */
export interface Intent {
  readonly primary: Primary
  readonly anchors: readonly Anchor[]
  readonly modifiers: readonly Modifier[]
  /** From 0 to 1. */
  readonly confidence: number
  readonly requests: readonly Request[]
}

/** What a message is understood by. */
export interface IntentFacts {
  /** What has been named in the session, newest last. */
  readonly entities: readonly KnownEntity[]
  /** Names of people who are known here. */
  readonly people: readonly string[]
  readonly now: Date
  /** The speaker's, an IANA name. */
  readonly timeZone: string
  /** Does a card wait for this person's decision? */
  readonly approvalOpen: boolean
  /** Is a turn at work? */
  readonly running: boolean
}
