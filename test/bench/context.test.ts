import { describe, expect, it } from 'vitest'
import { measureContext, showContextCost } from '../../bench/context.ts'

describe('the cost of a context', { timeout: 60_000 }, () => {
  it('does not grow with the whole history: only what is not summarised is read', async () => {
    const costs = await measureContext([10, 600], 3)
    expect(costs).toMatchObject([
      { messages: 10, read: 10 },
      { messages: 600, read: 24 },
    ])
    for (const { tokens, snapshotMs, assemblyMs } of costs) {
      expect(tokens).toBeLessThan(16_384)
      expect(snapshotMs).toBeGreaterThan(0)
      expect(assemblyMs).toBeGreaterThan(0)
    }
    expect(showContextCost(costs).split('\n')).toHaveLength(3)
  })
})
