/** A time distribution in ms. */
export interface Spread {
  readonly count: number
  readonly p50: number
  readonly p95: number
  readonly max: number
}

/** Nearest-rank percentiles of times in ms; undefined where there are none. */
export function spreadOf(times: readonly number[]): Spread | undefined {
  if (times.length === 0) return undefined
  const sorted = [...times].sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]!
  return { count: sorted.length, p50: at(0.5), p95: at(0.95), max: sorted.at(-1)! }
}

/** A time or rate as it is read: three digits are plenty. */
export function short(value: number): string {
  if (value >= 100) return value.toFixed(0)
  return value >= 10 ? value.toFixed(1) : value.toFixed(2)
}

/** Columns of text, right-aligned but for the first one. */
export function tableOf(rows: readonly (readonly string[])[]): string {
  const widths = rows.reduce<number[]>(
    (known, row) => row.map((cell, column) => Math.max(known[column] ?? 0, cell.length)),
    [],
  )
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
