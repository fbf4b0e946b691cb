import type { ServerLimits } from './server.ts'

/** How long anything may take, in milliseconds. */
export interface McpLimits extends ServerLimits {
  /** The longest that a call may take, whatever progress it makes. */
  readonly callTotalMs: number
}

/** What holds unless it is said otherwise. */
export const defaultLimits: McpLimits = {
  connectMs: 60_000,
  pingMs: 30_000,
  pingTimeoutMs: 10_000,
  closeMs: 1500,
  askMs: 1500,
  forceMs: 1000,
  retryMs: 1000,
  retryMaxMs: 300_000,
  steadyMs: 30_000,
  listMs: 20_000,
  relistMs: 300_000,
  relistAfterFailureMs: 15_000,
  settleMs: 200,
  freshMs: 10_000,
  readyMs: 5000,
  callTotalMs: 600_000,
}
