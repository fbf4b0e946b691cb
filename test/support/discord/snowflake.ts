/** The first millisecond of Discord's ids: 2015-01-01T00:00:00Z. */
const epoch = 1_420_070_400_000n

/** Makes Discord ids: the time in the upper 42 bits, a counter below, always increasing. */
export function createSnowflakes(now: () => number = Date.now): (at?: number) => string {
  let last = 0n
  return (at = now()) => {
    const floor = (BigInt(Math.floor(at)) - epoch) << 22n
    last = floor > last ? floor : last + 1n
    return last.toString()
  }
}

/** A Discord id for a given moment that no later id is below, for tests that need old messages. */
export function snowflakeAt(at: number): string {
  return ((BigInt(Math.floor(at)) - epoch) << 22n).toString()
}

/** The moment in an id. */
export function timeOf(id: string): number {
  return Number((BigInt(id) >> 22n) + epoch)
}
