import type { TraceNode } from '../../channel/view.ts'
import type { SpanRow } from '../../observe/trace.ts'

type Span = Omit<SpanRow, 'turnId' | 'sessionId'>

/** Spans as a tree, with times relative to the first. */
export function traceTree(spans: readonly Span[]): readonly TraceNode[] {
  const start = Math.min(...spans.map((span) => span.startedAt.getTime()))
  const known = new Set(spans.map((span) => span.id))
  const below = (parent: string | null): readonly TraceNode[] =>
    spans
      .filter((span) =>
        parent === null ? span.parentId === null || !known.has(span.parentId) : span.parentId === parent,
      )
      .map((span) => ({
        name: span.name,
        startedMs: span.startedAt.getTime() - start,
        durationMs: span.endedAt ? span.endedAt.getTime() - span.startedAt.getTime() : 0,
        outcome: span.outcome,
        attributes: (span.attributes ?? {}) as Record<string, unknown>,
        children: below(span.id),
      }))
  return below(null)
}
