/**
 * What one part of a process tells another about a session. Only a hint: whoever listens reads the database,
 * and looks there from time to time without any notice, since other processes change sessions too.
 */
export interface Notices {
  /** Something arrived in the session's inbox. */
  arrived(sessionId: string): void
  /** Something that a viewer could see has changed: a message, a card, a draft. */
  changed(sessionId: string): void
  onArrived(sessionId: string, listener: () => void): () => void
  onChanged(sessionId: string, listener: () => void): () => void
}

export function createNotices(): Notices {
  const arrivals = new Map<string, Set<() => void>>()
  const changes = new Map<string, Set<() => void>>()
  return {
    arrived: (sessionId) => tell(arrivals, sessionId),
    changed: (sessionId) => tell(changes, sessionId),
    onArrived: (sessionId, listener) => listen(arrivals, sessionId, listener),
    onChanged: (sessionId, listener) => listen(changes, sessionId, listener),
  }
}

function tell(listeners: ReadonlyMap<string, ReadonlySet<() => void>>, sessionId: string): void {
  for (const listener of [...(listeners.get(sessionId) ?? [])]) listener()
}

function listen(
  listeners: Map<string, Set<() => void>>,
  sessionId: string,
  listener: () => void,
): () => void {
  const group = listeners.get(sessionId) ?? new Set()
  group.add(listener)
  listeners.set(sessionId, group)
  return () => {
    group.delete(listener)
    if (group.size === 0) listeners.delete(sessionId)
  }
}
