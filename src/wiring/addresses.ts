import type { ThreadRef } from '../channel/events.ts'
import { isLoopback } from '../config/environment.ts'

/** Where people reach this server's pages from a thread, where they do. */
export interface Addresses {
  ticket(number: number, thread: ThreadRef): string | undefined
  file(ref: string, thread: ThreadRef): string | undefined
}

/**
 * Addresses below the configured one. Without it, only who is on the web chat of this machine reaches a page.
 * @param own where the server listens, once it does
 */
export function createAddresses(parts: {
  readonly configured: string
  readonly host: string
  readonly own: () => string | undefined
}): Addresses {
  const base = (thread: ThreadRef): string | undefined => {
    if (parts.configured !== '') return parts.configured.replace(/\/+$/, '')
    return thread.channel === 'web' && isLoopback(parts.host) ? parts.own() : undefined
  }
  const below = (thread: ThreadRef, path: string) => {
    const address = base(thread)
    return address === undefined ? undefined : `${address}${path}`
  }
  return {
    ticket: (number, thread) => below(thread, `/tickets/T-${number}`),
    file: (ref, thread) => below(thread, `/files/${ref}`),
  }
}
