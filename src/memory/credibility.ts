import type { MemoryCategory, MemoryRecord } from './record.ts'

const dayMs = 86_400_000

// After so many days without being said again, a memory is believed half as much.
const halfLifeDays: Readonly<Record<MemoryCategory, number>> = {
  instruction: 730,
  correction: 730,
  preference: 365,
  fact: 365,
  decision: 365,
  goal: 180,
  event: 180,
  task: 90,
}

/** Below this a memory is asked about ("is … still right?") before it is used. */
export const doubtfulBelow = 0.3

/** How far a memory can be believed now, 0 to 1: its confidence, fading with the time since it was last said. */
export function credibility(
  memory: Pick<MemoryRecord, 'category' | 'confidence' | 'source' | 'updatedAt'>,
  now: Date,
): number {
  const halfLife = halfLifeDays[memory.category] * (memory.source === 'inferred' ? 0.5 : 1)
  const days = Math.max(0, now.getTime() - memory.updatedAt.getTime()) / dayMs
  return memory.confidence * 0.5 ** (days / halfLife)
}

/** How recently a memory was used (or made), 1 for now, half after 30 days. */
export function recency(memory: Pick<MemoryRecord, 'createdAt' | 'lastAccessAt'>, now: Date): number {
  const last = memory.lastAccessAt ?? memory.createdAt
  return 0.5 ** (Math.max(0, now.getTime() - last.getTime()) / dayMs / 30)
}
