/**
 * What one part of a process tells another about a session. Only a hint: whoever listens reads the database,
 * and looks there from time to time without any notice, since other processes change sessions too.
 */
export interface Notices {
  /** Something arrived in the session's inbox. */
  arrived(sessionId: string): void
  /**
   * Something that a viewer could see has changed: a message, a card, a draft.
   * @param wanted is it what people wait for, so that it should not wait for what else may change soon?
   */
  changed(sessionId: string, wanted?: boolean): void
  onArrived(sessionId: string, listener: () => void): () => void
  onChanged(sessionId: string, listener: (wanted: boolean) => void): () => void
}

type Listener = (wanted: boolean) => void

export function createNotices(): Notices {
  const arrivals = new Map<string, Set<Listener>>()
  const changes = new Map<string, Set<Listener>>()
  return {
    arrived: (sessionId) => tell(arrivals, sessionId, true),
    changed: (sessionId, wanted = false) => tell(changes, sessionId, wanted),
    onArrived: (sessionId, listener) => listen(arrivals, sessionId, listener),
    onChanged: (sessionId, listener) => listen(changes, sessionId, listener),
  }
}

function tell(
  listeners: ReadonlyMap<string, ReadonlySet<Listener>>,
  sessionId: string,
  wanted: boolean,
): void {
  for (const listener of [...(listeners.get(sessionId) ?? [])]) listener(wanted)
}

function listen(listeners: Map<string, Set<Listener>>, sessionId: string, listener: Listener): () => void {
  const group = listeners.get(sessionId) ?? new Set()
  group.add(listener)
  listeners.set(sessionId, group)
  return () => {
    group.delete(listener)
    if (group.size === 0) listeners.delete(sessionId)
  }
}
