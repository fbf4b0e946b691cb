/** What goes wrong with a request. */
export type FaultKind =
  /** Answered with this status; a 5xx has no body. */
  | { readonly kind: 'status'; readonly status: number; readonly body?: object }
  /** 429 with the seconds to wait. */
  | { readonly kind: 'rate-limit'; readonly retryAfter: number; readonly global?: boolean }
  /** The connection breaks, before the request is looked at or after it was carried out. */
  | { readonly kind: 'break'; readonly when: 'before' | 'after'; readonly how: 'reset' | 'close' }
  /** The answer comes late. */
  | { readonly kind: 'slow'; readonly ms: number }
  /** No answer at all, until the client gives up. */
  | { readonly kind: 'hang' }

export interface Fault {
  readonly method?: string
  /** Matches the path after `/api/v10`. */
  readonly path?: RegExp
  /** How many requests it hits; 1 where not given. */
  readonly times?: number
  readonly does: FaultKind
}

/** Trouble that a test puts in the way of requests. */
export class Faults {
  private readonly waiting: { readonly fault: Fault; left: number }[] = []

  /** Arms a fault; the answer tells how many times it has still to strike. */
  add(fault: Fault): { readonly left: () => number } {
    const armed = { fault, left: fault.times ?? 1 }
    this.waiting.push(armed)
    return { left: () => armed.left }
  }

  clear(): void {
    this.waiting.length = 0
  }

  /** The fault for this request, used up by one. */
  take(method: string, path: string): FaultKind | undefined {
    const armed = this.waiting.find(
      ({ fault, left }) =>
        left > 0 &&
        (fault.method === undefined || fault.method === method) &&
        (fault.path === undefined || fault.path.test(path)),
    )
    if (!armed) return undefined
    armed.left -= 1
    return armed.fault.does
  }
}
