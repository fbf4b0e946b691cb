import type { Sighting } from '../database-proxy.ts'

/** A moment at which a process is killed. */
export interface KillPoint {
  /** A kind of statement, or `model` for a request to the model. */
  readonly kind: string
  /** Which of its kind, counted from 1 since the process was started. */
  readonly nth: number
  /** Before the database (or the model) has it; or when all is done and the process does not know it yet. */
  readonly at: 'before' | 'after'
}

export function pointName({ kind, nth, at }: KillPoint): string {
  return `${at} ${kind} ${nth}`
}

// Every statement by which a turn, a click or a job changes rows, by what is said of it in the design.
const kinds: readonly (readonly [string, RegExp])[] = [
  ['event accepted', /^WITH gate AS/],
  ['lease taken', /^WITH leased AS/],
  ['lease released', /^WITH freed AS/],
  ['step committed', /^WITH held AS/],
  ['decision', /^WITH place AS .* decided AS/],
  ['delivery reserved', /^WITH allowed AS/],
  ['delivery sent', /^UPDATE delivery SET status = 'sent'/],
  ['draft shown', /^INSERT INTO draft/],
  ['draft cleared', /^DELETE FROM draft/],
  ['ticket created', /^INSERT INTO "public"."ticket"/],
  ['trace stored', /^INSERT INTO span/],
  ['turn learned', /^UPDATE "public"."turn" SET "learned_at"/],
  ['bell rung', /^-- Insert a single job/],
  ['bell answered', /^-- Claim the next ready job/],
  ['job finished', /^-- Finish an active job/],
]

/** The kind of a statement that changes rows for a turn; nothing for reads and upkeep. */
export function kindOf({ sql }: Pick<Sighting, 'sql'>): string | undefined {
  return kinds.find(([, pattern]) => pattern.test(sql))?.[0]
}
