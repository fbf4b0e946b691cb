import type { DatabaseProxy } from '../database-proxy.ts'
import { type KillPoint, kindOf } from './kill-points.ts'

/** Kills a process at chosen points, one after the other. */
export interface Killer {
  /** The next point; counts start anew. Without one nothing is killed, and what comes by is only noted. */
  arm(point: KillPoint | undefined): void
  /** Kills nothing any more, and notes nothing, until it is armed again. */
  rest(): void
  /** To be called when the model is asked. Says what is to be done with the answer: half of it, or none, goes out. */
  modelAsked(): 'all' | 'half' | 'none'
  /** Everything that has come by since it was armed. */
  readonly seen: readonly KillPoint[]
}

/** @param kill is called once at the point, while the statement is held */
export function createKiller(proxy: DatabaseProxy, kill: (point: KillPoint) => void): Killer {
  let point: KillPoint | undefined
  let counts = new Map<string, number>()
  let seen: KillPoint[] = []

  let resting = false

  const next = (kind: string): KillPoint | undefined => {
    if (resting) return undefined
    const nth = (counts.get(kind) ?? 0) + 1
    counts.set(kind, nth)
    seen.push({ kind, nth, at: 'before' })
    if (!point || point.kind !== kind || point.nth !== nth) return undefined
    const reached = point
    point = undefined
    return reached
  }
  proxy.watch((sighting) => {
    const kind = kindOf(sighting)
    const reached = kind === undefined ? undefined : next(kind)
    return reached && { at: reached.at, reached: () => kill(reached) }
  })
  return {
    rest() {
      resting = true
    },
    arm(given) {
      resting = false
      point = given
      counts = new Map()
      seen = []
    },
    modelAsked() {
      const reached = next('model')
      if (!reached) return 'all'
      setTimeout(() => kill(reached), reached.at === 'before' ? 0 : 100)
      return reached.at === 'before' ? 'none' : 'half'
    },
    get seen() {
      return seen
    },
  }
}

/** Each point that was seen, both before and after it. */
export function pointsOf(seen: readonly KillPoint[]): readonly KillPoint[] {
  return seen.flatMap((point) => [point, { ...point, at: 'after' as const }])
}
