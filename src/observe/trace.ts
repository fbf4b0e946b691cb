import type { Clock } from '../base/clock.ts'
import { codeOf } from '../base/errors.ts'
import type { Ids } from '../base/ids.ts'
import { redact } from './redact.ts'

/** One piece of a turn's trace, as it is stored. */
export interface SpanRow {
  readonly id: string
  readonly turnId: string
  readonly sessionId: string
  readonly parentId: string | null
  readonly name: string
  readonly startedAt: Date
  readonly endedAt: Date | null
  readonly outcome: string
  readonly attributes: unknown
}

/** A span under way. */
export interface Span {
  /** Adds facts; secrets are replaced before anything is stored. */
  note(attributes: Readonly<Record<string, unknown>>): void
  /** `ok` unless said otherwise or something is thrown. */
  end(outcome?: string): void
  /** Runs work in a span below this one. */
  span<T>(
    name: string,
    attributes: Readonly<Record<string, unknown>>,
    work: (span: Span) => Promise<T>,
  ): Promise<T>
}

/** The trace of one turn. Spans are kept here and stored in one batch when the turn pauses or ends. */
export interface Trace {
  readonly root: Span
  /** The finished spans since the last call, and those still open, as far as they have come. */
  take(): readonly SpanRow[]
}

export function createTrace(parts: { turnId: string; sessionId: string; clock: Clock; ids: Ids }): Trace {
  const { turnId, sessionId, clock, ids } = parts
  let finished: SpanRow[] = []
  let taken = false

  const open = (
    name: string,
    parentId: string | null,
    attributes: Readonly<Record<string, unknown>>,
  ): Span & { row(): SpanRow } => {
    const id = ids('span')
    const startedAt = clock.now()
    const started = clock.monotonic()
    let facts = { ...attributes }
    let ended = false
    const row = (outcome: string, endedAt: Date | null): SpanRow => ({
      id,
      turnId,
      sessionId,
      parentId,
      name,
      startedAt,
      endedAt,
      outcome,
      attributes: redact(facts),
    })
    const span = {
      note(more: Readonly<Record<string, unknown>>) {
        facts = { ...facts, ...more }
      },
      end(outcome = 'ok') {
        if (ended) return
        ended = true
        finished.push(row(outcome, new Date(startedAt.getTime() + (clock.monotonic() - started))))
      },
      async span<T>(
        below: string,
        belowFacts: Readonly<Record<string, unknown>>,
        work: (span: Span) => Promise<T>,
      ) {
        const child = open(below, id, belowFacts)
        try {
          const result = await work(child)
          child.end()
          return result
        } catch (error) {
          child.end(codeOf(error) === 'unknown' && error instanceof Error ? error.name : codeOf(error))
          throw error
        }
      },
      row: () => row('ok', null),
    }
    return span
  }

  const root = open('turn', null, {})
  return {
    root,
    take() {
      if (taken && finished.length === 0) return []
      taken = true
      root.end()
      const rows = finished
      finished = []
      return rows
    },
  }
}
