/** What many numbers come to. */
export interface NumberSummary {
  readonly count: number
  readonly min: number
  readonly max: number
  readonly sum: number
  readonly mean: number
}

/** The least, greatest, total and mean of numbers; there must be at least one. */
export function numbersOf(values: readonly number[]): NumberSummary {
  let min = Number.POSITIVE_INFINITY
  let max = Number.NEGATIVE_INFINITY
  let sum = 0
  for (const value of values) {
    if (value < min) min = value
    if (value > max) max = value
    sum += value
  }
  return { count: values.length, min, max, sum: rounded(sum), mean: rounded(sum / values.length) }
}

// Without the dust of binary fractions: 0.1 + 0.2 is told as 0.3.
function rounded(value: number): number {
  return Number(value.toPrecision(12))
}
