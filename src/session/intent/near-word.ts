/**
 * The word of a list that a misspelt one means: one letter missing, too many, wrong, or two of them swapped. Words
 * of four letters only with two swapped, since too many are one letter apart.
 */
export function nearWord(word: string, words: readonly string[]): string | undefined {
  if (word.length > 20) return undefined
  return words.find((other) => isNear(word, other))
}

function isNear(word: string, other: string): boolean {
  const difference = word.length - other.length
  if (Math.abs(difference) > 1 || word === other) return false
  let at = 0
  while (at < word.length && word[at] === other[at]) at++
  if (difference === 0) {
    const swapped = word[at] === other[at + 1] && word[at + 1] === other[at]
    if (swapped && word.slice(at + 2) === other.slice(at + 2)) return true
    // The first letter is seldom mistaken; "sent" is not "bend".
    return word.length >= 5 && at > 0 && word.slice(at + 1) === other.slice(at + 1)
  }
  if (Math.min(word.length, other.length) < 4 || word.length + other.length < 10) return false
  const [long, short] = difference > 0 ? [word, other] : [other, word]
  // An ending makes another form of the word, not a mistake.
  if (difference > 0 && at === short.length && /[sdr]$/.test(long)) return false
  return long.slice(at + 1) === short.slice(at)
}
