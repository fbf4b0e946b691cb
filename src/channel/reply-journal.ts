/** The number under which the attached file of a reply stands in its journal. */
export const attachmentPart = 1000

/** What is kept of a reply's messages, so that a crash neither loses nor doubles one. */
export interface ReplyJournal {
  /**
   * Commits that part number `part` (from 0; `attachmentPart` for the file) is about to be sent. Awaited before
   * each create. Asked again for a part that was reserved but not posted, it gives the same nonce.
   */
  reserve(part: number): Promise<{ readonly nonce: string }>
  /** The platform took the part. */
  posted(part: number, messageId: string): Promise<void>
  /** The part's message was removed again, since the final text needs fewer. */
  removed(part: number, messageId: string): Promise<void>
}

/** A message that this leg already has, from a process that is gone. */
export interface PriorPart {
  readonly part: number
  readonly messageId: string
}
