/** The known name that somebody most likely meant, if any is near enough to be worth naming. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const wanted = plain(name)
  let best: string | undefined
  let least = Math.max(1, Math.floor(wanted.length / 3)) + 1
  for (const candidate of known) {
    const distance = edits(wanted, plain(candidate))
    if (distance < least) {
      best = candidate
      least = distance
    }
  }
  return best
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, '')
}

// Levenshtein's distance with one row; names are short.
function edits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= to.length; j += 1) {
      const swap = row[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1)
      next.push(Math.min(swap, row[j]! + 1, next[j - 1]! + 1))
    }
    row = next
  }
  return row[to.length]!
}
