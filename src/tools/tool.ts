import { HermesError } from '../base/errors.ts'
import type { Language } from '../base/words.ts'
import type { CardField } from '../channel/card.ts'
import type { ThreadRef } from '../channel/events.ts'

/** What a call does: `read` looks, `own` touches only the speaker's own data in Hermes, `write` changes the world. */
export type ToolEffect = 'read' | 'own' | 'write'

/** How a tool fails. Only `transient` and `rate_limit` are worth another try, and only for idempotent tools. */
export type FailureClass =
  | 'validation'
  | 'permission'
  | 'not_found'
  | 'rate_limit'
  | 'transient'
  | 'permanent'
  /** The call died midway: its effect may have happened. */
  | 'unknown'

/** Thrown by a tool that could not do what it was asked. The sentence is told to the model and to people. */
export class ToolFailure extends HermesError {
  readonly failure: FailureClass
  /** ms after which another try makes sense, where the service said so. */
  readonly retryAfterMs: number | undefined

  constructor(
    failure: FailureClass,
    message: string,
    options: { data?: Record<string, unknown>; cause?: unknown; retryAfterMs?: number } = {},
  ) {
    super(`tool.${failure}`, message, options)
    this.failure = failure
    this.retryAfterMs = options.retryAfterMs
  }
}

/** Whose memories: the speaker's own, the team's, everybody's. */
export type MemoryScope = 'private' | 'team' | 'public'

/** Who calls, where and when: what a tool may know of the turn. */
export interface CallContext {
  /** Also the idempotency key: the same for every attempt of this call. */
  readonly callId: string
  /** What the service calls that key in the metadata of a request, where it has a name of its own. */
  readonly keyName?: string
  readonly turnId: string
  readonly session: { readonly id: string; readonly thread: ThreadRef; readonly kind: 'direct' | 'shared' }
  readonly person: {
    readonly id: string
    readonly name: string
    readonly timeZone: string
    readonly language: Language
  }
  readonly now: Date
  readonly signal: AbortSignal
  /** Is a tool available in this conversation? */
  readonly mounts: (tool: Tool) => boolean
  /** Scopes of memories that may be recalled here, and written into. */
  readonly memory: { readonly recall: readonly MemoryScope[]; readonly learn: readonly MemoryScope[] }
  /** Tells the thread what happens, in a few words for people. */
  readonly progress: (line: string) => void
  /** A sign of life of whoever works on the call: its time begins anew. */
  readonly alive?: () => void
}

/** What a tool gives back. */
export interface ToolResult {
  /** For the model: text, or data that is told as JSON. */
  readonly content: unknown
  /** One sentence for people: what was done. Required where something changed. */
  readonly told?: string
  /** Ids and names that later messages may refer to. */
  readonly entities?: readonly Entity[]
  /** Files that came with it. They are kept, named to the model, and shown to people below the answer. */
  readonly files?: readonly ResultFile[]
}

/** A file that a tool gave back. */
export interface ResultFile {
  readonly name?: string
  readonly mimeType: string
  readonly bytes: Uint8Array
}

/** A call of the speaker's own that is done, for taking it back. */
export interface DoneCall {
  readonly id: string
  readonly arguments: Readonly<Record<string, unknown>>
}

/** Something with a name or an id that came up in the conversation. */
export interface Entity {
  /** For example ticket, reminder, person, document, memory. */
  readonly type: string
  readonly id: string
  readonly label: string
}

/** What the card of a write shows besides its exact arguments. */
export interface CallCard {
  readonly target?: string
  /** The arguments by their labels; by default every argument that is set. */
  readonly fields?: readonly CardField[]
}

/** A tool as the rest of Hermes knows it: built in, or of an MCP server. */
export interface Tool {
  /** `^[a-zA-Z0-9_-]{1,64}$` */
  readonly name: string
  /** As a verb and a thing, for cards: "Create ticket". */
  readonly title: (language: Language) => string
  /** For the model: use when, not when, returns, fails with. */
  readonly description: string
  readonly effect: ToolEffect
  /** Is doing it twice with the same call id the same as doing it once? */
  readonly idempotent: boolean
  readonly timeoutMs: number
  /** What the time may be raised to where it proves too short, in ms; twice the time by default. */
  readonly longestMs?: number
  /** What may pass in ms until the call is on its way, where that is told by `alive`; its time begins then. */
  readonly readyMs?: number
  /** What is asked where this does not answer. Reads only. */
  readonly fallback?: Fallback
  /** Of a read: for so long the same call in a conversation is answered with the result that it had. 0: never. */
  readonly cacheSeconds: number
  /** JSON Schema of the arguments, as the model and forms see it. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** Arguments that are exact times once they are checked, though their schema lets words stand there. */
  readonly moments?: readonly string[]
  /** Of name, description, effect and schema: an approval counts for exactly this definition. */
  readonly definitionHash: string
  /** Are its arguments the model's own affair (ids of Hermes, a plan), so that no person is asked for them? */
  readonly askless?: true
  /** One sentence for the card: what will happen in the world. */
  readonly risk: (language: Language) => string
  /** Few words for people while it runs: "Looking through the notes". */
  readonly activity: (language: Language) => string
  /** The MCP server that it is on. */
  readonly server?: string
  /** Why it can't be called now, where it can't (an MCP tool whose definition changed). */
  readonly blocked?: string
  /** Schema, then rules and references. What passes is exactly what a card shows and `run` is given. */
  check(raw: Readonly<Record<string, unknown>>, context: CheckContext): Promise<Checked>
  card(args: Readonly<Record<string, unknown>>, language: Language): CallCard
  run(args: Readonly<Record<string, unknown>>, context: CallContext): Promise<ToolResult>
  /** Takes back what a call did; twice is the same as once. Effects of the speaker's own have it. */
  readonly undo?: (done: DoneCall, context: CallContext) => Promise<ToolResult>
  /** Looks whether a call of that id, whose outcome is not known, was done. Changes nothing. */
  checkOutcome?(args: Readonly<Record<string, unknown>>, context: CallContext): Promise<FoundOutcome>
}

/** What looking after a call came to. */
export type FoundOutcome =
  | { readonly kind: 'done'; readonly result: ToolResult }
  | { readonly kind: 'not done' }
  /** Nobody can tell; a sentence says why. */
  | { readonly kind: 'unclear'; readonly sentence: string }
/** Another tool to ask where one does not answer. */

export interface Fallback {
  /** Its name; it must be a read. */
  readonly tool: string
  /** By each of its arguments that is called otherwise: the argument whose value it gets. Others keep their names. */
  readonly arguments?: Readonly<Record<string, string>>
}

/** What checking arguments may depend on. */
export interface CheckContext {
  readonly now: Date
  readonly timeZone: string
  readonly language: Language
  readonly personId: string
  readonly thread: ThreadRef
}

/** What the arguments of a call that is made within another one are checked with. */
export function checkContextOf({ now, person, session }: CallContext): CheckContext {
  const { timeZone, language, id: personId } = person
  return { now, timeZone, language, personId, thread: session.thread }
}

/** Arguments as they will be used, or what is wrong with them. */
export type Checked<Arguments = Record<string, unknown>> =
  | { readonly ok: true; readonly arguments: Arguments }
  | { readonly ok: false; readonly problems: readonly ArgumentProblem[] }

/** What is wrong with an argument, in a sentence. */
export interface ArgumentProblem {
  /** Dotted path, empty for the whole. */
  readonly field: string
  readonly problem: string
  readonly missing: boolean
  /** What may be meant, where several things fit the words that were given. */
  readonly options?: readonly { readonly id: string; readonly label: string }[]
}
