/** The first millisecond of Discord's ids: 2015-01-01T00:00:00Z. */
const epoch = 1_420_070_400_000n

/**
 * Makes Discord ids: the time in the upper 42 bits, a counter below. They increase, but for those of a moment
 * that is asked for.
 */
export function createSnowflakes(now: () => number = Date.now): (at?: number) => string {
  let last = 0n
  let past = 0n
  return (at) => {
    if (at !== undefined) {
      past += 1n
      // Apart from the ids that were made at that time.
      return (startOf(at) + (1n << 21n) + past).toString()
    }
    const floor = startOf(now())
    last = floor > last ? floor : last + 1n
    return last.toString()
  }
}

function startOf(at: number): bigint {
  return (BigInt(Math.floor(at)) - epoch) << 22n
}
