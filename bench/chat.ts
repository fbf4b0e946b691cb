/** When things happened in one turn, in ms after the person sent the message. */
export interface Turn {
  readonly token: string
  /** By `performance.now()`. */
  readonly sentAt: number
  /** The acknowledgement of each event that told of the message; none where the platform has none. */
  readonly acks: readonly number[]
  /** The first thing that the person saw: a status, typing, or the answer itself. */
  readonly sign?: number
  /** The whole answer is there. */
  readonly finished: number
}

/** One conversation. Turns of it come one after another. */
export interface Conversation {
  /** Says something that holds the token, and waits for the whole answer to it. */
  turn(token: string, text?: string): Promise<Turn>
  end(): Promise<void>
}

/** A platform with people on it, to whom the measured process is connected. */
export interface Platform {
  readonly name: string
  /** A new conversation, by a person of its own. */
  open(): Promise<Conversation>
  /** How often the measured process has called the platform so far, where that can be told. */
  calls?(): number
}

/** Longest that an answer may take, ms: then the measurement has failed. */
export const patience = 30_000

/** The sentence of a person; it says nothing worth remembering. */
export function question(token: string): string {
  return `${token} what is planned for this week, in one sentence?`
}

/** Asks to keep a fact; `keepIn` reads it again. */
export function request(token: string, fact: string): string {
  return `${token} please keep in mind: ${fact}`
}

/** The fact that a text asks to keep. */
export function keepIn(text: string): string | undefined {
  return /please keep in mind: (.+)$/m.exec(text)?.[1]
}

/** The mark at the end of the answer to a token. */
export function endMark(token: string): string {
  return `(end of ${token})`
}

/** The last token in a text. */
export function tokenIn(text: string): string | undefined {
  return text.match(/bench-[a-z0-9]+/g)?.at(-1)
}

/** Fails once the patience is over; the returned way ends the wait. */
export function limited(token: string, reject: (error: Error) => void): () => void {
  const timer = setTimeout(() => reject(new Error(`No whole answer to ${token} came in time.`)), patience)
  return () => clearTimeout(timer)
}
