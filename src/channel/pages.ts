/** One line of what happened to a ticket. */
export type TicketEntry = {
  readonly by: string
  readonly at: Date
} & (
  | { readonly kind: 'comment'; readonly text: string }
  | {
      readonly kind: 'change'
      readonly field: string
      readonly before: string | null
      readonly after: string | null
    }
)

/** A ticket as its page shows it. */
export interface TicketView {
  /** For example T-1042. */
  readonly key: string
  readonly title: string
  /** Markdown. */
  readonly body: string
  readonly status: string
  readonly priority: string
  readonly assignee: string | null
  readonly labels: readonly string[]
  readonly dueAt: Date | null
  readonly createdBy: string
  readonly createdAt: Date
  /** Comments and changes, the oldest first. */
  readonly history: readonly TicketEntry[]
}

/** A file that came with a tool's result. */
export interface KeptFile {
  readonly name: string
  readonly mediaType: string
  readonly bytes: Uint8Array
}

/** What pages of the server show besides threads. */
export interface PageReader {
  /** `undefined` where there is none that a team shares. */
  ticket(number: number): Promise<TicketView | undefined>
  /** `undefined` where there is none, or it has aged out. */
  file(ref: string): Promise<KeptFile | undefined>
}
