import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'

/** A refusal as RFC 9457 has it, with a stable `code` beside. */
export interface Problem {
  readonly status: ContentfulStatusCode
  /** For example `web.body`. */
  readonly code: string
  /** A few words, the same for every case of the code. */
  readonly title: string
  /** One sentence about this case, and what to do. */
  readonly detail: string
  /** Which member of the body is wrong, and how. */
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[]
}

/** Answers with a problem. */
export function answerProblem(c: Context, problem: Problem): Response {
  const { status } = problem
  const body = JSON.stringify({ type: 'about:blank', ...problem })
  return c.body(body, status, { 'Content-Type': 'application/problem+json', 'Cache-Control': 'no-store' })
}
